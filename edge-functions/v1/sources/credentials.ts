// Owns access to the table of connector credentials, which only the service may read. Must never return one to a client. Credentials belong
// to the addresses that they were entered for: a source that has others by now neither gets nor gives them.
import { asService, type Transaction } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { openCredentials, sealCredentials } from "../../indexing/connectors/credentials.ts";

/** A source, and the config with the addresses that its credentials are for. */
type Place = { id: string; config: Record<string, unknown> };

/** True when a source `s` has the addresses of a config. Postgres deletes the credentials by the same rule (sql/40_sources.sql). */
const hasAddressesOf = (tx: Transaction, config: Record<string, unknown>) => tx`
  not exists (select from unnest(private.source_addresses(s.type)) as address (name)
               where s.config -> address.name is distinct from ${JSON.stringify(config)}::text::jsonb -> address.name)`;

/**
 * Stores or, with null, deletes a source's credentials. They may be another account's: the next listing is a full one. Runs as the service,
 * because no caller may touch the table: call it only after the caller has changed the source under row-level security, in the same
 * transaction.
 * @throws ApiError CONFLICT if the source has other addresses by now
 */
export async function storeCredentials(
  tx: Transaction,
  { id, config }: Place,
  credentials: Record<string, string> | null,
): Promise<void> {
  await tx`update public.sources set sync_cursor = null where id = ${id}`;
  if (credentials === null) {
    await tx`delete from private.source_credentials where source_id = ${id}`;
    return;
  }
  // The lock makes a concurrent change of the address wait, which then deletes these credentials.
  const stored = await tx`
    with held as materialized (
      select s.id, s.team_id from public.sources s where s.id = ${id} and ${hasAddressesOf(tx, config)} for no key update)
    insert into private.source_credentials (source_id, team_id, ciphertext)
    select h.id, h.team_id, ${sealCredentials(credentials, id)} from held h
    on conflict (source_id) do update set ciphertext = excluded.ciphertext
    returning 1`;
  if (stored.length === 0) throw new ApiError("CONFLICT", refusal("changedMeanwhile"));
}

/**
 * A source's credentials, for calling the service at the addresses of its config; null if it has others by now. Runs as the service: call
 * it only for a source that the caller may change, and show nobody the result.
 */
export async function readCredentials({ id, config }: Place): Promise<Record<string, string> | null> {
  const [row] = await asService(
    (tx) => tx<{ ciphertext: Uint8Array }[]>`
      select c.ciphertext from private.source_credentials c join public.sources s on s.id = c.source_id
       where s.id = ${id} and ${hasAddressesOf(tx, config)}`,
  );
  return row ? openCredentials(row.ciphertext, id) : null;
}
