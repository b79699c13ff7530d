// Owns whether a gap's question counts as answered when it is asked again. Pure.

/** The agent's reply to the question. */
export type Outcome = { unanswered: boolean; state: string | null; documentIds: string[] };

/**
 * True for a reply that its passages support, or whose support was not checked. A question whose reply was bad despite its
 * passages also needs the new reply to cite the written answer.
 */
export function isAnsweredNow(
  { unanswered, state, documentIds }: Outcome,
  { cause, documentId }: { cause: string; documentId: string },
): boolean {
  if (unanswered || !(state === null || state === "answered" || state === "unchecked")) return false;
  return cause === "unanswered" || cause === "partly" || documentIds.includes(documentId);
}
