// Owns the conversion of vectors to half precision, IEEE 754 binary16, as pgvector's halfvec stores them.

/** A vector of length 1 in the same direction, as the bits of half-precision numbers; zeros if it has no direction. */
export function halfPrecision(vector: Float32Array): Uint16Array {
  let squares = 0;
  for (const number of vector) squares += number * number;
  if (!(squares > 0 && Number.isFinite(squares))) return new Uint16Array(vector.length);
  const length = Math.sqrt(squares);
  const unit = vector.map((number) => number / length);
  const bits = new Uint32Array(unit.buffer);
  return Uint16Array.from(bits, halfOf);
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
