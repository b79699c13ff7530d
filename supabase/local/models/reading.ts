// Owns the parsing of a passage into sentences and table rows, each with its context. A heading, a question and a
// table's header describe the units below them, and are never answers themselves.

import { either, type LanguageCode } from "../../../edge-functions/_shared/language/rules.ts";
import { meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { kindOf } from "../../../edge-functions/answering/question-kind.ts";
import { type Span, sentences } from "../../../edge-functions/answering/sentences.ts";
import { withMeasure } from "../../../edge-functions/answering/units.ts";
import { fold, likelyLanguage, stem, words } from "../../../edge-functions/answering/words.ts";
import { isWithinNumber } from "./numerals.ts";
import { type Asked, isDenied, isOtherWord } from "./question.ts";

export type Passage = {
  number: number;
  label: string;
  text: string;
  /** True behind those that the reply is to come from. */
  isFurther?: true;
  /** Whether its document is the current edition of one of which an earlier one is among the passages, or that earlier one. */
  edition?: "current" | "earlier";
};

export type Cell = { column: string; text: string };

export type Unit = {
  passage: Passage;
  /** Of the passage; null when its function words do not tell. */
  language: LanguageCode | null;
  /** Position in reading order; units of one paragraph are consecutive. */
  order: number;
  /** Verbatim, for a sentence. */
  text: string;
  /** For a table row: its cells with their columns. */
  cells?: Cell[];
  terms: Set<string>;
  /** Terms of its heading and of its table's header. */
  under: Set<string>;
  /** True when every term of that heading is in the question. */
  isHeadAsked?: boolean;
  /** True when, besides, every term of the question is in that heading. */
  isHeadWhole?: boolean;
  /** That heading as written, without its markup. */
  heading: string;
  /** Terms of the question that it answers, when it follows one. */
  answers: Set<string>;
  /** True when that question is the one that is asked. */
  isAsked?: true;
  /** All sentences of the paragraph that answers the question, in order. */
  answer?: Unit[];
  /** Terms of the document's title and of higher headings. */
  about: Set<string>;
  /** Terms of the higher headings alone. */
  above: Set<string>;
  /** The previous sentence of the same paragraph, and the next one. */
  before?: Unit;
  after?: Unit;
  /** For an item of a list: the line that introduces the list. For a sentence behind a title on the same line: that title. */
  lead?: Unit;
  /** True for such a title, "Article 6 – Minimum volume.", and for the head of a message. */
  isTitle?: true;
  /** How much of its paragraph an unsure reply that has closer sentences quotes with it. */
  beside?: "little" | "nothing";
  /** Position of a sentence in its part of the passage. */
  span?: { of: string; start: number; end: number };
};

/** The address of a link, whose words are nobody's sentence. */
const linkTarget = /\]\([^()\s]*\)/g;

/** The terms of a text, without those that are other words than the question's: see isOtherWord(). */
function termsIn(source: string, asked: Asked | undefined, isOther: typeof isOtherWord): Set<string> {
  const text = source.replace(linkTarget, "]");
  const terms = new Set(meaningfulTerms(text));
  for (const [root, own] of asked?.written ?? []) {
    if (!terms.has(root)) continue;
    if (isWithinNumber(text, root) && !isWithinNumber(asked?.last ?? "", root)) terms.delete(root);
    const said = words(text).filter((word) => stem(word) === root);
    if (said.length > 0 && said.every((word) => own.every((one) => isOther(one, word)))) terms.delete(root);
  }
  // "Wi-Fi" is also one word.
  for (const [compound] of text.matchAll(/(?<![\p{L}\p{N}-])\p{L}{1,6}-\p{L}{1,6}(?![\p{L}\p{N}-])/gu))
    terms.add(stem(fold(compound.replace("-", ""))));
  return terms;
}

/** The most units of a passage: those of the best passage have the orders below it. */
export const perPassage = 10_000;

/**
 * Everything in a passage that can be an answer, in reading order.
 * @param at the passage's rank, best first @param asked the question that is read for, if any
 */
export function unitsOf(passage: Passage, at: number, asked?: Asked): Unit[] {
  const language = likelyLanguage(passage.text);
  const isOther = (own: string, told: string) => isOtherWord(own, told, asked?.askedIn === language);
  const setOf = (text: string) => termsIn(text, asked, isOther);
  const about = setOf(passage.label);
  const above = setOf(passage.label.split(" · ").slice(1).join(" · "));
  const titles = new Set(passage.label.split(/ [·›] /).map((title) => title.trim()));
  const found: Unit[] = [];
  let under = new Set<string>();
  let heading = "";
  let answers = new Set<string>();
  let isAsked = false;
  let answer: Unit[] | undefined;
  const add = (unit: Pick<Unit, "text" | "terms"> & Partial<Unit>) => {
    const whole: Unit = {
      passage,
      language,
      order: at * perPassage + found.length,
      under,
      heading,
      answers,
      ...(isAsked && { isAsked }),
      ...(answer ? { answer } : {}),
      about,
      above,
      ...unit,
    };
    found.push(whole);
    return whole;
  };
  for (const block of blocksOf(passage.text)) {
    if (block.rows) {
      for (const cells of block.rows) {
        const header = cells.map(({ column }) => withMeasure(column)).join(" ");
        const text = cells.map((cell) => cell.text).join(" | ");
        // A row of questions and answers answers its own question.
        const question = cells
          .filter((cell) => isQuestion(cell.text))
          .map((cell) => cell.text)
          .join(" ");
        const answers = setOf(question);
        const told = cells.filter((cell) => !isQuestion(cell.text)).map((cell) => cell.text);
        const about = block.rows.length === 1 ? subjectOf(cells) : undefined;
        add({
          text,
          cells,
          terms: setOf(told.join(" | ")),
          under: new Set([...under, ...setOf(header)]),
          ...(question && { answers }),
          ...(asked && isSameQuestion(question, answers, asked) && { isAsked: true }),
          ...(about && { isTitle: true }),
        });
        if (!about) continue;
        heading = about;
        under = setOf(about);
      }
      continue;
    }
    const spans = whole(sentences(block.text), block.text);
    let before: Unit | undefined;
    let lead: Unit | undefined;
    let title: Unit | undefined;
    for (const [i, { start, end }] of spans.entries()) {
      const text = block.text.slice(start, end);
      const alone = start === 0 || /\n\s*$/.test(block.text.slice(0, start));
      if (searchWords.test(text) || contentsEntry.test(text)) continue;
      if (isQuestion(text)) {
        answers = setOf(text);
        isAsked = asked !== undefined && isSameQuestion(text, answers, asked);
        // "We buy old phones. Do we?" asks what the sentence before it says.
        if (answers.size === 0 && before) answers = before.terms;
        answer = [];
        before = undefined;
        continue;
      }
      const isMarked = /^#{1,6}\s/.test(text) || (alone && titles.has(text) && !/[.!?]$/.test(text));
      const isName = found.length === 0 && inCapitals.test(text);
      const isHead = isName || isHeading(text) || isNumberedHeading(text, block.text.slice(end));
      if (isMarked || (alone && isHead && (i < spans.length - 1 || block.goesOn))) {
        heading = text.replace(/^#+\s+/, "");
        under = setOf(heading.replace(numbering, ""));
        answers = new Set();
        isAsked = false;
        answer = undefined;
        before = undefined;
        continue;
      }
      if (/\n[ \t]*\n\s*$/.test(block.text.slice(0, start))) {
        if (before) answer = undefined;
        before = undefined;
        title = undefined;
      }
      const isItem = listItem.test(text);
      if (alone && (isItem || numbering.test(text))) title = undefined;
      const introduction = isItem && lead ? lead : title;
      const isTitle = alone && isRunIn(text, block.text.slice(end));
      if (isTitle) before = undefined;
      const unit = add({
        text,
        terms: setOf(text),
        span: { of: block.text, start, end },
        ...(before && { before }),
        ...(introduction && { lead: introduction }),
        ...(isTitle && { isTitle }),
      });
      if (isTitle) title = unit;
      if (before) before.after = unit;
      if (/:\**$/.test(text)) lead = unit;
      else if (!isItem) lead = undefined;
      answer?.push(unit);
      before = unit;
    }
    if (block.isPair) {
      answers = new Set();
      isAsked = false;
      answer = undefined;
    }
  }
  return found;
}

/** True when a document's question asks what is asked, in the same words but for their order and for words of talk. */
function isSameQuestion(text: string, said: Set<string>, asked: Asked): boolean {
  const own = new Set(asked.terms);
  return (
    own.size > 0 &&
    own.size === said.size &&
    [...own].every((term) => said.has(term)) &&
    asked.earlier.size === 0 &&
    (kindOf(text) ?? "any") === asked.kind &&
    isDenied(text) === asked.isDenied
  );
}

const listItem = /^(?:[-*•–]|\d{1,3}[.)])\s/;

/** Joins what is not a sentence of its own to the next one: "Yes.", or the number of a heading. */
function whole(spans: Span[], text: string): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const said = last ? text.slice(last.start, last.end) : "";
    const between = last ? text.slice(last.end, span.start) : "";
    const isJoined =
      last &&
      ((/^\p{L}+[.,!]$/u.test(said) && !/\n\s*\n/.test(between)) ||
        (/^#{1,6}\s+\S{1,8}$/.test(said) && !between.includes("\n")));
    if (isJoined) last.end = span.end;
    else joined.push({ ...span });
  }
  return joined;
}

/** A line of a page's front matter with the words that its author wants it to be found by. */
const searchWords = /^(?:keywords|tags|categories):/i;

/** An item of a page's contents: nothing but a link to a section. */
const contentsEntry = /^(?:[-*•–]|\d{1,3}[.)])\s+\[[^[\]]+\]\([^()\s#]*#[^()\s]*\)[.:]?$/;

function isQuestion(text: string): boolean {
  return /\?["'”’»)*_]*\s*$/.test(text);
}

/** The title on a document's first line: "SAFETY POLICY S-3". Further down, "CLOSED ON 14 JULY" says something. */
const inCapitals = /^\p{Lu}[^\p{Ll}|@.!?;:]{2,40}\s[^\p{Ll}|@.!?;:]{3,60}$/u;

/** A heading with markup, or a few words on a line of their own without a final full stop or a digit. */
function isHeading(text: string): boolean {
  if (/^#{1,6}\s/.test(text)) return true;
  return !/^[-*•–|]|[.!?…:;,)。！？]["'”’»]*$|[\d:|@]/u.test(text) && text.split(/\s+/).length <= 7;
}

/** The section number before a heading: "5.", "2.1", "§ 5", "Article 5.", "Article 5 –". */
const numbering = /^(?:§ ?|\p{Lu}\p{L}+\.? )?\d{1,3}(?:\.\d{1,3})*[.):]?\s+(?:[–—-]\s+)?(?=\p{L})/u;

/** True when a paragraph follows, or a part "2.1" of it; in a list the next number would follow. */
function isNumberedHeading(text: string, behind: string): boolean {
  const name = text.replace(numbering, "");
  if (name === text || !isHeading(name)) return false;
  const next = behind.trimStart();
  const number = /\d+/.exec(text)?.[0] ?? "";
  if (behind !== next && next.startsWith(`${number}.1 `)) return true;
  return /^[ \t]*\n[ \t]*\n/.test(behind) && !numbering.test(next);
}

/** The most words of a title that stands on the line of its text, and its number: "24 days plus holidays" has none. */
const mostInTitle = 5;
const numbered = /^(?:§|\p{Lu}\p{L}+\.? \d|\d{1,3}(?:\.\d{1,3})*[.):])/u;

/** True for a numbered title with its text behind it: "Article 6 – Minimum volume. The buyer takes at least 9,000 lenses." */
function isRunIn(text: string, behind: string): boolean {
  const name = text.replace(numbering, "");
  return (
    name !== text &&
    numbered.test(text) &&
    /^[^\d|@]{1,60}\.$/.test(name) &&
    name.split(/\s+/).length <= mostInTitle &&
    /^[ \t]+\S/.test(behind)
  );
}

/** goesOn: a table follows. isPair: a question and its answer, without a heading. */
type Block = { text: string; rows?: Cell[][]; goesOn: boolean; isPair?: true };

/** Prose, and tables in each format that parsers write: "| a | b |", "a | b", and lines of "Column: value". */
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
    i = table.next;
    const pairs = record ? pairsOf(record) : [];
    if (pairs.length > 0) {
      blocks.push(...pairs.map((text): Block => ({ text, goesOn: false, isPair: true })));
      continue;
    }
    const last = blocks.at(-1);
    if (last && !last.rows && !last.isPair) last.goesOn = true;
    blocks.push({ text: "", rows: table.rows, goesOn: false });
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
const isRule = (line: string | undefined) =>
  line !== undefined && /^[\s|:-]+$/.test(line) && line.includes("--");

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
/** The start of an item, and a sentence that ends in a line of prose. A shorter word before a stop is an abbreviation. */
const noColumn = /^[-*•–]|[.!?]$|[\p{L})]{5,}[.!?]\s+\p{Lu}/u;

/** Rows that repeat their column names: at least two consecutive lines of "Column: value". */
function records(lines: string[], from: number): Table | undefined {
  const cells: Cell[] = [];
  let at = from;
  for (; at < lines.length; at++) {
    const [, column, value] = field.exec(lines[at] ?? "") ?? [];
    if (!column || !value || column.split(/\s+/).length > 6 || noColumn.test(column)) break;
    cells.push({ column: column.trim(), text: value.trim() });
  }
  const isAlone = from === 0 || !lines[from - 1]?.trim();
  const isWhole = at === lines.length || !lines[at]?.trim();
  return cells.length >= 2 && isAlone && isWhole ? { rows: [cells], next: at } : undefined;
}

const writer = new RegExp(`^${either(({ documents }) => documents?.head?.writer)}$`, "iu");
const subject = new RegExp(`^${either(({ documents }) => documents?.head?.subject)}$`, "iu");
const again = new RegExp(`^(?:${either(({ documents }) => documents?.head?.again)}\\s?:\\s*){1,9}`, "iu");

/** What a message is about, by the lines of its head: "Subject: Re: the lift". */
function subjectOf(cells: Cell[]): string | undefined {
  const find = (name: RegExp) => cells.find(({ column }) => name.test(column));
  return find(writer) && find(subject)?.text.replace(again, "");
}

/** Questions with their answers, of lines such as "Q: …" and "A: …"; none for any other record. */
function pairsOf({ rows: [cells = []] }: Table): string[] {
  const isInTurns =
    cells.length % 2 === 0 && cells.every(({ text }, i) => isQuestion(text) === (i % 2 === 0));
  if (!isInTurns) return [];
  return cells.flatMap(({ text }, i) => (i % 2 === 0 ? [`${text}\n${cells[i + 1]?.text}`] : []));
}
