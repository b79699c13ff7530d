// Owns how much of a question is compared with documents. A language model receives all of it.

/** Characters, half of them the last: of a pasted text, what is asked stands before or behind it. */
const mostCompared = 4_000;

/** A question without the middle of a very long one, whose thousands of words would hold up everybody else for seconds. */
export function withoutMiddle(question: string): string {
  if (question.length <= mostCompared) return question;
  const first = question.slice(0, mostCompared / 2);
  const last = question.slice(-mostCompared / 2);
  // A cut word would be sought as another one.
  return `${first.replace(/\S{1,30}$/, "")}\n${last.replace(/^\S{1,30}/, "")}`.toWellFormed();
}
