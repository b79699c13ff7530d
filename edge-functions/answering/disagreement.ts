// Owns whether two documents that a reply cites give different values for the same thing, according to the citations' quotes. Pure.
// Sentences that name different people or places are about different things.
import type { CitablePassage, Citation } from "./citations.ts";
import { withoutMarks } from "./facts.ts";
import { isConclusion, sentences } from "./sentences.ts";
import { findValue, holdValues, valuesIn } from "./values.ts";
import { isStopWord, terms, words } from "./words.ts";

export type Disagreement = { citation: number; quote: string };

const leastAlike = 0.6;
const leastShared = 3;
const mostCitations = 12;

type Said = { quote: string; terms: Set<string>; names: Set<string> };

/**
 * The first pair of quotes from different documents with the same statement and different values, one of which the reply repeats.
 * @returns the pair, or an empty array
 */
export function disagreementIn(
  reply: string,
  citations: Citation[],
  passages: CitablePassage[],
): Disagreement[] {
  if (new Set(citations.map(({ documentId }) => documentId)).size < 2) return [];
  const contentOf = new Map(passages.map(({ index, content }) => [index, content]));
  const quoted = citations.slice(0, mostCitations).map((citation) => ({
    citation,
    said: statementsIn(wholeSentences(contentOf.get(citation.index) ?? "", citation.quote)),
  }));
  const told = holdValues(reply);
  for (const [at, one] of quoted.entries()) {
    for (const other of quoted.slice(at + 1)) {
      if (one.citation.documentId === other.citation.documentId) continue;
      for (const here of one.said) {
        const there = other.said.find((candidate) => contradicts(here, candidate));
        const isTold = [here, ...(there ? [there] : [])].some(({ quote }) =>
          valuesIn(quote).every((value) => findValue(value, told) === "there"),
        );
        if (!there || !isTold) continue;
        return [
          { citation: one.citation.index, quote: here.quote },
          { citation: other.citation.index, quote: there.quote },
        ];
      }
    }
  }
  return [];
}

/**
 * Passages that contradict the values of a written answer, each with the two sentences. The question's words count as the answer's,
 * since an answer may be a bare value.
 */
export function contradictionsIn<P extends { content: string }>(
  { question, answer }: { question: string; answer: string },
  passages: P[],
): { passage: P; said: string; quote: string }[] {
  const told = statementsIn(answer);
  const asked = new Set(terms(question));
  return passages.flatMap((passage) => {
    for (const there of statementsIn(passage.content)) {
      const here = told.find(
        (one) =>
          contradicts(one, there) || contradicts({ ...one, terms: new Set([...one.terms, ...asked]) }, there),
      );
      if (here) return [{ passage, said: here.quote, quote: there.quote }];
    }
    return [];
  });
}

/** Extends a quote to whole sentences: it may be only the part that the reply repeats. */
function wholeSentences(content: string, quote: string): string {
  const at = content.indexOf(quote);
  if (at < 0) return quote;
  const met = sentences(content).filter(({ start, end }) => start < at + quote.length && end > at);
  return content.slice(met[0]?.start ?? at, met.at(-1)?.end ?? at + quote.length);
}

function statementsIn(text: string): Said[] {
  return sentences(text).flatMap(({ start, end }) => {
    const quote = text.slice(start, end);
    // "Therefore, you can request 104 hours" is about the case before it, not about every reader's.
    if (!/\d/.test(quote) || isConclusion(quote)) return [];
    const wordsOnly = withoutMarks(quote).replace(/\d+/g, " ");
    const names = [...quote.matchAll(/(?<=\S\s)\p{Lu}\p{L}+/gu)].flatMap(([name]) => words(name));
    return [
      { quote, terms: new Set(terms(wordsOnly)), names: new Set(names.filter((name) => !isStopWord(name))) },
    ];
  });
}

function contradicts(one: Said, other: Said): boolean {
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length;
  if (shared < leastShared) return false;
  if (shared < leastAlike * (one.terms.size + other.terms.size - shared)) return false;
  if (isElsewhere(one, other) || isElsewhere(other, one)) return false;
  const values = valuesIn(one.quote);
  const held = holdValues(other.quote);
  // Each must state a value, and they must share none.
  return (
    values.length > 0 &&
    valuesIn(other.quote).length > 0 &&
    values.every((value) => findValue(value, held) !== "there")
  );
}

const isElsewhere = (one: Said, other: Said): boolean =>
  [...one.names].some((name) => !other.names.has(name) && !other.terms.has(name));
