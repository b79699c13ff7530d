// Reads Jupyter notebooks (nbformat 4) as Markdown: texts as they are, code and its printed results in fences, no pictures.
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";

export const notebook: Parser = {
  name: "notebook",
  label: "a Jupyter notebook (IPYNB)",
  extensions: ["ipynb"],
  contentTypes: ["application/x-ipynb+json"],
  parse: parseNotebook,
};

async function parseNotebook(
  input: ParserInput,
  readPart: Parameters<Parser["parse"]>[1],
): Promise<ParsedDocument> {
  const found = readObject(decodeText(input.bytes).text);
  const cells = found.cells;
  if (!Array.isArray(cells)) return await json.parse(input, readPart);
  const language = textOf(objectIn(objectIn(found.metadata).kernelspec).language).replace(/\W/g, "");
  const source = cells.flatMap((cell: unknown) => blocksOf(objectIn(cell), language)).join("\n\n");
  return await markdown.parse({ ...input, bytes: new TextEncoder().encode(source) }, readPart);
}

function readObject(text: string): Record<string, unknown> {
  try {
    return objectIn(JSON.parse(text));
  } catch {
    return {};
  }
}

function blocksOf(cell: Record<string, unknown>, language: string): string[] {
  const source = textOf(cell.source);
  if (cell.cell_type !== "code") return source.trim() === "" ? [] : [source];
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.map(resultOf) : [];
  return [writeFence(source, language), ...outputs.map((text) => writeFence(text, ""))].filter(Boolean);
}

/** What a cell printed, or its last value; a table as its plain text. */
function resultOf(output: unknown): string {
  const { text, data, ename, evalue } = objectIn(output);
  if (text !== undefined) return textOf(text);
  if (ename !== undefined) return `${textOf(ename)}: ${textOf(evalue)}`;
  const plain = textOf(objectIn(data)["text/plain"]);
  // The name of a picture's object.
  return /^<[^>]*>$/.test(plain.trim()) ? "" : plain;
}

function writeFence(code: string, language: string): string {
  if (code.trim() === "") return "";
  const longest = code.match(/`+/g)?.reduce((most, ticks) => Math.max(most, ticks.length), 0) ?? 0;
  const fence = "`".repeat(Math.max(3, Math.min(longest + 1, 20)));
  return `${fence}${language}\n${code.trimEnd()}\n${fence}`;
}

const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** A text, which the format splits into lines. */
const textOf = (value: unknown): string =>
  [value]
    .flat()
    .filter((line) => typeof line === "string")
    .join("");
