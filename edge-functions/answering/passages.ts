// Owns which passages of the search reach the model, and why the others do not. Pure.
import { passageTokens, promptBudget } from "./prompt.ts";
import type { Hit } from "./retrieve.ts";

type DropReason = "unrelated" | "belowMinScore" | "duplicate" | "overTopK" | "overBudget";

export type Candidate = Hit & {
  /** The number of a kept passage in the prompt, from 1; null for a dropped one. */
  index: number | null;
  /** Null for a kept passage. */
  dropped: DropReason | null;
};

export type KeptPassage = Hit & { index: number };

/** Below this score, even the best passage shares nothing distinctive with the question. */
export const leastScore = 0.1;
/** Lower, since the built-in model only quotes or says that nothing fits. */
export const leastScoreOffline = 0.03;

/** Runs of white space that are not a single space already: replacing every space takes half as long again. */
const otherSpace = / \s+|[^\S ]\s*/g;

/** @param hits best first @returns all of them in that order */
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
  const reasonAgainst = (hit: Hit): DropReason | null => {
    if (hit.score < least) return "unrelated";
    if (hit.score < minScore) return "belowMinScore";
    // Before its text is read: of 50 candidates most are dropped here.
    if (kept >= topK) return "overTopK";
    const text = hit.content.replace(otherSpace, " ").trim().toLowerCase();
    if (seen.has(text)) return "duplicate";
    seen.add(text);
    // Counted only for passages that may be kept: most candidates are not.
    const tokens = passageTokens(hit);
    // The best passage is always kept, whatever its length: an answer from it beats none.
    if (tokens > left && kept > 0) return "overBudget";
    left -= tokens;
    return null;
  };
  return hits.map((hit) => {
    const dropped = reasonAgainst(hit);
    if (dropped) return { ...hit, index: null, dropped };
    kept += 1;
    return { ...hit, index: kept, dropped };
  });
}

/** The best of those that are left because the model gets no more, numbered behind the kept ones. */
export function furtherPassages(candidates: Candidate[], most: number): KeptPassage[] {
  const kept = candidates.filter(({ dropped }) => dropped === null).length;
  return candidates
    .filter(({ dropped }) => dropped === "overTopK")
    .slice(0, most)
    .map(({ dropped: _overTopK, ...hit }, at) => ({ ...hit, index: kept + at + 1 }));
}

/** The candidates, where further passages that a reply cites are kept ones too. */
export function withCited(candidates: Candidate[], cited: KeptPassage[]): Candidate[] {
  const indexes = new Map(cited.map(({ chunkId, index }) => [chunkId, index]));
  return candidates.map((one) => {
    const index = one.index === null ? indexes.get(one.chunkId) : undefined;
    return index === undefined ? one : { ...one, index, dropped: null };
  });
}

export function keptPassages(candidates: Candidate[]): KeptPassage[] {
  return candidates.flatMap(({ dropped: _none, index, ...hit }) =>
    index === null ? [] : [{ ...hit, index }],
  );
}
