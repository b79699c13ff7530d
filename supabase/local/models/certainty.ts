// Owns whether the best quote is an answer, or only the closest match: how much of the question it covers, and by which words. Does not
// choose quotes.

import { either, eitherOf } from "../../../edge-functions/_shared/language/rules.ts";
import {
  type AnswerKind,
  fitOf,
  isAged,
  isPriced,
  isSpan,
} from "../../../edge-functions/answering/answer-kinds.ts";
import { meaningfulTerms, standIns } from "../../../edge-functions/answering/lexicon.ts";
import {
  fold,
  isStopWord,
  isTalk,
  languageOf,
  stem,
  words,
} from "../../../edge-functions/answering/words.ts";
import { coversEnoughAlone, coversMuch, ownShare, weightOf } from "./coverage.ts";
import { telling } from "./frequent-words.ts";
import { isOfPeriod, tellsEnd } from "./moments.ts";
import { type Asked, isDenied } from "./question.ts";
import type { Cell, Unit } from "./reading.ts";
import { inTitle, speaksOf, type Wanted } from "./speaking.ts";
import { countsOther, isOfChild, lacksComplement, saysOpposite } from "./subject.ts";
import { isWithheld, tellsPredecessor } from "./withholding.ts";
import { cellText, isDated } from "./writing.ts";

/** Words such as "name" or "address" in "the name of" are below this: a sentence can answer without them. */
const leastTelling = 0.8;
/** The same for a word that a row's question has and no passage does. */
const leastTellingOfRow = 0.7;
/** Fit of any table cell as a person's name or a place, relative to a cell that looks like one. */
const anyCell = 0.85;
const numberBefore = new RegExp(
  String.raw`(?:\d|(?<!\p{L})${either(({ numbers }) => numbers?.words)}(?!\p{L}))\s+((?:\p{L}+\s*){1,5})`,
  "giu",
);

/**
 * @param covers the share of the question's weight that the unit covers
 * @param isAlone true when no other passage has a sentence nearly as good
 */
export function answers(
  unit: Unit,
  covers: number,
  wanted: Wanted[],
  asked: Asked,
  isAlone = false,
): boolean {
  // Somebody wrote it as the answer to this question.
  if (unit.isAsked && !unit.isTitle) return true;
  return (
    !unit.isTitle &&
    (coversMuch(unit, covers, wanted, asked, isOfKind(unit, asked)) ||
      (isAlone && isOfKind(unit, asked) && coversEnoughAlone(unit, covers, wanted, asked))) &&
    !tellsWhenNot(unit, asked) &&
    !countsOther(unit, wanted, asked) &&
    countsIt(unit, asked) &&
    (asked.isDenied || !saysOpposite(unit, wanted)) &&
    !isOfChild(unit, wanted, asked) &&
    !lacksComplement(unit, wanted, asked) &&
    meetsNumbers(unit, wanted, asked) &&
    saysOfLast(unit, wanted, asked) &&
    tellsEnd(unit, asked) &&
    isOfPeriod(unit, asked) &&
    tellsAttribute(unit, wanted, asked) &&
    isPriceOfIt(unit, wanted, asked) &&
    isWholePrice(unit, asked) &&
    holdsKind(unit, asked) &&
    saysOfNames(unit, wanted) &&
    isRowOfIt(unit, wanted) &&
    tellsWho(unit, wanted, asked) &&
    (isAlone || holdsPhrase(unit, asked)) &&
    hasOwnWords(unit, wanted, asked) &&
    saysWhat(unit, wanted, asked) &&
    !isWithheld(unit, asked) &&
    tellsPredecessor(unit, asked)
  );
}

/** True for a sentence that says when something is not done, if the question is when it is. */
const tellsWhenNot = ({ cells, text }: Unit, { kind, isDenied: asksNot }: Asked) =>
  kind === "when" && !asksNot && !cells && isDenied(text);

/** False for a sentence whose number counts something else, when things are counted: "after four absences a singer …" counts no singers. */
const countsIt = (unit: Unit, asked: Asked) =>
  asked.kind !== "howMany" ||
  asked.counted === undefined ||
  unit.cells !== undefined ||
  fitIn(unit, asked) >= countedAlone;

const ordinalWord = new RegExp(`^(?:${either(({ dates }) => dates?.ordinalWords)})$`, "iu");

/** False for a sentence without a number that the question gives as a condition: "in my second month", "a refund of $300". */
function meetsNumbers(unit: Unit, wanted: Wanted[], { earlier, written }: Asked): boolean {
  return wanted.every((one) => {
    const isNumber =
      /^\d+$/.test(one.term) || (written.get(one.term) ?? []).some((word) => ordinalWord.test(word));
    return !isNumber || earlier.has(one.term) || speaksOf(unit, one) > 0;
  });
}

/** Share of the last question's weight that an answer must contain, when the earlier ones are joined with it. */
const enoughOfLast = 0.5;

/** False for an answer to the earlier question alone: "And if I am ill then?" is not answered by a sentence without illness. */
function saysOfLast(unit: Unit, wanted: Wanted[], { earlier }: Asked): boolean {
  if (earlier.size === 0) return true;
  const last = wanted.filter(({ term }) => !earlier.has(term));
  return weightOf(last.filter((one) => speaksOf(unit, one) > inTitle)) >= enoughOfLast * weightOf(last);
}

/**
 * The most words between two words of the question that still belong together: of a phrase, as in "the deadline of a claim", and of a thing
 * and what is asked of it, as in "children under 12 enter for free".
 */
const farthest = { inPhrase: 4, whenAskedOf: 6 };

/**
 * False when the question is one phrase whose words are far apart and the first belongs to another word. "Full pay for 12 weeks" does not say
 * how long a full week is; "a bonus of 6 % of the salary is paid in March" says when the bonus is paid.
 */
function holdsPhrase({ text, cells, terms }: Unit, { terms: asked, phrases, kind, sought }: Asked): boolean {
  if (cells || asked.length > 2) return true;
  const most = kind === "yesNo" && sought.size === 0 ? farthest.whenAskedOf : farthest.inPhrase;
  const all = words(text);
  const said = all.map(stem);
  return [...phrases].every((phrase) => {
    const [one = "", other = ""] = phrase.split(" ");
    // A phrase that means the word ("costs nothing") has no place of it.
    if (![one, other].every((word) => terms.has(word) && said.includes(word))) return true;
    return said.some((word, at) => {
      if (word !== one) return false;
      const [next] = all.slice(at + 1);
      const isAlone = next !== undefined && isStopWord(next) && said.includes(other, at + 1);
      return isAlone || said.slice(Math.max(0, at - most), at + most + 1).includes(other);
    });
  });
}

/** False when the only person in a sentence is the one asked for: "tell your boss" does not say who the boss is. */
function tellsWho({ text, cells }: Unit, wanted: Wanted[], { kind }: Asked): boolean {
  if (kind !== "who") return true;
  const said = new Set(wanted.flatMap(({ standIns }) => [...standIns.keys()]));
  const others = (told: string) =>
    told.replace(/[\p{L}\p{N}]+/gu, (word) => (words(word).some((one) => said.has(stem(one))) ? "" : word));
  if (!cells) return fitOf(kind, others(text)) === 1;
  return cells.some(({ column, text }) => fitOf(kind, column) === 1 || fitOf(kind, others(text)) === 1);
}

/** Share of the question's weight that its own words, not synonyms, must have in an answer. */
const leastOwnWords = 0.1;

/**
 * False when a unit matches by synonyms alone. It may do so when it contains the requested kind of answer, or when its language is not
 * the question's, unless the answer is yes or no: any text with a synonym would be taken for a yes.
 */
function hasOwnWords(unit: Unit, wanted: Wanted[], asked: Asked): boolean {
  const { kind, askedIn } = asked;
  if (isOfKind(unit, asked)) return true;
  if (kind !== "yesNo" && askedIn !== null && languageOf(unit.passage.text) !== askedIn) return true;
  return ownShare(unit, wanted) >= leastOwnWords;
}

/**
 * False when the attribute that the question asks for is missing: a sentence about the director without a salary does not give the salary.
 */
function tellsAttribute(unit: Unit, wanted: Wanted[], { attribute, kind }: Asked): boolean {
  if (!["any", "howMuch"].includes(kind) || !attribute || telling(attribute) < leastTelling) return true;
  const one = wanted.find(({ term }) => term === attribute);
  return !one || speaksOf(unit, one) > 0;
}

/** Share of the priced thing that a unit must cover: a price for the room does not answer "breakfast in the room". */
const leastOfThing = 0.5;

/** False for a price of something else: a price in a document about dishwashers is not necessarily the price of the dishwasher. */
function isPriceOfIt(unit: Unit, wanted: Wanted[], { kind, measures }: Asked): boolean {
  const things = wanted.filter(({ term, isTold }) => !isTold || measures.has(term));
  if (kind !== "price" || things.length === 0) return true;
  const spoken = things.filter((one) => speaksOf(unit, one) > inTitle);
  if (!spoken.some((one) => isPricedIn(unit, one))) return false;
  return weightOf(spoken) >= leastOfThing * weightOf(things);
}

/** What is paid beside a price or a salary, with the kinds of answer for which it is taken for that. */
const extras: [term: string, kinds: string[]][] = [
  [stem("surcharge"), ["price", "howMuch"]],
  [stem("bonus"), ["price", "howMuch", "when"]],
];

/** False for a surcharge when the question asks for a price, and for a bonus when it asks for pay. */
function isWholePrice({ cells, terms, lead }: Unit, { kind, terms: asked }: Asked): boolean {
  if (cells) return true;
  const said = new Set([...terms, ...(lead?.terms ?? [])]);
  return extras.every(
    ([extra, kinds]) =>
      !kinds.includes(kind) || standIns(extra, said).size === 0 || standIns(extra, new Set(asked)).size > 0,
  );
}

/**
 * False for a row that names the thing only in a list of several, or in the name of a column without prices: a hamper's price is not the
 * honey's.
 */
function isPricedIn({ cells, terms, heading, text }: Unit, { standIns, isIn, written }: Wanted): boolean {
  if (!cells || (isIn && cells.some(isIn)) || written?.test(text)) return true;
  const isSaid = (text: string) => meaningfulTerms(text).some((term) => standIns.has(term));
  if (![...standIns.keys()].some((term) => terms.has(term)))
    return (
      isSaid(heading) || cells.some((cell) => fitOf("price", cellText(cell)) === 1 && isSaid(cell.column))
    );
  return cells.some(({ text }) => isSaid(text) && !isList.test(text));
}
const isList = /[,;].*[,;]/;

/** Kinds of which an answer must contain an instance: a time, an amount, a phone number. */
const neededKinds = new Set([
  "who",
  "when",
  "clock",
  "phone",
  "email",
  "price",
  "howMuch",
  "howOften",
  "howMany",
  "howLong",
]);

const price = stem("price");
/** False for a row without an amount of money or a share, and without a column, a heading or a title that speaks of prices. */
function holdsPrice({ cells, under, about }: Unit): boolean {
  if (!cells || cells.some((cell) => isPriced(cellText(cell)) || /\d\s?%/.test(cell.text))) return true;
  return standIns(price, new Set([...under, ...about])).size > 0;
}

/** False when neither the quote nor the answer that it belongs to contains the requested kind. */
function holdsKind(unit: Unit, asked: Asked): boolean {
  const { cells } = unit;
  const { kind, counted } = asked;
  // Any cell may be a name or a place. A row without a likely one cannot be trusted to answer.
  if (cells && ["who", "where"].includes(kind)) return fitIn(unit, asked) > anyCell;
  if (!neededKinds.has(kind)) return true;
  if (kind === "price" && !holdsPrice(unit)) return false;
  if (asked.asksAge && !cells) return isAged(unit.text);
  const isExact = ["phone", "email"].includes(kind) || (kind === "price" && !cells) || counted !== undefined;
  return fitIn(unit, asked) > (isExact ? 0.9 : cells ? 0.7 : 0.8);
}

/** False for a sentence that names the person or thing in question, but covers no other term of the question. */
function saysOfNames(unit: Unit, wanted: Wanted[]): boolean {
  const things = wanted.filter(({ isName, isTold }) => !isName && !isTold);
  const isNamed = wanted.some(({ isName }) => isName);
  return !isNamed || things.length === 0 || things.some((one) => speaksOf(unit, one) > inTitle);
}

/** False for a row that matches only by its header, when another term of the question matches nothing: "the yellow team". */
function isRowOfIt(unit: Unit, wanted: Wanted[]): boolean {
  const { cells, terms } = unit;
  if (cells && wanted.some((one) => isUnknownTo(unit, one))) return false;
  if (!cells || wanted.some(({ standIns }) => [...standIns.keys()].some((one) => terms.has(one))))
    return true;
  return wanted.every(
    ({ term, standIns, isTold, written }) => standIns.size > 0 || isTold || written || isTalk(term),
  );
}

/** True for a significant word of the question that no passage contains: the "fire" of "a fire safety certificate". */
const isUnknownTo = (unit: Unit, one: Wanted): boolean =>
  one.standIns.size === 0 &&
  !isTalk(one.term) &&
  telling(one.term) >= leastTellingOfRow &&
  speaksOf(unit, one) === 0;

/** True when it contains a kind of answer that most sentences do not contain. */
function isOfKind(unit: Unit, asked: Asked): boolean {
  return (
    ["who", "when", "clock", "phone", "email", "price", "howMuch", "howOften", "howMany", "howLong"].includes(
      asked.kind,
    ) && fitIn(unit, asked) === 1
  );
}

/** How well a unit contains the requested kind; any cell may be a name or a place. */
export function fitIn(unit: Unit, asked: Asked): number {
  const { kind } = asked;
  const { cells, text } = unit;
  const measure = kind === "howMany" ? asked.measures.get(asked.counted ?? "") : undefined;
  if (measure?.isCounted)
    return (cells && measure.isIn ? cells.some(measure.isIn) : measure.test(text)) ? 1 : 0.55;
  if (kind === "howMany" && asked.counted) {
    if (cells?.some((cell) => isCountOf(cell, asked.counted))) return 1;
    return countsIn(text, asked) || 0.9 * fitOf(kind, text);
  }
  if (!cells && kind === "howMany") return fitOf(kind, withoutArticles(text));
  if (!cells && kind === "where") return fitOf(kind, withoutTerms(text, asked.terms));
  if (!cells && kind === "phone" && !fax.test(asked.last)) return fitOf(kind, text.replace(faxNumber, ""));
  if (!cells) return kind === "when" && isDated(unit) ? 1 : fitOf(kind, text);
  if (!["who", "where"].includes(kind)) return Math.max(...cells.map((cell) => fitOfCell(kind, cell)));
  return Math.max(anyCell, ...cells.flatMap(({ column, text }) => [fitOf(kind, column), fitOf(kind, text)]));
}

/** A price per week tells no time. */
const fitOfCell = (kind: AnswerKind, cell: Cell) =>
  kindsOfTime.has(kind) && isPriced(cellText(cell)) ? 0 : fitOf(kind, cellText(cell));
const kindsOfTime = new Set<AnswerKind>(["when", "clock", "howLong", "howOften"]);

/** True for a cell that is a number, in a column of what is counted: "13" under "Hours". */
const isCountOf = ({ column, text }: Cell, counted = "") =>
  /^\W*\d[\d.,\s]*\+?$/.test(text) && standIns(counted, new Set(meaningfulTerms(column))).size > 0;

const fax = eitherOf(({ asks }) => asks?.fax, "iu");
const faxNumber = new RegExp(String.raw`${fax.source}[^\d+(]{0,20}[\d+(][\d\s()./-]{5,30}`, "giu");

/** Removes words such as the French "une", which counts nothing where no thing is named that it stands before. */
const withoutArticles = (text: string) =>
  text.replace(/\p{L}+/gu, (word) => (isStopWord(fold(word)) ? "" : word));

/** Removes the question's terms: "the office cat" does not say where the office is. */
const withoutTerms = (text: string, terms: string[]) =>
  text.replace(/[\p{L}\p{N}]+/gu, (word) =>
    words(word).some((one) => terms.includes(stem(one))) ? "" : word,
  );

const preposition = new RegExp(
  String.raw`(?<!\p{L})${either(({ asks }) => asks?.answers.prepositions)}(?!\p{L})`,
  "iu",
);
/** In "one working day" days are counted, not workers. */
const beforeSpan = new RegExp(
  String.raw`\p{L}+\s+(?=${either(({ asks }) => asks?.answers.spans)}s?(?!\p{L}))`,
  "giu",
);
/** Fit of "27 days" for a question about days of vacation, when another text says "20 days of vacation". */
const countedAlone = 0.94;

/**
 * 1 when a number directly precedes the counted thing with another word of the question, less when the thing stands alone, 0 for none. So
 * "14 accidents at work" does not count workers.
 */
function countsIn(text: string, { counted = "", terms }: Asked): number {
  const found = [...text.matchAll(numberBefore)].flatMap(([said, behind = ""]) => {
    // French "un" is an article.
    if (isStopWord(fold(said.slice(0, said.length - behind.length)).trim())) return [];
    const [whole = ""] = behind.split(preposition);
    const thing = terms.some((term) => isSpan.test(term)) ? whole : whole.replace(beforeSpan, "");
    if (standIns(counted, new Set(meaningfulTerms(thing))).size === 0) return [];
    const next = new Set(meaningfulTerms(behind));
    const others = terms.filter((term) => term !== counted);
    return [others.some((term) => standIns(term, next).size > 0) ? 1 : countedAlone];
  });
  return Math.max(0, ...found);
}

const defining = new RegExp(
  String.raw`^\W*([^.:;,!?]{1,60}?)["'”’»*_)\]]*\s*(?:\([^)]*\),?\s*)?(?::\s|${either(({ asks }) => asks?.answers.definitions)}(?!\p{L}))`,
  "iu",
);

/** False when the question is what a thing is, and the sentence only mentions it. A row, or a text below that question, may define it. */
function saysWhat(unit: Unit, wanted: Wanted[], asked: Asked): boolean {
  if (asked.defined.size === 0 || unit.cells || unit.isHeadWhole || unit.answers.size > 0) return true;
  return defines(unit, wanted, asked);
}

/** True for a sentence that says what the thing in question is: its subject is that thing. */
export function defines({ text, cells, under }: Unit, wanted: Wanted[], { defined }: Asked): boolean {
  const subject = cells ? undefined : defining.exec(text.replace(/^(?:[-*•–]|\d{1,3}[.)])\s+/, ""))?.[1];
  if (subject === undefined) return false;
  const terms = new Set(meaningfulTerms(subject));
  const things = wanted.filter(({ term }) => defined.has(term));
  return (
    terms.size <= defined.size + 1 &&
    things.some(({ standIns }) => [...standIns.keys()].some((one) => terms.has(one))) &&
    things.every(({ standIns }) => [...standIns.keys()].some((one) => terms.has(one) || under.has(one)))
  );
}
