// Owns the ages of the documents that a reply cites, read with the rights of the reader of the passages. Does not decide what is
// too old.
import { type Claims, readAsCaller } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";
import { declarations } from "../indexing/connectors/registry.ts";
import type { Citation } from "./citations.ts";

/** ISO 8601, null when unknown. */
export type DocumentAge = {
  /** The time of the sync that last confirmed the text; also null for documents that no service provides. */
  syncedAt: string | null;
  /** When the document was last changed at its source. */
  changedAt: string | null;
};

/** The shape that private.document_ages() returns. */
export type DocumentAgeRow = { sourceType: string } & DocumentAge;

const unknown: DocumentAge = { syncedAt: null, changedAt: null };

/** The source types that are synced with a service on a schedule. */
export const syncedTypes: string[] = declarations
  .filter(({ schedules }) => schedules.length > 0)
  .map(({ type }) => type);

export const toAge = ({ sourceType, syncedAt, changedAt }: DocumentAgeRow): DocumentAge => ({
  syncedAt: syncedTypes.includes(sourceType) ? syncedAt : null,
  changedAt,
});

/** The ages already known from the search. */
export const agesOf = (passages: { documentId: string; age?: DocumentAge }[]): Map<string, DocumentAge> =>
  new Map(passages.flatMap(({ documentId, age }) => (age ? [[documentId, age]] : [])));

/** The ages of documents that the caller may read. Empty on a failure, since a reply does not fail for them. */
export async function readAges(claims: Claims, documentIds: string[]): Promise<Map<string, DocumentAge>> {
  const ids = [...new Set(documentIds)];
  if (ids.length === 0) return new Map();
  try {
    const rows = await readAsCaller(
      claims,
      (tx) => tx<({ documentId: string } & DocumentAgeRow)[]>`
        select * from private.document_ages(${ids}::uuid[])`,
    );
    return new Map(rows.map(({ documentId, ...row }) => [documentId, toAge(row)]));
  } catch (error) {
    log("warn", "how old cited documents are was not read", { error: String(error) });
    return new Map();
  }
}

export function withAges(citations: Citation[], ages: Map<string, DocumentAge>): Citation[] {
  return citations.map((citation) => ({ ...citation, ...(ages.get(citation.documentId) ?? unknown) }));
}
