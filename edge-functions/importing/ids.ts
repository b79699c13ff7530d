// Owns the ids of imported rows. An archive's ids are untrusted and never kept. Pure.
import { createHash } from "node:crypto";

const timeOrdered = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/;
/** Tolerated: ids stay ahead of a clock that was set back until it catches up (sql/86_clock.sql). */
const aheadMs = 24 * 3_600_000;

/**
 * Derives the id of an imported row from the team and its old id. It is deterministic, so an interrupted import can continue, and differs
 * between teams. A UUIDv7 keeps its order, which the order of messages depends on, unless it lies in the future.
 */
export function newIdOf(teamId: string, oldId: string): string {
  const id = oldId.toLowerCase();
  const hash = createHash("sha256").update(`${teamId}:${id}`).digest("hex");
  const isOrdered =
    timeOrdered.test(id) && Number.parseInt(id.replace("-", "").slice(0, 12), 16) <= Date.now() + aheadMs;
  // UUIDv7 has its clock and counter in the first 24 characters, dashes included; version 8 is for custom ids.
  const head = isOrdered
    ? id.slice(0, 24)
    : `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-`;
  return head + hash.slice(20, 32);
}
