// Reads source code, configuration and markup that is best read as written. The text is only normalised. A passage ends between two
// definitions rather than inside one.
import { definitionIn } from "./code-symbols.ts";
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

/** Maximum spans per piece of code, that of the piece included. */
const mostSymbols = 500;

function parseCode({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  out.block(decoded.text);
  const { text, warnings } = out.finish();
  return { text, structure: definitions(text).flatMap((span) => withSymbols(text, span)), warnings };
}

/**
 * Pieces that begin after a blank line with an unindented line: functions, types and tables in most languages. Goes line by line,
 * since a pattern takes quadratic time on a file of line feeds.
 */
function definitions(text: string): StructureSpan[] {
  const spans: StructureSpan[] = [];
  let start = 0;
  let end = 0;
  let isBlankBefore = false;
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const lineEnd = feed === -1 ? text.length : feed;
    const isBlank = text.slice(at, lineEnd).trim() === "";
    const begins = !isBlank && isBlankBefore && /[^\s})\]]/.test(text[at] ?? "");
    if (begins && end > start && spans.length < limits.structureSpans - 1) {
      spans.push({ kind: "code", start, end });
      start = at;
    }
    if (!isBlank) end = lineEnd;
    isBlankBefore = isBlank;
    at = lineEnd + 1;
  }
  if (end > start) spans.push({ kind: "code", start, end });
  return spans;
}

/** A piece's span with its name, followed by the spans of the definitions inside it, such as a class's methods. */
function withSymbols(text: string, span: StructureSpan): StructureSpan[] {
  const found: { start: number; name: string; indent: number }[] = [];
  for (let at = span.start; at < span.end; ) {
    const feed = text.indexOf("\n", at);
    const lineEnd = feed === -1 || feed > span.end ? span.end : feed;
    const definition = definitionIn(text.slice(at, lineEnd));
    if (definition) found.push({ start: at, ...definition });
    at = lineEnd + 1;
  }
  const outer = found.find(({ indent }) => indent === 0);
  const inner = found.filter(({ indent, start }) => indent > 0 && outer !== undefined && start > outer.start);
  const indent = Math.min(...inner.map((one) => one.indent));
  const members = inner.filter((one) => one.indent === indent);
  return [
    { ...span, ...(outer ? { label: outer.name } : {}) },
    ...members.map(({ start, name }, i): StructureSpan => {
      const end = members[i + 1]?.start ?? span.end;
      return { kind: "item", start, end: start + text.slice(start, end).trimEnd().length, label: name };
    }),
  ].slice(0, mostSymbols);
}
