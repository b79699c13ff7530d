// Owns the types that every parser takes and returns, and the one error that parsers throw. Pure: no I/O, no runtime globals.
import { type ProblemCode, sentenceOf } from "../../_shared/text/sentences.ts";

export type StructureKind = "page" | "heading" | "table" | "row" | "list" | "item" | "code";

/** A marked range of a document's text: text.slice(start, end), in UTF-16 units. */
export interface StructureSpan {
  kind: StructureKind;
  start: number;
  end: number;
  /** Headings: 1 (outermost) to 6. */
  level?: number;
  /** Pages: counted from 1. */
  page?: number;
  /** Pages read from a picture: the model's confidence from 0 to 1, null when it gave none. */
  confidence?: number | null;
  /** Headings: the words without markup. Tables: the header row. */
  label?: string;
  /** Tables: the column names, "" for an unnamed column. */
  columns?: string[];
  /** Tables: the name that the document gives the table. */
  caption?: string;
  /** Tables: true when a row is lines of "Column: value"; otherwise a row is one line of cells between bars, as in Markdown. */
  records?: true;
}

export interface ParsedDocument {
  /** NFC, "\n" line ends, no NUL or other control characters, no lone surrogates. */
  text: string;
  title?: string;
  /** Sorted by start. A container (page, table, list) comes before what it contains. */
  structure: StructureSpan[];
  /** Sentences of the catalogue about what was left out or guessed. */
  warnings: string[];
  /** Pages, counted from 1, with pictures that nobody has read: without text, or with a large picture beside it, and not blank. */
  unreadPages?: number[];
}

/** A picture in a form that a model accepts. */
export interface Picture {
  contentType: string;
  bytes: Uint8Array;
}

/** The pictures of a page that can be shown. isBlank: it has none, and nothing else to see. */
export interface PagePictures {
  pictures: Picture[];
  isBlank: boolean;
  problem?: PictureProblem;
}

/** Why a page cannot be shown in full: a picture that cannot be decoded, or letters and drawings made of lines. */
export type PictureProblem = "undecoded" | "drawn";

/** A model's reading of a page that is a picture; "" for an empty page. */
export interface PageReading {
  page: number;
  text: string;
  confidence: number | null;
}

export interface ParserInput {
  bytes: Uint8Array;
  /** The file's name as users know it; every error names it. */
  name: string;
  contentType?: string;
  /** The readings of pages that are pictures. Absent when no model reads them; then a file of pictures alone is refused. */
  readings?: PageReading[];
  /** What may still be unpacked, shared by this file and all files that contain it; unpacking counts it down. */
  allowance?: Allowance;
}

export interface Allowance {
  bytes: number;
}

/** One file format. `matches` looks at the bytes alone; text formats have no signature and omit it. */
export interface Parser {
  name: string;
  label: string;
  extensions: readonly string[];
  contentTypes: readonly string[];
  matches?: (bytes: Uint8Array) => boolean;
  parse: (input: ParserInput, readPart: ReadPart) => Promise<ParsedDocument>;
  /** The pictures of a page. */
  pictures?: (input: ParserInput, page: number) => Promise<PagePictures>;
  /** Present when pages can be read a few at a time, over several calls of a function. @throws ParseError */
  open?: (input: ParserInput) => Promise<PagedReading>;
}

/**
 * Reads a file inside the file, such as an attachment of an email, under limits shared by all. A message inside a message is one
 * too.
 * @throws ParseError
 */
export type ReadPart = (part: ParserInput) => Promise<ParsedDocument>;

/** A document whose pages are read one by one, in any process, and assembled in the end. */
export interface PagedReading {
  pages: number;
  /** The content of a page, counted from 0, in a form that only finish() understands. */
  read(page: number): Promise<string>;
  /** @param read the results of read() for every page, in order @throws ParseError */
  finish(read: string[]): Promise<ParsedDocument>;
  close(): Promise<void>;
}

export const limits = {
  fileBytes: 50 * 1024 * 1024,
  /** Bounded because a document's switch to new chunks is one transaction, which blocks everybody else on an embedded database. */
  textChars: 4 * 1024 * 1024,
  pages: 3000,
  /** Bytes of one picture as sent to a model. */
  pictureBytes: 8 * 1024 * 1024,
  structureSpans: 100_000,
  milliseconds: 60_000,
  /** Limits of a parser's heap, and of the whole process with the memory that parsers hold outside of the heap. */
  memoryMib: 256,
  processMib: 448,
  /** Files inside a file over all levels, and how deep they may be nested. */
  parts: 50,
  partsDepth: 3,
  zipEntries: 5000,
  zipXmlBytes: 48 * 1024 * 1024,
  /** Tags of a Word document, each of which becomes several objects. */
  docxTags: 500_000,
  /** Sheets of equal rows reach 150; deflate's limit, and a bomb's aim, is 1,032. */
  zipRatio: 400,
  zipRatioFromBytes: 4 * 1024 * 1024,
} as const;

const sentences = {
  unreadable: "fileUnreadable",
  encrypted: "fileEncrypted",
  locked: "fileLocked",
  empty: "fileEmpty",
  scanned: "fileScanned",
  picture: "filePicture",
  unsupported: "fileUnsupported",
  mismatch: "fileMismatch",
  too_large: "fileTooLarge",
  too_slow: "fileTooSlow",
  bomb: "fileBomb",
} as const satisfies Record<string, ProblemCode>;
export type ParseErrorCode = keyof typeof sentences;

/** Why a file yields no text, in words for the person who uploaded it. */
export class ParseError extends Error {
  override readonly name = "ParseError";
  readonly code: ParseErrorCode;
  readonly params: Record<string, string>;

  constructor(
    code: ParseErrorCode,
    fileName: string,
    params: Record<string, string> = {},
    options?: ErrorOptions,
  ) {
    const all = {
      format: "a supported file",
      found: "of an unknown kind",
      ...params,
      document: quoteName(fileName),
    };
    super(sentenceOf(sentences[code], all), options);
    this.code = code;
    this.params = all;
  }
}

/** Page numbers for use in a sentence: "2, 5–9", of bounded length. */
export function listPages(pages: number[]): string {
  const runs: [number, number][] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else runs.push([page, page]);
  }
  return runs
    .map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
    .join(", ")
    .slice(0, 500);
}

/** A file's name for use in a sentence: no control or direction characters, bounded length. */
export function quoteName(fileName: string): string {
  const safe = fileName
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "\ufffd")
    .trim();
  const points = [...safe];
  const short = points.length > 120 ? `${points.slice(0, 80).join("")}…${points.slice(-30).join("")}` : safe;
  return `“${short || "unnamed file"}”`;
}
