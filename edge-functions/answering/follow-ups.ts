// Owns the handling of follow-ups and double questions without a model: whether a question depends on earlier ones, its form joined
// with them, its halves, and how the hits of several forms are merged. Pure.
import { either, eitherOf, wordList } from "../_shared/language/rules.ts";
import { isSmallTalk } from "./no-passage.ts";
import type { Turn } from "./prompt.ts";
import type { Hit } from "./retrieve.ts";
import { isStopWord, isTalk, stem, words } from "./words.ts";

/** "alone": complete in itself. "leaning": refers to earlier turns. "perhaps": too short to tell. */
export type Standing = "alone" | "perhaps" | "leaning";

/** Pronouns and similar words that refer to earlier turns, folded. */
const pointing = new Set(wordList(({ followUps }) => followUps?.pointing));
/** Words that begin a continuation. */
const goingOn = new Set(wordList(({ followUps }) => followUps?.goingOn));
const notPointing = eitherOf(({ followUps }) => followUps?.notPointing, "giu");
/** Words that make a question of few words a whole sentence. */
const verbs = new Set(wordList(({ followUps }) => followUps?.verbs));
const asksOnward = new RegExp(`^[\\s¿]*${either(({ followUps }) => followUps?.asksOnward)}\\b`, "iu");

/** A question with this many content words is complete in itself. */
const plainWords = 5;
/** Maximum earlier questions to join, and their maximum length together, in characters. */
const mostQuestions = 3;
export const longestForm = 2_000;

export function standingOf(question: string, history: Turn[]): Standing {
  if (!history.some(isQuestion)) return "alone";
  return leanOf(question);
}

/** A greeting before a question is no subject that it could refer to. */
const isQuestion = ({ role, content }: Turn) =>
  role === "user" && content.trim() !== "" && !isSmallTalk(content);

function leanOf(question: string): Standing {
  const said = words(question);
  const own = said.filter((word) => !isStopWord(word)).length;
  // "In London?" goes on, "who is the boss" may be a subject of its own.
  const isFragment = own === 0 || (own === 1 && !said.some((word) => verbs.has(word)));
  if (isFragment || goingOn.has(said[0] ?? "") || asksOnward.test(question)) return "leaning";
  // In a long question a pronoun more often refers to the question's own words.
  if (isPointing(question)) return own >= plainWords ? "perhaps" : "leaning";
  return own >= plainWords ? "alone" : "perhaps";
}

/** True when a word refers to something said before. */
export const isPointing = (question: string) =>
  words(question.replace(notPointing, " ")).some((word) => pointing.has(word));

/** The question joined with the earlier ones that it depends on, back to one with its own subject; null when there is nothing to add. */
export function joinedForm(question: string, history: Turn[]): string | null {
  const earlier: string[] = [];
  let left = longestForm - question.length;
  for (const { content } of history.filter(isQuestion).toReversed()) {
    const asked = content.replaceAll("\0", "").replace(/\s+/g, " ").trim();
    // The mark separates the questions for the answerer; many people type none.
    const whole = /[.?!…]$/.test(asked) ? asked : `${asked}?`;
    if (whole.length + 1 > left) break;
    left -= whole.length + 1;
    earlier.unshift(whole);
    if (earlier.length === mostQuestions || leanOf(asked) !== "leaning") break;
  }
  return earlier.length > 0 ? [...earlier, question.replace(/\s+/g, " ").trim()].join(" ") : null;
}

const joining = eitherOf(({ asks }) => asks?.joins);

/** The halves of a double question ("Where is it, and what does it cost?"); empty unless both halves have significant words. */
export function partsOf(question: string): string[] {
  const parts = question.split(joining);
  const isWhole = (part: string) => words(part).some((word) => !isStopWord(word) && !isTalk(stem(word)));
  return parts.length === 2 && parts.every(isWhole) ? parts : [];
}

/** The hits of one form of the question, and its weight. */
export type Form = { hits: Hit[]; weight: number };

/**
 * Merges the hits of two forms, best first, each scored relative to its list's best. The top hit gets the better list's best score,
 * so that hits off the subject in both lists stay low.
 */
export function fuse(forms: Form[], results: number): Hit[] {
  const best = (hits: Hit[]) => Math.max(0, ...hits.map(({ score }) => score));
  const fused = new Map<string, { hit: Hit; worth: number }>();
  for (const { hits, weight } of forms) {
    const top = best(hits);
    for (const hit of hits) {
      const known = fused.get(hit.chunkId) ?? { hit, worth: 0 };
      fused.set(hit.chunkId, { ...known, worth: known.worth + (top > 0 ? (weight * hit.score) / top : 0) });
    }
  }
  const list = [...fused.values()].sort((a, b) => b.worth - a.worth).slice(0, results);
  const scale = Math.max(...forms.map(({ hits }) => best(hits))) / (list[0]?.worth || 1);
  return list.map(({ hit, worth }) => ({ ...hit, score: worth * scale }));
}
