// Owns how a passage is read: into sentences and the rows of its tables, each with the words that it stands under. A heading, a
// question and a table's header say what those below them are about; none of them answers anything.

import { meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { type Span, sentences } from "../../../edge-functions/answering/sentences.ts";

export type Passage = { number: number; label: string; text: string };

export type Cell = { column: string; text: string };

export type Unit = {
  passage: Passage;
  /** Place in reading order; units of one paragraph follow one another. */
  order: number;
  /** Verbatim, for a sentence. */
  text: string;
  /** For a row of a table: its cells under their columns. */
  cells?: Cell[];
  terms: Set<string>;
  /** Of the heading that it stands under, and of its table's header. */
  under: Set<string>;
  /** That heading as it is written, without its marks. */
  heading: string;
  /** Of the question that it answers, where it follows one. */
  answers: Set<string>;
  /** All sentences of the paragraph that answers the question, in order. */
  answer?: Unit[];
  /** Of the document's title and the headings above. */
  about: Set<string>;
  /** The sentence before it in the same paragraph. */
  before?: Unit;
  /** Where a sentence stands in its piece of the passage. */
  span?: { of: string; start: number; end: number };
};

const setOf = (text: string) => new Set(meaningfulTerms(text));

/** Everything in a passage that could answer, in reading order. @param at the passage's place among the others, best first */
export function unitsOf(passage: Passage, at: number): Unit[] {
  const about = setOf(passage.label);
  const found: Unit[] = [];
  let under = new Set<string>();
  let heading = "";
  let answers = new Set<string>();
  let answer: Unit[] | undefined;
  const add = (unit: Pick<Unit, "text" | "terms"> & Partial<Unit>) => {
    const whole: Unit = {
      passage,
      order: at * 10_000 + found.length,
      under,
      heading,
      answers,
      ...(answer ? { answer } : {}),
      about,
      ...unit,
    };
    found.push(whole);
    return whole;
  };
  for (const block of blocksOf(passage.text)) {
    if (block.rows) {
      for (const cells of block.rows) {
        const header = cells.map(({ column }) => column).join(" ");
        const text = cells.map((cell) => cell.text).join(" | ");
        // A row of questions and answers answers the question in it.
        const asked = cells.filter((cell) => isQuestion(cell.text)).map((cell) => cell.text);
        const told = cells.filter((cell) => !isQuestion(cell.text)).map((cell) => cell.text);
        add({
          text,
          cells,
          terms: setOf(told.join(" | ")),
          under: new Set([...under, ...setOf(header)]),
          ...(asked.length > 0 && { answers: setOf(asked.join(" ")) }),
        });
      }
      continue;
    }
    const spans = whole(sentences(block.text), block.text);
    let before: Unit | undefined;
    for (const [i, { start, end }] of spans.entries()) {
      const text = block.text.slice(start, end);
      const alone = start === 0 || /\n\s*$/.test(block.text.slice(0, start));
      if (isQuestion(text)) {
        answers = setOf(text);
        answer = [];
        before = undefined;
        continue;
      }
      const isMarked = /^#{1,6}\s/.test(text);
      const isHead = isHeading(text) || isNumberedHeading(text, block.text.slice(end));
      if (isMarked || (alone && isHead && (i < spans.length - 1 || block.goesOn))) {
        heading = text.replace(/^#+\s+/, "");
        under = setOf(text.replace(numbering, ""));
        answers = new Set();
        answer = undefined;
        before = undefined;
        continue;
      }
      if (/\n[ \t]*\n\s*$/.test(block.text.slice(0, start))) {
        if (before) answer = undefined;
        before = undefined;
      }
      const unit = add({
        text,
        terms: setOf(text),
        span: { of: block.text, start, end },
        ...(before && { before }),
      });
      answer?.push(unit);
      before = unit;
    }
  }
  return found;
}

/** "Yes." is no sentence of its own: what follows says what is so. */
function whole(spans: Span[], text: string): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const isJoined =
      last &&
      /^\p{L}+[.,!]$/u.test(text.slice(last.start, last.end)) &&
      !/\n\s*\n/.test(text.slice(last.end, span.start));
    if (isJoined) last.end = span.end;
    else joined.push({ ...span });
  }
  return joined;
}

function isQuestion(text: string): boolean {
  return /\?["'”’»)]*\s*$/.test(text);
}

/** A marked heading, or a few words on their own that end without a full stop and hold no figure. */
function isHeading(text: string): boolean {
  if (/^#{1,6}\s/.test(text)) return true;
  return !/^[-*•–|]|[.!?…:;,)。！？]["'”’»]*$|[\d:|@]/u.test(text) && text.split(/\s+/).length <= 7;
}

/** The number of a section before its name: "5.", "2.1", "Article 5.". */
const numbering = /^(?:\p{Lu}\p{L}+ )?\d{1,3}(?:\.\d{1,3})*[.):]?\s+(?=\p{L})/u;

/** A numbered heading stands above a paragraph; in a list the next number follows. */
function isNumberedHeading(text: string, behind: string): boolean {
  const name = text.replace(numbering, "");
  return (
    name !== text &&
    isHeading(name) &&
    /^[ \t]*\n[ \t]*\n/.test(behind) &&
    !numbering.test(behind.trimStart())
  );
}

type Block = { text: string; rows?: Cell[][]; goesOn: boolean };

/** Prose, and tables in each of the forms that parsers write: "| a | b |", "a | b", and lines of "Column: value". */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let prose: string[] = [];
  const flush = () => {
    if (prose.some((line) => line.trim())) blocks.push({ text: prose.join("\n"), goesOn: false });
    prose = [];
  };
  for (let i = 0; i < lines.length; ) {
    const bars = barTable(lines, i);
    const record = bars ? undefined : records(lines, i);
    const table = bars ?? record;
    if (!table) {
      prose.push(lines[i] ?? "");
      i += 1;
      continue;
    }
    flush();
    const last = blocks.at(-1);
    if (last && !last.rows) last.goesOn = true;
    blocks.push({ text: "", rows: table.rows, goesOn: false });
    i = table.next;
  }
  flush();
  return blocks;
}

type Table = { rows: Cell[][]; next: number };

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
const hasBars = (line: string | undefined) => line !== undefined && /\S\s*\|\s*\S/.test(line);
const isRule = (line: string | undefined) => line !== undefined && /^[\s|:-]*-{2,}[\s|:-]*$/.test(line);

function barTable(lines: string[], from: number): Table | undefined {
  if (!hasBars(lines[from])) return undefined;
  const header = cellsOf(lines[from] ?? "");
  let at = from + 1;
  const isMarked = isRule(lines[at]);
  if (isMarked) at += 1;
  else if (lines[at]?.trim() === "" && hasBars(lines[at + 1])) at += 1;
  const body: string[][] = [];
  for (; hasBars(lines[at]) || isRule(lines[at]); at++)
    if (!isRule(lines[at])) body.push(cellsOf(lines[at] ?? ""));
  const isHeaded =
    isMarked || (body.length > 0 && header.every((cell) => !/^[-+]?[\d\s.,%€$£]+$/.test(cell)));
  const rows = isHeaded ? body : [header, ...body];
  if (rows.length === 0) return undefined;
  return {
    next: at,
    rows: rows.map((cells) =>
      cells.map((cell, i) => ({ column: isHeaded ? (header[i] ?? "") : "", text: cell })),
    ),
  };
}

const field = /^([^:|]{1,60}):[ \t]+(\S.*)$/;

/** Rows that repeat their column names: at least two lines of "Column: value" together. */
function records(lines: string[], from: number): Table | undefined {
  const cells: Cell[] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const [, column, value] = field.exec(lines[at] ?? "") ?? [];
    if (!column || !value || column.split(/\s+/).length > 6 || /^[-*•–]|[.!?]$/.test(column)) break;
    cells.push({ column: column.trim(), text: value.trim() });
  }
  const isAlone = from === 0 || !lines[from - 1]?.trim();
  const isWhole = at === lines.length || !lines[at]?.trim();
  return cells.length >= 2 && isAlone && isWhole ? { rows: [cells], next: at } : undefined;
}
