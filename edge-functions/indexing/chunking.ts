// Owns chunking: cuts a document's text into passages along its structure. Pure; knows nothing of models or storage.

import { countTokens, isSpace } from "../_shared/models/tokens.ts";
import { markdownTable } from "../_shared/text/table-text.ts";
import { type Atom, atomsOf, type Range } from "./chunk-atoms.ts";
import type { ParsedDocument, StructureSpan } from "./parsers/document.ts";
import { clipText } from "./parsers/text-builder.ts";

export interface ChunkingOptions {
  /** Maximum tokens of a chunk, by countTokens(). Smaller values count as 8. */
  maxTokens: number;
  /** Maximum tokens repeated from the end of the previous chunk, capped at half of maxTokens. */
  overlapTokens: number;
}

export interface Chunk {
  /** Counts from 0 in the order of the text. */
  position: number;
  /** UTF-16 offsets: text.slice(start, end) === content. */
  start: number;
  end: number;
  content: string;
  tokens: number;
  /** The page that the chunk starts on, in documents with pages. */
  page?: number;
  /** The headings above the chunk, outermost first. A heading that the chunk begins with is the last. */
  headings: string[];
  /** For a chunk that starts inside a table: the table's caption, and its header unless the rows repeat it. */
  preface?: string;
}

interface Section {
  start: number;
  end: number;
  headings: string[];
}

const leastTokens = 8;

/**
 * Cuts a text so that every word is in at least one chunk, in order. A chunk ends before a heading. Tables, list items and
 * paragraphs stay whole if they fit. A sentence is cut only if it is longer than a chunk; so is a word, and then between code
 * points.
 */
export function chunkText(
  document: Pick<ParsedDocument, "text" | "structure">,
  options: ChunkingOptions,
): Chunk[] {
  const { text, structure } = document;
  const maxTokens = Math.max(leastTokens, Math.floor(orElse(options.maxTokens, 320)));
  const overlap = Math.min(
    Math.max(0, Math.floor(orElse(options.overlapTokens, 0))),
    Math.floor(maxTokens / 2),
  );
  const pages = structure.filter((span) => span.kind === "page");
  const tables = structure.filter((span) => span.kind === "table" && span.label);
  const pieces = structure.filter((span) => span.kind === "code" && span.label);
  const members = structure.filter((span) => span.kind === "item" && span.label);
  const cutsRows = structure.filter(({ kind }) => kind === "row").length <= mostRowsAlone;
  const chunks: Chunk[] = [];
  for (const section of sectionsOf(text, structure)) {
    const atoms = atomsOf(text, structure, section, maxTokens);
    for (const { start, end } of pack(text, atoms, maxTokens, overlap, cutsRows)) {
      const page = spanAt(pages, start)?.page;
      const table = spanAt(tables, start);
      chunks.push({
        position: chunks.length,
        start,
        end,
        content: text.slice(start, end),
        tokens: countTokens(text, start, end),
        ...(page === undefined ? {} : { page }),
        headings: [...section.headings, ...definitionsIn(pieces, members, { start, end })],
        ...(table && start > table.start ? prefaceOf(table) : {}),
      });
    }
  }
  return chunks;
}

/** A chunk's place in its document, embedded before its words: at most about a hundred tokens. */
export function contextOf(title: string, chunk: Pick<Chunk, "content" | "headings" | "preface">): string {
  const above = chunk.headings.filter((heading) => !chunk.content.includes(heading));
  const lines = [title, above.join(" › "), chunk.preface ?? ""].filter((line) => line !== "");
  return clipText(lines.join("\n"), 500);
}

/** The text that is embedded for a chunk: its context from contextOf(), then its words. */
export function inContext(context: string, content: string): string {
  return context === "" ? content : `${context}\n\n${content}`;
}

export function embeddingText(title: string, chunk: Pick<Chunk, "content" | "headings" | "preface">): string {
  return inContext(contextOf(title, chunk), chunk.content);
}

/** The sections between headings. A heading with no text before the next heading belongs to the next section. */
function sectionsOf(text: string, structure: StructureSpan[]): Section[] {
  const sections: Section[] = [];
  const path: { level: number; label: string }[] = [];
  let start = 0;
  let bodyFrom = 0;
  for (const span of structure) {
    if (span.kind !== "heading" || span.start < bodyFrom) continue;
    if (text.slice(bodyFrom, span.start).trim() !== "") {
      sections.push({ start, end: span.start, headings: path.map(({ label }) => label) });
      start = span.start;
    }
    const level = span.level ?? 1;
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ level, label: span.label ?? text.slice(span.start, span.end) });
    bodyFrom = span.end;
  }
  sections.push({ start, end: text.length, headings: path.map(({ label }) => label) });
  return sections;
}

/** Above this many rows, several rows share a passage: one passage per row would take hours to index. */
const mostRowsAlone = 5_000;

function prefaceOf({ caption, label, columns, records }: StructureSpan): { preface?: string } {
  const header = records ? "" : columns ? markdownTable(columns, []) : (label ?? "");
  const preface = [caption ?? "", header].filter(Boolean).join("\n\n");
  return preface ? { preface: clipText(preface, 1000) } : {};
}

function pack(
  text: string,
  atoms: Atom[],
  maxTokens: number,
  overlap: number,
  cutsRows: boolean,
): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let from = 0;
  let tokens = 0;
  let start = atoms[0]?.start ?? 0;
  atoms.forEach((atom, i) => {
    const before = atoms[i - 1];
    // The first row stays with the header or heading above it.
    const isCut = cutsRows && before?.kind === "row";
    let gap = before && i > from ? countTokens(text, before.end, atom.start) : 0;
    if (i > from && (isCut || tokens + gap + atom.tokens > maxTokens)) {
      const end = before?.end ?? atom.start;
      ranges.push({ start, end });
      const repeated =
        isCut || gap > 0
          ? undefined
          : overlapStart(text, atoms.slice(from, i), start, Math.min(overlap, maxTokens - atom.tokens));
      start = repeated ?? atom.start;
      tokens = start < atom.start ? countTokens(text, start, atom.start) : 0;
      from = i;
      gap = 0;
    }
    tokens += gap + atom.tokens;
  });
  const last = atoms.at(-1);
  if (last) ranges.push({ start, end: last.end });
  return ranges;
}

/**
 * The start of the next chunk inside the previous one (which started at `chunkStart`), repeating at most `budget` tokens: at an
 * atom if one fits, otherwise, within prose, at a word.
 */
function overlapStart(text: string, atoms: Atom[], chunkStart: number, budget: number): number | undefined {
  let left = budget;
  let atomStart: number | undefined;
  let i = atoms.length - 1;
  for (; i >= 0; i--) {
    const atom = atoms[i];
    if (!atom || atom.start <= chunkStart) break;
    const tokens = atom.tokens + countTokens(text, atom.end, atoms[i + 1]?.start ?? atom.end);
    if (tokens > left) break;
    left -= tokens;
    atomStart = atom.start;
  }
  if (atomStart !== undefined) return atomStart;
  const last = atoms.at(-1);
  if (last?.kind !== "prose") return undefined;
  return wordStartWithin(text, Math.max(last.start, chunkStart), last.end, left);
}

/** The earliest word start after `from` with at most `budget` tokens up to `end`. */
function wordStartWithin(text: string, from: number, end: number, budget: number): number | undefined {
  let found: number | undefined;
  let left = budget;
  let wordEnd = end;
  for (let i = end - 1; i > from && left > 0; i--) {
    if (isSpace(text.charCodeAt(i)) || !isSpace(text.charCodeAt(i - 1))) continue;
    left -= countTokens(text, i, wordEnd);
    if (left < 0) break;
    found = i;
    wordEnd = i;
  }
  return found;
}

/** More names would push the words that they name out of a short context. */
const mostNames = 8;

/** In code, the names of a chunk's definitions, and of their members in it. */
function definitionsIn(pieces: StructureSpan[], members: StructureSpan[], chunk: Range): string[] {
  return [spansIn(pieces, chunk), spansIn(members, chunk)]
    .map((spans) => [...new Set(spans.flatMap(({ label }) => label ?? []))].slice(0, mostNames).join(", "))
    .filter((names) => names !== "");
}

/** The spans that share text with a range. Spans are sorted and do not overlap. */
function spansIn(spans: StructureSpan[], { start, end }: Range): StructureSpan[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  let until = low;
  while (until < spans.length && (spans[until]?.start ?? end) < end) until++;
  return spans.slice(low, until);
}

/** The span that contains an offset. Spans are sorted and do not overlap. */
function spanAt(spans: StructureSpan[], offset: number): StructureSpan | undefined {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (!span) return undefined;
    if (offset < span.start) high = middle - 1;
    else if (offset >= span.end) low = middle + 1;
    else return span;
  }
  return undefined;
}

function orElse(value: number, fallback: number): number {
  return Number.isFinite(value) ? value : fallback;
}
