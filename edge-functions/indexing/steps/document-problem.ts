// The error for a document that fails alone, while the rest of its task goes on.

/** `message` is a sentence for people and names the document. */
export class DocumentProblem extends Error {
  override readonly name = "DocumentProblem";
}
