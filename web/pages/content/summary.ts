// The summary of a content page, for the list of its siblings.

/** The first paragraph, as one line. Its no-break spaces stay. */
export const summaryOf = (text: string): string =>
  (/^# .+\n+((?:[^#\n].*\n?)+)/m.exec(text)?.[1] ?? "").replaceAll(/[ \t\r\n]+/g, " ").trim();
