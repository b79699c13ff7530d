// Owns the ids of what is imported. An id of the archive is somebody else's word: nothing here keeps one. Pure.
import { createHash } from "node:crypto";

const timeOrdered = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/;
/** A clock may be a little ahead. */
const aheadMs = 60_000;

/**
 * The id that something of an archive has in its new team: always the same one, so that work that was interrupted goes on with
 * it, and the same in no other team. In the old order, which the order of messages is; ids that claim the future have none.
 */
export function newIdOf(teamId: string, oldId: string, now = Date.now()): string {
  const id = oldId.toLowerCase();
  const hash = createHash("sha256").update(`${teamId}:${id}`).digest("hex");
  const isOrdered =
    timeOrdered.test(id) && Number.parseInt(id.replace("-", "").slice(0, 12), 16) <= now + aheadMs;
  // UUIDv7 keeps its clock and counter in the first 24 digits, dashes included; version 8 is for those that make up their own.
  const head = isOrdered
    ? id.slice(0, 24)
    : `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-`;
  return head + hash.slice(20, 32);
}
