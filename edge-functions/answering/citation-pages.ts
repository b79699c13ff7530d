// Owns the page of its document on which each quote of a reply begins. A passage has only the page that it begins on itself.
import { type Claims, readOfPassages } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";
import type { Citation } from "./citations.ts";

type PagedPassage = {
  index: number;
  chunkId: string;
  page: number | null;
  content: string;
  /** UTF-16 code units into the document's content, as a page's `start`. */
  startOffset: number;
};

/** The pages that begin inside a passage, by its chunk. */
export type PagesInside = Map<string, { page: number; start: number }[]>;

/** The pages in passages that the caller may read. Empty on a failure, since a reply does not fail for them. */
export async function readPages(
  claims: Claims,
  passages: Pick<PagedPassage, "chunkId" | "page">[],
): Promise<PagesInside> {
  const ids = passages.filter(({ page }) => page !== null).map(({ chunkId }) => chunkId);
  const inside: PagesInside = new Map();
  if (ids.length === 0) return inside;
  try {
    const rows = await readOfPassages(
      claims,
      ids,
      (tx) => tx<{ chunkId: string; page: number; start: number }[]>`
        select c.id as chunk_id, (s.span ->> 'page')::int as page, (s.span ->> 'start')::int as start
          from public.chunks c join public.documents d on d.id = c.document_id
         cross join jsonb_path_query(d.structure, '$.spans[*] ? (@.kind == "page" && @.start > $after && @.start < $before)',
                                     jsonb_build_object('after', c.start_offset, 'before', c.end_offset)) s (span)
         where c.id = any (${ids}::uuid[]) order by c.id, start`,
    );
    for (const { chunkId, ...page } of rows) inside.set(chunkId, [...(inside.get(chunkId) ?? []), page]);
  } catch (error) {
    log("warn", "which pages cited passages stand on was not read", { error: String(error) });
  }
  return inside;
}

export function withPages(citations: Citation[], passages: PagedPassage[], inside: PagesInside): Citation[] {
  return citations.map((citation) => {
    const passage = passages.find(({ index }) => index === citation.index);
    const at = passage?.content.indexOf(citation.quote) ?? -1;
    if (!passage || at < 0) return citation;
    const begun = inside.get(passage.chunkId)?.findLast(({ start }) => start <= passage.startOffset + at);
    return begun ? { ...citation, page: begun.page } : citation;
  });
}
