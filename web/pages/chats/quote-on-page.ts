// Finds a quote among the text runs of a rendered page, in whatever order a PDF draws them. Pure.

/** A part of one run, between two UTF-16 offsets. */
export interface QuotedPiece {
  piece: number;
  start: number;
  end: number;
}

interface Letters {
  /** Letters and digits alone: spaces, hyphens, accents and ligatures vary. */
  text: string;
  /** The start offset of each letter's character in the run. */
  at: number[];
  /** And its end offset. */
  ends: number[];
}

/** Limit of start positions to try: a page may contain the first words of a quote many times. */
const MOST_TRIES = 2_000;

function lettersOf(text: string): Letters {
  let letters = "";
  const at: number[] = [];
  const ends: number[] = [];
  let offset = 0;
  for (const character of text) {
    for (const letter of character
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "")) {
      letters += letter;
      for (let unit = 0; unit < letter.length; unit++) {
        at.push(offset);
        ends.push(offset + character.length);
      }
    }
    offset += character.length;
  }
  return { text: letters, at, ends };
}

/**
 * The parts of the runs that make up the quote, in its order; [] when there is no match.
 * @param pieces as pdf.js returns them: text runs in drawing order
 */
export function quoteOnPage(pieces: string[], quote: string): QuotedPiece[] {
  const wanted = lettersOf(quote).text;
  if (wanted === "") return [];
  const all = pieces.map(lettersOf);
  let tries = 0;

  /** Matches the rest of the quote in unused runs, first those that are drawn next. */
  function follow(from: number, after: number, used: Set<number>): QuotedPiece[] | null {
    if (from === wanted.length) return [];
    for (let step = 1; step <= all.length; step++) {
      const piece = (after + step) % all.length;
      const { text } = all[piece] ?? { text: "" };
      if (text === "" || used.has(piece)) continue;
      const length = Math.min(text.length, wanted.length - from);
      if (!wanted.startsWith(text.slice(0, length), from)) continue;
      if (++tries > MOST_TRIES) return null;
      used.add(piece);
      const rest = follow(from + length, piece, used);
      if (rest) return [part(piece, 0, length), ...rest];
      used.delete(piece);
    }
    return null;
  }

  function part(piece: number, from: number, length: number): QuotedPiece {
    const one = all[piece];
    return { piece, start: one?.at[from] ?? 0, end: one?.ends[from + length - 1] ?? 0 };
  }

  for (const [piece, { text }] of all.entries()) {
    const whole = text.indexOf(wanted);
    if (whole >= 0) return [part(piece, whole, wanted.length)];
  }
  // The longest starts first: the end of a run that the quote starts with.
  const beginnings = all
    .flatMap(({ text }, piece) => {
      const most = Math.min(text.length, wanted.length - 1);
      return Array.from({ length: most }, (_, fewer) => most - fewer)
        .filter((length) => wanted.startsWith(text.slice(-length)))
        .map((length) => ({ piece, length, from: text.length - length }));
    })
    .sort((a, b) => b.length - a.length);
  for (const { piece, length, from } of beginnings) {
    const rest = follow(length, piece, new Set([piece]));
    if (rest) return [part(piece, from, length), ...rest];
  }
  return [];
}
