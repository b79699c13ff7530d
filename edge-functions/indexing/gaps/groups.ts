// Owns which questions form one gap: those with the same words, and those close in meaning to the question that opened the gap.
// Pure. A grouped question never moves, whatever is asked later; ./leaders.ts joins gaps that no model could compare.

export type AskedQuestion = {
  id: string;
  /** Hash that is equal for questions with the same words. */
  words: string;
  /** Unit length; null when the question could not be embedded. */
  vector: Float32Array | null;
  /** The closest stored gap, or the one with the same words (similarity 1). */
  nearest: { gapId: string; similarity: number } | null;
};

/** The question's gap: a stored one, or a new one opened by a question of the same call. */
export type Grouped = { id: string; gap: { id: string } | { leader: string } };

/**
 * Returns each question once, in order.
 * @param least minimum cosine of two questions with the same meaning
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
    // On a tie the stored gap wins, then the one opened first.
    const isNearer =
      similarity > highest || (similarity === highest && "leader" in best && best.leader === id);
    if (!isNearer) continue;
    best = { leader: leader.id };
    highest = similarity;
  }
  return best;
}

/** Both vectors have unit length. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
