// Owns repeatable randomness: prints its seed, and reads it from PARLEY_TEST_SEED.
import { randomInt } from "node:crypto";

/** @returns numbers from 0 to 1, the same ones for the same seed (mulberry32) */
export function seededRandom(what: string): () => number {
  const seed = Number(process.env.PARLEY_TEST_SEED) || randomInt(1, 2 ** 31);
  console.log(`${what}: PARLEY_TEST_SEED=${seed} repeats this`);
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
