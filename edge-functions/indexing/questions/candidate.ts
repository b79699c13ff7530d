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

export type SentencePatterns = {
  /** First words that point elsewhere, and words inside that make a subject more than a name of something. */
  noSubject: RegExp;
  /** Of a sentence that holds under a condition, or not at all. */
  hedged: RegExp;
  /** Determiners, which begin a subject in capitals only at the head of a sentence. */
  determiner: RegExp;
  /** Each with the parts of its match as named groups; null where it makes no question after all. */
  rules: { form: RegExp; ask(parts: Record<string, string>, subject: string): string | null }[];
};

/** A subject: two to eight words without punctuation. What it must not be, noSubject says. */
const subjectForm = String.raw`(?<subject>\p{L}[\p{L}\p{N}'’/]*(?:[ -][\p{L}\p{N}'’/]+){0,7}?)`;

/** A pattern in which {SUBJECT} and other names in braces stand for parts of it. */
export function form(pattern: string, parts: Record<string, string>): RegExp {
  const filled = Object.entries({ SUBJECT: subjectForm, ...parts }).reduce(
    (text, [name, part]) => text.replaceAll(`{${name}}`, part),
    pattern,
  );
  return new RegExp(`^${filled}`, "u");
}
