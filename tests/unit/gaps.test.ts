// Properties of grouping: which questions form a gap, and that none moves; what counts as answered; what contradicts an answer.

import { describe, expect, test } from "vitest";
import { contradictionsIn } from "../../edge-functions/answering/disagreement.ts";
import { isAnsweredNow } from "../../edge-functions/indexing/gaps/answered-now.ts";
import { type AskedQuestion, cosine, groupQuestions } from "../../edge-functions/indexing/gaps/groups.ts";
import { reasonOf } from "../../web/pages/teams/@teamId/gaps/gap-reason.ts";
import fc from "../support/property-cases.ts";

const least = 0.6;
const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
  .filter((numbers) => numbers.some((number) => Math.abs(number) > 0.01))
  .map((numbers) => {
    const length = Math.hypot(...numbers);
    return new Float32Array(numbers.map((number) => number / length));
  });
const asked: fc.Arbitrary<AskedQuestion[]> = fc
  .array(
    fc.record({
      words: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
      vector: fc.option(vector),
      nearest: fc.option(
        fc.record({
          gapId: fc.constantFrom("G1", "G2"),
          similarity: fc.double({ min: -1, max: 1, noNaN: true }),
        }),
      ),
    }),
    { maxLength: 20 },
  )
  .map((questions) => questions.map((one, at) => ({ id: `q${at}`, ...one })));
const law = (name: string, holds: (questions: AskedQuestion[]) => void) =>
  test(name, () => fc.assert(fc.property(asked, holds), { numRuns: 500 }));

describe("grouping", () => {
  law("gives each question one gap, in their order", (questions) => {
    expect(groupQuestions(questions, least).map(({ id }) => id)).toEqual(questions.map(({ id }) => id));
  });

  law("puts the same words into one gap, with a vector or without", (questions) => {
    const gaps = groupQuestions(questions, least);
    for (const [at, one] of questions.entries())
      for (const [other, two] of questions.entries())
        if (one.words === two.words) expect(gaps[at]?.gap).toEqual(gaps[other]?.gap);
  });

  law("moves nobody for what is asked later", (questions) => {
    const all = groupQuestions(questions, least);
    const first = questions.slice(0, Math.floor(questions.length / 2));
    expect(groupQuestions(first, least)).toEqual(all.slice(0, first.length));
  });

  law("lets a gap begin with its leader, and hold what is near it", (questions) => {
    // Each with words of its own, so that only the embedding decides.
    const own = questions.map((one) => ({ ...one, words: one.id, nearest: null }));
    const gaps = new Map(groupQuestions(own, least).map(({ id, gap }) => [id, gap]));
    for (const { id, vector } of own) {
      const gap = gaps.get(id);
      if (!gap || !("leader" in gap)) throw new Error("there was no gap before");
      expect(gaps.get(gap.leader)).toEqual({ leader: gap.leader });
      const leader = own.find((one) => one.id === gap.leader);
      if (gap.leader === id) continue;
      expect(vector && leader?.vector && cosine(vector, leader.vector)).toBeGreaterThanOrEqual(least);
    }
  });

  law("keeps apart leaders that mean the same to nobody", (questions) => {
    const leaders = groupQuestions(questions, least).flatMap(({ id, gap }) =>
      "leader" in gap && gap.leader === id ? (questions.find((one) => one.id === id) ?? []) : [],
    );
    for (const [at, one] of leaders.entries())
      for (const other of leaders.slice(at + 1))
        if (one.vector && other.vector) expect(cosine(one.vector, other.vector)).toBeLessThan(least);
  });

  law("joins a gap that is there only where it is near enough", (questions) => {
    for (const { id, gap } of groupQuestions(questions, least)) {
      if (!("id" in gap)) continue;
      const one = questions.find((question) => question.id === id);
      const near = questions.filter(
        ({ words, nearest }) =>
          words === one?.words && nearest?.gapId === gap.id && nearest.similarity >= least,
      );
      expect(near.length).toBeGreaterThan(0);
    }
  });
});

describe("answered", () => {
  const outcome = { unanswered: false, state: "answered", documentIds: ["other"] };
  test.each([
    ["an answer", outcome, "unanswered", true],
    ["an answer of an agent that checks nothing", { ...outcome, state: null }, "partly", true],
    ["nothing found", { ...outcome, unanswered: true }, "unanswered", false],
    ["a part", { ...outcome, state: "partly" }, "unanswered", false],
    ["documents that disagree still", { ...outcome, state: "disagree" }, "disagree", false],
    ["the same bad answer again", outcome, "down", false],
    ["the written answer", { ...outcome, documentIds: ["other", "written"] }, "down", true],
  ])("%s", (_what, said, cause, is) => {
    expect(isAnsweredNow(said, { cause, documentId: "written" })).toBe(is);
  });
});

describe("contradictions", () => {
  const passages = [
    { content: "# Leave\n\nEmployees have 27 days of paid leave per year." },
    { content: "Employees in Lyon have 12 days of paid leave per year." },
    { content: "The canteen opens at 11:30." },
  ];
  const findContradictions = (question: string, answer: string) =>
    contradictionsIn({ question, answer }, passages).map(({ said, quote }) => [said, quote]);

  test("are other values for the same thing", () => {
    expect(findContradictions("Leave?", "Employees have 25 days of paid leave per year.")).toContainEqual([
      "Employees have 25 days of paid leave per year.",
      "Employees have 27 days of paid leave per year.",
    ]);
  });

  test("of an answer that is only a value are found by its question", () => {
    expect(
      findContradictions("How many days of paid leave do employees have per year?", "25 days."),
    ).toContainEqual(["25 days.", "Employees have 27 days of paid leave per year."]);
  });

  test("are absent when the value is the same, or the subject another", () => {
    expect(findContradictions("Leave?", "Employees have 27 days of paid leave per year.")).not.toContainEqual(
      [expect.anything(), "Employees have 27 days of paid leave per year."],
    );
    expect(findContradictions("When does the garage open?", "At 7:15.")).toEqual([]);
    expect(findContradictions("Who?", "Nobody knows.")).toEqual([]);
  });
});

test.each([
  ["missing", ["unanswered", "disagree"], "missing"],
  ["missing", ["down", "disagree"], "disagree"],
  ["missing", ["partly", "down"], "noOther"],
  ["missing", [], "missing"],
  ["notFound", ["disagree"], "notFound"],
] as const)(
  "a gap whose text is %s, with questions that are %j, is said to be %s",
  (reason, causes, said) => {
    const examples = causes.map((cause) => ({ cause }) as Parameters<typeof reasonOf>[0]["examples"][number]);
    expect(reasonOf({ reason, examples })).toBe(said);
  },
);
