// Owns access to the table of model connections, which only the service may read: call it only for a team whose models the caller may
// change, or for the installation as a platform admin. Must never return a key.
import { Buffer } from "node:buffer";
import { asService, type Transaction } from "../../_shared/database/db.ts";
import { env } from "../../_shared/env.ts";
import {
  chooseModels,
  type ModelRole,
  modelRoles,
  type StoredModels,
  spaceModel,
} from "../../_shared/models/model-connections.ts";
import { lockModels } from "../../_shared/models/model-locks.ts";
import { isBuiltIn } from "../../_shared/models/model-names.ts";
import { readStoredModels } from "../../_shared/models/team-models.ts";
import { ApiError, refuseField } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { modelKeys } from "../../_shared/secrets/sealed-columns.ts";
import { seal, unseal } from "../../_shared/secrets/secrets.ts";
import type { PageQuery } from "../router.ts";
import { noId, numberedPage } from "../sql.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { presetUrl } from "./presets.ts";
import type { Connection, ConnectionUpdate, NewConnection } from "./schema.ts";
import { type Trial, tryModel } from "./testing.ts";

/** A team's id, or null for the installation. */
export type Scope = string | null;

/** A connection as its owner sees it. */
type StoredConnection = Connection & { baseUrl: string };

/** The models that a team uses, or that a team without its own models uses. */
export async function readModelsInUse(scope: Scope) {
  const { chat, fallback, embedding, vision } = chooseModels(await readStoredModels(scope ?? noId), env());
  const describe = ({ model, owner, prices }: typeof chat) => ({
    model,
    from: owner,
    hasPrice: isBuiltIn(model) || prices.prompt !== null || prices.completion !== null,
  });
  const inUse = {
    chat: describe(chat),
    fallback: fallback ? describe(fallback) : null,
    embedding: describe(embedding),
    vision: vision ? describe(vision) : null,
    offline: isBuiltIn(chat.model),
  };
  return { inUse, moving: await countMoving(scope, embedding) };
}

async function countMoving(scope: Scope, { space, dimensions }: { space: string; dimensions: number }) {
  const [row] = await asService(
    (tx) => tx<{ count: number }[]>`
      select count(*)::int as count from public.knowledges k join public.vectors v on v.id = k.vector_id
       where (v.model <> ${space} or v.dimensions <> ${dimensions})
         and ${scope === null ? tx`not exists (select from private.models m where m.team_id = k.team_id and m.role = 'embedding')` : tx`k.team_id = ${scope}`}`,
  );
  return row?.count ?? 0;
}

const columns = (tx: Transaction) => tx`
  m.id, m.team_id, m.role, m.provider, m.base_url, m.model, m.api_key is not null as has_key, m.dimensions,
  m.prompt_price::float8 as prompt_price, m.completion_price::float8 as completion_price, m.created_at, m.updated_at`;

/** Excludes embedding models that are being replaced: they are no longer connections. */
const connectionsOf = (tx: Transaction, scope: Scope) =>
  tx`private.models m where ${isOf(tx, scope)} and m.role <> 'earlierEmbedding'`;

/** In the order of their roles. There is at most one per role. */
export function listConnections(scope: Scope, page: PageQuery) {
  return asService((tx) =>
    numberedPage<StoredConnection>(
      tx,
      {
        columns: columns(tx),
        from: connectionsOf(tx, scope),
        order: tx`array_position(${[...modelRoles]}::text[], m.role)`,
      },
      page,
    ),
  );
}

export async function readConnection(scope: Scope, id: string): Promise<StoredConnection | undefined> {
  const [row] = await asService(
    (tx) => tx<StoredConnection[]>`select ${columns(tx)} from ${connectionsOf(tx, scope)} and m.id = ${id}`,
  );
  return row;
}

/**
 * Stores a connection whose test call succeeded. A new embedding model takes over each knowledge base once it is re-embedded; until then
 * the previous model serves it.
 * @throws ApiError VALIDATION_FAILED with the invalid field; CONFLICT if the role already has a connection
 */
export async function addConnection(
  scope: Scope,
  { role, ...given }: NewConnection,
): Promise<StoredConnection> {
  const [taken] = await asService((tx) => tx`select 1 from ${connectionsOf(tx, scope)} and m.role = ${role}`);
  if (taken) throw roleTaken();
  const baseUrl = given.baseUrl ?? presetUrl(given.provider);
  const trial = await resolveTrial(scope, { ...given, role, baseUrl });
  const { dimensions } = await tryModel(trial);
  const { promptPrice = null, completionPrice = null } = given;
  return await storeConnection(scope, { ...trial, dimensions, promptPrice, completionPrice });
}

/**
 * Updates the given fields of a connection, after a test call with them. A price belongs to its model: changing the model drops it.
 * @throws ApiError VALIDATION_FAILED with the invalid field; NOT_FOUND; CONFLICT if it was changed meanwhile
 */
export async function changeConnection(
  scope: Scope,
  id: string,
  given: ConnectionUpdate,
): Promise<StoredConnection> {
  const before = await openConnection(scope, id);
  const provider = given.provider ?? before.provider;
  const trial = await resolveTrial(scope, {
    id,
    role: before.role,
    provider,
    baseUrl: given.baseUrl ?? (provider === before.provider ? before.baseUrl : presetUrl(provider)),
    model: given.model ?? before.model,
    apiKey: given.apiKey,
  });
  const { dimensions } = await tryModel(trial);
  const isSame = trial.model === before.model && trial.baseUrl === before.baseUrl;
  const priceOf = (name: "promptPrice" | "completionPrice") =>
    given[name] === undefined && isSame ? before[name] : (given[name] ?? null);
  const prices = { promptPrice: priceOf("promptPrice"), completionPrice: priceOf("completionPrice") };
  return await storeConnection(scope, { ...trial, dimensions, ...prices }, before);
}

/** Makes a test call with the stored settings. @throws ApiError VALIDATION_FAILED with the invalid field; NOT_FOUND */
export async function testConnection(scope: Scope, id: string) {
  const { role, provider, baseUrl, model } = await openConnection(scope, id);
  return await tryModel(await resolveTrial(scope, { id, role, provider, baseUrl, model }));
}

type Opened = StoredConnection & { seenAt: string };

/** A connection, and its last change to the microsecond. @throws ApiError NOT_FOUND */
async function openConnection(scope: Scope, id: string): Promise<Opened> {
  const [row] = await asService(
    (tx) => tx<Opened[]>`
      select ${columns(tx)}, m.updated_at::text as seen_at from ${connectionsOf(tx, scope)} and m.id = ${id}`,
  );
  if (!row) throw new ApiError("NOT_FOUND");
  return row;
}

type TestedConnection = Trial & Pick<StoredConnection, "dimensions" | "promptPrice" | "completionPrice">;

/** @param seen the connection to replace, as it was when the change was prepared; absent: none */
async function storeConnection(
  scope: Scope,
  tried: TestedConnection,
  seen?: Opened,
): Promise<StoredConnection> {
  const { role, provider, baseUrl, model, dimensions, promptPrice, completionPrice } = tried;
  const { row, isMoving } = await asService(async (tx) => {
    await lockModels(tx, scope);
    const [before] = await tx<{ id: string; seenAt: string; isSame: boolean }[]>`
      select m.id, m.updated_at::text as seen_at,
             ${role !== "embedding" && role !== "vision"}
               or (m.base_url = ${baseUrl} and m.model = ${model} and m.dimensions is not distinct from ${dimensions}) as is_same
        from ${connectionsOf(tx, scope)} and m.role = ${role}`;
    if (!seen && before) throw roleTaken();
    if (seen && before?.id !== seen.id) throw new ApiError("NOT_FOUND");
    if (seen && before?.seenAt !== seen.seenAt) throw new ApiError("CONFLICT", refusal("changedMeanwhile"));
    // An embedding model names the space of its vectors: those that it made are searched until their knowledge bases have moved.
    const staysEarlier = before && !before.isSame && role === "embedding";
    if (staysEarlier) await tx`update private.models set role = 'earlierEmbedding' where id = ${before.id}`;
    const id = before && !staysEarlier ? before.id : crypto.randomUUID();
    const key = tried.apiKey === undefined ? null : seal(tried.apiKey, modelKeys.contextOf(id));
    const [row] = await tx<StoredConnection[]>`
      insert into private.models as m
        (id, team_id, role, provider, base_url, model, api_key, dimensions, prompt_price, completion_price)
      values (${id}, ${scope}, ${role}, ${provider}, ${baseUrl}, ${model}, ${key}, ${dimensions}, ${promptPrice},
              ${completionPrice})
      on conflict (id) do update
        set provider = excluded.provider, base_url = excluded.base_url, model = excluded.model, api_key = excluded.api_key,
            prompt_price = excluded.prompt_price, completion_price = excluded.completion_price
      returning ${columns(tx)}`;
    if ((role !== "embedding" && role !== "vision") || before?.isSame) return { row, isMoving: false };
    if (role === "vision") {
      await tx`select private.queue_pictures(${scope})`;
      return { row, isMoving: true };
    }
    await queueMoves(tx, scope, spaceModel(id, scope !== null, model), dimensions ?? 0);
    return { row, isMoving: true };
  });
  if (isMoving) kickIndexing();
  if (!row) throw new Error("a stored connection has no row");
  return row;
}

const roleTaken = () => {
  const why = refusal("modelRoleTaken");
  return new ApiError("CONFLICT", why.message, { details: [{ path: "role", ...why }] });
};

/** Deletes a connection; false if there is none. An embedding model's key is kept until its last knowledge base has moved. */
export async function removeConnection(scope: Scope, id: string): Promise<boolean> {
  const removed = await asService(async (tx) => {
    await lockModels(tx, scope);
    const [row] = await tx<
      { role: ModelRole }[]
    >`select m.role from ${connectionsOf(tx, scope)} and m.id = ${id}`;
    if (!row) return undefined;
    if (row.role !== "embedding") {
      await tx`delete from private.models where id = ${id}`;
      return row;
    }
    await tx`update private.models set role = 'earlierEmbedding' where id = ${id}`;
    const [stored] = await tx<{ models: StoredModels }[]>`
      select private.models_of(${scope ?? noId}) as models`;
    const { embedding } = chooseModels(stored?.models ?? { connections: [] }, env());
    await queueMoves(tx, scope, embedding.space, embedding.dimensions);
    return row;
  });
  if (removed?.role === "embedding") kickIndexing();
  return removed !== undefined;
}

const queueMoves = (tx: Transaction, scope: Scope, space: string, dimensions: number) =>
  tx`select private.queue_moves(${scope}, ${space}, ${dimensions})`;

const isOf = (tx: Transaction, scope: Scope) =>
  scope === null ? tx`m.team_id is null` : tx`m.team_id = ${scope}`;

type Wanted = {
  id?: string;
  role: ModelRole;
  provider: string;
  baseUrl: string | null;
  model: string;
  apiKey?: string;
};

/** The settings of a test call. Without a key, the stored key for the same address is used. */
async function resolveTrial(
  scope: Scope,
  { id, apiKey, baseUrl: address, ...wanted }: Wanted,
): Promise<Trial> {
  const baseUrl = address?.replace(/\/+$/, "");
  if (!baseUrl) {
    throw refuseField("baseUrl", "required");
  }
  const key = apiKey || (await findStoredKey(scope, baseUrl, id));
  return { isTeams: scope !== null, ...wanted, baseUrl, apiKey: key };
}

/** @param own the connection whose key is preferred */
async function findStoredKey(scope: Scope, baseUrl: string, own?: string): Promise<string | undefined> {
  const rows = await asService(
    (tx) => tx<{ id: string; apiKey: Uint8Array }[]>`
      select m.id, m.api_key from ${connectionsOf(tx, scope)} and m.base_url = ${baseUrl} and m.api_key is not null
       order by m.id is not distinct from ${own ?? null}::uuid desc, m.updated_at desc limit 1`,
  );
  const [row] = rows;
  return row && unseal(Buffer.from(row.apiKey), modelKeys.contextOf(row.id));
}
