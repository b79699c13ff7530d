// Owns the re-ranking of search results by meaning: which passages contain the question's terms or synonyms. Search matches words
// as written and, with the built-in embedding, knows little of their meaning. Pure.

import { LRUCache } from "lru-cache";
import { everyOne, type LanguageCode } from "../_shared/language/rules.ts";
import { agesIn, fitOf, isAged, isFormless } from "./answer-kinds.ts";
import { outdatedAmong } from "./editions.ts";
import { expandRoot, isCountry, isKnownWord, meaningfulTerms, remoteWords, standIns } from "./lexicon.ts";
import { leastScoreOffline } from "./passages.ts";
import { withoutMiddle } from "./pasted-text.ts";
import { ageTermsIn, kindOf, lastOf } from "./question-kind.ts";
import type { Hit } from "./retrieve.ts";
import { fold, hasTerm, isTalk, likelyLanguage, terms as termsOf, withoutMeasure } from "./words.ts";

/** The weight of the question's terms in a passage, against its rank in the search. */
const share = 0.6;
/** The place, from 0, of the best passage by a higher weight of the words: see withSeat(). */
export const seatByWords = 5;
const shareForSeat = 0.75;
/** A passage with this share of the question's terms keeps that place. */
const keepsSeat = 0.4;
/** A passage with this share of the question's terms is never dropped as unrelated. */
const related = 0.15;
/** Worth of a term that only the document's title or a higher heading has: all sections of "Adopting an animal" have it. */
const inTitle = 0.7;
/** The further weight of a term that the passage's heading contains: a section about it beats a mention. */
const inHeading = 0.1;
/** The further weight of a passage that has the requested kind of answer: a time for "when", an amount for "how much". */
const ofKind = 0.12;
/** Worth of a passage of a document of which a later edition was found. */
const ofOldEdition = 0.8;
/** Passages that are looked at for that; one behind them hardly ever gets among those that the model reads. */
const mostOfKind = 20;
/** The word that texts use for a country that they do not name. */
const abroad = "abroad";
/** A shorter stem matches only as a whole word: "mil" as "mile". */
const shortest = 4;

/** @param hits best first @returns all of them, re-ranked by the share of the question that they cover, and by its kind of answer */
export function reread(question: string, hits: Hit[]): Hit[] {
  // A search that found nothing similar scores 0; a passage may answer by a synonym all the same.
  const best = Math.max(0, ...hits.map(({ score }) => score)) || 1;
  const { terms, held, own, headed } = readTerms(question, hits);
  if (terms.length === 0) return hits;
  const weights = held.map((holding, i) => {
    const count = holding.filter(Boolean).length;
    if (count === 0 && isTalk(terms[i] ?? "")) return 0;
    return Math.log(1 + (hits.length - count + 0.5) / (count + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const outdated = outdatedAmong(
    question,
    hits.map(({ title }) => title),
  );
  const read = hits.map((hit, at): Read => {
    const shareIn = (held: boolean[][]) =>
      weights.reduce((sum, weight, i) => sum + (held[i]?.[at] ? weight : 0), 0) / total;
    const spoken = inTitle * shareIn(held) + (1 - inTitle) * shareIn(own);
    const score = spoken < related ? hit.score : Math.max(hit.score, leastScoreOffline);
    const found = hit.score / best;
    const isOld = outdated.has(hit.title);
    return { hit: { ...hit, score }, found, spoken, headed: shareIn(headed), isOld };
  });
  return withSeat(byWorth(question, read, share), question, read).map(({ hit }) => hit);
}

/** found: the search's score against the best one's. spoken, headed: the share of the question in the passage, and in its heading. */
type Read = { hit: Hit; found: number; spoken: number; headed: number; isOld: boolean };

/** Gives the sixth place to the best passage by its words, unless the one in it has many of the question's itself. */
function withSeat(ranked: Read[], question: string, read: Read[]): Read[] {
  const first = ranked.slice(0, seatByWords);
  if ((ranked[seatByWords]?.spoken ?? 1) >= keepsSeat) return ranked;
  const next = byWorth(question, read, shareForSeat).filter((one) => !first.includes(one));
  return [...first, ...next];
}

function byWorth(question: string, read: Read[], share: number): Read[] {
  const worthOf = ({ hit, found, spoken, headed, isOld }: Read) => {
    // A computed result is the answer, and stays first.
    const worth = hit.computed ? 2 : (1 - share) * found + share * (spoken + inHeading * headed);
    return isOld ? ofOldEdition * worth : worth;
  };
  const weighed = read.map((one) => ({ one, worth: worthOf(one) })).sort((a, b) => b.worth - a.worth);
  return byKind(question, weighed).map(({ one }) => one);
}

type Weighed = { one: Read; worth: number };

/** The same, where the first ones gain by containing the requested kind of answer. */
function byKind(question: string, read: Weighed[]): Weighed[] {
  const [earlier, last] = lastOf(question.trim());
  const kind = kindOf(last) ?? kindOf(earlier) ?? "any";
  if (isFormless(kind)) return read;
  const first = read.slice(0, mostOfKind).map(({ one, worth }) => {
    const isOfKind = fitOf(kind, `${one.hit.preface}\n${one.hit.content}`) === 1;
    return { one, worth: isOfKind ? worth + ofKind : worth };
  });
  return [...first.sort((a, b) => b.worth - a.worth), ...read.slice(mostOfKind)];
}

/** @returns for each hit the share of the question's terms that it contains, 0 to 1 */
export function sharesOf(question: string, hits: Hit[]): number[] {
  const { terms, held } = readTerms(question, hits);
  return hits.map((_, at) => held.filter((holding) => holding[at]).length / Math.max(1, terms.length));
}

/** The question's terms, and for each which hits contain it, which in more than their title and higher headings, and which in a heading. */
function readTerms(
  question: string,
  hits: Hit[],
): { terms: string[]; held: boolean[][]; own: boolean[][]; headed: boolean[][] } {
  const said = meaningfulTerms(withoutMeasure(withoutMiddle(question)));
  const terms = [...new Set(said.length > 0 ? said : ageTermsIn(question))];
  const askedIn = likelyLanguage(question);
  const read = hits.map(({ title, heading, preface, content }) => {
    const body = readText(`${preface} ${content}`);
    return {
      text: joinTexts(readText(`${title} ${heading}`), body),
      ownText: joinTexts(readText(heading.split(" › ").at(-1) ?? ""), body),
    };
  });
  const texts = read.map(({ text }) => text);
  const ownTexts = read.map(({ ownText }) => ownText);
  const headings = hits.map(({ heading }) => fold(heading));
  const ages = said.length > 0 ? agesIn(question) : new Set(terms);
  let vocabulary: Set<string> | undefined;
  const held: boolean[][] = [];
  const own: boolean[][] = [];
  const headed: boolean[][] = [];
  for (const term of terms) {
    let pattern = knownPattern(term, askedIn);
    let holding = texts.map((text) => pattern.test(text));
    // The word of a short stem may be much longer: "butter" has "but", "wedding" has "wed".
    if (term.length < shortest)
      holding = texts.map((text, at) => holding[at] === true || hasTerm(text, term));
    // "Anyone under 14" is about a child of 12.
    if (ages.has(term)) holding = texts.map((text, at) => holding[at] === true || isAged(text));
    const remote = holding.includes(true)
      ? []
      : isCountry(term)
        ? [...expandRoot(abroad, askedIn)]
        : remoteWords(term, askedIn);
    if (remote.length > 0) {
      pattern = startOf(remote);
      holding = texts.map((text) => pattern.test(text));
    }
    if (!isKnownWord(term) && !holding.includes(true)) {
      // No passage contains it: it may be a misspelling of a word that some do.
      vocabulary ??= new Set(texts.flatMap(termsOf));
      pattern = patternOf([term, ...standIns(term, vocabulary).keys()], askedIn);
      holding = texts.map((text) => pattern.test(text));
    }
    held.push(holding);
    const isOwn = (text: string) =>
      pattern.test(text) ||
      (term.length < shortest && hasTerm(text, term)) ||
      (ages.has(term) && isAged(text));
    own.push(ownTexts.map((text, at) => holding[at] === true && isOwn(text)));
    // A heading is part of its text.
    headed.push(headings.map((heading, at) => holding[at] === true && pattern.test(heading)));
  }
  return { terms, held, own, headed };
}

/** A folded text, and its short compounds as single words: who asks for an "ensuite" means the "En-suite" of a table. */
type ReadText = { folded: string; compounds: string[] };

function readText(text: string): ReadText {
  const folded = fold(text);
  return { folded, compounds: [...folded.matchAll(compound)].map(([end, start]) => start + end.slice(1)) };
}

/** Its hyphen comes first, which an engine finds faster than a letter that a hyphen may follow. */
const compound = /-(?<=(?<![a-z0-9-])([a-z]{1,6})-)[a-z]{1,6}(?![a-z0-9-])/g;

function joinTexts(head: ReadText, body: ReadText): string {
  return [head.folded, body.folded, ...head.compounds, ...body.compounds].join(" ");
}

/** The patterns of single terms: compiling one takes longer than testing fifty passages, and the words of questions repeat. */
const patterns = new LRUCache<string, RegExp>({ max: 500 });

function knownPattern(term: string, askedIn: LanguageCode | null): RegExp {
  const key = `${askedIn} ${term}`;
  const known = patterns.get(key);
  if (known) return known;
  const pattern = patternOf([term], askedIn);
  patterns.set(key, pattern);
  return pattern;
}

/** What separates the words of a phrase in a text: "Wi-Fi", "carte d’identité". */
const between = "[^a-z0-9]{1,2}";

/** A pattern of some terms or their synonyms at the start of a word in folded text. */
function patternOf(terms: string[], askedIn: LanguageCode | null): RegExp {
  // "SOC2" may also be written as two words.
  return startOf(
    terms.flatMap((term) => {
      const split = /^([a-z]+)(\d+)$/.exec(term);
      return [...expandRoot(term, askedIn), ...(split ? [`${split[1]}[ -]${split[2]}`] : [])];
    }),
  );
}

function startOf(stems: string[]): RegExp {
  const starts = stems.map((stem) =>
    stem.length < shortest ? `0*${stem}e?s?(?![a-z0-9])` : withPlurals(stem).replaceAll(" ", between),
  );
  return new RegExp(`(?<![a-z0-9])(?:${starts.join("|")})`);
}

/** Plural endings that replace letters of the singular: "locaux" for "local". */
const plurals = everyOne(({ words }) => words.plurals)
  .flat()
  .filter(([, instead]) => instead)
  .map(([ending, instead]) => ({ instead, ending: ending.source.replace(/^\(\?<=.*?\)|\$$/g, "") }));

function withPlurals(stem: string): string {
  const endings = plurals.filter(({ instead }) => stem.endsWith(instead));
  const [first] = endings;
  if (!first) return stem;
  const all = [first.instead, ...endings.map(({ ending }) => ending)];
  return `${stem.slice(0, -first.instead.length)}(?:${all.join("|")})`;
}
