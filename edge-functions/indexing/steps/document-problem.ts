// The error for a document that fails alone while its task continues.

/** `message` is a sentence for users and names the document. */
export class DocumentProblem extends Error {
  override readonly name = "DocumentProblem";
}
