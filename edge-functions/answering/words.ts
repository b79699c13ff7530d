// Owns the split of text into words: folding, light stems, stop words, and the detection of a declared language. Pure; no word list
// is specific to a subject.
import { defaultLanguage } from "../../locales/registry.ts";
import {
  eitherOf,
  everyOne,
  type LanguageCode,
  oneOf,
  readings,
  wordList,
} from "../_shared/language/rules.ts";

const littleWords = new Map(
  readings.map(({ code, reading }) => [code, new Set(reading.words.little.split(" "))]),
);
const letters = new Map(
  readings.flatMap(({ code, reading }) =>
    reading.words.letters ? [[code, new RegExp(reading.words.letters.source, "i")] as const] : [],
  ),
);
const stops = new Set(wordList(({ words }) => words.little));
const plurals = everyOne(({ words }) => words.plurals).flat();
const endings = new RegExp(`^(.*[aeiouy].*?)(${oneOf(wordList(({ words }) => words.endings))})$`);

// The punctuation is what separates the parts of a heading or a sentence in most documents.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters without accents or ligatures
const isPlain = (text: string) => /^[\x00-\x7f«»–—‘’“”•‹›]*$/.test(text);
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Lower case without accents or ligatures: "Œuvre", "œuvre" and "oeuvre" are one word. */
export function fold(text: string): string {
  // A shortcut for most text: a question folds everything that was found for it.
  if (isPlain(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ß/g, "ss");
}

/** Runs of letters and digits, folded, in order. A script without spaces yields overlapping pairs. */
export function words(text: string): string[] {
  const folded = fold(text);
  // Plain text has no other letters and digits, and an expression in Unicode mode takes more than twice as long.
  if (isPlain(folded)) return folded.match(/[a-z0-9]+/g) ?? [];
  const found: string[] = [];
  for (const [run] of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (isPlain(run) || !unspaced.test(run)) found.push(run);
    else found.push(...pairs(run));
  }
  return found;
}

function pairs(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

export function isStopWord(word: string): boolean {
  return stops.has(word);
}

const measured = eitherOf(({ asks }) => asks?.measured, "giu");

/** A question without the words for the requested measure, "how long" or "what time": a text that answers it need not contain them. */
export function withoutMeasure(question: string): string {
  return question.replace(measured, " ");
}

/** True for the stem of a filler word, which does not carry the question's subject: it counts little when no text contains it. */
export function isTalk(root: string): boolean {
  return talk.has(root);
}

/** The stems of all words except stop words. */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !isStopWord(word))
    .map(stem);
}

/**
 * Whether one of a text's terms() is this one. A stem begins like its word, so that only the words that begin like the term are stemmed: a
 * tenth of them.
 */
export function hasTerm(text: string, term: string): boolean {
  const folded = fold(text);
  const plain = isPlain(folded);
  if (!/^[a-z]/.test(term) || (!plain && unspaced.test(text))) return terms(text).includes(term);
  const found = folded.match(beginningWith(term.charAt(0), plain)) ?? [];
  return found.some((word) => !isStopWord(word) && stem(word) === term);
}

/** By their first letter, in plain text and in any. */
const beginnings = new Map<string, { plain: RegExp; any: RegExp }>();

function beginningWith(letter: string, plain: boolean): RegExp {
  const known = beginnings.get(letter) ?? {
    plain: new RegExp(`(?<![a-z0-9])${letter}[a-z0-9]*`, "g"),
    any: new RegExp(`(?<![\\p{L}\\p{N}])${letter}[\\p{L}\\p{N}]*`, "gu"),
  };
  beginnings.set(letter, known);
  return plain ? known.plain : known.any;
}

/**
 * A light stem for all declared languages: plurals, and the most common endings of verbs and adverbs. Wrong stems do no harm, since
 * the question and the passages get the same ones.
 */
export function stem(word: string): string {
  if (word.length < 4 || word.length > longestStemmed) return word;
  if (word.length > longestKept) return stemOf(word);
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= mostStems) stems.clear();
  const found = stemOf(word);
  stems.set(word, found);
  return found;
}

/** A cache of stems, since the words of texts repeat. */
const stems = new Map<string, string>();
const mostStems = 20_000;
const longestKept = 30;
/** Longer than any word of a language; finding the ending of thousands of letters takes quadratic time. */
const longestStemmed = 100;

function stemOf(word: string): string {
  if (/\d/.test(word)) return word;
  const root = singular(word);
  const base = endings.exec(root)?.[1] ?? root;
  if (base.length < 3) return root;
  return /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
}

/** The stems of a word by its shorter plural endings: "selfie" of "selfies", which the longest one makes a "selfy". */
export function otherStems(word: string): string[] {
  const found = plurals.flatMap(([ending, instead]) => {
    const length = ending.exec(word)?.[0].length ?? 0;
    return length > 0 ? [stem(`${word.slice(0, -length)}${instead}`)] : [];
  });
  return [...new Set(found)].filter((one) => one !== stem(word));
}

/** Removes the longest matching plural ending. */
function singular(word: string): string {
  let longest = { length: 0, root: word };
  for (const [ending, instead] of plurals) {
    const length = ending.exec(word)?.[0].length ?? 0;
    if (length > longest.length) longest = { length, root: `${word.slice(0, -length)}${instead}` };
  }
  return longest.root;
}

/** The language of a text by its function words and letters; `fallback` when they do not tell, or on a tie. */
export function languageOf(text: string, fallback: LanguageCode = defaultLanguage): LanguageCode {
  return likelyLanguage(text) ?? fallback;
}

/** Words of one accented letter, which other languages do not have. */
const accentedWords = /(?<![\p{L}\p{N}])[À-ÿ](?![\p{L}\p{N}])/gu;

/** The same, or null when the text does not tell. */
export function likelyLanguage(text: string): LanguageCode | null {
  const said = words(text);
  const accented = text.match(accentedWords)?.map(fold) ?? [];
  let best = { code: null as LanguageCode | null, count: 0 };
  for (const [code, little] of littleWords) {
    let count = letters.get(code)?.test(text) ? 0.5 : 0;
    for (const word of said) if (little.has(word)) count += 1;
    // "À" is no English article.
    if (!letters.has(code)) for (const word of accented) if (little.has(word)) count -= 1;
    if (count > best.count) best = { code, count };
    else if (count === best.count) best = { code: null, count };
  }
  return best.code;
}

const talk = new Set(wordList(({ asks }) => asks?.talk).map(stem));
