// Owns the model "offline-extract": it answers with sentences quoted from the numbered passages in its prompt and
// with nothing else. It reads the very prompt that any model gets; what it adds of its own is one fixed sentence.

import { sentences } from "../../../edge-functions/answering/sentences.ts";
import { type Language, languageOf, terms } from "../../../edge-functions/answering/words.ts";
import { telling } from "./frequent-words.ts";

export const extractModel = "offline-extract";

export type ChatMessage = { role: string; content: string };
type Passage = { number: number; label: string; text: string };
type Quote = {
  passage: Passage;
  text: string;
  terms: Set<string>;
  /** Terms of the heading that it stands under. */
  under: Set<string>;
  order: number;
};

const maxQuotes = 3;
/** A quote must carry this share of the question's weight, and a further one this share of the best quote's gain. */
const leastCoverage = 0.3;
const leastGain = 0.35;
/** What a term of the heading above counts, beside one of the sentence itself. */
const underHeading = 0.6;

const nothingFits: Record<Language, string> = {
  en: "Nothing in the passages that I was given answers this.",
  fr: "Rien dans les passages qui m'ont été donnés ne répond à cette question.",
};

/** @returns the whole reply: up to three quotes, each with its [n], or one sentence that says that nothing fits */
export function extractReply(messages: ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === "user")?.content ?? "";
  const passages = messages.flatMap((message) =>
    message.role === "assistant" ? [] : passagesIn(message.content),
  );
  const question = questionIn(last);
  const quotes = choose(question, passages);
  if (quotes.length === 0) return nothingFits[languageOf(question)];
  return quotes.map((quote) => `${quote.text} [${quote.passage.number}]`).join("\n\n");
}

const opening = /^<<<(\w+)\b[^\n]*>>>[ \t]*$/m;

/** The numbered passages of a fenced block; a line that looks like a fence inside it closes nothing. */
export function passagesIn(prompt: string): Passage[] {
  const block = fenced(prompt);
  if (!block) return [];
  const marks = [...block.inside.matchAll(/^\[(\d{1,3})\]((?: .*)?)$/gm)];
  return marks.map((mark, i) => ({
    number: Number(mark[1]),
    label: mark[2] ?? "",
    text: block.inside.slice(mark.index + mark[0].length, marks[i + 1]?.index).trim(),
  }));
}

function fenced(prompt: string): { inside: string; after: string } | undefined {
  const open = opening.exec(prompt);
  if (!open) return undefined;
  const from = open.index + open[0].length;
  const close = `\n<<<end ${open[1]}>>>`;
  const to = prompt.indexOf(close, from);
  if (to < 0) return undefined;
  return { inside: prompt.slice(from, to), after: prompt.slice(to + close.length) };
}

function questionIn(message: string): string {
  const rest = fenced(message)?.after ?? message;
  return rest.replace(/^\s*\S{2,20}\s?:\s*/u, "").trim();
}

function choose(question: string, passages: Passage[]): Quote[] {
  const candidates = passages.flatMap(quotesOf);
  const asked = new Set(terms(question));
  if (asked.size === 0 || candidates.length === 0) return [];
  const weight = weigh(asked, candidates);
  const total = sum(asked, weight);
  const figures = asksForFigures(question);
  const chosen: Quote[] = [];
  const covered = new Set<string>();
  let bestGain = 0;
  while (chosen.length < maxQuotes) {
    const best = bestOf(candidates, chosen, asked, covered, weight, figures);
    if (!best) break;
    if (chosen.length === 0 && best.covers < leastCoverage * total) break;
    if (chosen.length > 0 && best.gain < leastGain * bestGain) break;
    bestGain ||= best.gain;
    chosen.push(best.quote);
    for (const term of asked) if (best.quote.terms.has(term) || best.quote.under.has(term)) covered.add(term);
  }
  return chosen.sort((a, b) => a.order - b.order);
}

/** "How many", "when": a sentence without a figure hardly answers that. */
function asksForFigures(question: string): boolean {
  return /\bhow (?:many|much|long|old|far|often|late|early)\b|^\W*(?:when|what time)\b|\bcombien\b|^\W*(?:quand|à quelle heure)\b/i.test(
    question,
  );
}

/** A passage's sentences. A heading (the passage's label is one too) says what those below are about; quoted alone it would answer nothing. */
function quotesOf(passage: Passage, at: number): Quote[] {
  const spans = sentences(passage.text);
  let under = new Set(terms(passage.label));
  return spans.flatMap(({ start, end }, i) => {
    const text = passage.text.slice(start, end);
    const own = new Set(terms(text));
    if (i < spans.length - 1 && isHeading(text)) {
      under = own;
      return [];
    }
    return [{ passage, text, terms: own, under, order: at * 10_000 + i }];
  });
}

/** A marked heading, or a few words on their own that end without a full stop and hold no figure. */
function isHeading(text: string): boolean {
  if (/^#{1,6}\s/.test(text)) return true;
  return !/^[-*•–|]|[.!?…:;,)。！？]["'”’»]*$|[\d:|]/u.test(text) && text.split(/\s+/).length <= 7;
}

/** A term in few of the sentences tells more than one in most of them; one in none of them still counts as asked. */
function weigh(asked: Set<string>, candidates: Quote[]): (term: string) => number {
  const weights = new Map<string, number>();
  // A handful of sentences says nothing about how common a word is: as if there were some more without it.
  const size = candidates.length + 20;
  for (const term of asked) {
    const found = candidates.filter((quote) => quote.terms.has(term)).length;
    const rarity = Math.log(1 + (size - found + 0.5) / (found + 0.5));
    weights.set(term, rarity * telling(term));
  }
  return (term) => weights.get(term) ?? 0;
}

function sum(set: Iterable<string>, weight: (term: string) => number): number {
  let total = 0;
  for (const term of set) total += weight(term);
  return total;
}

/** New terms count fully, terms that an earlier quote already covers a little; long sentences pay for their length. */
function bestOf(
  candidates: Quote[],
  chosen: Quote[],
  asked: Set<string>,
  covered: Set<string>,
  weight: (term: string) => number,
  figures: boolean,
) {
  let best: { quote: Quote; gain: number; covers: number } | undefined;
  for (const quote of candidates) {
    if (chosen.some((other) => other.text === quote.text)) continue;
    const worth = (term: string) =>
      quote.terms.has(term) ? weight(term) : quote.under.has(term) ? underHeading * weight(term) : 0;
    const covers = sum(asked, worth);
    const fresh = sum(
      [...asked].filter((term) => !covered.has(term)),
      worth,
    );
    const length = 1 + 0.02 * Math.max(0, quote.terms.size - 12);
    const fits = figures ? (/\d/.test(quote.text) ? 1.3 : 0.8) : 1;
    // Passages come best first.
    const place = 1 - 0.03 * Math.min(10, Math.floor(quote.order / 10_000));
    const gain = ((fresh + 0.2 * (covers - fresh)) * fits * place) / length;
    if (gain > 0 && (!best || gain > best.gain)) best = { quote, gain, covers };
  }
  return best;
}
