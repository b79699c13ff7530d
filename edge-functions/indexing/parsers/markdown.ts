// Reads Markdown: it stays the text, since models read it well, and its blocks become the structure.
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { readableMarkdown } from "./markdown-source.ts";
import { markdownStructure } from "./markdown-structure.ts";
import { clipText, oneLine, TextBuilder } from "./text-builder.ts";

export const markdown: Parser = {
  name: "markdown",
  label: "a Markdown file",
  extensions: ["md", "markdown", "mdown", "mdx"],
  contentTypes: ["text/markdown", "text/x-markdown"],
  parse: async (input) => parseMarkdown(input),
};

function parseMarkdown({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  const source = readableMarkdown(decoded.text);
  out.block(source.text);
  const { text, warnings } = out.finish();

  const structure = markdownStructure(text);
  const title = source.title || structure.find((span) => span.kind === "heading" && span.level === 1)?.label;
  return { text, ...(title ? { title: clipText(oneLine(title), 300) } : {}), structure, warnings };
}
