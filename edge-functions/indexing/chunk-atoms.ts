// Owns splitting a section into atoms: the largest pieces of structure that each fit a chunk. Pure.

import { countTokens, isSpace } from "../_shared/models/tokens.ts";
import type { StructureSpan } from "./parsers/document.ts";

export interface Range {
  start: number;
  end: number;
}

export interface Atom extends Range {
  tokens: number;
  /** Overlap may start at any word of prose, at whole lines of solid text, and nowhere in a table row too long for one passage. */
  kind: "prose" | "solid" | "row";
}

/**
 * Atoms are trimmed, sorted and gapless except for white space, each at most `maxTokens`. `structure` is the whole document's.
 */
export function atomsOf(text: string, structure: StructureSpan[], section: Range, maxTokens: number): Atom[] {
  const atoms: Atom[] = [];
  for (const block of blocksOf(text, structure, section)) {
    if (block.parts) splitSolid(text, block, block.parts, maxTokens, atoms);
    else
      for (const paragraph of splitAt(text, block, /\n[^\S\n]*\n\s*/g))
        splitProse(text, paragraph, maxTokens, atoms);
  }
  return atoms;
}

interface Block extends Range {
  /** Rows or items: where a table or list may be cut. Absent in prose. */
  parts?: StructureSpan[];
}

/** The tables, lists and code of the section, and the prose between them. */
function blocksOf(text: string, structure: StructureSpan[], section: Range): Block[] {
  const blocks: Block[] = [];
  let at = section.start;
  let solid: Block | undefined;
  for (let i = firstFrom(structure, section.start); i < structure.length; i++) {
    const span = structure[i];
    if (!span || span.start >= section.end) break;
    if (span.end <= section.start) continue;
    if (span.kind === "row" || span.kind === "item") {
      if (solid && span.start < solid.end) solid.parts?.push(span);
    } else if (span.kind === "table" || span.kind === "list" || span.kind === "code") {
      const start = Math.max(span.start, section.start);
      if (start < at) continue;
      if (start > at) blocks.push({ start: at, end: start });
      solid = { start, end: Math.min(span.end, section.end), parts: [] };
      blocks.push(solid);
      at = solid.end;
    }
  }
  if (at < section.end) blocks.push({ start: at, end: section.end });
  return blocks.filter((block) => text.slice(block.start, block.end).trim() !== "");
}

/** The first span that can extend past `offset`: a container may start before it. */
function firstFrom(structure: StructureSpan[], offset: number): number {
  let low = 0;
  let high = structure.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((structure[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  let first = low;
  for (let i = low - 1; i >= Math.max(0, low - 64); i--) {
    if ((structure[i]?.end ?? 0) > offset) first = i;
  }
  return first;
}

function splitSolid(
  text: string,
  block: Range,
  parts: StructureSpan[],
  maxTokens: number,
  atoms: Atom[],
): void {
  if (add(text, block, maxTokens, "solid", atoms)) return;
  let at = block.start;
  for (const part of parts) {
    if (part.start < at) continue;
    splitLines(text, { start: at, end: part.start }, maxTokens, atoms);
    const end = Math.min(part.end, block.end);
    const row = { start: part.start, end };
    if (part.kind !== "row" || !add(text, row, maxTokens, "row", atoms))
      splitLines(text, row, maxTokens, atoms);
    at = end;
  }
  splitLines(text, { start: at, end: block.end }, maxTokens, atoms);
}

function splitLines(text: string, range: Range, maxTokens: number, atoms: Atom[]): void {
  if (add(text, range, maxTokens, "solid", atoms)) return;
  for (const line of splitAt(text, range, /\n/g)) {
    if (!add(text, line, maxTokens, "solid", atoms)) splitProse(text, line, maxTokens, atoms);
  }
}

function splitProse(text: string, range: Range, maxTokens: number, atoms: Atom[]): void {
  if (add(text, range, maxTokens, "prose", atoms)) return;
  for (const sentence of sentencesOf(text, range)) {
    if (add(text, sentence, maxTokens, "prose", atoms)) continue;
    for (const word of splitAt(text, sentence, /\s+/g)) {
      if (!add(text, word, maxTokens, "prose", atoms)) splitWord(text, word, maxTokens, atoms);
    }
  }
}

/** Cuts a word between characters as people see them, as many per atom as fit. */
function splitWord(text: string, word: Range, maxTokens: number, atoms: Atom[]): void {
  let start = word.start;
  while (start < word.end) {
    let fits = nextPoint(text, start);
    let tooFar = word.end + 1;
    for (let step = maxTokens; tooFar - fits > 1; ) {
      const tried = Math.min(fits + Math.max(1, step), tooFar - 1, word.end);
      if (tried <= fits) break;
      if (countTokens(text, start, tried) <= maxTokens) fits = tried;
      else tooFar = tried;
      step = tooFar > word.end ? step * 2 : (tooFar - fits) >> 1;
    }
    const whole =
      fits < word.end && isLowSurrogate(text, fits) ? Math.max(fits - 1, nextPoint(text, start)) : fits;
    const end = whole < word.end ? beforeMarks(text, whole, start) : whole;
    atoms.push({ start, end, tokens: countTokens(text, start, end), kind: "prose" });
    start = end;
  }
}

function nextPoint(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** True when a cut here would split a surrogate pair. */
function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/** Characters that belong to the one before: accents, vowels of Thai and Hindi, variants, skin tones, joiners. */
const belongsToLast = /^[\p{M}\p{Emoji_Modifier}\u200d]/u;
/** Longer sequences are hostile; they may be cut. */
const longestSequence = 40;

/** The nearest place at or before a cut where no character is split from its marks; the cut itself when there is none after `start`. */
function beforeMarks(text: string, cut: number, start: number): number {
  let at = cut;
  while (belongsToLast.test(text.slice(at, at + 2)) || text[at - 1] === "\u200d") {
    at -= isLowSurrogate(text, at - 1) ? 2 : 1;
    if (at <= start || cut - at > longestSequence) return cut;
  }
  return at;
}

/** Splits at end marks, and at a line break unless the next line starts in lower case. */
function sentencesOf(text: string, range: Range): Range[] {
  return splitAt(text, range, /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？])(?=\S)\s*|\n(?!\s*\p{Ll})/gu);
}

/** The trimmed, non-empty pieces of a range between matches of a separator. */
function splitAt(text: string, range: Range, separator: RegExp): Range[] {
  const piece = text.slice(range.start, range.end);
  const ranges: Range[] = [];
  let at = 0;
  const push = (end: number) => {
    const trimmed = trim(text, { start: range.start + at, end: range.start + end });
    if (trimmed) ranges.push(trimmed);
  };
  for (const match of piece.matchAll(separator)) {
    push(match.index);
    at = match.index + match[0].length;
  }
  push(piece.length);
  return ranges;
}

function trim(text: string, range: Range): Range | undefined {
  let { start, end } = range;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return start < end ? { start, end } : undefined;
}

/** Adds a range as one atom if it fits. Returns true for an empty range. */
function add(text: string, range: Range, maxTokens: number, kind: Atom["kind"], atoms: Atom[]): boolean {
  const trimmed = trim(text, range);
  if (!trimmed) return true;
  const tokens = countTokens(text, trimmed.start, trimmed.end);
  if (tokens > maxTokens) return false;
  atoms.push({ ...trimmed, tokens, kind });
  return true;
}
