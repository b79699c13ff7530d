// Owns the few words that are shown of a long text around what was looked for. Pure.

const shown = 180;
const before = 50;

/** The words of a query, as texts are searched for them. */
export const wordsOf = (query: string): string[] => query.split(/\s+/u).filter(Boolean).slice(0, 12);

/** The word that is likeliest to stand in few places. */
export const anchorOf = (query: string): string =>
  wordsOf(query).reduce((longest, word) => (word.length > longest.length ? word : longest), "");

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Whether a text holds most of the words, whatever they end in: a ranking proposes texts that hold one of many, too. */
export function holdsMost(text: string, query: string): boolean {
  const words = wordsOf(plain(query)).map((word) => word.slice(0, Math.max(3, word.length - 2)));
  const whole = plain(text);
  return words.filter((word) => whole.includes(word)).length >= 0.6 * words.length;
}

/** Marks of Markdown that one line of text has no use for: of headings, and the line below a table's header. */
const lineMarks = /^[ \t]*(?:#{1,6}[ \t]+|\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t:-]*$)/gmu;

/** One line of a text around the first of some words, or its beginning; null of an empty one. */
export function excerptOf(text: string, query: string): string | null {
  const line = text.replace(lineMarks, "").replace(/\s+/gu, " ").trim();
  if (!line) return null;
  const small = line.toLowerCase();
  const anchor = anchorOf(query).toLowerCase();
  const at = Math.max(0, small.indexOf(anchor));
  const start = at <= before ? 0 : wordStart(line, at - before, at);
  const end = start + shown >= line.length ? line.length : wordEnd(line, start + shown, at + anchor.length);
  return `${start > 0 ? "… " : ""}${line.slice(start, end)}${end < line.length ? " …" : ""}`;
}

/** Behind the first space from a place on, if it comes early enough. */
function wordStart(line: string, from: number, latest: number): number {
  const space = line.indexOf(" ", from);
  return space >= 0 && space < latest ? space + 1 : latest;
}

/** Before the last space up to a place; never within what was found, nor within a character. */
function wordEnd(line: string, to: number, earliest: number): number {
  const space = line.lastIndexOf(" ", to);
  if (space >= earliest) return space;
  const end = Math.max(to, earliest);
  return /[\udc00-\udfff]/.test(line[end] ?? "") ? end + 1 : end;
}
