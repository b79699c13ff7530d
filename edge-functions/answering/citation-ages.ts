// Owns how old the documents of a reply's citations are, as whoever reads the passages. Must not decide what is too old.
import { type Claims, readAsCaller } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";
import { declarations } from "../indexing/connectors/registry.ts";
import type { Citation } from "./citations.ts";

/** Both are ISO 8601, and null where it is not known. */
export type DocumentAge = {
  /** As of when the text is what the source has; null also of what is not read from a service. */
  syncedAt: string | null;
  /** When the document was last changed at its source. */
  changedAt: string | null;
};

/** As private.document_ages() has it. */
export type DocumentAgeRow = { sourceType: string } & DocumentAge;

const unknown: DocumentAge = { syncedAt: null, changedAt: null };

/** The types of sources that are read from a service again and again. */
export const syncedTypes: string[] = declarations
  .filter(({ schedules }) => schedules.length > 0)
  .map(({ type }) => type);

export const toAge = ({ sourceType, syncedAt, changedAt }: DocumentAgeRow): DocumentAge => ({
  syncedAt: syncedTypes.includes(sourceType) ? syncedAt : null,
  changedAt,
});

/** What is known of the documents of some passages already. */
export const agesOf = (passages: { documentId: string; age?: DocumentAge }[]): Map<string, DocumentAge> =>
  new Map(passages.flatMap(({ documentId, age }) => (age ? [[documentId, age]] : [])));

/** Of documents that the caller may read; none where they cannot be read now, since a reply does not fail for them. */
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
