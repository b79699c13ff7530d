// Owns adding and changing a source: its row as the caller and, in the same transaction, its credentials; then the task that syncs it. And
// changing its tasks.
import type { Context } from "hono";
import { asCaller, asCallerThenService, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { askedTeam, workInTeam } from "../in-team.ts";
import { type AppEnv, claimsOf, requireChange, requireRow, teamWith } from "../router.ts";
import { versionIn } from "../row-versions.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { readCredentials, storeCredentials } from "./credentials.ts";
import * as queries from "./queries.ts";
import type { NewSource, Source, SourceUpdate } from "./schema.ts";
import { movesCredentials, syncs, validConfig, validCredentials } from "./types.ts";

const staleCredentials = {
  path: "credentials",
  message: sentenceOf("credentialsAgain"),
};

/** @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND */
export async function addSource(
  c: Context<AppEnv>,
  { type, name, config, credentials: given, schedule }: NewSource,
): Promise<Source> {
  const values = { type, name, schedule, config: validConfig(type, config) };
  const credentials = validCredentials(type, given);
  const claims = claimsOf(c);
  const id = await asCallerThenService(
    claims,
    async (tx, team) => {
      const id = requireRow(await queries.createSource(tx, team, values));
      if (!syncs(type)) await queries.loadDocuments(tx, id);
      return id;
    },
    async (tx, id) => {
      if (credentials) await storeCredentials(tx, { id, config: values.config }, credentials);
      return id;
    },
    askedTeam(c),
  );
  // Queued after the credentials are stored, or a worker could start without them.
  if (syncs(type)) await asCaller(claims, (tx) => queries.syncSource(tx, id));
  kickIndexing();
  return await workInTeam(c, async (tx, team) => requireRow(await queries.readSource(tx, team, id)));
}

/** @throws ApiError VALIDATION_FAILED, FORBIDDEN, NOT_FOUND, CONFLICT if it does not have the version that the call names */
export async function changeSource(
  c: Context<AppEnv>,
  id: string,
  { name, schedule, config: given, credentials }: SourceUpdate,
): Promise<Source> {
  const claims = claimsOf(c);
  const { teamId, source } = await workInTeam(c, async (tx, teamId) => {
    const source = requireRow(await queries.readSource(tx, teamId, id));
    await teamWith(tx, teamId, "sources.write");
    return { teamId, source };
  });
  const { type } = source;
  const config = given && validConfig(type, given);
  const hasMoved = config !== undefined && movesCredentials(type, source.config, config);
  if (hasMoved && source.hasCredentials && !credentials)
    throw new ApiError("VALIDATION_FAILED", undefined, { details: [staleCredentials] });
  // New credentials are merged over the stored ones, but those stored for another address are not reused. Read between two transactions:
  // the embedded Postgres runs one at a time.
  const login =
    credentials && validCredentials(type, credentials, hasMoved ? null : await readCredentials(source));
  await asCallerThenService(
    claims,
    async (tx) => {
      const updated = await queries.updateSource(tx, teamId, id, { name, config, schedule }, versionIn(c));
      await requireChange(updated, async () => true);
    },
    async (tx) => {
      if (login !== undefined) await storeCredentials(tx, { id, config: config ?? source.config }, login);
    },
  );
  if (config || login) {
    const again = syncs(type) ? queries.syncSource : queries.indexSource;
    await asCaller(claims, (tx) => again(tx, id));
  }
  kickIndexing();
  return requireRow(await asCaller(claims, (tx) => queries.readSource(tx, teamId, id)));
}

/** Changes the tasks of a source that the caller can read, and wakes the worker. @throws ApiError NOT_FOUND, FORBIDDEN */
export async function changeTasks<T>(
  c: Context<AppEnv>,
  id: string,
  change: (tx: Transaction, id: string) => Promise<T>,
): Promise<T> {
  const changed = await workInTeam(c, async (tx, team) => {
    requireRow(await queries.readSource(tx, team, id));
    return await change(tx, id);
  });
  kickIndexing();
  return changed;
}
