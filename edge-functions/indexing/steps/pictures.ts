// Has the pages of a file that are pictures read by the team's model, one a slice: each is kept when it is read, so that whoever goes on
// asks for none twice. A model that is away leaves the document as it was, and the task waits for it.
import { Buffer } from "node:buffer";
import type { Transaction } from "../../_shared/database/db.ts";
import { ModelError } from "../../_shared/models/models.ts";
import { sentenceOf } from "../../_shared/text/problems.ts";
import { isRefusal } from "../embedding.ts";
import { readPictures } from "../page-reader.ts";
import { picturesGuarded } from "../parse-guarded.ts";
import {
  type PageReading,
  type ParsedDocument,
  ParseError,
  type ParserInput,
  type PictureProblem,
  quoted,
} from "../parsers/document.ts";
import { picturesOf } from "../parsers/registry.ts";
import { endSlice, type StepContext } from "./context.ts";
import { DocumentProblem } from "./document-problem.ts";
import type { DocumentRow } from "./documents.ts";

/** Pages of one document that are read as pictures at most. */
const mostPictures = 200;

/** A page of which the text is null could not be read; `problem` says why, or what of it was left out. */
type Reading = Omit<PageReading, "text"> & { text: string | null; problem: PictureProblem | null };

interface ReadFile {
  parsed: ParsedDocument;
  /** What of it could not be read, and what to do; null where all was. */
  note: string | null;
}

/**
 * @param parse reads the text of the file, with what its pictures say put into their places
 * @throws ParseError, DocumentProblem: this document alone fails; ModelError, ApiError BUDGET_REACHED; PutDown; the signal's reason
 */
export async function parseWithPictures(
  context: StepContext,
  document: DocumentRow,
  input: ParserInput & { revision: string },
  parse: (input: ParserInput) => Promise<ParsedDocument>,
): Promise<ReadFile> {
  if (!context.embedder.vision) {
    const parsed = await parse(input);
    return { parsed, note: noteOf("pagesUnread", { pages: parsed.unreadPages }) };
  }
  const known = await storedReadings(context, document, input.revision);
  const parseKnown = () => parse({ ...input, readings: known.flatMap(readable) });
  let parsed = await parseKnown();
  const isKnown = (page: number) => known.some((one) => one.page === page);
  const wanted = (parsed.unreadPages ?? []).filter((page) => !isKnown(page));
  const most = Math.max(0, mostPictures - known.length);
  for (const page of wanted.slice(0, most)) {
    const reading = await readPage(context, document, input, page);
    await context.claim.achieve((tx) => store(tx, document, input.revision, reading));
    known.push(reading);
    endSlice(context);
  }
  if (wanted.length > 0) parsed = await parseKnown();
  const { code, some } = whyLeft(known, input, wanted.length > most);
  const partly = known.flatMap(({ page, problem }) => (problem ? [page] : []));
  const left = [...new Set([...(parsed.unreadPages ?? []), ...partly])].sort((a, b) => a - b);
  if (parsed.text.trim() !== "") return { parsed, note: noteOf(code, { pages: left, some }) };
  if (left.length === 0) throw new ParseError("empty", document.title);
  const isAll = some?.length === left.length;
  throw new DocumentProblem(
    noteOf(isAll ? code : "picturesNone", { pages: left, some, document: document.title }) ?? "",
  );
}

const readable = ({ text, page, confidence }: Reading): PageReading[] =>
  text === null ? [] : [{ page, confidence, text }];

type Note =
  | "pagesUnread"
  | "picturesNone"
  | "picturesTooMany"
  | "picturesUnread"
  | "picturesPacked"
  | "picturesDamaged"
  | "picturesDrawn";

/** The reason that is told, and the pages that it holds for where it is not all of them. */
function whyLeft(
  known: Reading[],
  { bytes }: ParserInput,
  isTooMany: boolean,
): { code: Note; some?: number[] } {
  if (isTooMany) return { code: "picturesTooMany" };
  const having = (wanted: PictureProblem) =>
    known.flatMap(({ page, problem }) => (problem === wanted ? [page] : []));
  const [undecoded, drawn] = [having("undecoded"), having("drawn")];
  // A PDF names its packings in plain letters, and pdf.js here reads every other one.
  const isPacked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("/JPXDecode");
  if (undecoded.length > 0) return { code: isPacked ? "picturesPacked" : "picturesDamaged", some: undecoded };
  return drawn.length > 0 ? { code: "picturesDrawn", some: drawn } : { code: "picturesUnread" };
}

function noteOf(
  code: Note,
  { pages = [], some = [], document = "" }: { pages?: number[]; some?: number[]; document?: string },
): string | null {
  if (pages.length === 0) return null;
  return sentenceOf(code, {
    pages: ranges(pages).slice(0, 500),
    some: ranges(some).slice(0, 500),
    most: String(mostPictures),
    document: quoted(document),
  });
}

/** "2, 5–9". */
function ranges(pages: number[]): string {
  const runs: [number, number][] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else runs.push([page, page]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

async function readPage(
  { claim, turn, embedder: { vision } }: StepContext,
  document: DocumentRow,
  input: ParserInput,
  page: number,
): Promise<Reading> {
  claim.report({ code: "reading", params: { title: document.title } });
  const {
    pictures,
    isBlank,
    problem = null,
  } = await turn.compute(
    async () => (await picturesGuarded(input, page, claim.signal)) ?? (await picturesOf(input, page)),
  );
  if (isBlank) return { page, text: "", confidence: null, problem };
  if (!vision || pictures.length === 0) return { page, text: null, confidence: null, problem };
  try {
    // An answer that is none is asked for once more.
    const read =
      (await readPictures(vision, pictures, claim.signal)) ??
      (await readPictures(vision, pictures, claim.signal));
    return { page, problem, ...(read ?? { text: null, confidence: null }) };
  } catch (error) {
    if (!(error instanceof ModelError) || !isRefusal(error)) throw error;
    const params = { document: quoted(document.title), page: String(page) };
    throw new DocumentProblem(sentenceOf("pictureRefused", params), { cause: error });
  }
}

/** What was read of this revision; what was read of another one is thrown away. */
async function storedReadings(
  { claim }: StepContext,
  { id }: DocumentRow,
  revision: string,
): Promise<Reading[]> {
  return await claim.write(async (tx) => {
    await tx`delete from private.page_readings where document_id = ${id} and revision <> ${revision}`;
    return await tx<Reading[]>`
      select page, text, confidence, problem from private.page_readings where document_id = ${id} order by page`;
  });
}

/** What could not be read is tried again when the documents are read again; not before, or each turn would ask for it. */
export async function forgetUnread(tx: Transaction, ids: string[]): Promise<void> {
  await tx`delete from private.page_readings where document_id = any(${ids}::uuid[]) and text is null`;
}

async function store(
  tx: Transaction,
  { id, teamId }: DocumentRow,
  revision: string,
  { page, text, confidence, problem }: Reading,
): Promise<void> {
  await tx`
    insert into private.page_readings (team_id, document_id, revision, page, text, confidence, problem)
    values (${teamId}, ${id}, ${revision}, ${page}, ${text}, ${confidence}, ${problem})
    on conflict (document_id, page) do update
       set revision = excluded.revision, text = excluded.text, confidence = excluded.confidence,
           problem = excluded.problem`;
  // Whoever dies now dies of another page.
  await tx`update public.documents set structure = structure - 'reads' where id = ${id}`;
}
