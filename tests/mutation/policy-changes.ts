// Owns the mutations of a policy: a condition is removed, made true or false, or uses another permission. Parses expressions as Postgres
// prints them, with brackets around each part. Runs nothing.

/** Everybody in a team has the first, only its owner the second. */
const PERMISSIONS = ["agents.read", "team.delete"];

/** The text from the bracket at `start` to its closing one, inclusive. */
function bracketAt(text: string, start: number): string {
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

/** The parts joined by AND or OR at the top of a bracket; one part without either. */
function partsOf(inner: string): { parts: string[]; joint: string } {
  const parts: string[] = [];
  let joint = "";
  let begin = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === "(") {
      at += bracketAt(inner, at).length - 1;
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

/** Every expression without one of its conditions, with that condition. */
function withoutOne(expression: string): { changed: string; what: string }[] {
  const found: { changed: string; what: string }[] = [];
  for (let at = expression.indexOf("("); at >= 0; at = expression.indexOf("(", at + 1)) {
    const whole = bracketAt(expression, at);
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

/** @returns changed expressions, each with a description of its change; none equals the original */
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
