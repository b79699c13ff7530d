// Reads Markdown: the source stays the text, since models read it well, and its blocks become the structure.
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
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
  out.block(decoded.text);
  const { text, warnings } = out.finish();

  const front = frontMatter(text);
  const structure = markdownStructure(text, front.length);
  const stated = /^title:(.*)$/m
    .exec(front)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  const title = stated || structure.find((span) => span.kind === "heading" && span.level === 1)?.label;
  return { text, ...(title ? { title: clipText(oneLine(title), 300) } : {}), structure, warnings };
}

/** The YAML block between two lines of dashes at the very top, or "". */
function frontMatter(text: string): string {
  if (!text.startsWith("---\n")) return "";
  const end = text.indexOf("\n---", 3);
  if (end === -1 || end > 20_000 || !/^\n---\s*(?:\n|$)/.test(text.slice(end, end + 100))) return "";
  return text.slice(0, end + 4);
}
