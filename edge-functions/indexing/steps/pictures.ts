// Has the team's vision model read the pages of a file that are pictures, one per slice. Each reading is stored at once, so that no
// page is paid for twice. While the model is unavailable the document stays as it was and the task waits.
import { Buffer } from "node:buffer";
import type { Transaction } from "../../_shared/database/db.ts";
import { ModelError } from "../../_shared/models/model-errors.ts";
import { holdModels } from "../../_shared/models/model-locks.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { isRefusal } from "../embedding.ts";
import { readPictures } from "../page-reader.ts";
import { readPicturesGuarded } from "../parse-guarded.ts";
import {
  listPages,
  type PageReading,
  type ParsedDocument,
  ParseError,
  type ParserInput,
  type PictureProblem,
  quoteName,
} from "../parsers/document.ts";
import { picturesOf } from "../parsers/registry.ts";
import { endSlice, PutDown, type StepContext } from "./context.ts";
import { DocumentProblem } from "./document-problem.ts";
import type { DocumentRow } from "./documents.ts";

/** Maximum pages of one document that are read as pictures. */
const mostPictures = 200;

/** A null text means that the page could not be read; `problem` says why, or what was left out. */
type Reading = Omit<PageReading, "text"> & { text: string | null; problem: PictureProblem | null };

interface ReadFile {
  parsed: ParsedDocument;
  /** What could not be read, and what to do; null when everything was. */
  note: string | null;
}

/**
 * @param parse returns the text of the file with the readings in place
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

/**
 * Runs before a file is stored that may lack what stands on pictures. A model that the team connected during this turn reads it in the next
 * one: that change queued the files that were stored by then. Before the documents' locks, for which that change waits.
 * @throws PutDown
 */
export async function requireNoVision(tx: Transaction, { claim, embedder }: StepContext): Promise<void> {
  if (embedder.vision) return;
  const { vision } = await holdModels(tx, claim.task.teamId);
  if (vision) throw new PutDown();
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

/** The reason to show, and its pages if it does not hold for all of them. */
function whyLeft(
  known: Reading[],
  { bytes }: ParserInput,
  isTooMany: boolean,
): { code: Note; some?: number[] } {
  if (isTooMany) return { code: "picturesTooMany" };
  const having = (wanted: PictureProblem) =>
    known.flatMap(({ page, problem }) => (problem === wanted ? [page] : []));
  const [undecoded, drawn] = [having("undecoded"), having("drawn")];
  // A PDF names its filters in plain text, and pdf.js decodes every other filter here.
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
    pages: listPages(pages),
    some: listPages(some),
    most: String(mostPictures),
    document: quoteName(document),
  });
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
    async () => (await readPicturesGuarded(input, page, claim.signal)) ?? (await picturesOf(input, page)),
  );
  if (isBlank) return { page, text: "", confidence: null, problem };
  if (!vision || pictures.length === 0) return { page, text: null, confidence: null, problem };
  try {
    // Retries once after an unusable answer.
    const read =
      (await readPictures(vision, pictures, claim.signal)) ??
      (await readPictures(vision, pictures, claim.signal));
    return { page, problem, ...(read ?? { text: null, confidence: null }) };
  } catch (error) {
    if (!(error instanceof ModelError) || !isRefusal(error)) throw error;
    const params = { document: quoteName(document.title), page: String(page) };
    throw new DocumentProblem(sentenceOf("pictureRefused", params), { cause: error });
  }
}

/** The stored readings of this revision. Deletes those of other revisions. */
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

/** Unread pages are tried again when the documents are read again, not before: otherwise each turn would ask for them. */
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
  // A later death is due to another page.
  await tx`update public.documents set structure = structure - 'reads' where id = ${id}`;
}
