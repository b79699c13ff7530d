// Owns the one error that an archive is refused with.

/** Why an archive is not taken in, in a sentence for the person who sent it. Trying again changes nothing. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
}
