// Owns the sentence boundaries in a text. Pure: returns spans into the text and never changes a character.

import { either, wordList } from "../_shared/language/rules.ts";

export type Span = { start: number; end: number };

const abbreviations = new Set(wordList(({ words }) => words.abbreviations));
const abbreviationsOfNumbers = new Set(wordList(({ words }) => words.abbreviationsOfNumbers));

const concludes = new RegExp(`^\\W*${either(({ followUps }) => followUps?.concludes)}(?!\\p{L})`, "iu");

/** True for a sentence that holds for an example, or follows from what stands before it: "Therefore, you can request 104 hours". */
export function isConclusion(sentence: string): boolean {
  return concludes.test(sentence);
}

/**
 * The sentences of a text as trimmed spans, in order. A blank line, a list item and a table row end a sentence too; a wrapped line
 * does not.
 */
export function sentences(text: string): Span[] {
  return blocks(text).flatMap((block) => split(text, block));
}

/** Paragraphs, list items, headings and table rows. */
function blocks(text: string): Span[] {
  const found: Span[] = [];
  // The line break precedes the lookbehind: the other way round, the regex would look back from every character.
  const separator =
    /\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*•–]\s|\d{1,3}[.)]\s|\d{1,2}(?:\.\d{1,2}){1,3}\s\p{Lu}|#{1,6}\s|\|)|[^\n]*\s\|\s)|\n(?<=^(?:[ \t]*(?:#{1,6}\s|\|)|[^\n]*\s\|\s)[^\n]*\n)/gmu;
  let start = 0;
  for (const match of text.matchAll(separator)) {
    found.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  found.push({ start, end: text.length });
  return found;
}

/** Looked for at the first of several marks only: from each of them to the last would take quadratic time. */
const endMarks = /(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s)|[。！？]+/gu;

function split(text: string, block: Span): Span[] {
  const found: Span[] = [];
  const body = text.slice(block.start, block.end);
  let from = 0;
  for (const match of body.matchAll(endMarks)) {
    const end = match.index + match[0].length;
    if (!endsSentence(body, from, match.index, end)) continue;
    push(found, body, block.start, from, end);
    from = end;
  }
  push(found, body, block.start, from, body.length);
  return found;
}

/** How far to look back for the word before a full stop: looking at the whole text would take quadratic time. */
const longestWord = 40;

function endsSentence(body: string, from: number, dot: number, end: number): boolean {
  if (body[dot] !== ".") return true;
  const near = body.slice(Math.max(from, dot - longestWord), dot);
  const before = /[\p{L}\p{N}.]+$/u.exec(near)?.[0].toLowerCase() ?? "";
  if (abbreviations.has(before) || /^\p{L}$/u.test(before)) return false;
  if (abbreviationsOfNumbers.has(before) && /^\s+\d/.test(body.slice(end, end + longestWord))) return false;
  // "3." at the start of a list item is its number; a lower-case letter after the dot continues the sentence.
  if (/^\d{1,3}$/.test(before) && dot - from <= longestWord && near.trim() === before) return false;
  // "Article 5. Housing" is a numbered heading.
  if (from === 0 && /^\p{Lu}\p{L}+ \d{1,3}$/u.test(near.trim())) return false;
  return !/^\s+\p{Ll}/u.test(body.slice(end));
}

function push(found: Span[], body: string, offset: number, from: number, to: number) {
  const piece = body.slice(from, to);
  const trimmed = piece.trim();
  if (!trimmed) return;
  const lead = piece.length - piece.trimStart().length;
  found.push({ start: offset + from + lead, end: offset + from + lead + trimmed.length });
}
