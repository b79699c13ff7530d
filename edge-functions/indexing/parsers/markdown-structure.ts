// Finds Markdown's blocks in one pass over the lines: without recursion or backtracking, so that no input is slow. (A full Markdown
// lexer takes gigabytes for lists nested a few thousand deep.)
import { either } from "../../_shared/language/rules.ts";
import { cellsOfLine } from "../../_shared/text/table-text.ts";
import { limits, type StructureSpan } from "./document.ts";
import { mostColumns } from "./table-rows.ts";
import { clipText, oneLine } from "./text-builder.ts";

interface Line {
  start: number;
  end: number;
  text: string;
}

const itemMark = /^([ \t]{0,200})(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const ruleOfTable = /^\|?:?-+:?(?:\|:?-+:?)*\|?$/;

/** Headings, fenced code, tables, and lists with their outermost items. */
export function markdownStructure(text: string): StructureSpan[] {
  const lines = linesOf(text);
  const spans: StructureSpan[] = [];
  let at = 0;
  while (at < lines.length && spans.length < limits.structureSpans) {
    at =
      fence(lines, at, spans) ??
      heading(lines, at, spans) ??
      table(lines, at, spans) ??
      list(lines, at, spans) ??
      at + 1;
  }
  return spans;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    lines.push({ start, end, text: text.slice(start, Math.min(end, start + 4000)) });
    start = end + 1;
  }
  return lines;
}

function fence(lines: Line[], at: number, spans: StructureSpan[]): number | undefined {
  const first = lines[at];
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(first?.text ?? "")?.[1];
  if (!first || !mark) return undefined;
  let last = at + 1;
  while (last < lines.length && !closes(lines[last]?.text ?? "", mark)) last++;
  const end = lines[Math.min(last, lines.length - 1)]?.end ?? first.end;
  spans.push({ kind: "code", start: first.start, end });
  return last + 1;
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= mark.length && trimmed === (mark[0] ?? "").repeat(trimmed.length);
}

function heading(lines: Line[], at: number, spans: StructureSpan[]): number | undefined {
  const line = lines[at];
  if (!line) return undefined;
  const marks = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line.text);
  if (marks) {
    const label = withoutMarks(line.text.slice(marks[0].length));
    if (label)
      spans.push({ kind: "heading", start: line.start, end: line.end, level: marks[1]?.length ?? 1, label });
    return at + 1;
  }
  const under = lines[at + 1];
  const level = /^ {0,3}=+[ \t]*$/.test(under?.text ?? "")
    ? 1
    : /^ {0,3}-{2,}[ \t]*$/.test(under?.text ?? "")
      ? 2
      : 0;
  const before = lines[at - 1]?.text.trim() ?? "";
  // Only below a paragraph of one line: below a longer one, dashes are more often a rule than a heading's underline.
  if (
    !under ||
    level === 0 ||
    before !== "" ||
    line.text.trim() === "" ||
    /^\s*(?:[>|]|[-*+] )/.test(line.text)
  ) {
    return undefined;
  }
  spans.push({ kind: "heading", start: line.start, end: under.end, level, label: withoutMarks(line.text) });
  return at + 2;
}

function table(lines: Line[], at: number, spans: StructureSpan[]): number | undefined {
  const first = lines[at];
  const rule = lines[at + 1]?.text ?? "";
  if (!first?.text.includes("|") || !rule.includes("|") || !ruleOfTable.test(rule.replace(/[ \t]/g, "")))
    return undefined;
  let last = at + 1;
  while (lines[last + 1]?.text.includes("|")) last++;
  const columns = cellsOfLine(first.text).map(withoutMarks).slice(0, mostColumns);
  const end = lines[last]?.end ?? first.end;
  const caption = captionAbove(lines, at);
  spans.push({
    kind: "table",
    start: first.start,
    end,
    label: clipText(columns.filter(Boolean).join(" | "), 500),
    columns,
    ...(caption ? { caption } : {}),
  });
  for (const line of lines.slice(at + 2, last + 1)) {
    if (spans.length < limits.structureSpans) spans.push({ kind: "row", start: line.start, end: line.end });
  }
  return last + 1;
}

const namesTable = new RegExp(String.raw`^\W*${either(({ documents }) => documents?.table)}\s*\d|:\W*$`, "i");

/** The line above a table that names it: "Table 3. Limits", or one that ends in a colon. */
function captionAbove(lines: Line[], at: number): string {
  const above = lines[at - 1]?.text.trim() ? at - 1 : at - 2;
  const text = lines[above]?.text.trim() ?? "";
  const isAlone = !lines[above - 1]?.text.trim();
  return isAlone && namesTable.test(text) && text.length <= 200
    ? withoutMarks(text.replace(/\s*:(\W*)$/, "$1"))
    : "";
}

function list(lines: Line[], at: number, spans: StructureSpan[]): number | undefined {
  const first = lines[at];
  const indent = itemMark.exec(first?.text ?? "")?.[1]?.length;
  if (!first || indent === undefined) return undefined;
  const span: StructureSpan = { kind: "list", start: first.start, end: first.end };
  spans.push(span);
  let item: StructureSpan | undefined;
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next];
    if (!line || !continues(lines, next)) break;
    if (line.text.trim() === "") continue;
    const marked = itemMark.exec(line.text);
    if (marked && (marked[1]?.length ?? 0) <= indent && spans.length < limits.structureSpans) {
      item = { kind: "item", start: line.start, end: line.end };
      spans.push(item);
    }
    span.end = line.end;
    if (item) item.end = line.end;
  }
  return next;
}

/** True when a line still belongs to the list above: an item, indented text, a lazy continuation, or a gap before those. */
function continues(lines: Line[], at: number): boolean {
  const text = lines[at]?.text ?? "";
  if (/^ {0,3}(?:#{1,6}[ \t]|`{3}|~{3})/.test(text)) return false;
  if (itemMark.test(text) || /^(?:\t| {2})/.test(text)) return true;
  if (text.trim() === "") {
    const after = lines[at + 1]?.text ?? "";
    return itemMark.test(after) || (/^(?:\t| {2})/.test(after) && after.trim() !== "");
  }
  return (lines[at - 1]?.text.trim() ?? "") !== "";
}

/** A heading's words, without emphasis and code marks and with links reduced to their text. */
function withoutMarks(source: string): string {
  const words = source
    .slice(0, 1000)
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/\s#+\s*$/, "")
    .replace(/\{#[\w-]+\}\s*$/, "");
  return clipText(oneLine(words), 300);
}
