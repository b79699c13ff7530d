// Owns the short excerpt of a long text around a search hit. Pure.
import { struckWords, withoutMarkup } from "../../_shared/text/inline-markup.ts";

const shown = 180;
const before = 50;

/** The words of a query. */
export const wordsOf = (query: string): string[] => query.split(/\s+/u).filter(Boolean).slice(0, 12);

/** The word that probably occurs least often: the longest. */
export const anchorOf = (query: string): string =>
  wordsOf(query).reduce((longest, word) => (word.length > longest.length ? word : longest), "");

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** True when a text contains at least 60% of the words, ignoring their endings. The ranking also proposes texts with only one of many. */
export function hasMostWords(text: string, query: string): boolean {
  const words = wordsOf(plain(query)).map((word) => word.slice(0, Math.max(3, word.length - 2)));
  const whole = plain(text);
  return words.filter((word) => whole.includes(word)).length >= 0.6 * words.length;
}

const lineWithBar = /^.*\|.*$/gmu;
const ruleOfTable = /^\|?(?::?-{3,}:?\|)+[:-]*$/u;
const heading = /^[ \t]*#{1,6}[ \t]+(\S.*)$/gmu;

/** A line of a text; nothing of the one below the header of a Markdown table. */
const withoutRule = (line: string): string => (ruleOfTable.test(line.replace(/[ \t]/g, "")) ? "" : line);

/** One line of a text around the first of some words, or from its start; null for an empty text. */
export function excerptOf(text: string, query: string): string | null {
  const line = withoutMarkup(text.replace(lineWithBar, withoutRule).replace(heading, "$1 ·"))
    .replace(struckWords, `${struck.from}$1${struck.to}`)
    .replace(/\s+/gu, " ")
    .replace(/ ·\s*$/u, "")
    .trim();
  if (!line) return null;
  const small = line.toLowerCase();
  const anchor = anchorOf(query).toLowerCase();
  const at = Math.max(0, small.indexOf(anchor));
  const start = at <= before ? 0 : wordStart(line, at - before, at);
  const end = start + shown >= line.length ? line.length : wordEnd(line, start + shown, at + anchor.length);
  return `${start > 0 ? "… " : ""}${cutStruck(line, start, end)}${end < line.length ? " …" : ""}`;
}

/** Each stands for one end of struck words, while the excerpt is cut. */
const struck = { from: "\ue0f3", to: "\ue0f4" };

/** A part of a line, with both ends of struck words that it cuts. */
function cutStruck(line: string, start: number, end: number): string {
  const isStruckAt = (at: number) =>
    at > 0 && line.lastIndexOf(struck.from, at - 1) > line.lastIndexOf(struck.to, at - 1);
  const part = line.slice(start, end).replace(/[\ue0f3\ue0f4]/g, "~~");
  return `${isStruckAt(start) ? "~~" : ""}${part}${isStruckAt(end) ? "~~" : ""}`;
}

/** The start of the first word after `from`, or `latest` if that comes first. */
function wordStart(line: string, from: number, latest: number): number {
  const space = line.indexOf(" ", from);
  return space >= 0 && space < latest ? space + 1 : latest;
}

/** The position of the last space before `to`, never inside the hit or inside a character. */
function wordEnd(line: string, to: number, earliest: number): number {
  const space = line.lastIndexOf(" ", to);
  if (space >= earliest) return space;
  const end = Math.max(to, earliest);
  return /[\udc00-\udfff]/.test(line[end] ?? "") ? end + 1 : end;
}
