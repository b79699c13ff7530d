// Owns the SQL of API keys. Row-level security decides which rows are visible; no query here reads the secret's hash.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { orderBy } from "../sorting.ts";
import { contains, numberedPage, ofTeam } from "../sql.ts";
import type { ApiKey, ApiKeysQuery, ApiKeyUpdate } from "./schema.ts";

type State = Pick<ApiKey, "createdBy" | "active">;
type Row = Omit<ApiKey, keyof State> & { state: State };

const columns = (tx: Transaction) => tx`
  k.id, k.team_id, k.name, k.role_id, k.prefix, private.key_state(k.id) as state, k.last_used_at, k.created_at, k.updated_at`;

const toApiKey = ({ state, ...row }: Row): ApiKey => ({ ...row, ...state });

const order = (tx: Transaction) => ({
  id: tx`k.id`,
  createdAt: tx`k.id`,
  name: tx`k.name collate private.natural_order`,
  lastUsedAt: tx`coalesce(k.last_used_at, '-infinity')`,
});

/** Newest first, unless sorted otherwise. @param teamId null: the keys of every team */
export async function listApiKeys(
  tx: Transaction,
  teamId: TeamId | null,
  { name, sort = "-createdAt", page, perPage }: ApiKeysQuery,
) {
  const matches = tx`${ofTeam(tx, "k.team_id", teamId)} ${name ? tx`and k.name ilike ${contains(name)}` : tx``}`;
  const listed = await numberedPage<Row>(
    tx,
    {
      columns: columns(tx),
      from: tx`public.api_keys k where ${matches}`,
      order: orderBy(tx, sort, order(tx)),
    },
    { page, perPage },
  );
  return { ...listed, data: listed.data.map(toApiKey) };
}

export async function readApiKey(tx: Transaction, teamId: TeamId, id: string): Promise<ApiKey | undefined> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from public.api_keys k where k.team_id = ${teamId} and k.id = ${id}`;
  return row && toApiKey(row);
}

export async function createApiKey(
  tx: Transaction,
  teamId: string,
  values: { name: string; roleId: string; prefix: string; secretHash: Uint8Array },
): Promise<ApiKey | undefined> {
  const [row] = await tx<{ id: string }[]>`
    insert into public.api_keys as k (team_id, name, role_id, prefix, secret_hash)
    values (${teamId}, ${values.name}, ${values.roleId}, ${values.prefix}, ${values.secretHash})
    returning k.id`;
  // Read in a second statement: functions called by the inserting statement do not see its row.
  return row && (await readApiKey(tx, teamId, row.id));
}

/** Updates the given fields. Undefined when no row could be changed. */
export async function updateApiKey(
  tx: Transaction,
  teamId: string,
  id: string,
  { name, roleId }: ApiKeyUpdate,
): Promise<ApiKey | undefined> {
  const [row] = await tx<Row[]>`
    update public.api_keys k
       set name = coalesce(${name ?? null}, k.name), role_id = coalesce(${roleId ?? null}, k.role_id)
     where k.team_id = ${teamId} and k.id = ${id} returning ${columns(tx)}`;
  return row && toApiKey(row);
}

export async function deleteApiKey(tx: Transaction, teamId: string, id: string) {
  const [row] = await tx<{ id: string }[]>`
    delete from public.api_keys where team_id = ${teamId} and id = ${id} returning id`;
  return row;
}
