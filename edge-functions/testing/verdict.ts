// Owns the verdict of a test: which expectations an answer meets. Pure.
import { holdsFact } from "../answering/facts.ts";

export type Expectation = {
  question: string;
  facts: string[];
  expectedDocumentId: string | null;
  /** The document's title, kept when the document is deleted. */
  expectedTitle: string | null;
  mustRefuse: boolean;
};

export type Answered = {
  text: string;
  citedDocumentIds: string[];
  /** True when the agent has a knowledge base and cited none of it. */
  unanswered: boolean;
};

/** Null: undecided. */
export type Finding = boolean | null;

export type Findings = {
  /** One per fact, in order. */
  facts: Finding[];
  /** True when the expected document is cited; null when none is expected or it was deleted. */
  document: Finding;
  refused: Finding;
};

export type Verdict = "passed" | "failed" | "undecided" | "documentDeleted";

/** Checks the expectations literally. */
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

/** What at least two of the three votes say; null if no two usable votes agree. */
export function agreement(votes: Finding[]): Finding {
  return [true, false].find((said) => votes.filter((vote) => vote === said).length >= 2) ?? null;
}
