// Owns which questions are one gap: those with the same words, and those whose meaning is near that of the question which began it.
// Pure. Whoever was grouped stays where they are, whatever is asked later.

export type AskedQuestion = {
  id: string;
  /** The same for questions with the same words. */
  words: string;
  /** Of length 1; null where the question could not be embedded. */
  vector: Float32Array | null;
  /** Of the gaps that are there: the one with the same words (similarity 1), or the nearest. */
  nearest: { gapId: string; similarity: number } | null;
};

/** The gap that a question belongs to: one that is there, or one that begins with a question of the same call. */
export type Grouped = { id: string; gap: { id: string } | { leader: string } };

/**
 * Each question once, in their order.
 * @param least the cosine from which two questions mean the same
 */
export function groupQuestions(asked: AskedQuestion[], least: number): Grouped[] {
  const byWords = new Map<string, Grouped["gap"]>();
  const leaders: AskedQuestion[] = [];
  return asked.map((question) => {
    const gap = byWords.get(question.words) ?? gapOf(question, leaders, least);
    if ("leader" in gap && gap.leader === question.id) leaders.push(question);
    byWords.set(question.words, gap);
    return { id: question.id, gap };
  });
}

function gapOf(question: AskedQuestion, leaders: AskedQuestion[], least: number): Grouped["gap"] {
  const { id, vector, nearest } = question;
  const known = nearest && nearest.similarity >= least ? nearest : null;
  let best: Grouped["gap"] = known ? { id: known.gapId } : { leader: id };
  let highest = known ? known.similarity : least;
  for (const leader of leaders) {
    const similarity = vector && leader.vector ? cosine(vector, leader.vector) : -1;
    // Of equally near ones the gap that is there before, then the one that began first.
    const isNearer =
      similarity > highest || (similarity === highest && "leader" in best && best.leader === id);
    if (!isNearer) continue;
    best = { leader: leader.id };
    highest = similarity;
  }
  return best;
}

/** Of two vectors of length 1. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
