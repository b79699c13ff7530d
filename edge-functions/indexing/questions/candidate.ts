// What a question that a document could answer is made of. Whether the agent answers it is not known yet.

/** A passage as it is read for questions. */
export type Passage = { documentId: string; title: string; heading: string; content: string };

/** A table of a document, with its first rows. */
export type Table = { documentId: string; columns: string[]; rows: string[][] };

export type Candidate = {
  question: string;
  /** What an answer has to say, verbatim from the document; "" where its whole section is the answer. */
  fact: string;
  documentId: string;
};

/** What a sentence answers. */
export type Asked = Pick<Candidate, "question" | "fact">;
