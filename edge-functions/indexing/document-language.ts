// Finds which of the languages that documents may be in a text is in. Its n-grams take some 60 MB and a sixth of a second of a processor to
// load, so they are loaded when the first text is looked at. A call of a hosted function does not count that as its computing: one that did
// would load them again and again, and never come to what a long text needs.
import { type DocumentLanguage, documentLanguages } from "../../locales/registry.ts";

/** In fewer letters it may be mistaken. */
const fewLetters = 40;
/** Of a long text, pieces from all over it: its beginning may be a form or a licence. */
const pieces = 9;
const pieceLength = 200;

let loading: Promise<typeof import("eld/extrasmall")> | undefined;

/** @returns null for a text that is too short to tell, or of which no more than half is in one of these languages */
export async function languageOfText(text: string): Promise<DocumentLanguage | null> {
  const told = piecesOf(text).filter((piece) => (piece.match(/\p{L}/gu)?.length ?? 0) >= fewLetters);
  if (told.length === 0) return null;
  loading ??= import("eld/extrasmall");
  const { default: detector } = await loading;
  const found = told.map((piece) => detector.detect(piece)).filter((result) => result.isReliable());
  return (
    documentLanguages.find(
      (code) => found.filter(({ language }) => language === code).length > found.length / 2,
    ) ?? null
  );
}

function piecesOf(text: string): string[] {
  if (text.length <= pieces * pieceLength) return [text];
  const step = (text.length - pieceLength) / (pieces - 1);
  const starts = Array.from({ length: pieces }, (_, i) => Math.floor(i * step));
  return starts.map((start) => text.slice(start, start + pieceLength));
}
