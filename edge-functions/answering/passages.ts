// Owns which of the passages that search found go before the model, and why the others do not. Pure.
import { passageTokens, promptBudget } from "./prompt.ts";
import type { Hit } from "./retrieve.ts";

type DropReason = "unrelated" | "belowMinScore" | "duplicate" | "overTopK" | "overBudget";

export type Candidate = Hit & {
  /** The number of a kept passage in the prompt, from 1; null for a dropped one. */
  index: number | null;
  /** Null for a kept one. */
  dropped: DropReason | null;
};

export type KeptPassage = Hit & { index: number };

/** Below this, not even the best passage shares anything telling with the question. */
export const leastScore = 0.1;
/** The built-in model quotes or says that nothing fits, so that it may see what is far off. */
export const leastScoreOffline = 0.03;

/** @param hits best first @returns all of them, in that order */
export function choosePassages(
  hits: Hit[],
  {
    topK,
    minScore,
    least = leastScore,
    budget = promptBudget.passages,
  }: { topK: number; minScore: number; least?: number; budget?: number },
): Candidate[] {
  const seen = new Set<string>();
  let kept = 0;
  let left = budget;
  const reasonAgainst = (hit: Hit, text: string): DropReason | null => {
    if (hit.score < least) return "unrelated";
    if (hit.score < minScore) return "belowMinScore";
    if (seen.has(text)) return "duplicate";
    if (kept >= topK) return "overTopK";
    // Counted only of those that may be kept: most of what search proposes is not.
    const tokens = passageTokens(hit);
    // The best passage always goes in, however long: an answer from its whole beats none.
    if (tokens > left && kept > 0) return "overBudget";
    left -= tokens;
    return null;
  };
  return hits.map((hit) => {
    const text = hit.content.replace(/\s+/g, " ").trim().toLowerCase();
    const dropped = reasonAgainst(hit, text);
    seen.add(text);
    if (dropped) return { ...hit, index: null, dropped };
    kept += 1;
    return { ...hit, index: kept, dropped };
  });
}

export function keptPassages(candidates: Candidate[]): KeptPassage[] {
  return candidates.flatMap(({ dropped: _none, index, ...hit }) =>
    index === null ? [] : [{ ...hit, index }],
  );
}
