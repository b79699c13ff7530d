// Owns the fit of a pairwise logistic regression: weights under which the answer of each question scores more than its other sentences.

/** Strength of the pull towards zero, which keeps a rare signal's weight small. */
const pull = 0.1;
const rounds = 20;

/**
 * @param questions for each question its pairs: the signals of the answer less those of another sentence @returns a weight for each signal,
 * by Newton's method on the logistic loss, in which each question counts once
 */
export function fitPairs(questions: number[][][]): number[] {
  const size = questions[0]?.[0]?.length ?? 0;
  const at = Array.from({ length: size }, (_, i) => i);
  let weights: number[] = at.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    const slope = weights.map((weight) => pull * weight);
    const curve: number[][] = at.map((i) => at.map((j) => (i === j ? pull : 0)));
    for (const pairs of questions) {
      for (const pair of pairs) {
        const sum = pair.reduce((all, signal, i) => all + signal * (weights[i] ?? 0), 0);
        const likely = 1 / (1 + Math.exp(-sum));
        for (const i of at) {
          slope[i] = (slope[i] ?? 0) - ((1 - likely) * (pair[i] ?? 0)) / pairs.length;
          const row = curve[i] ?? [];
          const slack = (likely * (1 - likely) * (pair[i] ?? 0)) / pairs.length;
          for (const j of at) row[j] = (row[j] ?? 0) + slack * (pair[j] ?? 0);
        }
      }
    }
    const step = solve(curve, slope);
    weights = weights.map((weight, i) => weight - (step[i] ?? 0));
  }
  return weights;
}

/** Solves a positive definite system of linear equations by Gaussian elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (const [i, row] of rows.entries()) {
    const pivot = row[i] ?? 1;
    for (const [j, other] of rows.entries()) {
      if (j === i) continue;
      const share = (other[i] ?? 0) / pivot;
      for (const k of other.keys()) other[k] = (other[k] ?? 0) - share * (row[k] ?? 0);
    }
  }
  return rows.map((row, i) => (row[row.length - 1] ?? 0) / (row[i] ?? 1));
}
