// The types of candidate questions that a document could answer. Whether the agent answers them is not known yet.

/** A passage to find questions in. */
export type Passage = { documentId: string; title: string; heading: string; content: string };

/** A document's table, with its first rows. */
export type Table = { documentId: string; columns: string[]; rows: string[][] };

export type Candidate = {
  question: string;
  /** The text that an answer has to contain, verbatim from the document; "" when the answer is the whole section. */
  fact: string;
  documentId: string;
};

/** A question, and the fact that answers it. */
export type Asked = Pick<Candidate, "question" | "fact">;
