// A passage without its document: its headings and the rows of its tables are found in its text. Pure: for pages and
// islands.
import { boldWords } from "#edge-functions/_shared/text/inline-markup.ts";
import { cellsOfLine } from "#edge-functions/_shared/text/table-text.ts";
import { DocumentText, type DocumentTextProps } from "./DocumentText.tsx";

export interface PassageTextProps {
  content: string;
  /** The headings above the passage, and those that it begins with. */
  heading: string;
}

export function PassageText({ content, heading }: PassageTextProps) {
  const lines = linesOf(content);
  return (
    <DocumentText
      content={content}
      marks={headingsOf(lines, heading)}
      tables={tablesOf(lines)}
      quote={null}
      compact
    />
  );
}

interface Line {
  start: number;
  end: number;
  text: string;
}

function linesOf(content: string): Line[] {
  let start = 0;
  return content.split("\n").map((text) => {
    const line = { start, end: start + text.length, text };
    start = line.end + 1;
    return line;
  });
}

/** Words without the signs of Markdown, which a heading's path does not have. */
const bare = (text: string) =>
  text
    .replace(/^#{1,6}\s+/, "")
    .replace(boldWords, "$1")
    .replace(/[`*_]/g, "")
    .trim();

/** A passage begins with its headings, so a comment of source code further down is none. */
function headingsOf(lines: Line[], heading: string): DocumentTextProps["marks"] {
  const path = new Set(heading.split(" › ").map(bare));
  const written = lines.filter(({ text }) => text.trim() !== "");
  const count = written.findIndex(({ text }) => !path.has(bare(text)));
  const first = count === -1 ? written : written.slice(0, count);
  return first.map(({ start, end }) => ({ kind: "heading", start, end }));
}

const isRow = ({ text }: Line) => /^\s*\|.*\|\s*$/.test(text);
const isRule = ({ text }: Line) => /^[\s|:-]+$/.test(text);

/** Tables of Markdown. One that began before the passage has no header here. */
function tablesOf(lines: Line[]): DocumentTextProps["tables"] {
  const tables: DocumentTextProps["tables"] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = lines.findIndex((line, index) => index >= at && !isRow(line));
    const rows = lines.slice(at, end === -1 ? lines.length : end);
    const [first, second] = rows;
    if (!first) continue;
    at += rows.length - 1;
    const isHeaded = second !== undefined && isRule(second);
    const body = rows.filter((line, index) => !isRule(line) && !(isHeaded && index === 0));
    const last = rows.at(-1) ?? first;
    tables.push({
      start: first.start,
      end: last.end,
      columns: isHeaded ? cellsOfLine(first.text) : [],
      rows: body.map(({ start, end, text }) => ({ start, end, cells: cellsOfLine(text) })),
    });
  }
  return tables;
}
