// Owns whether a file is below the folders that a source reads, which Drive answers one parent at a time. Caches parents for a
// minute, since a source asks for the same ones with each file.
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ItemGone } from "../connector.ts";
import { type DriveFile, file } from "./answers.ts";
import { type GoogleDrive, illegible } from "./api.ts";

/** Drive's own limit is a hundred levels. */
const deepest = 100;
const parentsOf = new LRUCache<string, string[]>({ max: 5_000, ttl: 60_000 });

/** @param account the account whose view it is: parents differ between accounts */
export async function isCovered(api: GoogleDrive, account: string, found: DriveFile): Promise<boolean> {
  const wanted = new Set(api.config.folders);
  if (wanted.size === 0 || (found.driveId && wanted.has(found.driveId))) return true;
  let level = found.parents ?? [];
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    if (level.some((id) => wanted.has(id))) return true;
    level = (await Promise.all(level.slice(0, 5).map((id) => parents(api, account, id)))).flat();
  }
  return false;
}

async function parents(api: GoogleDrive, account: string, id: string): Promise<string[]> {
  const place = `${account} ${id}`;
  const known = parentsOf.get(place);
  if (known) return known;
  const found = await api.file(id).catch((error) => {
    if (error instanceof ItemGone) return undefined;
    throw error;
  });
  const folder = file.safeParse(found).data;
  // Without its parents, whatever is below it would count as moved away.
  if (found !== undefined && !folder) throw illegible();
  const all = folder?.parents ?? [];
  parentsOf.set(place, all);
  return all;
}

/** Call at the start of a listing, which must see folders moved since. */
export function forgetParents(account: string): void {
  for (const place of [...parentsOf.keys()]) if (place.startsWith(`${account} `)) parentsOf.delete(place);
}

/** The cache key of a source with its settings, so that a change of either starts afresh. */
export const accountOf = (source: { id: string; config: unknown; credentials: unknown }) =>
  createHash("sha256")
    .update(JSON.stringify([source.id, source.config, source.credentials]))
    .digest("hex");
