// The rows of a table that a citation quotes, with their header.
import { describe, expect, it } from "vitest";
import { citedRows } from "../../edge-functions/answering/cited-rows.ts";

const table = "| City | Hotel |\n| --- | --- |\n| Paris | 180 € |\n| Lyon | 120 € |\n| Nice | 150 € |";
const of = (content: string, words: string, preface = "") => {
  const start = content.indexOf(words);
  return citedRows(content, preface, { start, end: start + words.length });
};

describe("the rows that a quote touches", () => {
  it("come with the header above them", () => {
    expect(of(`Limits.\n\n${table}\n\nAsk first.`, "| Lyon | 120 € |")).toEqual({
      columns: ["City", "Hotel"],
      rows: [["Lyon", "120 €"]],
    });
  });
  it("are whole where the quote is a part of them, and several where it spans several", () => {
    expect(of(table, "180 € |\n| Lyon")?.rows).toEqual([
      ["Paris", "180 €"],
      ["Lyon", "120 €"],
    ]);
  });
  it("leave the header out where the quote begins with it", () => {
    expect(of(table, table.slice(0, table.indexOf("| Lyon") - 1))).toEqual({
      columns: ["City", "Hotel"],
      rows: [["Paris", "180 €"]],
    });
  });
  it("take the header of the preface where the passage begins inside the table", () => {
    const preface = "Limits\n\n| City | Hotel |\n| --- | --- |";
    expect(of("| Lyon | 120 € |", "| Lyon | 120 € |", preface)?.columns).toEqual(["City", "Hotel"]);
  });
  it("are none of other words, of words that go beyond the table, and without a header", () => {
    expect(of("Ask first.", "Ask first.")).toBeUndefined();
    expect(of(`Limits.\n${table}`, "Limits.\n| City")).toBeUndefined();
    expect(of("| Lyon | 120 € |", "Lyon")).toBeUndefined();
  });
  it("keep bars that are text, and stay small", () => {
    expect(of("| A | B |\n| --- | --- |\n| x \\| y | z |", "z")?.rows).toEqual([["x | y", "z"]]);
    const long = `| A |\n| --- |\n| ${"x".repeat(900)} |`;
    expect(of(long, "xxx")?.rows[0]?.[0]).toHaveLength(301);
  });
});
