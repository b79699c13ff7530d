// Reads PDF with pdf.js (unpdf): the text page by page, with paragraphs from the gaps and headings from the type size.
import { Buffer } from "node:buffer";
import { getDocumentProxy } from "unpdf";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  limits,
  listPages,
  type PagedReading,
  type PagePictures,
  type PageReading,
  type ParsedDocument,
  ParseError,
  type Parser,
  type ParserInput,
} from "./document.ts";
import { sayLeftOut } from "./left-out.ts";
import { type Annotation, countNotes, runsOver } from "./pdf-annotations.ts";
import { blocksOf } from "./pdf-columns.ts";
import { levelRuns } from "./pdf-direction.ts";
import { type Drawing, mostOfTable, type PdfDocument, type PdfPage, readDrawing } from "./pdf-drawing.ts";
import { joinLines, withoutFurniture, wordsOf } from "./pdf-furniture.ts";
import { layOut } from "./pdf-layout.ts";
import { headingLevels, type Line, linesOf, type TextRun, withoutDoubles } from "./pdf-lines.ts";
import { leastPixels, picturesOfPage, placesOf } from "./pdf-pictures.ts";
import { hasRoom, isPictured } from "./pdf-room.ts";
import { rowsOf } from "./pdf-rows.ts";
import { cutAtTables, withHeaders } from "./pdf-ruled-tables.ts";
import { type GridCell, writeGrid } from "./table-grid.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

export const pdf: Parser = {
  name: "pdf",
  label: "a PDF",
  extensions: ["pdf"],
  contentTypes: ["application/pdf"],
  matches: isPdf,
  parse: parsePdf,
  open,
  pictures,
};

/** Up to a kilobyte of junk before the mark is allowed. A text about PDF has no cross-reference at its end. */
function isPdf(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  const at = latin1.decode(bytes.subarray(0, 1024)).indexOf("%PDF-");
  return at === 0 || (at > 0 && latin1.decode(bytes.subarray(-2048)).includes("startxref"));
}

/** A page's content; null for a damaged page, which is left out and counted. */
type Page = { lines: Line[]; isPictured: boolean; comments?: number } | null;

const attachedMark = "/EmbeddedFile";

/** The milliseconds spent on what pages draw: pictures, which pdf.js has to decode, and the rules of tables. */
interface Spent {
  pictures: number;
  rules: number;
}

/** For each of them. Past it, any page with room for a picture counts as pictured, and tables are read by their gaps. */
const mostMs = 15_000;

async function parsePdf(input: ParserInput): Promise<ParsedDocument> {
  const reading = await open(input);
  try {
    const startedAt = performance.now();
    const pages: string[] = [];
    let chars = 0;
    for (let page = 0; page < reading.pages; page++) {
      if (performance.now() - startedAt > limits.milliseconds) throw new ParseError("too_slow", input.name);
      const read = await reading.read(page);
      chars += read.length;
      // A line takes some 30 characters here besides its text, so this is far beyond the limit; the exact count comes later.
      if (chars > 8 * limits.textChars) throw tooLarge(input.name);
      pages.push(read);
    }
    return await reading.finish(pages);
  } finally {
    await reading.close();
  }
}

/** @throws ParseError */
async function pictures({ bytes, name }: ParserInput, page: number): Promise<PagePictures> {
  const document = await openPdf(bytes, name);
  try {
    return await picturesOfPage(document, page);
  } finally {
    await document.destroy();
  }
}

async function open({ bytes, name, readings }: ParserInput): Promise<PagedReading> {
  const document = await openPdf(bytes, name);
  if (document.numPages > limits.pages) {
    await document.destroy();
    throw new ParseError("too_large", name, { limit: `${limits.pages} pages` });
  }
  const spent: Spent = { pictures: 0, rules: 0 };
  return {
    pages: document.numPages,
    read: async (page) => JSON.stringify(await readPage(document, page + 1, spent)),
    finish: async (read) => {
      const pages = read.map(pageOf);
      const chars = pages.reduce((sum, page) => sum + charsOf(page?.lines ?? []), 0);
      if (chars > limits.textChars) throw tooLarge(name);
      if (pages.every((page) => page === null))
        throw new ParseError("unreadable", name, { format: pdf.label });
      const title = await titleOf(document);
      return write(name, pages, { title, attached: countAttached(bytes), readings });
    },
    close: async () => void (await document.destroy()),
  };
}

/** Pieces stored by an earlier version contain the lines alone. */
function pageOf(read: string): Page {
  const page: Page | Line[] = JSON.parse(read);
  return Array.isArray(page) ? { lines: page, isPictured: false } : page;
}

const charsOf = (lines: Line[]) => lines.reduce((sum, { text }) => sum + text.length, 0);

const tooLarge = (name: string) =>
  new ParseError("too_large", name, { limit: `${limits.textChars / 2 ** 20} million characters of text` });

async function openPdf(bytes: Uint8Array, name: string): Promise<PdfDocument> {
  try {
    // pdf.js transfers the buffer, so this passes a copy.
    return await getDocumentProxy(bytes.slice(), {
      verbosity: 0,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      // Requests pixels instead of objects that only a browser can draw.
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      stopAtErrors: false,
    });
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw new ParseError("encrypted", name, {}, { cause });
    }
    throw new ParseError("unreadable", name, { format: pdf.label }, { cause });
  }
}

async function readPage(document: PdfDocument, number: number, spent: Spent): Promise<Page> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const printed = withoutDoubles(items.filter((item) => "str" in item));
    const annotations: Annotation[] = await page.getAnnotations().catch(() => []);
    const over = runsOver(annotations, printed);
    const runs = [...printed, ...over];
    const { level, others, isTurned } = levelRuns(runs);
    const room = runs.some(({ str }) => str.trim() !== "") && hasRoom(page.view, runs);
    const mayBeRuled = !isTurned && hasCells(level);
    const kind = room ? "pictures" : mayBeRuled ? "rules" : undefined;
    const drawing = kind && (await drawingOf(page, kind, spent));
    const parts = mayBeRuled ? cutAtTables(level, drawing?.rules ?? []) : [{ runs: level }];
    // The words over a page come last in the file, and have their place beside others.
    const isUnordered = over.length > 0;
    const written = parts.flatMap((part) =>
      "lines" in part ? part.lines : linesOfPage(part.runs, isUnordered),
    );
    const lines = [...written, ...others];
    const comments = countNotes(annotations);
    const pictured = room && (!drawing || hasPictures(page, runs, drawing));
    page.cleanup();
    return { lines, isPictured: pictured, ...(comments > 0 ? { comments } : {}) };
  } catch {
    return null;
  }
}

/** @param isUnordered true when the file's order is none */
function linesOfPage(runs: TextRun[], isUnordered: boolean): Line[] {
  if (isUnordered) return layOut(runs, { isUnordered }) ?? linesOf(runs);
  return blocksOf(runs).flatMap(({ runs, isColumn }) => layOut(runs, { isColumn }) ?? linesOf(runs));
}

/** True when gaps stand in two lines, as in a table's rows. */
const hasCells = (runs: TextRun[]) => rowsOf(runs).filter(({ segments }) => segments.length > 1).length > 1;

/** @returns undefined when too much time was spent on earlier pages */
async function drawingOf(page: PdfPage, kind: keyof Spent, spent: Spent): Promise<Drawing | undefined> {
  if (spent[kind] > mostMs) return undefined;
  const startedAt = performance.now();
  const most = kind === "rules" ? mostOfTable : undefined;
  const found = await readDrawing(page, most).catch(() => ({
    named: [],
    rules: [],
    hasMarks: false,
    isPartial: false,
  }));
  spent[kind] += performance.now() - startedAt;
  return found;
}

function hasPictures(page: PdfPage, runs: TextRun[], drawing: Drawing): boolean {
  const found = placesOf(drawing);
  const pixels = found.reduce((sum, one) => sum + one.pixels, 0);
  const places = found.map(({ place }) => place);
  return pixels >= leastPixels && isPictured(page.view, runs, places);
}

interface About {
  title: string | undefined;
  /** How many files are attached to the document and its pages. */
  attached: number;
  readings: PageReading[] | undefined;
}

function write(name: string, pages: Page[], { title, attached, readings }: About): ParsedDocument {
  const out = new TextBuilder(name);
  const kept = withHeaders(withoutFurniture(pages.map((page) => page?.lines ?? [])));
  const levels = headingLevels(kept.flat());
  const words = wordsOf(kept);
  const leading = leadingOf(kept);
  const unread: number[] = [];
  kept.forEach((lines, index) => {
    const page = pages[index];
    const isPicture = page?.lines.length === 0 || page?.isPictured === true;
    const reading = isPicture ? readings?.find((one) => one.page === index + 1) : undefined;
    if (isPicture && !reading) unread.push(index + 1);
    const close = out.open("page", {
      page: index + 1,
      ...(reading ? { confidence: reading.confidence } : {}),
    });
    for (const paragraph of paragraphsOf(lines, { levels, words, leading })) {
      if (paragraph.rows) {
        writeGrid(out, { rows: paragraph.rows });
        continue;
      }
      const level = levels.get(paragraph.size);
      const label = oneLine(paragraph.text);
      if (level && label.length <= 200 && /\p{L}/u.test(label)) {
        out.block(label, { kind: "heading", level, label });
      } else {
        out.block(paragraph.text);
      }
    }
    if (reading) out.block(reading.text);
    close();
  });
  if (out.isEmpty && !(readings && unread.length > 0)) throw new ParseError("scanned", name);
  const failed = pages.flatMap((page, i) => (page ? [] : [i + 1]));
  if (failed.length > 0) out.warn(sentenceOf("pagesDamaged", { pages: listPages(failed) }));
  const comments = pages.reduce((sum, page) => sum + (page?.comments ?? 0), 0);
  for (const warning of sayLeftOut({ comments, embedded: attached })) out.warn(warning);
  const parsed = { ...out.finish(title), ...(unread.length > 0 ? { unreadPages: unread } : {}) };
  const heading = parsed.structure.find((span) => span.kind === "heading")?.label;
  return parsed.title || !heading ? parsed : { ...parsed, title: heading };
}

interface Paragraph {
  text: string;
  size: number;
  /** The rows of a table. */
  rows?: GridCell[][];
}

interface Sizes {
  levels: Map<number, number>;
  words: ReadonlySet<string>;
  /** The distance of a paragraph's lines, in type sizes. */
  leading: number;
}

/** In type sizes: lines of one paragraph are not closer, and not further apart. */
const [closest, farthest] = [0.8, 2.4];
/** Of single-spaced text. */
const usualLeading = 1.2;
/** How much further apart than the lines of one paragraph those of two are. */
const betweenParagraphs = 1.35;

/** What a quarter of the lines keep below: in a list with much room, most lines are paragraphs of their own. */
function leadingOf(pages: Line[][]): number {
  const gaps = pages.flatMap((lines) =>
    lines.slice(1).flatMap((line, i) => {
      const before = lines[i];
      const gap = before && !before.cells && !line.cells && before.size === line.size ? before.y - line.y : 0;
      const inSizes = (2 * gap) / line.size;
      return inSizes >= closest && inSizes <= farthest ? [inSizes] : [];
    }),
  );
  return gaps.sort((a, b) => a - b)[gaps.length >> 2] ?? usualLeading;
}

/** Groups lines that follow closely at one type size into paragraphs, and rows with the same number of cells into tables. */
function paragraphsOf(lines: Line[], { levels, words, leading }: Sizes): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const last = paragraphs.at(-1);
    const isSameKind = before !== undefined && levels.get(before.size) === levels.get(line.size);
    if (line.cells) {
      const cells = line.cells.map((text, i): GridCell => ({ text, ...line.spans?.[i] }));
      if (last?.rows && isSameTable(before, line)) last.rows.push(cells);
      else paragraphs.push({ text: "", size: line.size, rows: [cells] });
    } else if (last && !last.rows && isSameKind && isNextLine(before, line, leading))
      last.text = joinLines(last.text, line.text, words);
    else paragraphs.push({ text: line.text, size: line.size });
    before = line;
  }
  return paragraphs;
}

const isSameTable = (before: Line | undefined, line: Line) =>
  before?.table?.number === line.table?.number &&
  (line.table !== undefined || (before !== undefined && columnsIn(before) === columnsIn(line)));

const columnsIn = ({ cells = [], spans }: Line) =>
  spans ? spans.reduce((sum, { columns }) => sum + columns, 0) : cells.length;

/** True for a line close to the one before, and for one at the head of a column that goes on with the sentence. */
function isNextLine(before: Line | undefined, line: Line, leading: number): boolean {
  if (!before) return false;
  const size = Math.max(line.size, before.size) / 2;
  if (Math.abs(before.y - line.y) < betweenParagraphs * leading * size) return true;
  return line.y > before.y && /[^.!?:;…]$/.test(before.text) && /^\p{Ll}/u.test(line.text);
}

/**
 * The number of files in a PDF (ISO 32000-1, 7.11.4). By their mark in the bytes, where a stream always stands: pdf.js gives their names only
 * with all of their content, which may unpack to any size.
 */
function countAttached(bytes: Uint8Array): number {
  const marks = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = marks.indexOf(attachedMark); at !== -1; at = marks.indexOf(attachedMark, at + 1))
    if (marks[at + attachedMark.length] !== "s".charCodeAt(0)) count++;
  return count;
}

async function titleOf(document: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    const title = "Title" in info && typeof info.Title === "string" ? oneLine(info.Title) : "";
    // The default titles of word processors.
    return /^(?:untitled|\(anonymous\)|microsoft word - .*|.*\.(?:docx?|pdf|indd|tex))?$/i.test(title)
      ? undefined
      : title;
  } catch {
    return undefined;
  }
}
