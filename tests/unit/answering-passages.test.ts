// Which passages the model gets, and why the others are dropped.
import { describe, expect, it } from "vitest";
import {
  choosePassages,
  furtherPassages,
  keptPassages,
  withCited,
} from "../../edge-functions/answering/passages.ts";
import type { Hit } from "../../edge-functions/answering/retrieve.ts";

const hit = (content: string, score: number): Hit => ({
  chunkId: `chunk of ${content}`,
  documentId: "document",
  sourceId: "source",
  knowledgeId: "knowledge",
  title: "Title",
  url: null,
  content,
  startOffset: 0,
  endOffset: content.length,
  page: null,
  heading: "",
  preface: "",
  score,
  vectorScore: score,
  vectorRank: 1,
  textScore: null,
  textRank: null,
});

describe("choosing passages", () => {
  it("keeps the best, numbers them, and gives a reason for each dropped one", () => {
    const hits = [
      hit("a", 0.9),
      hit(" A\n", 0.8),
      hit("b", 0.7),
      hit("c", 0.6),
      hit("d", 0.3),
      hit("e", 0.05),
    ];
    const chosen = choosePassages(hits, { topK: 2, minScore: 0.4 });
    expect(chosen.map(({ content, index, dropped }) => [content, index, dropped])).toEqual([
      ["a", 1, null],
      [" A\n", null, "duplicate"],
      ["b", 2, null],
      ["c", null, "overTopK"],
      ["d", null, "belowMinScore"],
      ["e", null, "unrelated"],
    ]);
    expect(keptPassages(chosen).map(({ content, index }) => [content, index])).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });

  it("numbers some of those beyond the agent's limit for a second look, and keeps what a reply cites of them", () => {
    const hits = [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7), hit("d", 0.6), hit("e", 0.01)];
    const chosen = choosePassages(hits, { topK: 1, minScore: 0 });
    const further = furtherPassages(chosen, 2);
    expect(further.map(({ content, index }) => [content, index])).toEqual([
      ["b", 2],
      ["c", 3],
    ]);
    const cited = further.filter(({ content }) => content === "c");
    expect(withCited(chosen, cited).map(({ index, dropped }) => [index, dropped])).toEqual([
      [1, null],
      [null, "overTopK"],
      [3, null],
      [null, "overTopK"],
      [null, "unrelated"],
    ]);
  });

  it("stays within the budget, except for the best passage, and fits a shorter one after a longer one", () => {
    const hits = [hit("x ".repeat(400), 0.9), hit("y ".repeat(400), 0.8), hit("short", 0.7)];
    const reasons = (budget: number) =>
      choosePassages(hits, { topK: 9, minScore: 0, budget }).map(({ dropped }) => dropped);
    expect(reasons(1_000)).toEqual([null, null, null]);
    expect(reasons(450)).toEqual([null, "overBudget", null]);
    expect(reasons(10)).toEqual([null, "overBudget", "overBudget"]);
  });

  it("keeps nothing when nothing is related", () => {
    expect(keptPassages(choosePassages([hit("a", 0.04)], { topK: 5, minScore: 0 }))).toEqual([]);
  });
});
