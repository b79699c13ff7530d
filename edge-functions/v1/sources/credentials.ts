// Owns the writing of connectors' credentials: sealed here, kept where only the service reads. Must never give one out.
import { asService } from "../../_shared/db.ts";
import { sealCredentials } from "../../indexing/connectors/credentials.ts";

/**
 * Keeps or, with null, removes a source's credentials. Runs as the service, since no caller may touch the table: call it
 * only after the caller has changed the source under row-level security.
 */
export async function keepCredentials(
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
