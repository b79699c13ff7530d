// Owns which bytes of an object a request asks for (RFC 9110, section 14). Pure. As S3 does behind hosted Supabase: one range; several
// at once, and what is no range, get the whole object.

/** What the object is now. */
export interface Representation {
  size: number;
  eTag: string;
  lastModified: Date;
}

export interface RangeHeaders {
  range: string | null;
  ifRange: string | null;
}

/** Of bytes, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** @returns undefined: the whole object; "unsatisfiable": the object has none of these bytes */
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

/** Whether the rest that is asked for is of the same bytes as what the client has. */
function isOf(ifRange: string | null, { eTag, lastModified }: Representation): boolean {
  if (ifRange === null) return true;
  // A weak tag is never the same, and a date is whole seconds.
  if (/^(?:W\/)?"/.test(ifRange)) return ifRange === eTag;
  return Date.parse(ifRange) === Math.floor(lastModified.getTime() / 1000) * 1000;
}
