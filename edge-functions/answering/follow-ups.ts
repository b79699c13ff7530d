// Owns what is known of a follow-up without a model: whether a question leans on what was said before, its form together with
// the questions that it leans on, and how the hits of its two forms become one list. Pure.
import { either, wordList } from "../_shared/language/rules.ts";
import type { Turn } from "./prompt.ts";
import type { Hit } from "./retrieve.ts";
import { isStopWord, words } from "./words.ts";

/** "alone": says all that it is about. "leaning": means something that was said before. "perhaps": too short to tell. */
export type Standing = "alone" | "perhaps" | "leaning";

/** Words that stand for others which were said before, folded. */
const pointing = new Set(wordList(({ followUps }) => followUps?.pointing));
/** What goes on from something begins with one of these. */
const goingOn = new Set(wordList(({ followUps }) => followUps?.goingOn));
const asksOnward = new RegExp(`^[\\s¿]*${either(({ followUps }) => followUps?.asksOnward)}\\b`, "iu");

/** A question with so many words of its own says what it is about. */
const plainWords = 5;
/** The earlier questions that one may lean on, and how long all of them may be together, in characters. */
const mostQuestions = 3;
export const longestForm = 2_000;

export function standingOf(question: string, history: Turn[]): Standing {
  if (!history.some(({ role }) => role === "user")) return "alone";
  return leanOf(question);
}

function leanOf(question: string): Standing {
  const said = words(question);
  const own = said.filter((word) => !isStopWord(word)).length;
  if (own <= 1 || goingOn.has(said[0] ?? "") || asksOnward.test(question)) return "leaning";
  if (said.some((word) => pointing.has(word))) return "leaning";
  return own >= plainWords ? "alone" : "perhaps";
}

/** A question behind the earlier ones that it leans on, back to one that stands alone; null where there is nothing to add. */
export function joinedForm(question: string, history: Turn[]): string | null {
  const earlier: string[] = [];
  let left = longestForm - question.length;
  for (const { role, content } of history.toReversed()) {
    if (role !== "user" || content.trim() === "") continue;
    const asked = content.replaceAll("\0", "").replace(/\s+/g, " ").trim();
    if (asked.length + 1 > left) break;
    left -= asked.length + 1;
    earlier.unshift(asked);
    if (earlier.length === mostQuestions || leanOf(asked) === "alone") break;
  }
  return earlier.length > 0 ? [...earlier, question.replace(/\s+/g, " ").trim()].join(" ") : null;
}

/** Of the words that are plainly the question's own and of those that were put with them, which counts for how much. */
export type Form = { hits: Hit[]; weight: number };

/**
 * One list of the hits of two forms, best first: a hit is worth its share of each list's best score. The best of them has the
 * better list's best score, so that what is off the subject in both scores low.
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
