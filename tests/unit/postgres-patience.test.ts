// The time limits of the local database's clients: a machine that stands still uses up a tenth of one, and no more.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Patience } from "../../supabase/local/postgres/patience.ts";

/** Stops this thread, and so its timers, as a machine that sleeps. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("a standstill that is longer than the limit does not end it", async () => {
  let isOver = false;
  new Patience(500).whenOver(() => {
    isOver = true;
  });
  standStill(1000);
  await nextTurn();
  await nextTurn();
  expect(isOver).toBe(false);
  await expect.poll(() => isOver).toBe(true);
});

test("a wait that ends counts for what it took", async () => {
  const patience = new Patience(500);
  for (let waits = 0; !patience.isOver; waits++) {
    expect(waits).toBeLessThan(60);
    const end = patience.step(() => {});
    await sleep(25);
    end();
  }
});

test("nobody is called after the end of a wait", async () => {
  let calls = 0;
  new Patience(20).whenOver(() => {
    calls += 1;
  })();
  await sleep(60);
  expect(calls).toBe(0);
});
