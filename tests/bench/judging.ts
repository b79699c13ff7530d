// Owns the verdicts on replies to the questions of tests/bench, and their sums. Asks nothing.
import { fold, holds, type Question } from "./asking.ts";

const verdicts = ["right", "partly", "irrelevant", "refused", "not refused"] as const;
export type Verdict = (typeof verdicts)[number];
export type Judged = { content: string; citations: { title: string }[] };

const unsureOpening = /closest (?:thing )?i found|ce que j'ai trouvé de plus proche/;

/** True for a reply that cites something and does not say that it is unsure. */
export const isSureReply = ({ content, citations }: Judged) =>
  citations.length > 0 && !unsureOpening.test(fold(content));

export function judge(question: Question, { content, citations }: Judged): Verdict {
  const said = fold(content.replace(/\[\d+\]/g, ""));
  if (question.greeting) return citations.length === 0 ? "right" : "irrelevant";
  const refused = !isSureReply({ content: said, citations });
  if (question.refuse) {
    const told = question.orFacts?.every((fact) => holds(said, fact)) ?? false;
    return refused || told ? "right" : "not refused";
  }
  const facts = question.facts ?? [];
  const found = facts.filter((fact) => holds(said, fact)).length;
  if (found === facts.length) {
    return !question.from || citations.some(({ title }) => title === question.from) ? "right" : "partly";
  }
  if (found > 0) return "partly";
  return refused ? "refused" : "irrelevant";
}

export const share = (some: unknown[], all: unknown[]) =>
  `${some.length} of ${all.length} (${((100 * some.length) / Math.max(1, all.length)).toFixed(1)} %)`;

/** Prints how many of the answerable questions got each verdict, and how many of the others were refused. */
export function reportVerdicts(results: { question: Question; verdict: Verdict }[]): void {
  const answerable = results.filter(({ question }) => !question.refuse);
  const refusable = results.filter(({ question }) => question.refuse);
  for (const verdict of verdicts.slice(0, 4)) {
    const some = answerable.filter((one) => one.verdict === verdict);
    console.log(`${verdict.padEnd(12)} ${share(some, answerable)}`);
  }
  const refused = refusable.filter(({ verdict }) => verdict === "right");
  console.log(`${"unanswerable".padEnd(12)} ${share(refused, refusable)} rightly refused`);
}
