// Owns how deeply JSON from outside may be nested. Does not parse it.

/** Deeper than anything that a client has to say; Postgres and JSON.stringify recurse once for every level. */
const maxJsonDepth = 200;

const quote = 0x22;
const backslash = 0x5c;
const openings = new Set([0x5b, 0x7b]);
const closings = new Set([0x5d, 0x7d]);

/** Whether a JSON text opens more arrays and objects inside each other than `maxJsonDepth`. Linear, without recursion. */
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
