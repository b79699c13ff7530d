// Owns whether a reply states the value that a candidate question asks for, cited from its document. Pure.
import { fold } from "../../answering/words.ts";
import type { Candidate } from "./candidate.ts";

/** A suggestion has to be readable at a glance. */
const longestAnswer = 600;

export function answersCandidate(
  { fact, documentId }: Candidate,
  reply: { answer: string; citations: { documentId: string }[] },
): boolean {
  const plain = (text: string) => fold(text).replace(/[\s.,'’]+/g, "");
  return (
    reply.answer.length <= longestAnswer &&
    reply.citations.some((citation) => citation.documentId === documentId) &&
    plain(reply.answer).includes(plain(fact))
  );
}
