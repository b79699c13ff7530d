// HTML: the words a reader would see, with headings, lists and tables. Streamed, so that depth costs no stack.
import { Parser as SaxParser } from "htmlparser2";
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { HtmlText } from "./html-text.ts";
import { TextBuilder } from "./text-builder.ts";

/** Deeper than any page made for people; the parser's own stack is slow long before this hurts. */
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

/** Reads markup that is already a string, such as what mammoth makes of a DOCX. */
export function parseMarkup(source: string, { name }: Pick<ParserInput, "name">): ParsedDocument {
  const out = new TextBuilder(name);
  const reader = new HtmlText(out);
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
  // In pieces, so that a page nested too deeply is noticed before it has all been read.
  for (let at = 0; at < source.length && !tooDeep; at += 65_536) sax.write(source.slice(at, at + 65_536));
  if (tooDeep) return wordsAlone(source, name);
  sax.end();
  return reader.finish();
}

function wordsAlone(source: string, name: string): ParsedDocument {
  const out = new TextBuilder(name);
  out.warnings.push("The page is nested too deeply to find its headings, lists and tables.");
  out.block(source.replace(/<[^<>]*>/g, " ").replace(/[^\S\n]+/g, " "));
  return out.finish();
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 2048));
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
}
