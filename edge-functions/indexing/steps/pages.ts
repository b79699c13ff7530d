// Parses a document on hosts that limit the CPU time of a call: a few pages at a time, stored in the database between calls. A
// format without pages is parsed at once, in a call of its own. Counts the workers that end during it without an answer.
import type { PagedReading, ParsedDocument, ParserInput } from "../parsers/document.ts";
import { ParseError } from "../parsers/document.ts";
import { openPaged, parseFile } from "../parsers/registry.ts";
import { endSlice, requireRoom, type StepContext } from "./context.ts";
import type { DocumentRow } from "./documents.ts";

/** Parsing is given up after this many workers ended at the same place, so that the other documents get their turn. */
const mostDeaths = 3;

/** Pages stored together: those read in this time, at most `mostPages`. */
const pagesMs = 250;
const mostPages = 50;

/** @throws ParseError, PutDown; the signal's reason */
export async function parseBySlices(
  context: StepContext,
  document: DocumentRow,
  revision: string,
  input: ParserInput,
): Promise<ParsedDocument> {
  const { turn } = context;
  requireRoom(context);
  await countRead(context, document);
  const reading = await turn.compute(() => openPaged(input));
  if (!reading) return await turn.compute(() => parseFile(input));
  try {
    const first = await pagesRead(context, document, revision);
    let page = first;
    while (page < reading.pages) {
      const pages = await turn.compute(() => readPages(reading, page));
      await store(context, document, revision, page, pages);
      page += pages.length;
      endSlice(context);
    }
    // If this call read no page, it was started to assemble them.
    if (page > first) requireRoom(context);
    const read = await allPages(context, document);
    return await turn.compute(() => reading.finish(read));
  } finally {
    await reading.close();
  }
}

async function readPages(reading: PagedReading, from: number): Promise<string[]> {
  const until = performance.now() + pagesMs;
  const pages: string[] = [];
  do pages.push(await reading.read(from + pages.length));
  while (pages.length < mostPages && from + pages.length < reading.pages && performance.now() < until);
  return pages;
}

/** The number of pages read, from the first on. Deletes pages of other revisions. */
async function pagesRead({ claim }: StepContext, document: DocumentRow, revision: string): Promise<number> {
  return await claim.write(async (tx) => {
    await tx`delete from private.document_pieces where document_id = ${document.id} and revision <> ${revision}`;
    const [row] = await tx<{ read: number }[]>`
      select coalesce(max(position + cardinality(pages)), 0)::int as read
        from private.document_pieces where document_id = ${document.id}`;
    return row?.read ?? 0;
  });
}

async function store(
  { claim }: StepContext,
  document: DocumentRow,
  revision: string,
  position: number,
  pages: string[],
): Promise<void> {
  await claim.achieve(async (tx) => {
    await tx`
      insert into private.document_pieces (team_id, document_id, revision, position, pages)
      values (${document.teamId}, ${document.id}, ${revision}, ${position}, ${pages}::text[])
      on conflict (document_id, position) do update set revision = excluded.revision, pages = excluded.pages`;
    // A later death is due to other pages.
    await tx`update public.documents set structure = structure - 'reads' where id = ${document.id}`;
  });
}

async function allPages({ claim }: StepContext, document: DocumentRow): Promise<string[]> {
  const rows = await claim.read(
    (tx) => tx<{ pages: string[] }[]>`
      select pages from private.document_pieces where document_id = ${document.id} order by position`,
  );
  return rows.flatMap(({ pages }) => pages);
}

/**
 * Counts the read in the row before a parse that cannot be cut off: a worker that dies of it cannot report afterwards.
 * @throws ParseError after `mostDeaths` workers
 */
async function countRead({ claim }: StepContext, document: DocumentRow): Promise<void> {
  const deaths = document.structure?.reads ?? 0;
  if (deaths >= mostDeaths) throw new ParseError("too_slow", document.title);
  await claim.write(async (tx) => {
    await tx`
      update public.documents
         set structure = coalesce(structure, '{"spans":[],"warnings":[]}') || jsonb_build_object('reads', ${deaths + 1}::int)
       where id = ${document.id}`;
  });
}
