// Owns the model "offline-extract": it answers with sentences and rows quoted from the numbered passages in its prompt and with
// nothing else. It reads the very prompt that any model gets; what it adds of its own is one fixed sentence.

import { either, eitherOf, wordList } from "../../../edge-functions/_shared/language/rules.ts";
import { isKnownName, meaningfulTerms, standIns } from "../../../edge-functions/answering/lexicon.ts";
import { computedFrom } from "../../../edge-functions/answering/prompt.ts";
import { isTalk, stem } from "../../../edge-functions/answering/words.ts";
import { say } from "../../../locales/say.ts";
import { telling } from "./frequent-words.ts";
import { passagesIn, questionIn } from "./prompt-reading.ts";
import { type Asked, fitOf, isDenied, isPriced, isRule, pairsIn, readQuestion } from "./question.ts";
import { type Passage, type Unit, unitsOf } from "./reading.ts";
import { columnsOf, isDated, saidIn, tableOf, written } from "./writing.ts";

export const extractModel = "offline-extract";

export type ChatMessage = { role: string; content: string };

const maxQuotes = 3;
const maxRows = 8;
/** The share of the question's weight that a quote carries: to answer with it, and to show it as the closest there is. */
const enough = 0.5;
/** The same where it also holds the very kind of thing that was asked for: a moment, an amount, a person. */
const enoughOfKind = 0.42;
const close = 0.3;
/** What a further quote must gain, beside the best one. */
const leastGain = 0.5;
/** "The name of", "the address of": a sentence tells them without such words. */
const leastTelling = 0.8;
/** What a term counts that stands not in the sentence itself, but in the question that it answers, its heading, its title, or before it. */
const inQuestion = 0.95;
const whenTold = 0.8;
const inHeading = 0.7;
const inTitle = 0.4;
const inSentenceBefore = 0.4;
/** What two neighbouring words of the question add where they stand together, and how often that counts. */
const neighbours = 0.12;
const maxNeighbours = 3;
/** What any cell is worth as a person's name or a place, beside one that looks like it. */
const anyCell = 0.85;
const numberBefore = new RegExp(
  String.raw`(?:\d|(?<!\p{L})${either(({ numbers }) => numbers?.words)}(?!\p{L}))\s+((?:\p{L}+\s*){1,5})`,
  "giu",
);
/** What a term counts that only the questions before this one hold. */
const inEarlierQuestion = 0.5;
/** What another day of the week counts for the one that is asked of. */
const otherDay = 0.3;
const weekdays = new Set(
  wordList(({ dates }) => dates?.days)
    .flatMap(meaningfulTerms)
    .filter(isKnownName),
);
/** Verbs that ask rather than say what about. */
const asking = new Set(wordList(({ asks }) => asks?.verbs).map(stem));
/** What a word of talk counts that no text has. */
const inTalk = 0.15;
const joining = eitherOf(({ asks }) => asks?.joins, "iu");

/** @returns the whole reply: up to three quotes, each with its [n], or one sentence that says that nothing fits */
export function extractReply(messages: ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === "user")?.content ?? "";
  const passages = messages.flatMap((message) =>
    message.role === "assistant" ? [] : passagesIn(message.content),
  );
  const question = questionIn(last);
  const asked = readQuestion(question);
  const computed = passages.filter(({ label }) => label.trim().startsWith(computedFrom));
  if (computed.length > 0) return repeated(computed, asked);
  const found = answersTo(question, asked, passages);
  if (found.every(({ quotes }) => quotes.length === 0)) return say(asked.language, "answers:nothingFits");
  const said = found.map((one) => written(one.quotes, one.asked)).join("\n\n");
  return found.every(({ isSure }) => isSure) ? said : `${say(asked.language, "answers:closest")}\n\n${said}`;
}

type Found = { asked: Asked; quotes: Unit[]; isSure: boolean };

/** Two questions in one are answered one after the other, the second with the words of the first beside its own. */
function answersTo(question: string, asked: Asked, passages: Passage[]): Found[] {
  const answerTo = (one: Asked): Found => ({ asked: one, ...choose(one, passages) });
  const whole = answerTo(asked);
  const [first = "", second = "", ...more] = question.split(joining);
  if (!second || more.length > 0) return [whole];
  const sure = [first, `${first}? ${second}`].map((part) => answerTo(readQuestion(part))).filter(isAnswer);
  if (sure.length < 2) return isAnswer(whole) || sure.length === 0 ? [whole] : sure;
  const quoted = new Set(sure[0]?.quotes.map(({ text }) => text));
  return sure.map((one, at) =>
    at === 0 ? one : { ...one, quotes: one.quotes.filter(({ text }) => !quoted.has(text)) },
  );
}

const isAnswer = ({ quotes, isSure }: Found) => isSure && quotes.length > 0;

/** What was computed, word for word, and the rows that it rests on in one table, each with the mark of its passage. */
function repeated(computed: Passage[], asked: Asked): string {
  const [first] = computed;
  const said = /^[^|]*/.exec(first?.text ?? "")?.[0].trim() ?? "";
  const rows = computed.flatMap(unitsOf).filter(({ cells }) => cells);
  return [`${said} [${first?.number}]`, ...(rows.length > 0 ? [tableOf(rows, asked)] : [])].join("\n\n");
}

/** An asked term with what may stand for it in these passages, and what it weighs. */
type Wanted = {
  term: string;
  standIns: Map<string, number>;
  weight: number;
  isName: boolean;
  /** Whether what was asked for stands in a text: a price tells what something costs without such a word. */
  isTold?: (text: string) => boolean;
  /** A name that is a little word in small letters: it is looked for as it is written. */
  written?: RegExp;
};

type Scored = { unit: Unit; covers: number; gain: number; met: Set<string> };

function choose(asked: Asked, passages: Passage[]): { quotes: Unit[]; isSure: boolean } {
  const units = passages.flatMap(unitsOf);
  const wanted = weigh(asked, units);
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
  // A thing that no document names is not what any of them speaks of.
  const isUnknown = wanted.some(({ isName, standIns, written }) => isName && !written && standIns.size === 0);
  if (total === 0 || isUnknown) return { quotes: [], isSure: false };
  const chosen: Scored[] = [];
  const covered = new Set<string>();
  const known = new Map<Unit, Standing>();
  let isSure = true;
  while (chosen.length < maxQuotes) {
    const best = bestOf(units, chosen, asked, wanted, covered, known);
    const first = chosen[0];
    if (!best) break;
    if (!first) {
      if (best.covers < close * total) break;
      isSure =
        best.covers >= (isOfKind(best.unit, asked) ? enoughOfKind : enough) * total &&
        tellsAttribute(best.unit, wanted, asked) &&
        isPriceOfIt(best.unit, wanted, asked) &&
        holdsKind(best.unit, asked) &&
        saysOfNames(best.unit, wanted);
    } else if (best.gain < leastGain * first.gain || best.covers < close * total) break;
    chosen.push(best);
    for (const term of best.met) covered.add(term);
    if (!isSure) break;
  }
  return { quotes: withSiblings(withAmount(chosen, units, asked), units, asked, wanted), isSure };
}

/** Who asks how much is told the amount, too, that stands in the sentence behind: "Free for residents. Everyone else pays 15 euros." */
function withAmount(chosen: Scored[], units: Unit[], { kind }: Asked): Scored[] {
  const [first, second] = chosen;
  if (!first || second || kind !== "price" || first.unit.cells || /\d/.test(first.unit.text)) return chosen;
  const next = units.find(({ before, text }) => before === first.unit && /\d/.test(text) && isPriced(text));
  return next ? [first, { ...first, unit: next }] : chosen;
}

/** A term in few of the units tells more than one in most of them; one in none of them still counts as asked. */
function weigh(asked: Asked, units: Unit[]): Wanted[] {
  const vocabulary = new Set(
    units.flatMap(({ terms, under, about, answers }) => [...terms, ...under, ...about, ...answers]),
  );
  // A handful of sentences says nothing about how common a word is: as if there were some more without it.
  const size = units.length + 20;
  const named = [...asked.littleNames].map((name) => {
    const written = new RegExp(String.raw`(?<![\p{L}\p{N}])${name}(?![\p{L}\p{N}])`, "u");
    const holding = units.filter(({ text }) => written.test(text)).length;
    const weight = rarityIn(size, holding);
    return {
      term: name,
      standIns: new Map<string, number>(),
      weight,
      isName: holding > 0,
      written,
    };
  });
  const wanted = asked.terms.map((term, at) => {
    const found = standIns(term, vocabulary);
    // "wrist band" is written "wristband", too.
    for (const joined of [`${asked.terms[at - 1] ?? ""}${term}`, `${term}${asked.terms[at + 1] ?? ""}`])
      if (joined !== term && !/\d/.test(joined) && vocabulary.has(joined)) found.set(joined, 1);
    // Who asks of Sunday is told by a sentence on all other days, too.
    if (weekdays.has(term))
      for (const day of weekdays) if (day !== term && vocabulary.has(day)) found.set(day, otherDay);
    const measure = asked.measures.get(term);
    // "8 years" is not told by "8 EUR".
    if (measure && /^\d+$/.test(term)) found.clear();
    const isTold = asked.told.has(term)
      ? (text: string) => fitOf(asked.kind, text) === 1
      : measure && ((text: string) => measure.test(text));
    const holding = units.filter(
      ({ terms, text }) => [...found.keys()].some((one) => terms.has(one)) || isTold?.(text),
    ).length;
    const rarity = rarityIn(size, holding);
    return {
      term,
      standIns: found,
      weight:
        rarity *
        telling(term) *
        (isTalk(term) && found.size === 0 ? inTalk : isTalk(term) || asking.has(term) ? 0.4 : 1) *
        (asked.earlier.has(term) ? inEarlierQuestion : 1),
      isName: asked.names.has(term),
      ...(isTold && { isTold }),
    };
  });
  return [...wanted, ...named.filter(({ isName }) => isName)];
}

const rarityIn = (size: number, holding: number) => Math.log(1 + (size - holding + 0.5) / (holding + 0.5));

/** How well a unit speaks of an asked term, 0 to 1. */
function speaksOf(unit: Unit, { standIns, isTold, written }: Wanted): number {
  if (written) return written.test(unit.text) ? 1 : written.test(unit.heading) ? inHeading : 0;
  let best = !unit.cells && isTold?.(unit.text) ? whenTold : 0;
  for (const [term, worth] of standIns) {
    const place = unit.terms.has(term)
      ? 1
      : unit.answers.has(term)
        ? inQuestion
        : unit.under.has(term)
          ? unit.cells
            ? 0.9
            : inHeading
          : unit.about.has(term)
            ? inTitle
            : unit.before?.terms.has(term)
              ? inSentenceBefore
              : unit.before?.before?.terms.has(term)
                ? inSentenceBefore / 2
                : 0;
    best = Math.max(best, place * worth);
  }
  return best;
}

type Standing = { fits: number; standing: number };

/** What a unit is worth besides its terms, found once for each: how it fits, what stands together in it, its place and length. */
function standingOf(unit: Unit, asked: Asked, known: Map<Unit, Standing>): Standing {
  const found = known.get(unit);
  if (found) return found;
  const shared =
    asked.pairs.size === 0 ? 0 : pairsIn(unit.text).filter((pair) => asked.pairs.has(pair)).length;
  const together = 1 + neighbours * Math.min(maxNeighbours, shared);
  // Who asks what is done is not told by what is not.
  const denied = !asked.isDenied && asked.kind !== "yesNo" && isDenied(unit.text) ? 0.85 : 1;
  const length = 1 + 0.02 * Math.max(0, unit.terms.size - 14);
  const fits = fitIn(unit, asked);
  // Passages come best first.
  const rule = asked.asksRule && !isRule(unit.text) ? 0.85 : 1;
  const place = 1 - 0.03 * Math.min(10, Math.floor(unit.order / 10_000));
  const one = { fits, standing: (fits * place * together * denied * rule) / length };
  known.set(unit, one);
  return one;
}

/** New terms count fully, terms that an earlier quote already covers a little; long sentences pay for their length. */
function bestOf(
  units: Unit[],
  chosen: Scored[],
  asked: Asked,
  wanted: Wanted[],
  covered: ReadonlySet<string>,
  known: Map<Unit, Standing>,
): Scored | undefined {
  let best: Scored | undefined;
  for (const unit of units) {
    if (
      chosen.some(
        ({ unit: other }) => other.text === unit.text || (unit.answer && other.answer === unit.answer),
      )
    )
      continue;
    let covers = 0;
    let fresh = 0;
    let misses = 1;
    const met = new Set<string>();
    for (const one of wanted) {
      const worth = speaksOf(unit, one) * one.weight;
      covers += worth;
      if (!covered.has(one.term)) fresh += worth;
      if (worth > 0.5 * one.weight) met.add(one.term);
      else if (one.isName && worth === 0) misses *= 0.5;
    }
    covers *= misses;
    if (covers <= 0) continue;
    const { fits, standing } = standingOf(unit, asked, known);
    const gain = (fresh * misses + 0.2 * (covers - fresh * misses)) * standing;
    if (gain > 0 && (!best || gain > best.gain))
      best = { unit, gain, covers: covers * (fits < 0.8 ? 0.8 : 1), met };
  }
  return best;
}

/** A sentence about the director that speaks of no salary does not tell what the director's salary is. */
function tellsAttribute(unit: Unit, wanted: Wanted[], { attribute, kind }: Asked): boolean {
  if (!["any", "howMuch"].includes(kind) || !attribute || telling(attribute) < leastTelling) return true;
  const one = wanted.find(({ term }) => term === attribute);
  return !one || speaksOf(unit, one) > 0;
}

/** A price in a document about dishwashers is not the price of the dishwasher. */
function isPriceOfIt(unit: Unit, wanted: Wanted[], { kind, measures }: Asked): boolean {
  const things = wanted.filter(({ term, isTold }) => !isTold || measures.has(term));
  return kind !== "price" || things.length === 0 || things.some((one) => speaksOf(unit, one) > inTitle);
}

/** What must stand in a quote that is asked for a moment, an amount or a number to call: nothing else answers. */
const neededKinds = new Set([
  "who",
  "when",
  "phone",
  "email",
  "price",
  "howMuch",
  "howOften",
  "howMany",
  "howLong",
]);

/** Without the kind of thing that was asked for, in it or in the answer that it is a part of, a quote is no answer. */
function holdsKind(unit: Unit, asked: Asked): boolean {
  const { cells } = unit;
  const { kind, counted } = asked;
  // Any cell may be a name or a place, but of a row that has none nobody can say that it answers.
  if (cells && ["who", "where"].includes(kind)) return fitIn(unit, asked) > anyCell;
  if (!neededKinds.has(kind)) return true;
  const isExact = ["phone", "email"].includes(kind) || (kind === "price" && !cells) || counted !== undefined;
  return fitIn(unit, asked) > (isExact ? 0.9 : cells ? 0.7 : 0.8);
}

/** A sentence that names whom or what is asked of, and speaks of nothing else that is asked, says nothing of it. */
function saysOfNames(unit: Unit, wanted: Wanted[]): boolean {
  const things = wanted.filter(({ isName, isTold }) => !isName && !isTold);
  const isNamed = wanted.some(({ isName }) => isName);
  return !isNamed || things.length === 0 || things.some((one) => speaksOf(unit, one) > inTitle);
}

/** Whether it holds a kind of thing that not every sentence holds. */
function isOfKind(unit: Unit, asked: Asked): boolean {
  return (
    ["who", "when", "phone", "email", "price", "howMuch", "howOften", "howMany", "howLong"].includes(
      asked.kind,
    ) && fitIn(unit, asked) === 1
  );
}

/** How well it holds the kind of thing that was asked for; any cell may be a name or a place. */
function fitIn(unit: Unit, asked: Asked): number {
  const { kind } = asked;
  const { cells, text } = unit;
  if (kind === "howMany" && asked.counted) return countsIn(text, asked.counted) ? 1 : 0.9 * fitOf(kind, text);
  if (!cells) return kind === "when" && isDated(unit) ? 1 : fitOf(kind, text);
  if (!["who", "where"].includes(kind)) return Math.max(...cells.map((cell) => fitOf(kind, saidIn(cell))));
  return Math.max(anyCell, ...cells.flatMap(({ column, text }) => [fitOf(kind, column), fitOf(kind, text)]));
}

/** Whether a number stands right before what is counted: "14 accidents", "26 paid days". */
function countsIn(text: string, counted: string): boolean {
  return [...text.matchAll(numberBefore)].some(([, behind = ""]) => {
    const next = new Set(meaningfulTerms(behind));
    return standIns(counted, next).size > 0;
  });
}

/** Rows of the same table that fit just as well: who asks for articles out of stock wants all of them. */
function withSiblings(chosen: Scored[], units: Unit[], asked: Asked, wanted: Wanted[]): Unit[] {
  const [first] = chosen;
  if (!first?.unit.cells) return chosen.map(({ unit }) => unit).sort((a, b) => a.order - b.order);
  const columns = columnsOf(first.unit);
  const alike = units.filter(
    (unit, i) =>
      unit.cells &&
      units.findIndex(({ text }) => text === unit.text) === i &&
      columnsOf(unit) === columns &&
      wanted.every((one) => Math.abs(speaksOf(unit, one) - speaksOf(first.unit, one)) < 0.01) &&
      fitIn(unit, asked) === fitIn(first.unit, asked),
  );
  return alike.length === 0 ? [first.unit] : alike.slice(0, maxRows);
}
