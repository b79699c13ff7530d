// The rows of a table that a citation quotes, with their header.
import { describe, expect, it } from "vitest";
import { citedRows, cutTable } from "../../edge-functions/answering/cited-rows.ts";

const table = "| City | Hotel |\n| --- | --- |\n| Paris | 180 € |\n| Lyon | 120 € |\n| Nice | 150 € |";
const of = (content: string, words: string, preface = "") => {
  const start = content.indexOf(words);
  return citedRows(content, preface, { start, end: start + words.length });
};

describe("the rows of a quote", () => {
  it("have the header above them", () => {
    expect(of(`Limits.\n\n${table}\n\nAsk first.`, "| Lyon | 120 € |")).toEqual({
      columns: ["City", "Hotel"],
      rows: [["Lyon", "120 €"]],
    });
  });
  it("are complete when the quote is part of one, and several when it spans several", () => {
    expect(of(table, "180 € |\n| Lyon")?.rows).toEqual([
      ["Paris", "180 €"],
      ["Lyon", "120 €"],
    ]);
  });
  it("omit the header when the quote starts with it", () => {
    expect(of(table, table.slice(0, table.indexOf("| Lyon") - 1))).toEqual({
      columns: ["City", "Hotel"],
      rows: [["Paris", "180 €"]],
    });
  });
  it("use the preface's header when the passage starts inside the table", () => {
    const preface = "Limits\n\n| City | Hotel |\n| --- | --- |";
    expect(of("| Lyon | 120 € |", "| Lyon | 120 € |", preface)?.columns).toEqual(["City", "Hotel"]);
  });
  it("are empty for other words, for a quote beyond the table, and without a header", () => {
    expect(of("Ask first.", "Ask first.")).toBeUndefined();
    expect(of(`Limits.\n${table}`, "Limits.\n| City")).toBeUndefined();
    expect(of("| Lyon | 120 € |", "Lyon")).toBeUndefined();
  });
  it("keep bars in text, and stay small", () => {
    expect(of("| A | B |\n| --- | --- |\n| x \\| y | z |", "z")?.rows).toEqual([["x | y", "z"]]);
    const long = `| A |\n| --- |\n| ${"x".repeat(900)} |`;
    expect(of(long, "xxx")?.rows[0]?.[0]).toHaveLength(301);
  });
  it("include the first and last row that the quote overlaps, with hyphens or empty cells or without", () => {
    const hyphens = "| City | Hotel |\n| --- | --- |\n| Saint-Malo | 90 € |\n|  |  |\n| Lyon | 120 € |";
    expect(of(hyphens, "|\n|  |  |")?.rows).toEqual([
      ["Saint-Malo", "90 €"],
      ["", ""],
    ]);
    expect(of(hyphens, "120")).toEqual({ columns: ["City", "Hotel"], rows: [["Lyon", "120 €"]] });
  });
  it("have the header of their own table, and none when the quote continues below it", () => {
    const two = `| Month | Guests |\n| --- | --- |\n| May | 12 |\n\nAnd:\n\n${table}\n\nAsk first.`;
    expect(of(two, "150")).toEqual({ columns: ["City", "Hotel"], rows: [["Nice", "150 €"]] });
    expect(of(two, "| 150 € |\n\nAsk")).toBeUndefined();
  });
  it("use the preface's header below its other lines, and above a separator that starts the passage", () => {
    const preface = "| Limits |\n\n| City | Hotel |\n| --- | --- |";
    const all = { columns: ["City", "Hotel"], rows: [["Lyon", "120 €"]] };
    expect(of("| Lyon | 120 € |", "Lyon", preface)).toEqual(all);
    expect(of("| --- | --- |\n| Lyon | 120 € |", "Lyon", preface)).toEqual(all);
  });
  it("have no header when the second row only contains a hyphen", () => {
    expect(of("| Paris | 180 € |\n| Saint-Malo | 90 € |\n| Lyon | 120 € |", "Lyon")).toBeUndefined();
  });
  it("do not continue the preface's table below other words", () => {
    const preface = "| City | Hotel |\n| --- | --- |";
    expect(of("And by month:\n| May | 12 |", "May", preface)).toBeUndefined();
  });
  it("keep a row of hyphens that does not separate the header", () => {
    const none = "| City | Hotel |\n| --- | --- |\n| Paris | 180 € |\n| - | - |\n| Lyon | 120 € |";
    const columns = ["City", "Hotel"];
    expect(of(none, "Lyon")).toEqual({ columns, rows: [["Lyon", "120 €"]] });
    expect(of(none, "| - | - |")).toEqual({ columns, rows: [["-", "-"]] });
    const preface = "| City | Hotel |\n| --- | --- |";
    expect(of("| Paris | 180 € |\n| - | - |\n| Lyon | 120 € |", "Lyon", preface)).toEqual({
      columns,
      rows: [["Lyon", "120 €"]],
    });
  });
});

describe("a truncated table", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => String(at));

  it("has at most thirty columns and eight rows, and one cell per column in each row", () => {
    const cut = cutTable(many(31), [["only"], ...many(9).map(() => many(40))]);
    expect(cut?.columns).toEqual(many(30));
    expect(cut?.rows).toHaveLength(8);
    expect(cut?.rows[0]).toEqual(["only", ...Array(29).fill("")]);
    expect(cut?.rows[1]).toEqual(many(30));
  });
  it("has cells of at most three hundred characters, and no lone surrogate", () => {
    const cells = ["x".repeat(300), "x".repeat(301), `${"x".repeat(299)}😀`].map((cell) => [cell]);
    expect(cutTable(["A"], cells)?.rows).toEqual([
      ["x".repeat(300)],
      [`${"x".repeat(300)}…`],
      [`${"x".repeat(299)}…`],
    ]);
  });
  it("is missing without columns or without rows", () => {
    expect(cutTable([], [["a"]])).toBeUndefined();
    expect(cutTable(["A"], [])).toBeUndefined();
  });
});
