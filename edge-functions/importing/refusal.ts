// Owns the error for a rejected archive.

/** Why an archive is rejected, as a sentence for the importing person. A retry has the same result. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
}
