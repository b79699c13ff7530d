// Converts a service's HTML to Markdown, so that headings, code and tables keep their structure in the passages. Pure.
import { createHash } from "node:crypto";
import { decodePercent } from "../../_shared/text/percent.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { parseMarkup } from "../parsers/html.ts";
import { type GridCell, writeGrid } from "../parsers/table-grid.ts";
import { clipText, normalizeText, TextBuilder } from "../parsers/text-builder.ts";

/** Longer content of one item is cut: nobody asks for the two hundredth page of a ticket. */
const mostChars = 1_000_000;

/** A table by the rules of HTML tables: for merged cells, and for a first row that reads as names where none is marked as a header. */
export function markdownOfGrid(rows: GridCell[][]): string {
  const out = new TextBuilder("");
  writeGrid(out, { rows });
  return out.finish().text;
}

export function markdownOfHtml(html: string, name: string): string {
  if (html.trim() === "") return "";
  const { text, structure } = parseMarkup(html, { name });
  const marks: { at: number; mark: string }[] = [];
  for (const span of structure) {
    if (span.kind === "heading") marks.push({ at: span.start, mark: `${"#".repeat(span.level ?? 1)} ` });
    if (span.kind === "code") {
      const ticks = fence(text.slice(span.start, span.end));
      marks.push({ at: span.start, mark: `${ticks}\n` }, { at: span.end, mark: `\n${ticks}` });
    }
  }
  let out = "";
  let at = 0;
  for (const { at: next, mark } of marks.sort((a, b) => a.at - b.at)) {
    out += text.slice(at, next) + mark;
    at = next;
  }
  return out + text.slice(at);
}

/** The shortest code fence that the code itself does not contain. */
export function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return "`".repeat(Math.min(longest + 1, 20));
}

/** Joins blocks with blank lines, without empty ones. */
export function joinBlocks(...blocks: (string | undefined)[]): string {
  return blocks
    .map((block) => block?.trim() ?? "")
    .filter((block) => block !== "")
    .join("\n\n");
}

export interface Content {
  text: string;
  revision: string;
  /** What of the text is not read. */
  note?: string;
}

/** The note on an item of which only the beginning is read. */
export const cutContent = sentenceOf("itemCut");

/** A text in its stored form, with a revision that changes with it. */
export function asContent(raw: string): Content {
  const whole = normalizeText(raw).trim();
  const text = clipText(whole, mostChars).trim();
  return { text, revision: revisionOf(text), ...(whole.length > mostChars ? { note: cutContent } : {}) };
}

export function revisionOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

/** A title in its stored form: one line, never empty. */
export function titleOf(raw: string, otherwise: string): string {
  const title = clipText(normalizeText(raw).replace(/\s+/g, " ").trim(), 400);
  return title === "" ? otherwise : title;
}

/** The decoded last part of an address's path. */
export const nameIn = (url: URL | undefined): string => decodePercent(url?.pathname.split("/").at(-1) ?? "");
