// Owns the parsing of byte ranges (RFC 9110, section 14). Pure. As S3 does behind hosted Supabase: serves one range;
// several ranges, or an invalid one, get the whole object.

/** The current state of the object. */
export interface Representation {
  size: number;
  eTag: string;
  lastModified: Date;
}

export interface RangeHeaders {
  range: string | null;
  ifRange: string | null;
}

/** In bytes, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** @returns undefined for the whole object; "unsatisfiable" when the object has none of these bytes */
export function byteRangeOf(
  { range, ifRange }: RangeHeaders,
  object: Representation,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(range ?? "") ?? [];
  if ((!first && !last) || !isOf(ifRange, object)) return undefined;
  const { size } = object;
  const start = first ? Number(first) : Math.max(0, size - Number(last));
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1;
  if (first && last && Number(last) < start) return undefined;
  return start > end ? "unsatisfiable" : { start, end };
}

/** True when the object still has the bytes that the client already holds (If-Range). */
function isOf(ifRange: string | null, { eTag, lastModified }: Representation): boolean {
  if (ifRange === null) return true;
  // A weak ETag never matches, and an HTTP date has whole seconds.
  if (/^(?:W\/)?"/.test(ifRange)) return ifRange === eTag;
  return Date.parse(ifRange) === Math.floor(lastModified.getTime() / 1000) * 1000;
}
