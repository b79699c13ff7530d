// Reads HTML: the words that a reader would see, with headings, lists and tables. Streams, so that depth costs no stack.
import { Parser as SaxParser } from "htmlparser2";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { mainOf } from "./html-main.ts";
import { HtmlText } from "./html-text.ts";
import { withoutContentsHeadings } from "./table-of-contents.ts";
import { TextBuilder } from "./text-builder.ts";

/** Maximum nesting of elements, more than any page made for people has. The parser slows down with the depth. */
const deepest = 4000;

export const html: Parser = {
  name: "html",
  label: "an HTML page",
  extensions: ["html", "htm", "xhtml"],
  contentTypes: ["text/html", "application/xhtml+xml"],
  parse: async ({ bytes, name }) => {
    const decoded = decodeText(bytes, declaredEncoding(bytes));
    return parseMarkup(decoded.text, { name });
  },
};

/** Reads markup that is already a string, such as mammoth's output for a DOCX. */
export function parseMarkup(source: string, { name }: Pick<ParserInput, "name">): ParsedDocument {
  const out = new TextBuilder(name);
  const parsed = out.finish(readMarkup(source, out));
  return { ...parsed, structure: withoutContentsHeadings(parsed) };
}

/** Appends a page's text to `out`. @returns its title, its first heading, or "" */
export function readMarkup(source: string, out: TextBuilder): string {
  const undo = out.checkpoint();
  const { title, ownText } = readOnce(source, out, new Set());
  if (ownText.size === 0) return title;
  undo();
  return readOnce(source, out, ownText).title;
}

/** @param own elements that are read whatever their name */
function readOnce(
  source: string,
  out: TextBuilder,
  own: ReadonlySet<number>,
): { title: string; ownText: ReadonlySet<number> } {
  const reader = new HtmlText(out, mainOf(source), own);
  let depth = 0;
  let tooDeep = false;
  const sax = new SaxParser({
    onopentag(tag, attributes) {
      depth++;
      if (depth > deepest) tooDeep = true;
      else reader.open(tag, attributes);
    },
    ontext(text) {
      reader.text(text);
    },
    onclosetag(tag) {
      depth--;
      reader.close(tag);
    },
  });
  // Writes in pieces, so that excessive nesting is noticed before the whole page is read.
  let at = 0;
  for (; at < source.length && !tooDeep; at += 65_536) sax.write(source.slice(at, at + 65_536));
  if (!tooDeep) sax.end();
  const title = reader.finish();
  if (tooDeep) {
    out.warn(sentenceOf("pageNested"));
    out.block(wordsOf(source, at));
  }
  return { title, ownText: reader.leftOut.ownText() };
}

/** The text between the tags from an offset on, which may be inside a tag. */
function wordsOf(source: string, from: number): string {
  const inTag = source.lastIndexOf("<", from - 1) > source.lastIndexOf(">", from - 1);
  const rest = inTag ? source.slice(from).replace(/^[^<>]*>/, "") : source.slice(from);
  return rest.replace(/<[^<>]*>/g, " ").replace(/[^\S\n]+/g, " ");
}

/** Browsers look for it in the first 1,024 bytes, and again while they read on. */
const declaredWithin = 65_536;

export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, declaredWithin));
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
}
