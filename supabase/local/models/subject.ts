// Owns whether a sentence speaks of the question's subject, or of another one in the same words. Does not weigh words.

import { either, wordList } from "../../../edge-functions/_shared/language/rules.ts";
import { meaningfulTerms, standIns } from "../../../edge-functions/answering/lexicon.ts";
import { stem, words } from "../../../edge-functions/answering/words.ts";
import type { Scored } from "./closest.ts";
import { type Asked, phrasesIn } from "./question.ts";
import type { Unit } from "./reading.ts";
import { besideIt, placeOf, speaksOf, type Wanted } from "./speaking.ts";

/**
 * The terms that a unit has only by a word that answers another one. In "une salle de sport" a "salle" may be a gym, but the same "salle"
 * cannot be the sport too.
 */
export function withoutOwnWord(unit: Unit, wanted: Wanted[]): Set<Wanted> {
  const taken = new Set(wanted.flatMap(({ term }) => (placeOf(unit, term) > 0 ? [term] : [])));
  return new Set(
    wanted.filter((one) => {
      if (one.written || one.isTold || taken.has(one.term)) return false;
      const found = [...one.standIns.keys()].filter((term) => placeOf(unit, term) > 0);
      // "Wristband" is both words of "wrist band".
      return found.length > 0 && found.every((term) => taken.has(term) && !isCompound(term, one.term));
    }),
  );
}

const isCompound = (whole: string, part: string) => whole.startsWith(part) || whole.endsWith(part);

/** True for a number of the question that only lies within a bound of the unit: "from 5 to 18" for 12 says nothing about the subject. */
export function isOnlyWithinBound({ text, cells }: Unit, { term, standIns, isTold }: Wanted, asked: Asked) {
  if (cells || isTold === undefined || standIns.size > 0 || !/^\d+$/.test(term)) return false;
  return !phrasesIn(text).some((phrase) => phrase.startsWith(`${term} `) && asked.phrases.has(phrase));
}

export const opposites = wordList(({ words }) => words.opposites);

/** True for a sentence with the opposite of a word that it lacks: "unopened boxes are taken back" for "opened boxes". */
export function saysOpposite({ terms }: Unit, wanted: Wanted[]): boolean {
  return wanted.some(
    ({ term }) =>
      term.length >= shortest &&
      !terms.has(term) &&
      opposites.some((prefix) => terms.has(`${prefix}${term}`)),
  );
}

/** The letters of the shortest word whose opposite is looked for: "it" is in "unit". */
const shortest = 4;

const child = stem("child");

/** True for a word of the question that the unit says of a child alone: "a sick child" for "am I paid when I am sick". */
export function isOfChild({ text, cells }: Unit, wanted: Wanted[], { kind, terms }: Asked): boolean {
  if (cells || kind !== "yesNo") return false;
  const said = words(text).map(stem);
  const isChild = (word = "") => standIns(child, new Set([word])).size > 0;
  if (terms.some(isChild)) return false;
  return wanted.some(({ standIns }) => {
    const at = said.flatMap((word, i) => (standIns.has(word) ? [i] : []));
    return at.length > 0 && at.every((i) => isChild(said[i - 1]) || isChild(said[i + 1]));
  });
}

const numberWord = new RegExp(`^(?:${either(({ numbers }) => numbers?.words)})$`, "iu");
/** The most words from a number to what it counts, with an adjective between them. */
const farthestCounted = 2;

/** True when the question asks whether so many may be, and the unit counts something else: "three months" for "three loans". */
export function countsOther({ text, cells, terms }: Unit, wanted: Wanted[], asked: Asked): boolean {
  if (cells || asked.kind !== "yesNo") return false;
  const said = words(text).map(stem);
  return [...asked.phrases].some((phrase) => {
    const [number = "", counted = ""] = phrase.split(" ");
    const isNumber =
      /^\d+$/.test(number) || (asked.written.get(number) ?? []).some((word) => numberWord.test(word));
    const thing = wanted.find(({ term }) => term === counted);
    if (!isNumber || asked.measures.has(number) || !thing || !terms.has(number)) return false;
    return !said.some(
      (word, at) =>
        word === number &&
        said.slice(at + 1, at + 1 + farthestCounted).some((next) => thing.standIns.has(next)),
    );
  });
}

const complements = new RegExp(
  String.raw`(?<!\p{L})(\p{L}[\p{L}-]{1,40})\s+(?=${either(({ asks }) => asks?.of)}\s*([^?.,;]{1,60}))`,
  "giu",
);

/** True for a sentence about a thing that does not say of what: "the repairer comes on Monday" for "the repairer of the oven". */
export function lacksComplement(unit: Unit, wanted: Wanted[], { last }: Asked): boolean {
  if (unit.cells) return false;
  const findWanted = (text: string) => {
    const [first] = meaningfulTerms(text);
    return wanted.find(({ term }) => term === first);
  };
  return [...last.matchAll(complements)].some(([, head = "", behind = ""]) => {
    const thing = findWanted(head);
    const its = findWanted(behind);
    return (
      thing !== undefined &&
      its !== undefined &&
      !thing.isTold &&
      speaksOf(unit, thing) === 1 &&
      speaksOf(unit, its) <= besideIt
    );
  });
}

/** True when another unit has two neighbouring words of the question as they are, and this one lacks one: "monthly pass" beside "pass". */
export function isNamedElsewhere({ unit }: Scored, all: Scored[], wanted: Wanted[], asked: Asked): boolean {
  const lacking = new Set(
    wanted.flatMap((one) => (!one.isTold && speaksOf(unit, one) <= besideIt ? [one.term] : [])),
  );
  const phrases = [...asked.phrases].filter((phrase) => {
    const terms = phrase.split(" ");
    return terms.some((term) => lacking.has(term)) && !terms.some((term) => asked.earlier.has(term));
  });
  if (phrases.length === 0) return false;
  return all.some(
    (other) => other.unit !== unit && phrasesIn(other.unit.text).some((phrase) => phrases.includes(phrase)),
  );
}
