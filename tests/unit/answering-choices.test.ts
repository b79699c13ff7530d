// Suggestions for an ambiguous question, and when there are none.
import { describe, expect, it } from "vitest";
import { readColumn } from "../../edge-functions/_shared/text/cell-values.ts";
import { choicesOfSections, choicesOfTable } from "../../edge-functions/answering/choices.ts";
import { planSheet, type Sheet } from "../../edge-functions/answering/sheet-plan.ts";
import { readSheetQuestion } from "../../edge-functions/answering/sheet-words.ts";

const sheet = (title: string, table: Record<string, string[]>): Sheet => ({
  id: title,
  documentId: title,
  knowledgeId: "knowledge",
  title,
  caption: "",
  columns: Object.entries(table).map(([name, cells]) => readColumn(name, cells).column),
  rowsCount: 9,
  rank: 0,
});
const planFor = (question: string, sheets: Sheet[]) => {
  const asked = readSheetQuestion(question);
  return asked && planSheet(asked, sheets);
};

describe("an ambiguous question over tables", () => {
  const bolts = sheet("bolts.csv", { Name: ["a", "b"], Price: ["1 €", "2 €"] });
  const screws = sheet("screws.csv", { Name: ["c", "d"], Price: ["1 €", "2 €"] });
  const two = sheet("prices.csv", {
    Name: ["a", "b"],
    "Net price": ["1 €", "2 €"],
    "Gross price": ["1.2 €", "2.4 €"],
  });
  const years = sheet("invoices.csv", { Date: ["2025-03-01", "2026-03-01"], Amount: ["1 €", "2 €"] });

  it.each<[string, Sheet[], string[]]>([
    [
      "Which is the cheapest?",
      [bolts, screws],
      ["Which is the cheapest in “bolts.csv”?", "Which is the cheapest in “screws.csv”?"],
    ],
    [
      "Quel est le moins cher ?",
      [bolts, screws],
      ["Quel est le moins cher dans « bolts.csv » ?", "Quel est le moins cher dans « screws.csv » ?"],
    ],
    [
      "What is the average of the prices?",
      [two],
      [
        "What is the average of the prices by “Net price”?",
        "What is the average of the prices by “Gross price”?",
      ],
    ],
    [
      "What is the total of invoices in March?",
      [years],
      ["What is the total of invoices in March 2026?", "What is the total of invoices in March 2025?"],
    ],
  ])("%s suggests unambiguous questions", (question, sheets, suggested) => {
    const open = planFor(question, sheets);
    expect(open?.unclear).toBeDefined();
    const choices = choicesOfTable(question, open?.unclear);
    expect(choices).toEqual(suggested);
    for (const choice of choices) {
      const plan = planFor(choice, sheets);
      expect(plan, choice).toBeDefined();
      expect(plan?.unclear, choice).toBeUndefined();
    }
    expect(new Set(choices.map((choice) => JSON.stringify(planFor(choice, sheets)))).size).toBe(
      choices.length,
    );
  });

  it("suggests nothing when it is unambiguous", () => {
    expect(
      choicesOfTable("Which is the cheapest?", planFor("Which is the cheapest?", [bolts])?.unclear),
    ).toEqual([]);
  });
});

describe("a question of one or two words", () => {
  const place = (heading: string, score = 1, more: { title?: string; content?: string } = {}) => ({
    title: "Staff handbook",
    heading,
    content: "",
    score,
    ...more,
  });
  const leaves = [place("Leave › Annual leave"), place("Leave › Parental leave", 0.9), place("Hours", 0.8)];

  it("suggests the sections with that heading", () => {
    expect(choicesOfSections("leave?", leaves)).toEqual([
      "What does “Staff handbook” say about Annual leave?",
      "What does “Staff handbook” say about Parental leave?",
    ]);
    expect(choicesOfSections("les congés", [place("Congés annuels"), place("Congé parental")])).toEqual([
      "Que dit « Staff handbook » sur Congés annuels ?",
      "Que dit « Staff handbook » sur Congé parental ?",
    ]);
  });

  it("finds sections inside a passage, and documents without sections by title", () => {
    const content = "## Sick leave\nStay at home.\n\n## Unpaid leave\nAsk first.";
    expect(choicesOfSections("leave", [place("", 1, { content })])).toHaveLength(2);
    const documents = [
      place("", 1, { title: "returns-france.md" }),
      place("", 1, { title: "returns-belgium.md" }),
    ];
    expect(choicesOfSections("returns", documents)).toEqual([
      "What does “returns-france.md” say about returns france?",
      "What does “returns-belgium.md” say about returns belgium?",
    ]);
  });

  it.each<[string, string, ReturnType<typeof place>[]]>([
    ["that says more", "How many days of parental leave do I get?", leaves],
    ["that is a section's own name", "Parental leave", leaves],
    ["whose second section is far behind", "leave", [place("Annual leave"), place("Sick leave", 0.3)]],
    ["that no section is called by", "pension", leaves],
    ["without a word of its own", "what is it?", leaves],
    ["over nothing", "leave", []],
  ])("%s suggests nothing", (_name, question, passages) => {
    expect(choicesOfSections(question, passages)).toEqual([]);
  });

  it("suggests at most three", () => {
    const many = ["Annual", "Parental", "Sick", "Unpaid"].map((kind) => place(`${kind} leave`));
    expect(choicesOfSections("leave", many)).toHaveLength(3);
  });
});
