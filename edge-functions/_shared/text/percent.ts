// Percent-decoding of addresses from outside.

/** The decoded text; the text unchanged when its encoding is invalid, as in "100%" and in the "%E9" of Latin-1. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
