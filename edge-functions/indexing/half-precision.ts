// Owns the conversion of vectors to half precision, IEEE 754 binary16, as pgvector's halfvec sends and receives them.

const single = new Float32Array(1);
const bitsOfSingle = new Uint32Array(single.buffer);

/**
 * Writes a vector of length 1 in the same direction as half-precision numbers, the highest byte first; zeros if it has no direction. Fills
 * `into` without arrays of its own: these took longer than the numbers.
 * @returns the offset behind it
 */
export function writeHalves(into: Uint8Array, vector: Float32Array, offset: number): number {
  let squares = 0;
  for (const number of vector) squares += number * number;
  const end = offset + 2 * vector.length;
  if (!(squares > 0 && Number.isFinite(squares))) {
    into.fill(0, offset, end);
    return end;
  }
  const length = Math.sqrt(squares);
  let at = offset;
  for (const number of vector) {
    single[0] = number / length;
    const half = halfOf(bitsOfSingle[0] ?? 0);
    into[at++] = half >>> 8;
    into[at++] = half;
  }
  return end;
}

/** Rounds a single-precision number of at most 1, given and returned as bits, to the nearest half-precision one, ties to even. */
function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  const fraction = bits & 0x7fffff;
  if (exponent > 0) return sign | roundOff((exponent << 23) | fraction, 13);
  // Below 2^-14 the digits are counted from a fixed place, and below 2^-25 none is left.
  return exponent < -10 ? sign : sign | roundOff(0x800000 | fraction, 14 - exponent);
}

function roundOff(bits: number, places: number): number {
  const half = (1 << (places - 1)) - 1;
  return (bits + half + ((bits >>> places) & 1)) >>> places;
}
