// The errors for a document that fails alone while its task continues.
import type { Source } from "../connectors/connector.ts";

/** `message` is a sentence for users and names the document. */
export class DocumentProblem extends Error {
  override readonly name = "DocumentProblem";
}

/** The service that a document was listed from says that its item is gone. */
export class DocumentGone extends DocumentProblem {
  constructor(
    message: string,
    readonly source: Source,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
