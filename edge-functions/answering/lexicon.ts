// Owns which words stand for one another: word forms, words of one meaning in each language, places written in two ways,
// and typing errors. Knows nothing of questions or passages.

import { defaultLanguage } from "../../locales/registry.ts";
import { everyOne, type LanguageCode, oneOf, readings, wordList } from "../_shared/language/rules.ts";
import { everydayMeanings, everydayPhrases } from "./everyday-words.ts";
import { fieldMeanings, fieldPhrases } from "./lexicon/fields.ts";
import { firstLanguages, meanings, phrases, sameNames } from "./lexicon-words.ts";
import { spokenMeanings, spokenPhrases } from "./spoken-words.ts";
import { fold, isStopWord, languageOf, likelyLanguage, stem, words } from "./words.ts";

/** What a word of the same meaning counts, beside the word itself. */
const sameMeaning = 0.8;
/** What a word counts that a text may say for the asked one, and not the other way round: "animals" for a dog. */
const broaderMeaning = 0.7;
const sameForm = 0.7;
const misspelt = 0.85;

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** What the languages add to the lines that all have together, behind them: features of vectors name lines by their numbers. */
const added = everyOne(({ lexicon }) => lexicon);
const nameLines = lines([sameNames, ...added.map(({ names = "" }) => names)].join("\n"));

/** One word for a name that is written in several ways, by each of them; two words are joined by an underscore. */
const oneName = new Map(
  nameLines.flatMap((line) => {
    const [first = "", ...others] = fold(line).split(" ");
    return [first, ...others].map((name): [string, string] => [name, first]);
  }),
);
/** All ways of writing a name, by each of them. */
const namesOf = new Map<string, string>();
for (const line of nameLines)
  for (const name of fold(line).split(" "))
    namesOf.set(name, [namesOf.get(name), line.replaceAll("_", " ")].filter(Boolean).join(" "));
const phrasesIn = (texts: (string | undefined)[]) =>
  lines(texts.map((text = "") => text).join("\n")).map((line): [string, string] => {
    const [phrase = "", word = ""] = fold(line).split(" = ");
    return [phrase, word];
  });
/** Those of the vectors that are stored. */
const firstPhrases = new Map(
  phrasesIn([phrases, everydayPhrases, spokenPhrases, ...added.map((one) => one.phrases)]),
);
const oneWord = new Map([...phrasesIn([fieldPhrases]), ...firstPhrases]);
const phrasesOf = new Map<string, string[]>();
for (const [phrase, word] of oneWord)
  phrasesOf.set(stem(word), [...(phrasesOf.get(stem(word)) ?? []), phrase]);
for (const [name, first] of oneName)
  if (name.includes("_"))
    for (const known of [firstPhrases, oneWord]) known.set(name.replaceAll("_", " "), first);
const longestPhrase = 3;

/** Little words of one language that are things in another, by that one. */
const things = new Map(
  readings.map(({ code, reading }) => [code, new Set(reading.words.things?.split(" "))]),
);
const thingsInAny = new Set(wordList(({ words }) => words.things));

/** The meanings of a stem, as numbers of lines. */
const meaningsOf = new Map<string, number[]>();
const members: Set<string>[] = [];
/** The words of each meaning as they are written, by language, where it has two. */
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
/** Where the words of a line only ask: what a text says for them, by the line. */
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
const linesOfVectors = meaningLines.length - lines(fieldMeanings).length;
for (const [at, { pair, line }] of meaningLines.entries()) {
  const [asked = "", told] = line.split(">");
  inLanguages.push(byLanguage(pair, told ?? asked));
  const stems = stemsIn(asked);
  members.push(stems);
  if (told !== undefined) toldFor.set(at, stemsIn(told));
  for (const root of stems) meaningsOf.set(root, [...(meaningsOf.get(root) ?? []), at]);
}

export function isKnownWord(root: string): boolean {
  return meaningsOf.has(root);
}

/** The numbers of what a stem may mean for vectors, which do not know the words of fields.ts: those that are stored stay as they are. */
export function meaningNumbers(root: string): number[] {
  return (meaningsOf.get(root) ?? []).filter((line) => line < linesOfVectors);
}

/** A stem with those that a text may say for it, in any language, and the phrases that it stands for. */
export function meant(root: string): Set<string> {
  const same = meaningsAsVerb(root).flatMap((line) => [...(toldFor.get(line) ?? members[line] ?? [])]);
  return new Set([root, ...same, ...(phrasesOf.get(root) ?? [])]);
}

/** Which language a text is in, and its words in the others; null where its little words do not say. For texts of those others. */
export function translationOf(text: string): { askedIn: LanguageCode; translation: string } | null {
  const askedIn = likelyLanguage(text);
  if (!askedIn) return null;
  const others = readings.map(({ code }) => code).filter((code) => code !== askedIn);
  const found = meaningfulWords(text).flatMap((word) => [
    ...(meaningsOf.get(stem(word)) ?? []).flatMap((line) =>
      others.map((code) => inLanguages[line]?.[code] ?? ""),
    ),
    namesOf.get(word) ?? "",
  ]);
  const said = found.join(" ").split(" ").filter(Boolean);
  // Postgres stems words with their accents otherwise than without, and some texts are written without.
  return { askedIn, translation: [...new Set(said.flatMap((word) => [word, fold(word)]))].join(" ") };
}

/** The words of a text, with one word for each phrase that means one thing ("mot de passe", "United Kingdom"). */
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

/** As plainWords, without the words that carry no meaning in the text's language. */
function meaningfulWords(text: string): string[] {
  return withMeaning(text, plainWords(text));
}

/** The same as vectors know them, without the phrases of fields.ts. */
export function wordsOfVectors(text: string): string[] {
  return withMeaning(text, plainWords(text, firstPhrases));
}

function withMeaning(text: string, said: string[]): string[] {
  const own = things.get(languageOf(text));
  return said.filter((word) => !isStopWord(word) || own?.has(word));
}

/** The stems of the words that carry meaning, each name in one way of writing it, in reading order. */
export function meaningfulTerms(text: string): string[] {
  return meaningfulWords(text).map((word) => oneName.get(word) ?? stem(word.replace(/^0+(?=\d+$)/, "")));
}

/** The one way of writing a name that is written in several, where a single word is one. */
export function canonicalName(word: string): string | undefined {
  return oneName.get(word);
}

export function isKnownName(term: string): boolean {
  return oneName.get(term) === term;
}

/**
 * The terms of some texts that may stand for an asked one, each with what it counts (0 to 1).
 * @param vocabulary every term of those texts
 */
export function standIns(asked: string, vocabulary: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  if (vocabulary.has(asked)) found.set(asked, 1);
  if (isKnownName(asked)) return found;
  // A code is written in one word or in two: "SOC2", "SOC 2".
  const [, letters = "", digits = ""] = /^([a-z]+)(\d+)$/.exec(asked) ?? [];
  if (letters && vocabulary.has(letters) && vocabulary.has(digits)) found.set(letters, sameForm);
  for (const line of meaningsAsVerb(asked)) {
    const told = toldFor.get(line);
    const worth = told ? broaderMeaning : sameMeaning;
    for (const other of told ?? members[line] ?? []) {
      if (other !== asked && vocabulary.has(other)) found.set(other, Math.max(worth, found.get(other) ?? 0));
    }
  }
  for (const other of vocabulary) {
    if (!found.has(other) && isFormOf(asked, other)) found.set(other, sameForm);
  }
  if (found.size === 0) {
    for (const other of vocabulary) if (isVerbFormOf(asked, other)) found.set(other, sameForm);
  }
  // What is spelt as nothing there is may be meant for something that is there.
  if (found.size === 0 && !isKnownWord(asked)) {
    for (const other of vocabulary) if (isMisspelt(asked, other)) found.set(other, misspelt);
  }
  return found;
}

const verbEnding = new RegExp(`^(.{4,}?)(?:${oneOf(wordList(({ words }) => words.verbEndings))})$`);
const verbRoot = (root: string) => verbEnding.exec(root)?.[1] ?? root;
const meaningsOfVerb = new Map<string, number[]>();
for (const [root, numbers] of meaningsOf) {
  const verb = verbRoot(root);
  meaningsOfVerb.set(verb, [...(meaningsOfVerb.get(verb) ?? []), ...numbers]);
}

/** The meanings of a stem, or where it has none, those of other forms of the same verb. */
function meaningsAsVerb(root: string): number[] {
  const own = meaningsOf.get(root) ?? [];
  return own.length > 0 ? own : (meaningsOfVerb.get(verbRoot(root)) ?? []);
}

/** "sort" and "sortir": the same without the endings of verbs. */
function isVerbFormOf(a: string, b: string): boolean {
  return a[0] === b[0] && a.length >= 4 && b.length >= 4 && !/\d/.test(a) && verbRoot(a) === verbRoot(b);
}

/** "approv" and "approval", "install" and "installation": a long beginning in common, and a short rest. */
function isFormOf(a: string, b: string): boolean {
  if (a[0] !== b[0] || /\d/.test(a) || /\d/.test(b)) return false;
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common += 1;
  const shorter = Math.min(a.length, b.length);
  return common >= 5 && common >= shorter - 1 && Math.max(a.length, b.length) - common <= 5;
}

function isMisspelt(asked: string, written: string): boolean {
  const length = Math.min(asked.length, written.length);
  if (length < 5 || asked[0] !== written[0] || /\d/.test(asked) || /\d/.test(written)) return false;
  return editDistance(asked, written) <= (length >= 9 ? 2 : 1);
}

/** Optimal string alignment: letters left out, put in, changed, or two neighbours swapped; 3 for anything further apart. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    [before, previous] = [previous, row];
  }
  return Math.min(3, previous[b.length] ?? 3);
}
