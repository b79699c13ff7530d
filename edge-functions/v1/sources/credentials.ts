// Owns access to the table of connector credentials, which only the service may read. Must never return one to a client.
import { asService } from "../../_shared/database/db.ts";
import { openCredentials, sealCredentials } from "../../indexing/connectors/credentials.ts";

/**
 * Stores or, with null, deletes a source's credentials. Runs as the service, because no caller may touch the table: call it only after
 * the caller has changed the source under row-level security.
 */
export async function storeCredentials(
  source: { id: string; teamId: string },
  credentials: Record<string, string> | null,
): Promise<void> {
  if (credentials === null) {
    await asService((tx) => tx`delete from private.source_credentials where source_id = ${source.id}`);
    return;
  }
  const sealed = sealCredentials(credentials, source.id);
  await asService(
    (tx) => tx`
      insert into private.source_credentials (source_id, team_id, ciphertext)
      values (${source.id}, ${source.teamId}, ${sealed})
      on conflict (source_id) do update set ciphertext = excluded.ciphertext`,
  );
}

/**
 * A source's credentials, for calling the service that they belong to. Runs as the service: call it only for a source that the caller may
 * change, and show nobody the result.
 */
export async function readCredentials(sourceId: string): Promise<Record<string, string> | null> {
  const [row] = await asService(
    (tx) => tx<{ ciphertext: Uint8Array }[]>`
      select ciphertext from private.source_credentials where source_id = ${sourceId}`,
  );
  return row ? openCredentials(row.ciphertext, sourceId) : null;
}
