// Owns which alternative texts describe a picture. Programs fill in names, addresses and guesses that say nothing. Pure.
import { either } from "../../_shared/language/rules.ts";
import { oneLine } from "./text-builder.ts";

const named = new RegExp(
  String.raw`^(?:${either(({ documents }) => documents?.picture)}|bild|grafik|imagen|immagine)?[\s\d()#:.-]*$`,
  "iu",
);
const guessed = new RegExp(
  either(({ documents }) => documents?.pictureGuess),
  "iu",
);
const address = /^\S+$|^(?:[a-z]+:|[a-z]:\\|\\\\)|\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|[ew]mf|heic)$/i;
/** A longer text is a document of its own. */
const longest = 2_000;

/** An alternative text on one line; "" unless somebody described the picture. */
export function describePicture(alternative: string): string {
  const text = oneLine(alternative.slice(0, longest));
  return named.test(text) || guessed.test(text) || address.test(text) ? "" : text;
}
