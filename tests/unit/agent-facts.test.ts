// Finding a fact in an answer: words as words, numbers, dates and times as values; and the verdict from the findings.
import { expect, test } from "vitest";
import { holdsFact } from "../../edge-functions/answering/facts.ts";
import { agreement, type Expectation, findingsOf, verdictOf } from "../../edge-functions/testing/verdict.ts";

test.each([
  ["You have **25 days** of leave [1].", "25 days"],
  ["Applies from the 31 mars 2026.", "2026-03-31"],
  ["on March 31st, 2026", "31/03/2026"],
  ["by 31 March 2026", "31 March"],
  ["It is €1,500.00 a month", "1 500 euros"],
  ["1.500 EUR", "1500 eur"],
  ["10\u202f000 people", "10000"],
  ["at 5:30 pm", "17h30"],
  ["12.5 %", "12,5 pour cent"],
  ["Congés payés", "conges PAYES"],
])("%j contains %j", (answer, fact) => expect(holdsFact(answer, fact)).toBe(true));

test.each([
  ["250 days", "25 days"],
  ["by 31 March", "31 March 2026"],
  ["25 working days", "25 days"],
  ["3 May 2026", "5 March 2026"],
  ["1,500", "1.5"],
  ["anything", "…"],
  ["", "25"],
])("%j does not contain %j", (answer, fact) => expect(holdsFact(answer, fact)).toBe(false));

const expectation = (values: Partial<Expectation>): Expectation => ({
  question: "?",
  facts: [],
  expectedDocumentId: null,
  expectedTitle: null,
  mustRefuse: false,
  ...values,
});
const said = { text: "27 days", citedDocumentIds: ["a"], unanswered: false };

test.each([
  ["passed", { facts: ["27"] }],
  ["failed", { facts: ["27", "28"] }],
  ["failed", { expectedDocumentId: "b", expectedTitle: "b.md" }],
  ["passed", { expectedDocumentId: "a", expectedTitle: "a.md" }],
  ["documentDeleted", { expectedTitle: "gone.md" }],
  ["failed", { expectedTitle: "gone.md", facts: ["28"] }],
  ["failed", { mustRefuse: true }],
] as const)("%s for %j", (verdict, values) => {
  const wanted = expectation(values as Partial<Expectation>);
  expect(verdictOf(wanted, findingsOf(wanted, said))).toBe(verdict);
});

test("two votes that agree decide; one alone, or a tie, decides nothing", () => {
  expect(agreement([true, true, false])).toBe(true);
  expect(agreement([false, null, false])).toBe(false);
  expect(agreement([true, false, null])).toBe(null);
  expect(agreement([true, null, null])).toBe(null);
  expect(agreement([null, false, null])).toBe(null);
  expect(agreement([null, null, null])).toBe(null);
  const wanted = expectation({ facts: ["28"] });
  expect(verdictOf(wanted, { facts: [null], document: null, refused: false })).toBe("undecided");
});
