// Owns the dates of documents that disagree, read only in that case and with the rights of the reader of the passages.
import { type Claims, readOfPassages } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";
import type { Citation } from "./citations.ts";
import type { Support } from "./support.ts";

/**
 * Adds the day on which each of two disagreeing documents was last changed at its source, or else updated here; null when it cannot
 * be read.
 */
export async function withDates(claims: Claims, support: Support, citations: Citation[]): Promise<Support> {
  if (support.disagreement.length === 0) return support;
  const documentOf = new Map(citations.map(({ index, documentId }) => [index, documentId]));
  const ids = support.disagreement.flatMap(({ citation }) => documentOf.get(citation) ?? []);
  try {
    const rows = await readOfPassages(
      claims,
      citations.map(({ chunkId }) => chunkId),
      (tx) => tx<{ id: string; date: string }[]>`
        select d.id, to_char(coalesce(d.changed_at, d.updated_at) at time zone 'UTC', 'YYYY-MM-DD') as date
          from public.documents d where d.id = any (${ids}::uuid[])`,
    );
    const dates = new Map(rows.map(({ id, date }) => [id, date]));
    return {
      ...support,
      disagreement: support.disagreement.map((one) => ({
        ...one,
        date: dates.get(documentOf.get(one.citation) ?? "") ?? null,
      })),
    };
  } catch (error) {
    log("warn", "the dates of disagreeing documents were not read", { error: String(error) });
    return support;
  }
}
