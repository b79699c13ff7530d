// Owns how a source is added and changed: its row as the caller, then its credentials, then the work that follows.
import { asCaller, type Claims } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { changed, found, teamWith } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { keepCredentials, keptCredentials } from "./credentials.ts";
import * as queries from "./queries.ts";
import type { NewSource, Source, SourceUpdate } from "./schema.ts";
import { movesCredentials, validConfig, validCredentials } from "./types.ts";

const staleCredentials = {
  path: "credentials",
  message: "Enter the credentials again: they were given for another address.",
};

/** @param teamRef the team's id or codename. @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND */
export async function addSource(
  claims: Claims,
  teamRef: string,
  { type, name, config, credentials: given, schedule }: NewSource,
): Promise<Source> {
  const values = { type, name, schedule, config: validConfig(type, config) };
  const credentials = validCredentials(type, given);
  const { id, teamId } = await asCaller(claims, async (tx) => {
    const teamId = await teamWith(tx, teamRef, "sources.write");
    const id = found(await queries.createSource(tx, teamId, values));
    if (type === "file") await queries.loadDocuments(tx, id);
    return { id, teamId };
  });
  if (credentials) await keepCredentials({ id, teamId }, credentials);
  // Not before the credentials are there, or a worker could come too early.
  if (type !== "file") await asCaller(claims, (tx) => queries.syncSource(tx, id));
  kickIndexing();
  return found(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}

/** @param teamRef the team's id or codename. @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND */
export async function changeSource(
  claims: Claims,
  teamRef: string,
  id: string,
  { name, schedule, config: given, credentials }: SourceUpdate,
): Promise<Source> {
  const { teamId, source } = await asCaller(claims, async (tx) => {
    const teamId = await teamWith(tx, teamRef, "sources.read");
    const source = found(await queries.readSource(tx, teamId, id));
    await teamWith(tx, teamId, "sources.write");
    return { teamId, source };
  });
  const { type } = source;
  const config = given && validConfig(type, given);
  const hasMoved = config !== undefined && movesCredentials(type, source.config, config);
  if (hasMoved && source.hasCredentials && !credentials)
    throw new ApiError("VALIDATION_FAILED", undefined, { details: [staleCredentials] });
  // What was entered is put over what is kept, and what was kept for the address before is not used for another. Asked between
  // two transactions: the embedded Postgres has one at a time.
  const login =
    credentials && validCredentials(type, credentials, hasMoved ? null : await keptCredentials(id));
  await asCaller(claims, async (tx) => {
    const updated = await queries.updateSource(tx, teamId, id, { name, config, schedule });
    await changed(updated, async () => true);
  });
  if (login !== undefined) await keepCredentials({ id, teamId }, login);
  if (config || login) {
    const again = type === "file" ? queries.indexSource : queries.syncSource;
    await asCaller(claims, (tx) => again(tx, id));
  }
  kickIndexing();
  return found(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}
