// Owns the list of file formats and the choice between them: by content first, then by declared type and name.
import { fullAllowance } from "./archive.ts";
import { code } from "./code.ts";
import { csv } from "./csv.ts";
import { looksLikeText } from "./decode.ts";
import { foreignKind, isEncryptedOffice } from "./detect.ts";
import {
  limits,
  type PagedReading,
  type PagePictures,
  type ParsedDocument,
  ParseError,
  type Parser,
  type ParserInput,
} from "./document.ts";
import { docx } from "./docx.ts";
import { eml } from "./eml.ts";
import { epub } from "./epub.ts";
import { html } from "./html.ts";
import { image } from "./image.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";
import { notebook } from "./notebook.ts";
import { isRepackedOdf } from "./odf.ts";
import { odp } from "./odp.ts";
import { ods } from "./ods.ts";
import { odt } from "./odt.ts";
import { pdf } from "./pdf.ts";
import { plain } from "./plain.ts";
import { pptx } from "./pptx.ts";
import { rtf } from "./rtf.ts";
import { transcript } from "./transcript.ts";
import { xlsx } from "./xlsx.ts";
import { isZip, zipEntries } from "./zip.ts";

const parsers: readonly Parser[] = [
  pdf,
  image,
  docx,
  pptx,
  xlsx,
  odt,
  ods,
  odp,
  epub,
  rtf,
  eml,
  html,
  markdown,
  csv,
  json,
  notebook,
  transcript,
  code,
  plain,
];

const openDocuments: ReadonlySet<Parser> = new Set([odt, ods, odp]);
const archives: ReadonlySet<Parser> = new Set([docx, pptx, xlsx, ...openDocuments, epub]);

/**
 * Reads a file into text and structure.
 * @throws ParseError, whatever the bytes are
 */
export async function parseFile(input: ParserInput): Promise<ParsedDocument> {
  return await parseWithin({ ...input, allowance: fullAllowance() }, { left: limits.parts }, 0);
}

/** @param parts budget of files inside this one @param depth number of files that contain this one */
async function parseWithin(
  input: ParserInput,
  parts: { left: number },
  depth: number,
): Promise<ParsedDocument> {
  const parser = parserFor(input);
  const readPart = async (part: ParserInput) => {
    if (depth >= limits.partsDepth || parts.left <= 0) throw new ParseError("bomb", part.name);
    parts.left--;
    return await parseWithin({ ...part, allowance: input.allowance }, parts, depth + 1);
  };
  return await attempt(parser, depth > 0 ? withoutReadings(input) : input, (one) =>
    parser.parse(one, readPart),
  );
}

/**
 * As parseFile(), a few pages at a time. Undefined for a format that is read at once.
 * @throws ParseError, here and in the methods of the result
 */
export async function openPaged(input: ParserInput): Promise<PagedReading | undefined> {
  const parser = parserFor(input);
  if (!parser.open) return undefined;
  const reading = await parser.open(input);
  return { ...reading, finish: (read) => attempt(parser, input, () => reading.finish(read)) };
}

/**
 * The pictures of a page, counted from 1, for a model to read. A page of a format without pictures counts as blank.
 * @throws ParseError
 */
export async function picturesOf(input: ParserInput, page: number): Promise<PagePictures> {
  return (await parserFor(input).pictures?.(input, page)) ?? { pictures: [], isBlank: true };
}

/** Only the text of a file inside a file is read. */
const withoutReadings = ({ readings: _none, ...input }: ParserInput): ParserInput => input;

/**
 * The parser for a file's content. A name or type that contradicts the content is refused.
 * @throws ParseError
 */
function parserFor({ bytes, name, contentType }: ParserInput): Parser {
  if (bytes.length === 0) throw new ParseError("empty", name);
  if (bytes.length > limits.fileBytes) {
    throw new ParseError("too_large", name, { limit: `${limits.fileBytes / 2 ** 20} MiB` });
  }
  if (isEncryptedOffice(bytes)) throw new ParseError("encrypted", name);

  const named = byName(name) ?? byType(contentType);
  const repacked = named && openDocuments.has(named) && isRepackedOdf(bytes) ? named : undefined;
  const found = parsers.find((parser) => parser.matches?.(bytes)) ?? repacked;
  if (found) {
    if (named && named !== found) throw mismatch(name, named, found.label);
    return found;
  }
  // Its list of parts is at its end, which an interrupted transfer loses.
  if (isZip(bytes) && named && archives.has(named) && !zipEntries(bytes, 1))
    throw new ParseError("unreadable", name, { format: named.label });
  const isText = looksLikeText(bytes);
  const foreign = foreignKind(bytes, isText);
  if (foreign || !isText) {
    const kind = foreign ?? "of an unknown kind";
    throw named ? mismatch(name, named, kind) : new ParseError("unsupported", name, { found: kind });
  }
  // What remains is text, which a PDF or an archive never is.
  if (named?.matches) throw mismatch(name, named, "plain text");
  return named ?? (startsLikeHtml(bytes) ? html : plain);
}

async function attempt(
  parser: Parser,
  input: ParserInput,
  parse: (input: ParserInput) => Promise<ParsedDocument>,
): Promise<ParsedDocument> {
  const { name } = input;
  try {
    const parsed = await parse(input);
    if (input.readings && parsed.unreadPages?.length) return parsed;
    if (!/[^\s\ufffd]/.test(parsed.text)) throw new ParseError("empty", name);
    return parsed;
  } catch (cause) {
    if (cause instanceof ParseError) throw cause;
    throw new ParseError("unreadable", name, { format: parser.label }, { cause });
  }
}

function mismatch(name: string, named: Parser, found: string): ParseError {
  return new ParseError("mismatch", name, { format: named.label, found });
}

function byName(name: string): Parser | undefined {
  const extension = /\.([^.\s/\\]+)\s*$/.exec(name)?.[1]?.toLowerCase();
  return extension ? parsers.find((parser) => parser.extensions.includes(extension)) : undefined;
}

function byType(contentType: string | undefined): Parser | undefined {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  return type ? parsers.find((parser) => parser.contentTypes.includes(type)) : undefined;
}

function startsLikeHtml(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, 1024));
  let rest = head.trimStart();
  // In one expression, comments that may end at several places would take exponential time.
  for (let end = 0; rest.startsWith("<!--"); rest = rest.slice(end + 3).trimStart()) {
    end = rest.indexOf("-->", 4);
    if (end < 0) return false;
  }
  return /^<(?:!doctype html|html|head|body)\b/i.test(rest);
}
