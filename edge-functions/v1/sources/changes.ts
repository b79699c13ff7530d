// Owns how a source is added and changed: its row as the caller, then its credentials, then the work that follows.
import type { Context } from "hono";
import { asCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { workInTeam } from "../in-team.ts";
import { type AppEnv, changed, claimsOf, found, teamWith } from "../router.ts";
import { versionIn } from "../row-versions.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { keepCredentials, keptCredentials } from "./credentials.ts";
import * as queries from "./queries.ts";
import type { NewSource, Source, SourceUpdate } from "./schema.ts";
import { movesCredentials, syncs, validConfig, validCredentials } from "./types.ts";

const staleCredentials = {
  path: "credentials",
  message: "Enter the credentials again: they were given for another address.",
};

/** @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND */
export async function addSource(
  c: Context<AppEnv>,
  { type, name, config, credentials: given, schedule }: NewSource,
): Promise<Source> {
  const values = { type, name, schedule, config: validConfig(type, config) };
  const credentials = validCredentials(type, given);
  const claims = claimsOf(c);
  const { id, teamId } = await workInTeam(c, async (tx, teamId) => {
    const id = found(await queries.createSource(tx, teamId, values));
    if (!syncs(type)) await queries.loadDocuments(tx, id);
    return { id, teamId };
  });
  if (credentials) await keepCredentials({ id, teamId }, credentials);
  // Not before the credentials are there, or a worker could come too early.
  if (syncs(type)) await asCaller(claims, (tx) => queries.syncSource(tx, id));
  kickIndexing();
  return found(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}

/** @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND, CONFLICT where it is not in the version that the call names */
export async function changeSource(
  c: Context<AppEnv>,
  id: string,
  { name, schedule, config: given, credentials }: SourceUpdate,
): Promise<Source> {
  const claims = claimsOf(c);
  const { teamId, source } = await workInTeam(c, async (tx, teamId) => {
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
    const updated = await queries.updateSource(tx, teamId, id, { name, config, schedule }, versionIn(c));
    await changed(updated, async () => true);
  });
  if (login !== undefined) await keepCredentials({ id, teamId }, login);
  if (config || login) {
    const again = syncs(type) ? queries.syncSource : queries.indexSource;
    await asCaller(claims, (tx) => again(tx, id));
  }
  kickIndexing();
  return found(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}
