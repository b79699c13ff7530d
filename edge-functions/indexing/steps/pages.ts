// Parses a document where the host ends a call that computes for long: its pages a few at a time, kept in the database from
// one call to the next; a format without pages at once, in a call of its own. Counts who dies of it.
import type { PagedReading, ParsedDocument, ParserInput } from "../parsers/document.ts";
import { ParseError } from "../parsers/document.ts";
import { openPaged, parseFile } from "../parsers/registry.ts";
import { endSlice, type StepContext, takeRoom } from "./context.ts";
import type { DocumentRow } from "./documents.ts";

/** A document of which this many workers died at one place is given up, so that the others get their turn. */
const mostDeaths = 3;

/** Pages that are stored together: as many as are read in this time, up to a number that no machine gets past. */
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
  takeRoom(context);
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
    // Where none was read, this is the call that putting them together was left to.
    if (page > first) takeRoom(context);
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

/** How many pages are read, from the first on; those of another revision are thrown away. */
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
    // Whoever dies now dies of other pages.
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
 * Counted in the row before a parse that nothing can cut off: a worker that dies of it cannot say so afterwards.
 * @throws ParseError once too many have
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
