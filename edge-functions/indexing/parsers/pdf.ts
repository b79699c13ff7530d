// PDF through pdf.js (unpdf): the text page by page, with paragraphs from the gaps and headings from the type size.
import { getDocumentProxy } from "unpdf";
import {
  limits,
  type PagedReading,
  type ParsedDocument,
  ParseError,
  type Parser,
  type ParserInput,
} from "./document.ts";
import { headingLevels, type Line, linesOf } from "./pdf-lines.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

export const pdf: Parser = {
  name: "pdf",
  label: "a PDF",
  extensions: ["pdf"],
  contentTypes: ["application/pdf"],
  matches: isPdf,
  parse: parsePdf,
  open,
};

/** Junk before the mark is allowed within a kilobyte; a text that only speaks of PDF has no cross-reference at its end. */
function isPdf(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  const at = latin1.decode(bytes.subarray(0, 1024)).indexOf("%PDF-");
  return at === 0 || (at > 0 && latin1.decode(bytes.subarray(-2048)).includes("startxref"));
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
/** The lines of a page; null for a damaged one, which is left out and counted. */
type Page = Line[] | null;

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
      // A line's place costs some 30 characters here: far beyond the limit, without counting for certain.
      if (chars > 8 * limits.textChars) throw tooLarge(input.name);
      pages.push(read);
    }
    return await reading.finish(pages);
  } finally {
    await reading.close();
  }
}

async function open({ bytes, name }: ParserInput): Promise<PagedReading> {
  const document = await openPdf(bytes, name);
  if (document.numPages > limits.pages) {
    await document.destroy();
    throw new ParseError("too_large", name, { limit: `${limits.pages} pages` });
  }
  return {
    pages: document.numPages,
    read: async (page) => JSON.stringify(await readPage(document, page + 1)),
    finish: async (read) => {
      const pages: Page[] = read.map((page) => JSON.parse(page));
      const chars = pages.reduce((sum, lines) => sum + charsOf(lines ?? []), 0);
      if (chars > limits.textChars) throw tooLarge(name);
      const failed = pages.flatMap((page, i) => (page ? [] : [i + 1]));
      if (failed.length === pages.length) throw new ParseError("unreadable", name, { format: pdf.label });
      return write(
        name,
        pages.map((page) => page ?? []),
        failed,
        await titleOf(document),
      );
    },
    close: async () => void (await document.destroy()),
  };
}

const charsOf = (lines: Line[]) => lines.reduce((sum, { text }) => sum + text.length, 0);

const tooLarge = (name: string) =>
  new ParseError("too_large", name, { limit: `${limits.textChars / 2 ** 20} million characters of text` });

async function openPdf(bytes: Uint8Array, name: string): Promise<PdfDocument> {
  try {
    // pdf.js takes the buffer over and empties it: the caller keeps theirs.
    return await getDocumentProxy(bytes.slice(), {
      verbosity: 0,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      stopAtErrors: false,
    });
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw new ParseError("encrypted", name, {}, { cause });
    }
    throw new ParseError("unreadable", name, { format: pdf.label }, { cause });
  }
}

async function readPage(document: PdfDocument, number: number): Promise<Page> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = linesOf(items.filter((item) => "str" in item));
    page.cleanup();
    return lines;
  } catch {
    return null;
  }
}

function write(name: string, pages: Line[][], failed: number[], title: string | undefined): ParsedDocument {
  const out = new TextBuilder(name);
  const levels = headingLevels(pages.flat());
  pages.forEach((lines, index) => {
    const close = out.open("page", { page: index + 1 });
    for (const paragraph of paragraphsOf(lines, levels)) {
      const level = levels.get(paragraph.size);
      const label = oneLine(paragraph.text);
      if (level && label.length <= 200 && /\p{L}/u.test(label)) {
        out.block(label, { kind: "heading", level, label });
      } else {
        out.block(paragraph.text);
      }
    }
    close();
  });
  if (out.isEmpty) throw new ParseError("scanned", name);
  const blank = pages.flatMap((lines, i) => (lines.length === 0 && !failed.includes(i + 1) ? [i + 1] : []));
  if (failed.length > 0) out.warnings.push(`Damaged pages were left out: ${listed(failed)}.`);
  if (blank.length > 0) out.warnings.push(`Pages without text were left out: ${listed(blank)}.`);
  const parsed = out.finish(title);
  const heading = parsed.structure.find((span) => span.kind === "heading")?.label;
  return parsed.title || !heading ? parsed : { ...parsed, title: heading };
}

/** Lines that follow one another closely at one size of type belong together. */
function paragraphsOf(lines: Line[], levels: Map<number, number>): { text: string; size: number }[] {
  const paragraphs: { text: string; size: number }[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const last = paragraphs.at(-1);
    const gap = before ? Math.abs(before.y - line.y) : 0;
    const sameKind = before !== undefined && levels.get(before.size) === levels.get(line.size);
    if (last && sameKind && gap < Math.max(line.size, before?.size ?? 0) * 1.7) last.text += `\n${line.text}`;
    else paragraphs.push({ text: line.text, size: line.size });
    before = line;
  }
  return paragraphs;
}

async function titleOf(document: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    const title = "Title" in info && typeof info.Title === "string" ? oneLine(info.Title) : "";
    // What word processors write when nobody chose a title.
    return /^(?:untitled|microsoft word - .*|.*\.(?:docx?|pdf|indd|tex))?$/i.test(title) ? undefined : title;
  } catch {
    return undefined;
  }
}

function listed(numbers: number[]): string {
  const shown = numbers.slice(0, 10).join(", ");
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown;
}
