// Owns the matching of words with one meaning: word forms, synonyms and translations, names with several spellings, and typing errors.
// Does not know questions or passages.

import { defaultLanguage } from "../../locales/registry.ts";
import { everyOne, type LanguageCode, readings, wordList } from "../_shared/language/rules.ts";
import { countries } from "./country-names.ts";
import { everydayMeanings, everydayPhrases } from "./everyday-words.ts";
import { apart } from "./lexicon/apart.ts";
import { fieldMeanings, fieldPhrases, paraphraseMeanings, remoteMeanings } from "./lexicon/fields.ts";
import { firstLanguages, meanings, phrases, sameNames } from "./lexicon-words.ts";
import { isMisspelt } from "./misspelling.ts";
import { spokenMeanings, spokenPhrases } from "./spoken-words.ts";
import { isFormOf, isVerbFormOf, masculine, verbRoot, withoutAgain } from "./word-forms.ts";
import { fold, isStopWord, isTalk, languageOf, likelyLanguage, otherStems, stem, words } from "./words.ts";

/** The weight of a synonym; the word itself has weight 1. */
const sameMeaning = 0.8;
/** The weight of a broader term that a text may use, which does not work in reverse: "animals" for a dog. */
const broaderMeaning = 0.7;
/** The weight of a paraphrase: enough to find a sentence, too little to be sure of it. */
export const paraphrased = 0.4;
/** The weight of a remote word, and of a synonym of a synonym. */
const remotely = 0.4;
const sameForm = 0.7;
const misspelt = 0.85;

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The languages' own lines come after the shared ones, since features of stored vectors refer to lines by number. */
const added = everyOne(({ lexicon }) => lexicon);
const nameLines = lines([sameNames, ...added.map(({ names = "" }) => names)].join("\n"));

/** The canonical word of a name with several spellings, by each spelling. Two words are joined by an underscore. */
const firstNames = new Map(
  nameLines.flatMap((line) => {
    const [first = "", ...others] = fold(line).split(" ");
    return [first, ...others].map((name): [string, string] => [name, first]);
  }),
);
const oneName = new Map(firstNames);
/** All spellings of a name, by each of them. */
const namesOf = new Map<string, string>();
for (const line of nameLines)
  for (const name of fold(line).split(" "))
    namesOf.set(name, [namesOf.get(name), line.replaceAll("_", " ")].filter(Boolean).join(" "));
const phrasesIn = (texts: (string | undefined)[]) =>
  lines(texts.map((text = "") => text).join("\n")).map((line): [string, string] => {
    const [phrase = "", word = ""] = fold(line).split(" = ");
    return [phrase, word];
  });
/** The phrases that stored vectors use. */
const firstPhrases = new Map(
  phrasesIn([phrases, everydayPhrases, spokenPhrases, ...added.map((one) => one.phrases)]),
);
const oneWord = new Map([...phrasesIn([fieldPhrases]), ...firstPhrases]);
const phrasesOf = new Map<string, string[]>();
for (const [phrase, word] of oneWord)
  phrasesOf.set(stem(word), [...(phrasesOf.get(stem(word)) ?? []), phrase]);
for (const [name, first] of firstNames)
  if (name.includes("_"))
    for (const known of [firstPhrases, oneWord]) known.set(name.replaceAll("_", " "), first);
const longestPhrase = 3;

/** Function words of one language that are nouns in another, by that other language. */
const things = new Map(
  readings.map(({ code, reading }) => [code, new Set(reading.words.things?.split(" "))]),
);
const thingsInAny = new Set(wordList(({ words }) => words.things));

/** The meanings of a stem, as line numbers. */
const meaningsOf = new Map<string, number[]>();
/** The same for the remote lines. */
const remoteOf = new Map<string, number[]>();
const members: Set<string>[] = [];
/** The stems of a line's words before ">", by language. Empty for a line without "/". */
const sides: Partial<Record<LanguageCode, Set<string>>>[] = [];
/** The words of each meaning as a text uses them, unstemmed, by language. Empty for a line without "/". */
const inLanguages: Partial<Record<LanguageCode, string>>[] = [];
const meaningLines = [
  { pair: firstLanguages, text: `${meanings}\n${everydayMeanings}` },
  ...readings.map(({ code, reading }) => ({
    pair: [defaultLanguage, code],
    text: reading.lexicon?.meanings ?? "",
  })),
  { pair: firstLanguages, text: spokenMeanings },
  { pair: firstLanguages, text: fieldMeanings },
].flatMap(({ pair, text }) => lines(text).map((line) => ({ pair, line })));
/** For lines whose words occur only in questions: the words that a text uses for them, by line. */
const toldFor = new Map<number, Set<string>>();
const stemsIn = (text: string) =>
  new Set(
    [...words(text), ...plainWords(text)]
      .filter((word) => !isStopWord(word) || thingsInAny.has(word))
      .map(stem),
  );
const byLanguage = ([first = "", second = ""]: string[], text: string) => {
  const [own = "", other = ""] = text.split("/");
  return other ? { [first]: own, [second]: other } : {};
};
const firstRemote = meaningLines.length - lines(remoteMeanings).length;
const firstParaphrase = firstRemote - lines(paraphraseMeanings).length;
const linesOfVectors = meaningLines.length - lines(fieldMeanings).length;
for (const [at, { pair, line }] of meaningLines.entries()) {
  const [asked = "", told] = line.split(">");
  inLanguages.push(byLanguage(pair, told ?? asked));
  const stems = stemsIn(asked);
  members.push(stems);
  const written = Object.entries(byLanguage(pair, asked));
  sides.push(Object.fromEntries(written.map(([code, own]) => [code, stemsIn(own)])));
  if (told !== undefined) toldFor.set(at, stemsIn(told));
  const known = at < firstRemote ? meaningsOf : remoteOf;
  for (const root of stems) known.set(root, [...(known.get(root) ?? []), at]);
}

/** Countries count as names, except those that are also words: "réunion" is a meeting. */
const countryNames = new Set<string>();
for (const names of countries) {
  const first = names.map((name) => firstNames.get(name)).find(Boolean) ?? names[0] ?? "";
  for (const name of names) {
    if (meaningsOf.has(stem(name))) continue;
    if (!oneName.has(name)) oneName.set(name, first);
    if (!namesOf.has(name)) namesOf.set(name, names.join(" ").replaceAll("_", " "));
    if (name.includes("_")) oneWord.set(name.replaceAll("_", " "), first);
    countryNames.add(oneName.get(name) ?? first);
  }
}

export function isKnownWord(root: string): boolean {
  return meaningsOf.has(root);
}

/** The line numbers of a stem's meanings for vectors. Excludes the words of fields.ts, so that stored vectors stay valid. */
export function meaningNumbers(root: string): number[] {
  return (meaningsOf.get(root) ?? []).filter((line) => line < linesOfVectors);
}

/** A stem of a question with its synonyms in every language, and the phrases that the stem stands for. */
export function expandRoot(root: string, askedIn: LanguageCode | null = null): Set<string> {
  const same = [root, ...meaningsAsVerb(root, askedIn).flatMap((line) => wordsOfLine(line, root))];
  const once = same.length === 1 ? repeatedVerb(root) : undefined;
  if (once) same.push(...expandRoot(once, askedIn));
  return new Set([...same, ...same.flatMap((one) => phrasesOf.get(one) ?? [])]);
}

/** What a text may have for a stem, by a line with it. */
const wordsOfLine = (line: number, root: string) =>
  [...(toldFor.get(line) ?? members[line] ?? [])].filter((other) => !isApart(root, other));

/** What a text may have for a stem that is in none and has no synonym there, by the remote lines. */
export function remoteWords(root: string, askedIn: LanguageCode | null = null): string[] {
  const known = remoteOf.has(root) ? root : masculine(root);
  const all = remoteOf.get(known) ?? [];
  const own = all.filter((line) => !askedIn || (sides[line]?.[askedIn]?.has(known) ?? true));
  return (own.length > 0 ? own : all).flatMap((line) => wordsOfLine(line, known));
}

/** The same, and the synonyms of its synonyms, among the terms of some texts, each with its weight. */
export function remoteStandIns(
  asked: string,
  vocabulary: ReadonlySet<string>,
  askedIn: LanguageCode | null = null,
): Map<string, number> {
  const same = isTalk(asked)
    ? []
    : meaningsAsVerb(asked, askedIn).flatMap((line) => wordsOfLine(line, asked));
  const further = [...new Set(same)].flatMap((one) =>
    one === asked ? [] : linesOf(one, askedIn).flatMap((line) => wordsOfLine(line, one)),
  );
  const told = [...remoteWords(asked, askedIn), ...further].filter((one) => vocabulary.has(one));
  return new Map(told.filter((one) => !isApart(asked, one)).map((one) => [one, remotely]));
}

/** For each stem, its group in each line of apart.ts. */
const groupsOf = new Map<string, Map<number, number>>();
for (const [at, line] of lines(apart).entries())
  for (const [group, text] of line.split("|").entries())
    for (const root of words(text).map(stem))
      groupsOf.set(root, new Map([...(groupsOf.get(root) ?? []), [at, group]]));

/** True when two stems share a line of meanings but name different things. */
function isApart(one: string, other: string): boolean {
  const own = groupsOf.get(one);
  const others = groupsOf.get(other);
  if (!own || !others) return false;
  return [...own].some(([line, group]) => others.has(line) && others.get(line) !== group);
}

/**
 * The language of a question, and its words in the other languages, to search texts in those. Null when its function words do not tell
 * the language.
 */
export function translationOf(text: string): { askedIn: LanguageCode; translation: string } | null {
  const askedIn = likelyLanguage(text);
  if (!askedIn) return null;
  const others = readings.map(({ code }) => code).filter((code) => code !== askedIn);
  const said = meaningfulWords(text).flatMap((word) => {
    const root = stem(word);
    const all = linesOf(root, askedIn);
    // A paraphrase is searched only where no translation is known: each word costs, and it is the less likely one.
    const sameWords = all.filter((line) => line < firstParaphrase);
    const found = (sameWords.length > 0 ? sameWords : all).flatMap((line) =>
      others.map((code) => inLanguages[line]?.[code] ?? ""),
    );
    const told = found.flatMap(toldWords).filter((one) => !isApart(root, one.root));
    return [...told, ...toldWords(namesOf.get(word) ?? "")];
  });
  // Postgres stems an accented word differently from the same word without accents, and some texts have none.
  return { askedIn, translation: [...new Set(said.flatMap((one) => [one.word, one.plain]))].join(" ") };
}

type ToldWord = { word: string; plain: string; root: string };

/** By the lexicon's own texts, so that it stays as small as they are. */
const wordsTold = new Map<string, ToldWord[]>();

function toldWords(text: string): ToldWord[] {
  const known = wordsTold.get(text);
  if (known) return known;
  const found = text
    .split(" ")
    .filter(Boolean)
    .map((word) => ({ word, plain: fold(word), root: stem(fold(word)) }));
  wordsTold.set(text, found);
  return found;
}

/** The words of a text, with one word for each known phrase ("mot de passe", "United Kingdom"). */
function plainWords(text: string, known = oneWord): string[] {
  const all = words(text);
  const found: string[] = [];
  for (let i = 0; i < all.length; ) {
    let length = Math.min(longestPhrase, all.length - i);
    while (length > 1 && !known.has(all.slice(i, i + length).join(" "))) length -= 1;
    const word = all[i] ?? "";
    found.push(length > 1 ? (known.get(all.slice(i, i + length).join(" ")) ?? word) : word);
    i += length;
  }
  return found;
}

/** plainWords() without the stop words of the text's language. */
function meaningfulWords(text: string): string[] {
  return withMeaning(text, plainWords(text));
}

/** The same for vectors, without the phrases of fields.ts. */
export function wordsOfVectors(text: string): string[] {
  return withMeaning(text, plainWords(text, firstPhrases));
}

function withMeaning(text: string, said: string[]): string[] {
  const own = things.get(languageOf(text));
  return said.filter((word) => !isStopWord(word) || own?.has(word));
}

/** Spellings that would be taken for another word without their accents. Not for vectors: stored ones were made without them. */
const accented = everyOne(({ words }) => words.accented)
  .flat()
  .map(([spelling, instead]) => ({ spelling: new RegExp(spelling.source, "giu"), instead }));
const inPlainSpelling = (text: string) =>
  accented.reduce((told, { spelling, instead }) => told.replace(spelling, instead), text);

/** The stems of the meaningful words, with names in their canonical spelling, in order. */
export function meaningfulTerms(text: string): string[] {
  return meaningfulWords(inPlainSpelling(text)).map(
    (word) => oneName.get(word) ?? knownStem(word.replace(/^0+(?=\d+$)/, "")),
  );
}

/** The stem, or that of another plural ending when only that is known. Not for vectors: stored ones were made without it. */
function knownStem(word: string): string {
  const root = stem(word);
  if (meaningsOf.has(root)) return root;
  return otherStems(word).find((one) => meaningsOf.has(one)) ?? root;
}

/** The canonical spelling of a one-word name with several spellings, for vectors: without the countries that the runtime knows. */
export function canonicalName(word: string): string | undefined {
  return firstNames.get(word);
}

/** True for the canonical spelling of a country. */
export function isCountry(term: string): boolean {
  return countryNames.has(term);
}

export function isKnownName(term: string): boolean {
  return oneName.get(term) === term;
}

/**
 * Terms of some texts that match a term of the question, each with its weight (0 to 1).
 * @param vocabulary every term of those texts
 * @param askedIn the question's language; null when its function words do not tell
 */
export function standIns(
  asked: string,
  vocabulary: ReadonlySet<string>,
  askedIn: LanguageCode | null = null,
): Map<string, number> {
  const found = new Map<string, number>();
  if (vocabulary.has(asked)) found.set(asked, 1);
  if (isKnownName(asked)) return found;
  // A code may be written as one word or two: "SOC2", "SOC 2".
  const [, letters = "", digits = ""] = /^([a-z]+)(\d+)$/.exec(asked) ?? [];
  if (letters && vocabulary.has(letters) && vocabulary.has(digits)) found.set(letters, sameForm);
  for (const line of meaningsAsVerb(asked, askedIn)) {
    const told = toldFor.get(line);
    const worth = line >= firstParaphrase ? paraphrased : told ? broaderMeaning : sameMeaning;
    for (const other of told ?? members[line] ?? []) {
      if (other === asked || isApart(asked, other)) continue;
      if (vocabulary.has(other)) found.set(other, Math.max(worth, found.get(other) ?? 0));
      if (!askedIn || !isWordOf(other, line, askedIn))
        for (const form of formsIn(vocabulary, other))
          found.set(form, Math.max(0.9 * worth, found.get(form) ?? 0));
    }
  }
  for (const other of vocabulary) {
    if (!found.has(other) && isFormOf(asked, other)) found.set(other, sameForm);
  }
  if (found.size === 0) {
    for (const other of vocabulary) if (isVerbFormOf(asked, other)) found.set(other, sameForm);
  }
  const once = found.size === 0 ? repeatedVerb(asked) : undefined;
  if (once)
    for (const [other, worth] of standIns(once, vocabulary, askedIn)) found.set(other, sameForm * worth);
  // An unknown word may be a misspelling of one in the vocabulary.
  if (found.size === 0 && !isKnownWord(asked)) {
    for (const other of vocabulary) if (isMisspelt(asked, other)) found.set(other, misspelt);
  }
  return found;
}

/** True when a line contains the stem as a word of the question's own language. */
const isWordOf = (root: string, line: number, askedIn: LanguageCode) =>
  sides[line]?.[askedIn]?.has(root) ?? false;

/** The same for any line. */
export const isWordIn = (root: string, code: LanguageCode) =>
  (meaningsOf.get(root) ?? []).some((line) => isWordOf(root, line, code));

/** Other forms of the same verb among the terms of some texts: "dorment" for "dormir". */
function formsIn(vocabulary: ReadonlySet<string>, root: string): string[] {
  let known = verbsOf.get(vocabulary);
  if (!known) {
    known = new Map();
    for (const term of vocabulary)
      if (term.length >= 4 && !/\d/.test(term))
        known.set(verbRoot(term), [...(known.get(verbRoot(term)) ?? []), term]);
    verbsOf.set(vocabulary, known);
  }
  return known.get(verbRoot(root)) ?? [];
}
const verbsOf = new WeakMap<ReadonlySet<string>, Map<string, string[]>>();

const meaningsOfVerb = new Map<string, number[]>();
for (const [root, numbers] of meaningsOf) {
  const verb = verbRoot(root);
  meaningsOfVerb.set(verb, [...(meaningsOfVerb.get(verb) ?? []), ...numbers]);
}

/**
 * The meanings of a stem. A word of the question's language has none of the meanings of a word spelled alike in another ("fill",
 * "fille"), unless a line contains it in both languages ("train").
 */
function linesOf(root: string, askedIn: LanguageCode | null): number[] {
  const all = meaningsOf.get(root) ?? [];
  if (!askedIn || all.length < 2) return all;
  const holding = (line: number) => Object.values(sides[line] ?? {}).filter((side) => side.has(root)).length;
  const own = all.filter((line) => sides[line]?.[askedIn]?.has(root) ?? true);
  return own.length === 0 || own.some((line) => holding(line) !== 1) ? all : own;
}

/** The meanings of a stem; if it has none, those of the word for a man, or of other forms of the same verb. */
function meaningsAsVerb(root: string, askedIn: LanguageCode | null = null): number[] {
  const own = linesOf(root, askedIn);
  if (own.length > 0) return own;
  const asMan = linesOf(masculine(root), askedIn);
  return asMan.length > 0 ? asMan : (meaningsOfVerb.get(verbRoot(root)) ?? []);
}

/** The verb that an unknown word repeats, if it is known: "paint" of "repaint". */
function repeatedVerb(root: string): string | undefined {
  const once = isKnownWord(root) ? undefined : withoutAgain(root);
  return once !== undefined && isKnownWord(once) ? once : undefined;
}
