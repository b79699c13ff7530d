// Owns how a source is added and changed: its row as the caller, then its credentials, then the work that follows.
import { asCaller, type Claims } from "../../_shared/db.ts";
import { changed, found, teamWith } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { keepCredentials } from "./credentials.ts";
import * as queries from "./queries.ts";
import type { NewSource, Source, SourceUpdate } from "./schema.ts";
import { checkCredentials, validConfig } from "./types.ts";

/** @param teamRef the team's id or codename. @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND */
export async function addSource(
  claims: Claims,
  teamRef: string,
  { type, name, config, credentials }: NewSource,
): Promise<Source> {
  const values = { type, name, config: validConfig(type, config) };
  if (credentials) checkCredentials(type);
  const { id, teamId } = await asCaller(claims, async (tx) => {
    const teamId = await teamWith(tx, teamRef, "sources.write");
    const id = found(await queries.createSource(tx, teamId, values));
    if (type === "file") await queries.loadDocuments(tx, id);
    return { id, teamId };
  });
  if (credentials) await keepCredentials({ id, teamId }, credentials);
  kickIndexing();
  return found(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}

/** @param teamRef the team's id or codename. @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND */
export async function changeSource(
  claims: Claims,
  teamRef: string,
  id: string,
  { name, config: given, credentials }: SourceUpdate,
): Promise<Source> {
  const teamId = await asCaller(claims, async (tx) => {
    const teamId = await teamWith(tx, teamRef, "sources.read");
    const { type } = found(await queries.readSource(tx, teamId, id));
    if (credentials) checkCredentials(type);
    const config = given && validConfig(type, given);
    const updated = await queries.updateSource(tx, teamId, id, { name, config });
    await changed(updated, async () => true);
    if (config) await queries.indexSource(tx, id);
    return teamId;
  });
  if (credentials !== undefined) await keepCredentials({ id, teamId }, credentials);
  kickIndexing();
  return found(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}
