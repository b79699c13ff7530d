// Owns how old the documents of a reply's citations are, as whoever reads the passages. Must not decide what is too old.
import { type Claims, readAsCaller } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";
import { declarations } from "../indexing/connectors/registry.ts";
import type { Citation } from "./citations.ts";

/** Both are ISO 8601, and null where it is not known. */
type DocumentAge = {
  /** As of when the text is what the source has; null also of what is not read from a service. */
  syncedAt: string | null;
  /** When the document was last changed at its source. */
  changedAt: string | null;
};

const unknown: DocumentAge = { syncedAt: null, changedAt: null };

/** The types of sources that are read from a service again and again. */
export const syncedTypes: string[] = declarations
  .filter(({ schedules }) => schedules.length > 0)
  .map(({ type }) => type);

/** Of documents that the caller may read; none where they cannot be read now, since a reply does not fail for them. */
export async function readAges(claims: Claims, documentIds: string[]): Promise<Map<string, DocumentAge>> {
  const ids = [...new Set(documentIds)];
  if (ids.length === 0) return new Map();
  try {
    const rows = await readAsCaller(
      claims,
      (tx) => tx<({ documentId: string; sourceType: string } & DocumentAge)[]>`
        select * from private.document_ages(${ids}::uuid[])`,
    );
    return new Map(
      rows.map(({ documentId, sourceType, syncedAt, changedAt }) => [
        documentId,
        { syncedAt: syncedTypes.includes(sourceType) ? syncedAt : null, changedAt },
      ]),
    );
  } catch (error) {
    log("warn", "how old cited documents are was not read", { error: String(error) });
    return new Map();
  }
}

export function withAges(citations: Citation[], ages: Map<string, DocumentAge>): Citation[] {
  return citations.map((citation) => ({ ...citation, ...(ages.get(citation.documentId) ?? unknown) }));
}
