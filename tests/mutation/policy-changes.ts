// What can be wrong with a policy: each of its conditions is taken away, or made true or false, or asks for another permission. Reads the
// expressions as Postgres prints them, with brackets around each part. Runs nothing.

/** Everybody in a team holds the one, its owner alone the other. */
const PERMISSIONS = ["agents.read", "team.delete"];

/** What stands between the bracket at `start` and its other one, those included. */
function bracketed(text: string, start: number): string {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === "(") depth++;
    else if (letter === ")" && --depth === 0) return text.slice(start, at + 1);
  }
  throw new Error(`A bracket without its other one: ${text.slice(start, start + 80)}`);
}

/** The parts that AND or OR joins at the top of what stands in brackets; one part where nothing does. */
function partsOf(inner: string): { parts: string[]; joint: string } {
  const parts: string[] = [];
  let joint = "";
  let begin = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === "(") {
      at += bracketed(inner, at).length - 1;
      continue;
    }
    const [word] = /^ (?:AND|OR) /.exec(inner.slice(at, at + 5)) ?? [];
    if (!word) continue;
    parts.push(inner.slice(begin, at));
    joint = word;
    begin = at + word.length;
  }
  return { parts: [...parts, inner.slice(begin)], joint };
}

/** Every expression that is this one without one of its conditions, with that condition. */
function withoutOne(expression: string): { changed: string; what: string }[] {
  const found: { changed: string; what: string }[] = [];
  for (let at = expression.indexOf("("); at >= 0; at = expression.indexOf("(", at + 1)) {
    const whole = bracketed(expression, at);
    const { parts, joint } = partsOf(whole.slice(1, -1));
    if (parts.length < 2) continue;
    for (const [index, part] of parts.entries()) {
      const rest = parts.filter((_, other) => other !== index).join(joint);
      const changed = `${expression.slice(0, at)}(${rest})${expression.slice(at + whole.length)}`;
      found.push({ changed, what: `without${joint}${part.replace(/\s+/g, " ")}` });
    }
  }
  return found;
}

/** @returns other expressions, each with what is other about it; none that is the same */
export function changesOf(expression: string): { changed: string; what: string }[] {
  const permissions = [...expression.matchAll(/teams_with\('([\w.]+)'/g)].flatMap(
    ({ 1: permission = "", index }) =>
      PERMISSIONS.map((other) => ({
        changed:
          expression.slice(0, index) + expression.slice(index).replace(`'${permission}'`, `'${other}'`),
        what: `${other} in place of ${permission}`,
      })),
  );
  const whole = ["true", "false"].map((changed) => ({ changed, what: changed }));
  return [...whole, ...withoutOne(expression), ...permissions].filter(
    ({ changed }) => changed !== expression,
  );
}
