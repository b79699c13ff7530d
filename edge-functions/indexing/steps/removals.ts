// Owns the deletion of single documents whose items are gone at their source. Deletes nothing that other settings or another account may
// still read.
import type { Transaction } from "../../_shared/database/db.ts";
import type { Source } from "../connectors/connector.ts";
import type { Fragment } from "./scope.ts";

/**
 * Condition on source s: it has the settings and the credentials that it was read with. Under others, what these leave out may belong to
 * it.
 */
export const isUnchanged = (tx: Transaction, { config, login = null }: Source): Fragment =>
  tx`(s.config = ${JSON.stringify(config)}::text::jsonb and private.source_login(s.id) is not distinct from ${login})`;

/**
 * @param gone external ids of items that the source reported as deleted
 * @returns whether any of them was a document
 */
export async function removeItems(tx: Transaction, source: Source, gone: string[]): Promise<boolean> {
  const { count } = await tx`delete from public.documents d
            where d.source_id = ${source.id} and d.type = ${source.type} and d.external_id = any(${gone}::text[])
              and exists (select 1 from public.sources s where s.id = d.source_id and ${isUnchanged(tx, source)})`;
  return count > 0;
}
