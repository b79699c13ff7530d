// Owns the claims of a reply and the passages that each one cites: sentences, list items and table rows. Pure; each claim is
// verbatim from the reply.
import { sentences } from "./sentences.ts";

export type Claim = {
  /** Without its marks. */
  text: string;
  /** UTF-16 code units into the reply, without the marks after it. */
  start: number;
  end: number;
  /** The end of the marks after it. */
  marksEnd: number;
  citations: number[];
  /** False when the marks are those at the end of its paragraph. */
  isMarked: boolean;
};

const mostClaims = 100;
const marks = /\[(\d{1,3})\]/g;
const leadingMarks = /^(?:\[\d{1,3}\]\s*)+/;
const lastMark = /\[\d{1,3}\]$/;
const listSign = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;

/** The claims of a reply, in order. Excludes headings, questions, lead-ins, code and table headers. */
export function claimsIn(reply: string): Claim[] {
  const code = [...reply.matchAll(/```[\s\S]*?(?:```|$)/g)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));
  const found: Claim[] = [];
  for (const span of sentences(reply)) {
    if (code.some(({ start, end }) => span.start < end && span.end > start)) continue;
    let { start } = span;
    const behind = leadingMarks.exec(reply.slice(start, span.end))?.[0];
    const last = found.at(-1);
    // A mark after the full stop belongs to the sentence before it.
    if (behind && last && !reply.slice(last.marksEnd, start).includes("\n")) {
      add(last, marksOf(behind));
      last.marksEnd = start + behind.trimEnd().length;
      start += behind.length;
    }
    const claim = claimAt(reply, start, span.end);
    if (claim) found.push(claim);
  }
  const stated = found.filter((claim) => isStatement(reply, claim));
  lendMarks(reply, stated);
  return stated.slice(0, mostClaims);
}

function claimAt(reply: string, from: number, to: number): Claim | undefined {
  const start = from + (listSign.exec(reply.slice(from, to))?.[0].length ?? 0);
  const said = reply.slice(start, to);
  const own = withoutCellEnd(withoutTrailingMarks(said));
  if (!/[\p{L}\p{N}]/u.test(own.replace(marks, ""))) return undefined;
  const citations = marksOf(said);
  return {
    text: removeMarks(own).trim(),
    start,
    end: start + own.length,
    marksEnd: to,
    citations,
    isMarked: citations.length > 0,
  };
}

// Regular expressions that look for the end of a text begin at each of its characters: these two read it backwards.

/** Without the marks at the end, a full stop behind them, and the spaces before each. */
function withoutTrailingMarks(said: string): string {
  let end = said.length;
  while (/[\s.]/.test(said[end - 1] ?? "")) end--;
  let left = said.slice(0, end);
  let isMarked = false;
  for (let mark = lastMark.exec(left.slice(-5)); mark; mark = lastMark.exec(left.slice(-5))) {
    left = left.slice(0, left.length - mark[0].length).trimEnd();
    isMarked = true;
  }
  return isMarked ? left : said;
}

function withoutCellEnd(said: string): string {
  const cell = said.trimEnd();
  return cell.endsWith("|") ? cell.slice(0, -1).trimEnd() : said;
}

function isStatement(reply: string, { text, start, marksEnd, isMarked }: Claim): boolean {
  if (/^#{1,6}\s/.test(text) || /\?["”»)*_\s]*$/.test(text)) return false;
  if (/:[*_\s]*$/.test(text)) return isMarked;
  const next = reply.slice(marksEnd).replace(/^\s+/, "").split("\n", 1)[0] ?? "";
  const isTableHead = reply.slice(start, marksEnd).includes("|") && /^\|?\s*:?--[\s|:-]*$/.test(next);
  return !isTableHead;
}

/** Marks at the end of a paragraph apply to its uncited sentences too. */
function lendMarks(reply: string, claims: Claim[]): void {
  for (let at = claims.length - 2; at >= 0; at--) {
    const [claim, next] = [claims[at], claims[at + 1]];
    if (!claim || !next || claim.citations.length > 0) continue;
    if (!reply.slice(claim.marksEnd, next.start).includes("\n")) add(claim, next.citations);
  }
}

const marksOf = (text: string): number[] => [
  ...new Set([...text.matchAll(marks)].map(([, index]) => Number(index))),
];

function add(claim: Claim, citations: number[]): void {
  claim.citations = [...new Set([...claim.citations, ...citations])];
}

/** A text without its marks and the spaces before them. */
export const removeMarks = (text: string): string => text.replace(/(?<![ \t])[ \t]*\[\d{1,3}\]/g, "");

/** Removes claims from a reply, with their marks and with list bullets that are left empty. */
export function withoutClaims(reply: string, gone: Claim[]): string {
  let text = "";
  let from = 0;
  for (const { start, marksEnd } of gone) {
    text += reply.slice(from, start);
    from = marksEnd;
    if (/(?:^|\s)$/.test(text)) from += /^[ \t]*/.exec(reply.slice(from))?.[0].length ?? 0;
  }
  return (text + reply.slice(from))
    .split("\n")
    .filter((line) => !/^\s*(?:[-*•–]|\d{1,3}[.)])\s*$/.test(line))
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
