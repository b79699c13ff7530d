// Follow-up questions: which ones depend on the conversation, and the query that is searched for them.
import { describe, expect, test } from "vitest";
import {
  fuse,
  joinedForm,
  longestForm,
  partsOf,
  standingOf,
} from "../../edge-functions/answering/follow-ups.ts";
import type { Turn } from "../../edge-functions/answering/prompt.ts";
import type { Hit } from "../../edge-functions/answering/retrieve.ts";

const user = (content: string): Turn => ({ role: "user", content });
const agent = (content: string): Turn => ({ role: "assistant", content });
const leave = "How many days of paid leave do new employees get?";
const before = [user(leave), agent("Everyone has 27 days [1].")];

describe("a question", () => {
  test.each([
    ["Who approves it?", "leaning"],
    ["And in France?", "leaning"],
    ["What about part-time employees?", "leaning"],
    ["Et pour les stagiaires ?", "leaning"],
    ["Qu'en est-il des stagiaires ?", "leaning"],
    ["Why?", "leaning"],
    ["In Lyon?", "leaning"],
    ["Where is the office?", "perhaps"],
    ["who is the boss", "perhaps"],
    ["Is there parking at the office?", "perhaps"],
    ["Est-ce que je peux venir avec mon chien ?", "perhaps"],
    ["Quand le magasin ouvre-t-il ?", "perhaps"],
    ["Quand ouvre-t-il ?", "leaning"],
    ["How long does it take to get a new badge?", "perhaps"],
    ["How long does it take?", "leaning"],
    ["Quel est son numéro ?", "leaning"],
    ["Il pleut demain, le cours est annulé ?", "perhaps"],
    ["May my daughter miss a day of school when she has a fever?", "perhaps"],
    ["When was the office opened?", "perhaps"],
    ["Which documents does the finance team need for travel expenses?", "alone"],
    ["Quels justificatifs le service comptable demande pour les frais de voyage ?", "alone"],
  ])("“%s” after another one is %s", (question, standing) => {
    expect(standingOf(question, before)).toBe(standing);
  });

  test("that comes first stands alone, whatever it says", () => {
    expect(standingOf("And in France?", [])).toBe("alone");
    expect(standingOf("And in France?", [agent("Hello, ask me anything.")])).toBe("alone");
  });

  test("after a greeting stands alone, and is not joined with it", () => {
    expect(standingOf("Where can I park?", [user("Hello!"), agent("Ask me anything.")])).toBe("alone");
    expect(joinedForm("And in France?", [user("Bonjour"), ...before, user("thank you")])).toBe(
      `${leave} And in France?`,
    );
  });
});

describe("the joined form", () => {
  test("uses the last question that stands alone, and ignores replies", () => {
    const history = [
      user("What is the notice period of a contract in Spain?"),
      agent("Two months."),
      ...before,
    ];
    expect(joinedForm("And in France?", history)).toBe(`${leave} And in France?`);
    expect(joinedForm("Who approves it?", [...history, user("And in France?"), agent("25 days.")])).toBe(
      `${leave} And in France? Who approves it?`,
    );
  });

  test("stops at the last question with a subject of its own, and marks where each question ends", () => {
    const history = [...before, user("who is the boss"), agent("Ada.")];
    expect(joinedForm("and in France", history)).toBe("who is the boss? and in France");
  });

  test("is never longer than a column holds, and is missing without an earlier question", () => {
    expect(joinedForm("And in France?", [user("x".repeat(longestForm))])).toBeNull();
    expect(joinedForm("And in France?", [agent("Hello.")])).toBeNull();
    const many = Array.from({ length: 9 }, (_, i) => user(`And ${"so ".repeat(300)}${i}?`));
    expect(joinedForm("And in France?", many)?.length).toBeLessThanOrEqual(longestForm);
  });

  test("is one line that Postgres can hold", () => {
    expect(joinedForm("And\nthen?", [user("What\0 is\n\nthis?")])).toBe("What is this? And then?");
  });
});

describe("two merged lists", () => {
  const hit = (chunkId: string, score: number) => ({ chunkId, score }) as Hit;
  const ids = (hits: Hit[]) => hits.map(({ chunkId }) => chunkId);

  test("rank what both found above what one found", () => {
    const one = { hits: [hit("a", 0.9), hit("both", 0.8)], weight: 0.5 };
    const other = { hits: [hit("b", 0.3), hit("both", 0.25)], weight: 0.5 };
    expect(ids(fuse([one, other], 10))).toEqual(["both", "a", "b"]);
    expect(ids(fuse([one, other], 1))).toEqual(["both"]);
  });

  test("follow the more confident form where they disagree", () => {
    const sure = { hits: [hit("a", 0.6)], weight: 0.7 };
    const plain = { hits: [hit("b", 0.6)], weight: 0.3 };
    expect(ids(fuse([plain, sure], 10))).toEqual(["a", "b"]);
  });

  test("keep the better list's best score, and the others' distance from it", () => {
    const fused = fuse(
      [
        { hits: [hit("a", 0.6), hit("c", 0.3)], weight: 0.5 },
        { hits: [hit("a", 0.2)], weight: 0.5 },
      ],
      9,
    );
    expect(fused.map(({ score }) => Math.round(score * 100) / 100)).toEqual([0.6, 0.15]);
  });

  test("are empty when both are, and ignore a list without scores", () => {
    expect(
      fuse(
        [
          { hits: [], weight: 0.7 },
          { hits: [], weight: 0.3 },
        ],
        10,
      ),
    ).toEqual([]);
    expect(
      fuse(
        [
          { hits: [hit("a", 0)], weight: 0.7 },
          { hits: [hit("b", 0.5)], weight: 0.3 },
        ],
        10,
      ),
    ).toMatchObject([
      { chunkId: "b", score: 0.5 },
      { chunkId: "a", score: 0 },
    ]);
  });
});

describe("two questions in one", () => {
  test.each([
    ["What is the minimum order, and when is the invoice due?", 2],
    ["Combien de congés avons-nous et quand ferme le bureau ?", 2],
    ["Who approves leave and travel?", 0],
  ])("“%s” has %i parts", (question, parts) => {
    expect(partsOf(question)).toHaveLength(parts);
  });
});
