// Where a quote stands among the pieces of text of a drawn page, whatever order a PDF draws them in. Pure.

/** A part of one piece: from one UTF-16 offset to another. */
export interface QuotedPiece {
  piece: number;
  start: number;
  end: number;
}

interface Letters {
  /** Letters and digits alone: spaces, hyphens, accents and ligatures are written in many ways. */
  text: string;
  /** Where in the piece the character of each letter begins. */
  at: number[];
  /** And where it ends. */
  ends: number[];
}

/** Beginnings that are tried: a page may hold the first words of a quote many times. */
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
 * The parts of the pieces that make up the quote, in its order; [] where they do not.
 * @param pieces as pdf.js gives them: runs of a line, in the order in which they are drawn
 */
export function quoteOnPage(pieces: string[], quote: string): QuotedPiece[] {
  const wanted = lettersOf(quote).text;
  if (wanted === "") return [];
  const all = pieces.map(lettersOf);
  let tries = 0;

  /** From a place in the quote on, in pieces that are not used yet: the next that are drawn first. */
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
  // The longest beginnings first: the end of a piece that the quote begins with.
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
