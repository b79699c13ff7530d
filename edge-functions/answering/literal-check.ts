// Owns the literal check of a claim against the passages that it cites: whether its values and names are there, and whether one
// negates the other. Pure; a reply takes microseconds. Paraphrases stay undecided.
import { eitherOf, type LanguageCode, wordList } from "../_shared/language/rules.ts";
import type { Claim } from "./claims.ts";
import { sentences } from "./sentences.ts";
import { findValue, type HeldValues, holdValues, valuesIn } from "./values.ts";
import { isStopWord, languageOf, terms, words } from "./words.ts";

export type Reason = "value" | "unit" | "name" | "negation" | "judge";

/** Open: not contradicted, but not there word for word. */
export type LiteralFinding = "verbatim" | "open" | Exclude<Reason, "judge">;

/** A passage to check claims against, with the words that the reply's citation quotes. */
export type Evidence = { index: number; title: string; content: string; quote: string };

export class LiteralCheck {
  readonly #evidence: Map<number, Held>;
  readonly #known: Set<string>;

  /** @param known text whose names need no source: the question and the agent's name */
  constructor(evidence: Evidence[], known: string) {
    this.#evidence = new Map(evidence.map((one) => [one.index, new Held(one)]));
    this.#known = new Set(words(known));
  }

  check(claim: Claim, citations: number[]): LiteralFinding {
    const held = citations.flatMap((index) => this.#evidence.get(index) ?? []);
    // Table rows are compared cell by cell; other text is one cell.
    const cells = claim.text.split("|").map(plain);
    if (held.some((one) => cells.every((cell) => one.plain.includes(cell)))) return "verbatim";
    const values = valuesIn(claim.text).map((value) => held.map((one) => findValue(value, one.values)));
    if (values.some((found) => found.every((one) => one === "absent"))) return "value";
    if (values.some((found) => !found.includes("there"))) return "unit";
    if (this.#hasStrangeName(claim.text, held)) return "name";
    return isDenied(claim.text, held) ? "negation" : "open";
  }

  /**
   * True for a name in the claim that neither the passages nor the question contain. Undecided in another language, where names may
   * differ.
   */
  #hasStrangeName(text: string, held: Held[]): boolean {
    const names = namesIn(text).filter((name) => !this.#known.has(name));
    if (names.length === 0 || held.length === 0) return false;
    const language = languageOf(text);
    if (held.some((one) => one.language !== language)) return false;
    return names.some((name) => !held.some((one) => one.values.text.includes(name)));
  }
}

class Held {
  readonly plain: string;
  readonly #text: string;
  readonly #quote: string;
  #values: HeldValues | undefined;
  #language: LanguageCode | undefined;
  #sentences: { terms: Set<string>; isDenying: boolean }[] | undefined;

  constructor({ title, content, quote }: Evidence) {
    this.#quote = quote;
    this.#text = `${title}\n${content}`;
    this.plain = plain(this.#text);
  }

  get values(): HeldValues {
    this.#values ??= holdValues(this.#text);
    return this.#values;
  }

  /** Detected in the quote: a passage long enough to tell takes long to read. */
  get language(): LanguageCode {
    this.#language ??= languageOf(this.#quote);
    return this.#language;
  }

  /** Of the quote, the words of the passage closest to the claims. */
  get sentences() {
    this.#sentences ??= sentences(this.#quote).map(({ start, end }) => {
      const text = this.#quote.slice(start, end);
      return { terms: new Set(termsOf(text)), isDenying: denialsIn(text) > 0 };
    });
    return this.#sentences;
  }
}

/** Letters and digits with single spaces, without Markdown. */
const plain = (text: string): string =>
  text
    .replace(/\[\d{1,3}\]/g, " ")
    .replace(/[*_`|#>]/g, " ")
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

/** Days and months are read as dates; a label before a colon is no name. */
const noNames = new Set(wordList(({ denials }) => denials?.noNames));

/** How far to look back for the end of a sentence: looking at the whole text for each name would take quadratic time. */
const farthestEnd = 40;

/** Capitalised words that do not begin a sentence, or that do and are followed by another one. Folded. */
function namesIn(text: string): string[] {
  const said = text
    .replace(/\*\*[^*]{1,80}\*\*:?|^[^:|]{1,60}:(?=\s)/g, " ")
    .replace(/[_`|]/g, " ")
    .replace(/^[\s"'«“(]+/, "");
  const found: string[] = [];
  for (const name of said.matchAll(/(?<![\p{L}\p{N}'’.-])\p{Lu}\p{Ll}{2,}(?![\p{L}\p{N}])/gu)) {
    const word = name[0];
    const near = said.slice(Math.max(0, name.index - farthestEnd), name.index);
    const isFirst = name.index === 0 || /[.!?:;]\s*["'«“(]?$/.test(near);
    const isFollowed = /^\s\p{Lu}\p{Ll}/u.test(said.slice(name.index + word.length));
    const [folded = ""] = words(word);
    if ((isFirst && !isFollowed) || isStopWord(folded) || noNames.has(folded)) continue;
    found.push(folded);
  }
  return found;
}

const idioms = eitherOf(({ denials }) => denials?.idioms, "giu");
const denials = eitherOf((reading) => reading.denials?.words, "giu");

const denialsIn = (text: string): number =>
  text.replace(/[’]/g, "'").replace(idioms, " ").match(denials)?.length ?? 0;

/** The minimum shared terms of a claim and the sentence that it is compared with, as shares of each. */
const leastOfClaim = 0.75;
const leastOfSentence = 0.6;
const leastTerms = 2;

const termsOf = (text: string): string[] => terms(text).filter((term) => !/\d/.test(term));

/** True when every sentence with the same subject is negated differently. A double negation is undecided. */
function isDenied(text: string, held: Held[]): boolean {
  const count = denialsIn(text);
  if (count > 1) return false;
  const own = new Set(termsOf(text));
  if (own.size < leastTerms) return false;
  const alike = held
    .flatMap((one) => one.sentences)
    .filter((sentence) => {
      const shared = [...own].filter((term) => sentence.terms.has(term)).length;
      return shared >= leastOfClaim * own.size && shared >= leastOfSentence * sentence.terms.size;
    });
  return alike.length > 0 && alike.every(({ isDenying }) => isDenying !== count > 0);
}
