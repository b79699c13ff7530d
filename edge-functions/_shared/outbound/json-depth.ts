// Owns the limits of JSON from outside: how deep it may be nested, and how many values it may hold.

/** Deeper than any legitimate request. Postgres and JSON.stringify recurse once per level. */
const maxJsonDepth = 200;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openings = new Set([0x5b, 0x7b]);
const closings = new Set([0x5d, 0x7d]);

/** True when a JSON text nests arrays and objects deeper than `maxJsonDepth`. */
export const isTooDeep = (text: string): boolean => isBeyond(text, Infinity);

/**
 * Parses JSON of a service, a model or an archive. An empty object takes thirty times the memory of its three characters.
 * @param mostValues elements, fields, arrays and objects on all levels
 * @throws SyntaxError, also for JSON that is nested too deeply or holds too many values
 */
export function parseForeignJson(text: string, mostValues: number): unknown {
  return parse(text, mostValues);
}

/** Escapes of NUL and of halves of a pair, which Postgres cannot store. Whole pairs may be escaped, too. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** As parseForeignJson(), with texts that Postgres can store: NUL is dropped, half a pair becomes the replacement character. */
export function parseStorableJson(text: string, mostValues: number): unknown {
  return parse(text, mostValues, unstorable.test(text) ? storable : undefined);
}

const storable = (_key: string, value: unknown) =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;

function parse(text: string, mostValues: number, revive?: typeof storable): unknown {
  if (isBeyond(text, mostValues))
    throw new SyntaxError("the JSON is nested too deeply, or holds too many values");
  return JSON.parse(text, revive);
}

/** Linear, without recursion. */
function isBeyond(text: string, mostValues: number): boolean {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === comma) values++;
    else if (openings.has(code)) {
      depth++;
      values++;
      if (depth > maxJsonDepth) return true;
    } else if (closings.has(code)) depth--;
    if (values > mostValues) return true;
  }
  return false;
}
