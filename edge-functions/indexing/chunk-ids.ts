// Owns the ids of new chunks. They are made here, not by Postgres, so that a chunk and its vector can be written by two statements.
import { randomBytes } from "node:crypto";

/** UUIDs of version 7, in order. @param count at most 4,096 */
export function newChunkIds(count: number): string[] {
  const time = Date.now().toString(16).padStart(12, "0");
  const random = randomBytes(8 * count);
  return Array.from({ length: count }, (_, i) => {
    const bytes = random.subarray(8 * i, 8 * (i + 1));
    bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
    const rest = bytes.toString("hex");
    const place = i.toString(16).padStart(3, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-${rest.slice(0, 4)}-${rest.slice(4)}`;
  });
}
