// Owns concepts of texts: latent semantic analysis, by the randomised range finder of Halko, Martinsson and Tropp (2011) with three rounds
// of subspace iteration. Knows nothing of search.

/** A text's words: their numbers and weights. */
export type Weighed = { words: Int32Array; weights: Float64Array };

/** An orthonormal basis of the concepts, a row for each word. Only angles are compared, so any basis will do. */
export type Concepts = { basis: Float64Array; size: number };

const rounds = 3;

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
};
export const unit = (vector: ArrayLike<number>) => {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return Float64Array.from(vector, (value) => value / length);
};

/** @param vocabulary the number of words; `texts` number them from 0 */
export function learnConcepts(texts: Weighed[], vocabulary: number, size: number): Concepts {
  const width = Math.min(size, texts.length, vocabulary);
  let basis = startingBasis(vocabulary, width);
  for (let round = 0; round < rounds; round++) {
    const placed = new Float64Array(texts.length * width);
    for (const [i, text] of texts.entries())
      addRows(placed.subarray(i * width, (i + 1) * width), text, basis);
    orthonormalise(placed, width);
    basis = new Float64Array(vocabulary * width);
    for (const [i, { words, weights }] of texts.entries()) {
      for (const [at, word] of words.entries()) {
        const weight = weights[at] ?? 0;
        for (let k = 0, to = word * width, from = i * width; k < width; k++)
          basis[to + k] = (basis[to + k] as number) + weight * (placed[from + k] as number);
      }
    }
  }
  orthonormalise(basis, width);
  return { basis, size: width };
}

/** The position of a text or a question among the concepts, with length 1; zeros when it has none of their words. */
export function placeAmong({ basis, size }: Concepts, text: Weighed): Float64Array {
  const place = new Float64Array(size);
  addRows(place, text, basis);
  return unit(place);
}

function addRows(sum: Float64Array, { words, weights }: Weighed, basis: Float64Array): void {
  const width = sum.length;
  for (let at = 0; at < words.length; at++) {
    const weight = weights[at] as number;
    for (let k = 0, from = (words[at] as number) * width; k < width; k++)
      sum[k] = (sum[k] as number) + weight * (basis[from + k] as number);
  }
}

/** The same numbers in every run. */
function startingBasis(rows: number, width: number): Float64Array {
  let state = 1;
  return Float64Array.from({ length: rows * width }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

/** Orthonormal columns, by the Cholesky factor of their products; a dependent column becomes zeros. */
function orthonormalise(matrix: Float64Array, width: number): void {
  const products = new Float64Array(width * width);
  for (let row = 0; row < matrix.length; row += width) {
    for (let i = 0; i < width; i++) {
      const value = matrix[row + i] as number;
      if (value === 0) continue;
      for (let j = i; j < width; j++)
        products[i * width + j] = (products[i * width + j] as number) + value * (matrix[row + j] as number);
    }
  }
  // Upper triangle R with RᵀR = products, in place.
  for (let i = 0; i < width; i++) {
    const before = products[i * width + i] as number;
    for (let k = 0; k < i; k++) {
      const factor = products[k * width + i] as number;
      if (factor === 0) continue;
      for (let j = i; j < width; j++)
        products[i * width + j] =
          (products[i * width + j] as number) - factor * (products[k * width + j] as number);
    }
    const left = products[i * width + i] as number;
    const root = left > 1e-11 * before ? Math.sqrt(left) : 0;
    for (let j = i; j < width; j++)
      products[i * width + j] = root ? (products[i * width + j] as number) / root : 0;
  }
  for (let row = 0; row < matrix.length; row += width) {
    for (let i = 0; i < width; i++) {
      const root = products[i * width + i] as number;
      const value = root ? (matrix[row + i] as number) / root : 0;
      matrix[row + i] = value;
      if (value === 0) continue;
      for (let j = i + 1; j < width; j++)
        matrix[row + j] = (matrix[row + j] as number) - value * (products[i * width + j] as number);
    }
  }
}
