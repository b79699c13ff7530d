// Owns the [n] marks of a reply: which are valid, and which words of its passage each one quotes. Pure; a quote is always cut from
// the passage, never taken from the model.
import { type CitedTable, citedRows } from "./cited-rows.ts";
import { type Span, sentences } from "./sentences.ts";
import { terms } from "./words.ts";

export type CitablePassage = {
  index: number;
  sourceId: string;
  documentId: string;
  chunkId: string;
  title: string;
  url: string | null;
  /** The headings above the passage and its page; "" and null if none. */
  heading: string;
  page: number | null;
  content: string;
  /** For a passage inside a table: the table's caption and header. */
  preface: string;
  /** For a computed result, which is in no document: its quote and table. */
  computed?: { quote: string; table?: CitedTable; isGuess?: true };
};

export type Citation = {
  index: number;
  sourceId: string;
  documentId: string;
  chunkId: string;
  title: string;
  url: string | null;
  /** Absent in replies stored by earlier versions. */
  heading?: string;
  page?: number | null;
  /** The document's age as far as known; absent in replies stored by earlier versions. */
  syncedAt?: string | null;
  changedAt?: string | null;
  /** Verbatim from the passage. */
  quote: string;
  /** The quoted rows of a table, with its header. */
  table?: CitedTable;
};

const longestQuote = 400;
const mark = /[ \t]*\[\s*(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*\]/y;
const halfMark = /[ \t]*(?:\[[\d\s,;–-]{0,40}\]?)?$/y;

/**
 * Cleans the marks of a streaming reply: "[1, 3]" becomes "[1][3]", and a mark without a passage is removed with the space before
 * it. Code and link texts stay unchanged. The joined output of `push` and `end` does not depend on how the reply was split.
 */
export class MarkFilter {
  /** Valid marks, in order of first use. */
  readonly cited = new Set<number>();
  private held = "";
  private code = "";
  private readonly known: Set<number>;

  constructor(known: Iterable<number>) {
    this.known = new Set(known);
  }

  /** Adds passages found while the reply is written. */
  add(numbers: Iterable<number>): void {
    for (const one of numbers) this.known.add(one);
  }

  /** @returns the text that can no longer change */
  push(text: string): string {
    return this.read(this.held + text, false);
  }

  /** @returns the rest */
  end(): string {
    return this.read(this.held, true);
  }

  private read(text: string, last: boolean): string {
    let out = "";
    let at = 0;
    while (at < text.length) {
      // No mark, code or line begins inside it.
      const plain = matchAt(/[^`[ \t\n]+/y, text, at);
      if (plain) {
        out += plain[0];
        at += plain[0].length;
        continue;
      }
      const ticks = matchAt(/`+/y, text, at);
      if (ticks && at + ticks[0].length === text.length && !last) break;
      if (ticks) {
        this.toggleCode(ticks[0]);
        out += ticks[0];
        at += ticks[0].length;
        continue;
      }
      const found = this.code ? null : matchAt(mark, text, at);
      const after = found ? at + found[0].length : at;
      if (found && (after < text.length || last)) {
        out += text[after] === "(" ? found[0] : this.settle(found[0], found[1] ?? "");
        at = after;
        continue;
      }
      if (!this.code && !last && matchAt(halfMark, text, at)?.[0]) break;
      // Takes a run of spaces at once, however long: no mark begins inside it.
      const spaces = this.code ? null : matchAt(/[ \t]+/y, text, at);
      if (spaces) {
        out += spaces[0];
        at += spaces[0].length;
        continue;
      }
      if (text[at] === "\n" && this.code.length < 3) this.code = "";
      out += text[at];
      at += 1;
    }
    this.held = text.slice(at);
    return out;
  }

  /** A run of backticks opens code and the same run closes it; a run of fewer than three ends with its line. */
  private toggleCode(ticks: string) {
    if (!this.code) this.code = ticks;
    else if (this.code === ticks) this.code = "";
  }

  private settle(whole: string, list: string): string {
    const numbers = expand(list).filter((n) => this.known.has(n));
    for (const n of numbers) this.cited.add(n);
    if (numbers.length === 0) return "";
    const space = /^[ \t]*/.exec(whole)?.[0] ?? "";
    return space + numbers.map((n) => `[${n}]`).join("");
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** "1, 3-5" → 1, 3, 4, 5. */
function expand(list: string): number[] {
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number);
    return Array.from({ length: Math.min(Math.max(to - from, 0), 20) + 1 }, (_, i) => from + i);
  });
  return [...new Set(numbers)];
}

/**
 * The citations of a complete, filtered reply, in order of first use. Each quotes the words of its passage that best support the
 * sentences with its mark.
 */
export function citationsOf(reply: string, cited: Iterable<number>, passages: CitablePassage[]): Citation[] {
  const claims = claimsByMark(reply);
  const termsOf = rememberedTerms();
  return [...cited].flatMap((index) => {
    const passage = passages.find((candidate) => candidate.index === index);
    if (!passage) return [];
    const { sourceId, documentId, chunkId, title, url, heading, page, content, preface, computed } = passage;
    const place = { index, sourceId, documentId, chunkId, title, url, heading, page };
    if (computed) {
      const { isGuess: _guess, ...shown } = computed;
      return [{ ...place, ...shown }];
    }
    const own = claims.get(index) ?? [];
    const span =
      repeatedStretch(content, own[0]) ??
      bestSpan(
        content,
        own.map(({ sentence }) => sentence),
        termsOf,
      );
    const table = citedRows(content, preface, span);
    return [{ ...place, quote: content.slice(span.start, span.end), ...(table ? { table } : {}) }];
  });
}

/** What carries a mark: the sentence before it, and all since the paragraph, or the last mark, began. */
type MarkedClaim = { sentence: string; stretch: string };

/** The claims of each mark. A mark after the full stop belongs to the sentence before it. */
function claimsByMark(reply: string): Map<number, MarkedClaim[]> {
  const claims = new Map<number, MarkedClaim[]>();
  let from = 0;
  let claim: MarkedClaim = { sentence: "", stretch: "" };
  for (const found of reply.matchAll(/\[(\d{1,3})\]/g)) {
    const said = reply.slice(from, found.index).trim();
    const last = sentences(said).at(-1);
    // In "[1][3]", both marks belong to the same sentence.
    if (last)
      claim = { sentence: said.slice(last.start, last.end), stretch: said.split("\n\n").at(-1) ?? "" };
    const index = Number(found[1]);
    const before = claims.get(index) ?? [];
    // Repeating a mark adds nothing.
    if (before.at(-1)?.sentence !== claim.sentence) before.push(claim);
    claims.set(index, before);
    from = found.index + found[0].length;
  }
  return claims;
}

/** Several sentences that a reply repeats as they stand: its mark is behind the last, and they are quoted together. */
function repeatedStretch(content: string, claim: MarkedClaim | undefined): Span | undefined {
  if (!claim || claim.stretch.length > longestQuote || claim.stretch.length <= claim.sentence.length)
    return undefined;
  const start = content.indexOf(claim.stretch);
  return start < 0 ? undefined : { start, end: start + claim.stretch.length };
}

/** Caches the terms of a claim, which several marks may share. */
function rememberedTerms(): (claim: string) => string[] {
  const known = new Map<string, string[]>();
  return (claim) => {
    const found = known.get(claim) ?? [...new Set(terms(claim))];
    known.set(claim, found);
    return found;
  };
}

/** The sentence, or two adjacent ones, with the most terms of the claims relative to its length; the first sentence if there are none. */
function bestSpan(content: string, claims: string[], termsOf: (claim: string) => string[]): Span {
  const spans = sentences(content);
  const whole = claims.join(" ").trim();
  const exact = whole && whole.length <= longestQuote ? content.indexOf(whole) : -1;
  if (exact >= 0) return { start: exact, end: exact + whole.length };
  const said = new Set(claims.flatMap(termsOf));
  const held = spans.map((span) => new Set(terms(content.slice(span.start, span.end))));
  const weights = rarity(held, said);
  let best: Span = spans[0] ?? { start: 0, end: content.length };
  let bestScore = 0;
  spans.forEach((span, i) => {
    const next = spans[i + 1];
    for (const candidate of next ? [span, { start: span.start, end: next.end }] : [span]) {
      const own =
        candidate === span ? (held[i] ?? new Set()) : new Set([...(held[i] ?? []), ...(held[i + 1] ?? [])]);
      const shared = [...said].reduce((sum, term) => sum + (own.has(term) ? (weights.get(term) ?? 0) : 0), 0);
      const score = shared / (own.size + 12) ** 0.5;
      if (score > bestScore) [best, bestScore] = [candidate, score];
    }
  });
  return shortenSpan(content, best, said);
}

function rarity(units: Set<string>[], said: Set<string>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of said) {
    const found = units.filter((unit) => unit.has(term)).length;
    weights.set(term, Math.log(1 + (units.length + 1) / (found + 0.5)));
  }
  return weights;
}

/** Cuts an over-long span at white space, around its first word that the claim contains. */
function shortenSpan(content: string, span: Span, said: Set<string>): Span {
  if (span.end - span.start <= longestQuote) return span;
  const text = content.slice(span.start, span.end);
  const hit = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) =>
    terms(word).some((term) => said.has(term)),
  );
  const wanted = Math.min(Math.max(0, (hit?.index ?? 0) - 80), text.length - longestQuote);
  const from = wanted === 0 ? 0 : wanted + (/\s/.exec(text.slice(wanted))?.index ?? 0) + 1;
  const to = Math.min(from + longestQuote, text.length);
  const cut = to === text.length ? to : Math.max(text.lastIndexOf(" ", to), from + 1);
  return { start: span.start + from, end: span.start + cut };
}
