// Owns the model "offline-extract": answers only with sentences and rows quoted from the numbered passages in its prompt. It reads the same
// prompt as any model. The only sentences of its own are that nothing matches, and that the quotes are the closest match.

import { either, eitherOf } from "../../../edge-functions/_shared/language/rules.ts";
import { isFormless, isPriced, isRule } from "../../../edge-functions/answering/answer-kinds.ts";
import { computedFrom, perhapsComputed } from "../../../edge-functions/answering/prompt.ts";
import { lastOf } from "../../../edge-functions/answering/question-kind.ts";
import { seatByWords } from "../../../edge-functions/answering/rereading.ts";
import { isConclusion } from "../../../edge-functions/answering/sentences.ts";
import { say } from "../../../locales/say.ts";
import { answers, defines, fitIn } from "./certainty.ts";
import {
  closestFirst,
  furtherThan,
  inFirst,
  inFurther,
  isSame,
  openingOf,
  type Scored,
  withMore,
  withOpenings,
  withStretches,
} from "./closest.ts";
import {
  isAlone,
  isBroken,
  isContested,
  isHardlyWorded,
  isHeadedElsewhere,
  isListedDenied,
  isOfDocument,
  isOneOfBounds,
  rivalsOf,
} from "./contests.ts";
import { weightOf } from "./coverage.ts";
import { editionNote, isEarlier, withoutEarlier } from "./edition-notes.ts";
import { isTold, nameOf } from "./halves.ts";
import { markEditions, passagesIn, questionIn } from "./prompt-reading.ts";
import { type Asked, isDenied, pairsIn, readQuestion } from "./question.ts";
import { type Passage, perPassage, type Unit, unitsOf } from "./reading.ts";
import { markAskedHeadings, speaksOf, type Wanted } from "./speaking.ts";
import { isNamedElsewhere } from "./subject.ts";
import { isFarFrom, isOffSubject, isUnsaidCircumstance, unnamedCountry } from "./treatment.ts";
import { weigh, weighRemotely } from "./weighing.ts";
import { columnsOf, tableOf, writeRelated, writeReply } from "./writing.ts";

export const extractModel = "offline-extract";

export type ChatMessage = { role: string; content: string };

const maxQuotes = 3;
const maxRows = 8;
/** Share of the question's weight that a quote must cover to be shown as the closest match, but for the best passages. */
const close = 0.15;
/** The number of best passages of which a quote that covers less is shown too. */
const mayBeFaint = 2;
/** Worth of a quote in another language than the question's: of two equal quotes the one in the reader's language wins. */
const foreign = 0.92;
/** Worth of a quote without a name that the question has. */
const withoutName = 0.5;
/** The maximum number of quotes of a sure reply after which no rival is added. */
const mostBeforeRivals = 2;
/** Share of the highest score from which a quote that covers more of the question is preferred. */
const asGood = 0.95;
/** The minimum that each further quote must add to the best one. */
const leastGain = 0.5;
/** Bonus for two neighbouring words of the question that are also neighbours in the unit, and how often it counts. */
const neighbours = 0.12;
const maxNeighbours = 3;
/** Worth of a sentence such as "See the guide", which refers to an answer elsewhere. */
const referral = 0.7;
/** Worth of a sentence whose beginning is in another passage, and of a title. */
const fragment = 0.7;
const conclusion = 0.85;
/** Worth of a sentence of a document of which a later edition is there too. */
const outdated = 0.8;
/** Worth of a sentence that defines the thing in question. */
const definition = 1.35;
const refersOn = new RegExp(`^\\W*${either(({ asks }) => asks?.answers.referrals)}(?!\\p{L})`, "iu");
const joining = eitherOf(({ asks }) => asks?.joins, "iu");

/**
 * @returns quotes, each with its [n], after a fixed sentence if none is a sure answer; a computed result if the prompt has one; or a fixed
 * sentence if nothing matches, or if there is no passage: an agent without a knowledge base is asked without any
 */
export function extractReply(messages: ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === "user")?.content ?? "";
  const passages = messages.flatMap((message) =>
    message.role === "assistant" ? [] : passagesIn(message.content),
  );
  const question = questionIn(last);
  markEditions(question, passages);
  const asked = readQuestion(question);
  if (passages.length === 0) return say(asked.language, "answers:noKnowledge");
  const passagesWith = (by: string) => passages.filter(({ label }) => label.trim().startsWith(by));
  const computed = passagesWith(computedFrom);
  if (computed.length > 0) return repeatResult(computed, asked);
  const guesses = passagesWith(perhapsComputed);
  const found = answersTo(
    question,
    asked,
    passages.filter((one) => !guesses.includes(one)),
  );
  if (found.every(({ quotes }) => quotes.length === 0)) return say(asked.language, "answers:nothingFits");
  const said = found.map(writeFound).join("\n\n");
  // A sentence does not tell what is the cheapest of all when a table may.
  const isLess = guesses.length > 0 && !found.some(({ quotes }) => quotes.some(({ cells }) => cells));
  if (!isLess && found.every(({ isSure, half }) => isSure || half)) return said;
  if (guesses.length > 0)
    return `${say(asked.language, "answers:closest")}\n\n${repeatResult(guesses, asked)}\n\n${said}`;
  const isForeign = found.every((one) => one.isForeign || one.quotes.length === 0);
  return `${say(asked.language, isForeign ? "answers:nothingClose" : "answers:closest")}\n\n${said}`;
}

/** True in the passage that may be among the six for its words alone. */
const isBySeat = ({ order }: Unit) => Math.floor(order / perPassage) === seatByWords;

/** isForeign: the documents have hardly a word of the question. isFaint: the best quote has hardly one, or there is none. */
type Choice = { quotes: Unit[]; related?: Unit[]; isSure: boolean; isForeign: boolean; isFaint: boolean };
/** half: the part of a double question that it is unsure of, while another one is answered. */
type Found = Choice & { asked: Asked; half?: string };

/** The quotes, below a sentence that names the half of the question that they may not answer. */
function writeFound({ quotes, related = [], asked, isSure, half }: Found): string {
  const closest = editionNote(quotes, asked.language) + writeReply(quotes, asked, !isSure);
  const more = writeRelated(related, asked, closest);
  const said = more ? `${closest}\n\n${say(asked.language, "answers:related")}\n\n${more}` : closest;
  if (!half) return said;
  const isFound = quotes.length > 0;
  const told = say(asked.language, isFound ? "answers:closestHalf" : "answers:nothingHalf", { half });
  return isFound ? `${told}\n\n${said}` : told;
}

/** Answers a double question one half after the other; the second half also uses the words of the first. */
function answersTo(question: string, asked: Asked, passages: Passage[]): Found[] {
  const answerTo = (one: Asked): Found => ({ asked: one, ...choose(one, passages) });
  const whole = answerTo(asked);
  const [earlier, last] = lastOf(question);
  const [first = "", second = "", ...more] = last.split(joining);
  if (!second || more.length > 0) return [whole];
  const halves = [first, `${first}? ${second}`].map((part) => answerTo(readQuestion(`${earlier}${part}`)));
  const sure = halves.filter(isAnswer);
  if (sure.length < 2) {
    const told = isAnswer(whole) || sure.length === 0 ? [whole] : sure;
    const shown = told.flatMap(({ quotes }) => quotes);
    const missing = halves.filter((half) => !isTold(half.asked, shown));
    if (missing.length === 0) return told;
    if (!told.every(isAnswer)) return [{ asked, ...choose(asked, passages, false) }];
    const quoted = shown.map(({ text }) => text);
    return [...told, ...missing.map((half) => unsureOf(half, half === halves[0] ? first : second, quoted))];
  }
  const quoted = new Set(sure[0]?.quotes.map(({ text }) => text));
  // A quote of the first half that recurs in the second is the best answer to both; the second half's other quotes answer nothing.
  return sure.map((one, at) =>
    at === 0 ? one : { ...one, quotes: one.quotes.some(({ text }) => quoted.has(text)) ? [] : one.quotes },
  );
}

/** The closest quotes, with the rows of their tables, and the others. */
function partsOf(shown: Unit[], closest: Unit[]): { quotes: Unit[]; related: Unit[] } {
  const isClosest = (unit: Unit) =>
    closest.some((one) => one === unit || (unit.cells && one.cells && columnsOf(one) === columnsOf(unit)));
  return { quotes: shown.filter(isClosest), related: shown.filter((unit) => !isClosest(unit)) };
}

/** @param quoted what the reply already quotes */
function unsureOf(found: Found, half: string, quoted: string[]): Found {
  const left = [...found.quotes, ...(found.related ?? [])].filter(({ text }) => !quoted.includes(text));
  return { ...found, ...partsOf(left, left.slice(0, 1)), isSure: false, half: nameOf(half) };
}

const isAnswer = ({ quotes, isSure }: Found) => isSure && quotes.length > 0;

/** The computed result, verbatim, and the rows it is based on in one table, each with the mark of its passage. */
function repeatResult(computed: Passage[], asked: Asked): string {
  const [first] = computed;
  const said = /^[^|]*/.exec(first?.text ?? "")?.[0].trim() ?? "";
  const rows = computed.flatMap((passage, at) => unitsOf(passage, at)).filter(({ cells }) => cells);
  return [`${said} [${first?.number}]`, ...(rows.length > 0 ? [tableOf(rows, asked)] : [])].join("\n\n");
}

/** Reads the passages for a question. @returns their units, the words wanted of them, and the units that have any, with their scores */
export function scoreUnits(asked: Asked, passages: Passage[]) {
  const units = passages.flatMap((passage, at) => unitsOf(passage, at, asked));
  return scoreFor(asked, units, weigh(asked, units));
}

function scoreFor(asked: Asked, units: Unit[], wanted: Wanted[]) {
  markAskedHeadings(units, wanted);
  const known = new Map<Unit, Standing>();
  const all = withoutEarlier(units.flatMap((unit) => scoreOf(unit, asked, wanted, new Set(), known) ?? []));
  const isLeft = (unit: Unit) => !isEarlier(unit) || all.some((one) => one.unit === unit);
  return { units: units.filter(isLeft), wanted, known, all };
}

/**
 * The quotes of the first passages. Unsure, it also looks at the further ones: a fact that the search has there is better listed than missed.
 * @param mayBeSure false to get the closest sentences, whatever they cover
 */
function choose(asked: Asked, passages: Passage[], mayBeSure = true): Choice {
  const first = passages.filter(({ isFurther }) => !isFurther);
  const choice = chooseAmongFirst(asked, first, mayBeSure);
  if (choice.isSure || choice.isForeign || first.length === passages.length) return choice;
  const scored = scoreUnits(asked, passages);
  const remote = weighRemotely(asked, scored.units, scored.wanted);
  const { units, wanted, all } = remote ? scoreFor(asked, scored.units, remote) : scored;
  const near = closestFirst(all, asked, wanted.length).filter(({ unit }) => unit.passage.isFurther);
  const { quotes, related = [] } = choice;
  const behind = units.filter(({ passage }) => passage.isFurther);
  const more = furtherThan([...quotes, ...related], { near, units: behind }, asked, inFurther);
  return { ...choice, related: [...related, ...more] };
}

function chooseAmongFirst(asked: Asked, passages: Passage[], mayBeSure: boolean): Choice {
  const scored = scoreUnits(asked, passages);
  const choice = chooseFrom(scored, asked, passages, mayBeSure);
  // Remote words improve an unsure reply. They make none sure, and show nothing more where hardly anything fits.
  if (choice.isSure || choice.isFaint) return choice;
  const wanted = weighRemotely(asked, scored.units, scored.wanted);
  return wanted ? chooseFrom(scoreFor(asked, scored.units, wanted), asked, passages, false) : choice;
}

function chooseFrom(
  { units, wanted, known, all }: ReturnType<typeof scoreUnits>,
  asked: Asked,
  passages: Passage[],
  mayBeSure: boolean,
): Choice {
  const valid = all.filter(({ unit }) => !isEarlier(unit));
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || isOffSubject(wanted, all, asked))
    return { quotes: [], isSure: false, isForeign: true, isFaint: true };
  const isAbroad = unnamedCountry(wanted) !== undefined;
  const chosen: Scored[] = [];
  const covered = new Set<string>();
  let isSure = true;
  const unsaid = wanted.filter((one) => isUnsaidCircumstance(one, units, asked));
  const told = total - weightOf(unsaid);
  const misses = withoutName ** unsaid.filter(({ isName }) => isName).length;
  const coversLittle = ({ covers }: Scored) => covers / misses < close * told;
  const scoresOf = () =>
    units
      .filter((unit) => !chosen.some((other) => isSame(unit, other.unit)))
      .flatMap((unit) => scoreOf(unit, asked, wanted, covered, known) ?? []);
  while (chosen.length < maxQuotes) {
    const best = bestOf(chosen.length === 0 ? all : scoresOf());
    const first = chosen[0];
    if (!best) break;
    if (!first) {
      // The search and the words put these passages first: a sentence of theirs may answer all the same.
      if (coversLittle(best) && best.unit.order >= mayBeFaint * perPassage) break;
      isSure =
        mayBeSure &&
        !isBySeat(best.unit) &&
        !isAbroad &&
        !isEarlier(best.unit) &&
        !isListedDenied(best.unit, asked) &&
        answers(best.unit, best.covers / total, wanted, asked, isAlone(best, all, passages.length)) &&
        !isHardlyWorded(best, all, wanted) &&
        !isContested(best, valid, wanted, asked, total) &&
        !isOneOfBounds(best, valid, asked) &&
        !isHeadedElsewhere(best, valid, asked) &&
        !isNamedElsewhere(best, valid, wanted, asked);
    } else if (best.gain < leastGain * first.gain || coversLittle(best)) break;
    chosen.push(best);
    for (const term of best.met) covered.add(term);
    if (!isSure) break;
  }
  const siblings = withSiblings(withAmount(chosen, units, asked), units, asked, wanted);
  const quotes = isSure ? withOpening(siblings, units, asked) : siblings;
  const [first] = chosen;
  const read = { best: first?.unit, covers: (first?.covers ?? 0) / total, units };
  const isFaint = !first || coversLittle(first);
  const isForeign = !isSure && (isFaint || isFarFrom(wanted, read, asked));
  const choice = { quotes, isSure, isForeign, isFaint };
  if (!first) return choice;
  if (isSure) return { ...choice, quotes: withMore(quotes, rivalsOf(first, valid, asked), mostBeforeRivals) };
  const near = closestFirst(all, asked, wanted.length);
  const best = isForeign ? quotes.slice(0, 1) : [...openingOf(near, all, asked), ...quotes];
  const stretches = withStretches(best, near, isForeign);
  if (isForeign) return { ...choice, quotes: withOpenings(stretches, units, asked) };
  const shown = [...stretches, ...furtherThan(stretches, { near, units }, asked, inFirst)];
  return { ...choice, ...partsOf(shown, best) };
}

/**
 * Adds the first sentence of the section when its heading is the question: "Where to park" is answered there, although a later sentence of
 * it names a place. A kind that has a form decides by itself.
 */
function withOpening(quotes: Unit[], units: Unit[], { kind }: Asked): Unit[] {
  const [first] = quotes;
  if (!first?.isHeadWhole || (kind !== "where" && !isFormless(kind))) return quotes;
  const opening = units.find(({ passage, under }) => passage === first.passage && under === first.under);
  return !opening || opening.cells || quotes.includes(opening)
    ? quotes
    : [opening, ...quotes].slice(0, maxQuotes);
}

/** For a price, adds the following sentence when only that has it: "The workshop starts at 7 pm. It costs 38 euros." */
function withAmount(chosen: Scored[], units: Unit[], { kind }: Asked): Scored[] {
  const [first, second] = chosen;
  if (!first || second || kind !== "price" || first.unit.cells || hasAmount(first.unit)) return chosen;
  const next = units.find((unit) => unit.before === first.unit && hasAmount(unit));
  return next ? [first, { ...first, unit: next }] : chosen;
}

const hasAmount = ({ text }: Unit) => /\d/.test(text) && isPriced(text);

/** True for a unit that is a link and at most two words beside it, when the question asks for no kind that a link's words may hold. */
function isLink({ text, cells }: Unit, { kind }: Asked): boolean {
  if (cells || !isFormless(kind)) return false;
  const rest = text.replace(/\[[^\]]*\]\([^()\s]*\)|https?:\S+/g, "");
  return rest.length < text.length && (rest.match(/\p{L}+/gu) ?? []).length <= 2;
}

type Standing = { fits: number; standing: number };

/** A unit's score apart from its terms, computed once per unit: its kind, neighbouring words, position and length. */
function standingOf(unit: Unit, asked: Asked, wanted: Wanted[], known: Map<Unit, Standing>): Standing {
  const found = known.get(unit);
  if (found) return found;
  const shared =
    asked.pairs.size === 0 ? 0 : pairsIn(unit.text).filter((pair) => asked.pairs.has(pair)).length;
  const together = 1 + neighbours * Math.min(maxNeighbours, shared);
  // A sentence about what is not done is a weaker answer to a question about what is done.
  const denied = !asked.isDenied && asked.kind !== "yesNo" && isDenied(unit.text) ? 0.85 : 1;
  const length = 1 + 0.02 * Math.max(0, unit.terms.size - 14);
  const fits = fitIn(unit, asked);
  const isExcluded = [...asked.measures.values()].some(({ excludes }) => excludes?.(unit.text));
  const rule = isExcluded ? 0.5 : asked.asksRule && !isRule(unit.text) ? 0.85 : 1;
  // Units of better passages score higher.
  const place = 1 - 0.03 * Math.min(10, Math.floor(unit.order / perPassage));
  const isForeign = asked.askedIn && unit.language && !unit.cells && unit.language !== asked.askedIn;
  const readable = isForeign ? foreign : 1;
  const valid = isEarlier(unit) ? outdated : 1;
  const broken = isBroken(unit) || unit.isTitle ? fragment : 1;
  const said = asked.defined.size > 0 && defines(unit, wanted, asked) ? definition : 1;
  const isReferral = isOfDocument(unit, asked) || refersOn.test(unit.text) || isLink(unit, asked);
  const own = isReferral ? referral : isConclusion(unit.text) ? conclusion : 1;
  const one = {
    fits,
    standing: (said * fits * place * together * denied * rule * readable * own * broken * valid) / length,
  };
  known.set(unit, one);
  return one;
}

/** New terms count fully, terms that an earlier quote covers a little; long sentences score less. */
function scoreOf(
  unit: Unit,
  asked: Asked,
  wanted: Wanted[],
  covered: ReadonlySet<string>,
  known: Map<Unit, Standing>,
): Scored | undefined {
  let covers = 0;
  let fresh = 0;
  let misses = 1;
  const met = new Set<string>();
  for (const one of wanted) {
    const worth = speaksOf(unit, one) * one.weight;
    covers += worth;
    if (!covered.has(one.term)) fresh += worth;
    if (worth > 0.5 * one.weight) met.add(one.term);
    else if (one.isName && worth === 0) misses *= withoutName;
  }
  covers *= misses;
  if (covers <= 0) return undefined;
  const { fits, standing } = standingOf(unit, asked, wanted, known);
  const gain = (fresh * misses + 0.2 * (covers - fresh * misses)) * standing;
  return gain > 0 ? { unit, gain, covers: covers * (fits < 0.8 ? 0.8 : 1), met } : undefined;
}

/** The one with the highest score, or of those with nearly that score the one that covers most of the question. */
function bestOf(scored: Scored[]): Scored | undefined {
  const highest = Math.max(...scored.map(({ gain }) => gain));
  const [best] = scored
    .filter(({ gain }) => gain >= asGood * highest)
    .sort((a, b) => b.covers - a.covers || b.gain - a.gain);
  return best;
}

/** Rows of the same table that match equally well: a question about articles out of stock asks for all of them. */
function withSiblings(chosen: Scored[], units: Unit[], asked: Asked, wanted: Wanted[]): Unit[] {
  const [first] = chosen;
  if (!first?.unit.cells) return chosen.map(({ unit }) => unit).sort((a, b) => a.order - b.order);
  const columns = columnsOf(first.unit);
  const alike = units.filter(
    (unit, i) =>
      unit.cells &&
      units.findIndex(({ text }) => text === unit.text) === i &&
      columnsOf(unit) === columns &&
      unit.passage.edition === first.unit.passage.edition &&
      wanted.every((one) => Math.abs(speaksOf(unit, one) - speaksOf(first.unit, one)) < 0.01) &&
      fitIn(unit, asked) === fitIn(first.unit, asked),
  );
  return alike.length === 0 ? [first.unit] : alike.slice(0, maxRows);
}
