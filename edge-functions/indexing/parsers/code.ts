// Source code, configuration and markup that is best read as it is written. Its text is kept to the letter; a passage ends
// between two definitions rather than inside one.
import { decodeText } from "./decode.ts";
import {
  limits,
  type ParsedDocument,
  type Parser,
  type ParserInput,
  type StructureSpan,
} from "./document.ts";
import { TextBuilder } from "./text-builder.ts";

const languages =
  "js mjs cjs jsx ts mts cts tsx vue svelte py pyi rb php pl pm lua r jl go rs java kt kts scala groovy clj cljs ex exs erl hs " +
  "ml fs fsx elm dart swift m mm c h cc cpp cxx hpp hh cs vb pas zig nim sol asm s sh bash zsh fish ps1 bat cmd sql graphql " +
  "gql proto tf hcl css scss sass less xml xsd xsl rss atom plist yaml yml toml ini cfg conf properties env gradle cmake " +
  "diff patch";

export const code: Parser = {
  name: "code",
  label: "a text of source code",
  extensions: languages.split(" "),
  contentTypes: [
    "application/javascript",
    "text/javascript",
    "application/typescript",
    "application/xml",
    "text/xml",
    "application/rss+xml",
    "application/atom+xml",
    "application/yaml",
    "application/toml",
    "application/sql",
    "application/x-sh",
    "text/css",
    "text/x-python",
  ],
  parse: async (input) => parseCode(input),
};

function parseCode({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  out.block(decoded.text);
  const { text, warnings } = out.finish();
  return { text, structure: definitions(text), warnings };
}

/** Pieces that begin after a blank line with a line that is not indented: most languages' functions, types and tables. */
function definitions(text: string): StructureSpan[] {
  const spans: StructureSpan[] = [];
  let start = 0;
  for (const gap of text.matchAll(/\n(?:[^\S\n]*\n)+(?=[^\s})\]])/g)) {
    if (spans.length >= limits.structureSpans - 1) break;
    spans.push({ kind: "code", start, end: gap.index });
    start = gap.index + gap[0].length;
  }
  if (start < text.length) spans.push({ kind: "code", start, end: text.length });
  return spans;
}
