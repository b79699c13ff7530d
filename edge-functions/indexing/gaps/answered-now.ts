// Owns whether a question that is asked again is answered now. Pure.

/** What an agent said to it. */
export type Outcome = { unanswered: boolean; state: string | null; documentIds: string[] };

/**
 * An answer that its passages support, as far as anybody checked. A question whose reply was bad although it had passages is
 * answered by the written answer alone.
 */
export function isAnsweredNow(
  { unanswered, state, documentIds }: Outcome,
  { cause, documentId }: { cause: string; documentId: string },
): boolean {
  if (unanswered || !(state === null || state === "answered" || state === "unchecked")) return false;
  return cause === "unanswered" || cause === "partly" || documentIds.includes(documentId);
}
