// Converts the structure of reStructuredText to Markdown: headings, code, links, notes. Leaves everything else as it is. Pure.
// Source: docutils.sourceforge.io/docs/ref/rst/restructuredtext.html.
import { fence } from "../markup.ts";

const underline = /^([=\-~^"'`#*+.:_<>])\1{2,}\s*$/;
const codeDirective = /^\.\.\s+(?:code-block|code|sourcecode|literalinclude|parsed-literal|prompt|doctest)::/;
const directive = /^\.\.\s+[\w:-]+::\s*(.*)$/;

export function markdownOfRst(source: string): string {
  const lines = source.replace(/\r\n?/g, "\n").split("\n");
  const out: string[] = [];
  /** Underline characters in order of appearance: each new one is a deeper level. */
  const levels: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const heading = headingAt(lines, at);
    if (heading) {
      if (!levels.includes(heading.mark)) levels.push(heading.mark);
      out.push(`${"#".repeat(Math.min(6, levels.indexOf(heading.mark) + 1))} ${inline(heading.title)}`);
      at += heading.lines - 1;
      continue;
    }
    const isLiteral = !line.trimStart().startsWith("..") && /::\s*$/.test(line);
    if (codeDirective.test(line.trimStart()) || isLiteral) {
      if (isLiteral && line.trim() !== "::") out.push(inline(line.replace(/::\s*$/, ":")), "");
      const block = indentedBelow(lines, at);
      if (block.code) out.push(...fenceCode(block.code));
      at = block.last;
      continue;
    }
    const told = directive.exec(line);
    if (told) {
      if (told[1]) out.push(inline(told[1]));
      continue;
    }
    // Comments and targets are not displayed.
    if (/^\.\.(?:\s|$)/.test(line)) continue;
    out.push(inline(line));
  }
  return out.join("\n");
}

function headingAt(lines: string[], at: number): { title: string; mark: string; lines: number } | undefined {
  const [line = "", next = "", third = ""] = lines.slice(at, at + 3);
  const isOver = underline.test(line) && next.trim() !== "" && third.trim() === line.trim();
  if (isOver) return { title: next.trim(), mark: `over ${line[0]}`, lines: 3 };
  const isUnder = /^\S/.test(line) && !underline.test(line) && underline.test(next);
  if (isUnder && next.trim().length >= line.trim().length)
    return { title: line.trim(), mark: `under ${next[0]}`, lines: 2 };
  return undefined;
}

/** The indented block below a line, without the directive's options. */
function indentedBelow(lines: string[], at: number): { code: string; last: number } {
  const outer = indentOf(lines[at] ?? "");
  let last = at;
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) <= outer) break;
    last = next;
  }
  const below = lines.slice(at + 1, last + 1);
  const first = below.findIndex((line) => !/^\s*(?::[\w-]+:.*)?$/.test(line));
  const block = first < 0 ? [] : below.slice(first);
  // Not Math.min(...): there may be more lines than a call takes arguments.
  const inner = block.reduce(
    (least, line) => (line.trim() === "" ? least : Math.min(least, indentOf(line))),
    Number.MAX_SAFE_INTEGER,
  );
  return { code: block.map((line) => line.slice(inner)).join("\n"), last };
}

function fenceCode(code: string): string[] {
  const ticks = fence(code);
  return [ticks, code, ticks, ""];
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** Converts literals, roles and links. Only a role's name, of at most 40 characters, can match in two ways, which bounds backtracking. */
const inline = (line: string) =>
  line
    .replace(/``([^`]+)``/g, "`$1`")
    .replace(/:[\w:-]{1,40}:`([^`<]+)(?:<[^`>]*>)?`/g, (_role, text: string) => text.trim())
    .replace(/`([^`<]+)<([^`>]+)>`__?/g, (_link, text: string, to: string) => `${text.trim()} (${to})`);
