// Owns what an answer is worth to a test: which of what it expects is there, and the verdict of it all. Pure.
import { holdsFact } from "../answering/facts.ts";

export type Expectation = {
  question: string;
  facts: string[];
  expectedDocumentId: string | null;
  /** Of the document, kept when it is deleted. */
  expectedTitle: string | null;
  mustRefuse: boolean;
};

export type Answered = {
  text: string;
  citedDocumentIds: string[];
  /** Whether the agent has knowledge and cited none of it. */
  unanswered: boolean;
};

/** Null: undecided. */
export type Finding = boolean | null;

export type Findings = {
  /** One per fact, in order. */
  facts: Finding[];
  /** Whether the expected document is cited; null where none is expected or it was deleted. */
  document: Finding;
  refused: Finding;
};

export type Verdict = "passed" | "failed" | "undecided" | "documentDeleted";

/** What is literally there. */
export function findingsOf(expected: Expectation, answered: Answered): Findings {
  const { facts, expectedDocumentId } = expected;
  return {
    facts: facts.map((fact) => holdsFact(answered.text, fact)),
    document: expectedDocumentId ? answered.citedDocumentIds.includes(expectedDocumentId) : null,
    refused: answered.unanswered,
  };
}

export function verdictOf(expected: Expectation, { facts, document, refused }: Findings): Verdict {
  const wanted: Finding[] = expected.mustRefuse
    ? [refused]
    : [...facts, ...(expected.expectedDocumentId ? [document] : [])];
  if (wanted.includes(false)) return "failed";
  if (wanted.includes(null)) return "undecided";
  return expected.expectedTitle && !expected.expectedDocumentId ? "documentDeleted" : "passed";
}

/** What most of the votes say; null where as many say yes as no. */
export function majority(votes: Finding[]): Finding {
  const yes = votes.filter((vote) => vote === true).length;
  const no = votes.filter((vote) => vote === false).length;
  return yes === no ? null : yes > no;
}
