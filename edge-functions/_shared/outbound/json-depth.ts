// Owns the nesting limit of JSON from outside. Does not parse it.

/** Deeper than any legitimate request. Postgres and JSON.stringify recurse once per level. */
const maxJsonDepth = 200;

const quote = 0x22;
const backslash = 0x5c;
const openings = new Set([0x5b, 0x7b]);
const closings = new Set([0x5d, 0x7d]);

/** True when a JSON text nests arrays and objects deeper than `maxJsonDepth`. Linear, without recursion. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (openings.has(code)) {
      depth++;
      if (depth > maxJsonDepth) return true;
    } else if (closings.has(code)) depth--;
  }
  return false;
}
