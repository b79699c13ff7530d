// Finds what a line of source code defines, in the most common languages, by pattern. Pure; parses no language.

export interface Definition {
  name: string;
  /** The columns before the definition. */
  indent: number;
}

/** Longer lines are data or generated. */
const longestLine = 300;

const modifiers = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|async|abstract|final|sealed|partial|override|virtual|inline|open|data|unsafe|extern|readonly|suspend|pub(?:\([^)]*\))?)\s+)*`;
const named = new RegExp(
  String.raw`^${modifiers}(class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|type|def|fn|func|function|fun|sub|proc)\b\*?\s*(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?([\p{L}_$][\p{L}\p{N}_$.:]*)`,
  "u",
);
const assigned = new RegExp(
  String.raw`^${modifiers}(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]*)?=>|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)`,
  "u",
);
const created =
  /^create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:function|procedure|table|view|trigger|type|index)\s+(?:if\s+not\s+exists\s+)?([\p{L}_"][\p{L}\p{N}_."]*)/iu;
/** "int main(…) {", "render() {": a name, parameters and a brace, but no keyword that takes a condition. */
const braced =
  /^(?:[\p{L}_$][\p{L}\p{N}_$<>,[\].*&:?]*\s+){0,6}[*&~#]?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;{}]*\)\s*(?:const\s*|override\s*|throws\s+[\p{L}, .]+|:\s*[^;{}]{1,80}|->\s*[^;{}]{1,80})?\{\s*$/u;
const notNames = new Set(
  "if for while switch catch return else do try with until elif match when foreach using lock synchronized function".split(
    " ",
  ),
);

/** The definition in a line, or undefined. */
export function definitionIn(line: string): Definition | undefined {
  if (line.length > longestLine) return undefined;
  const code = line.trimStart();
  const indent = line.length - code.length;
  const name =
    named.exec(code)?.[2] ?? assigned.exec(code)?.[1] ?? created.exec(code)?.[1] ?? braced.exec(code)?.[1];
  return name && !notNames.has(name) ? { name: name.replace(/[:.]+$/, ""), indent } : undefined;
}
