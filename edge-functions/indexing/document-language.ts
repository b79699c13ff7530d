// Owns language detection for documents. The n-grams take some 60 MB and a sixth of a second of CPU to load, so they load with
// the first text. That time is not counted as a hosted function's CPU: a call that counted it would load them again and again
// and never reach the work on a long text.
import { type DocumentLanguage, documentLanguages } from "../../locales/registry.ts";

/** Shorter pieces are unreliable. */
const fewLetters = 40;
/** A long text is sampled throughout: its beginning may be a form or a licence. */
const pieces = 9;
const pieceLength = 200;

let loading: Promise<typeof import("eld/extrasmall")> | undefined;

/** @returns null when the text is too short, or no more than half of it is in one of these languages */
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
