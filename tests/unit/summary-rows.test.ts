// Rows that sum up others are not counted with them.
import { describe, expect, it } from "vitest";
import { amountIn } from "../../edge-functions/_shared/text/cell-values.ts";
import { markSummaries } from "../../edge-functions/indexing/steps/summary-rows.ts";

/** The lines that sum up others, of a table written with bars. */
function summariesOf(...lines: string[]): string[] {
  return summariesIn(lines, false);
}

function summariesIn(lines: string[], isGrouped: boolean): string[] {
  const rows = lines.map((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    return { cells, numbers: cells.map((cell) => amountIn(cell)?.value ?? null) };
  });
  const marks = markSummaries(rows, isGrouped);
  return lines.filter((_, at) => marks[at]);
}

describe("rows that sum up others", () => {
  it("are totals at the end or at the beginning, in every language, with and without more words", () => {
    expect(summariesOf("Chairs|40", "Tables|60", "Total|100")).toEqual(["Total|100"]);
    expect(summariesOf("Total France|100", "Nord|40", "Sud|60")).toEqual(["Total France|100"]);
    expect(summariesOf("Chaises|40,50 €", "Tables|60 €", "Total général :|100,50 €")).toHaveLength(1);
    expect(summariesOf("a|1|2", "b|3|4", "|Grand total|6")).toEqual(["|Grand total|6"]);
  });

  it("are subtotals, each of its rows, and a total of all that is no subtotal", () => {
    const lines = ["a|1", "b|2", "Subtotal|3", "c|4", "d|5", "Subtotal|9", "Shipping|8", "Total|20"];
    expect(summariesOf(...lines)).toEqual(["Subtotal|3", "Subtotal|9", "Total|20"]);
    expect(summariesOf("Item|300", "Sous-total|300", "TVA 20 %|60", "Total TTC|360")).toEqual([
      "Sous-total|300",
      "Total TTC|360",
    ]);
  });

  it("are told behind the name of their group", () => {
    const lines = [
      "Weekdays|a|40",
      "Weekdays|b|60",
      "Weekdays|Total|100",
      "Weekends|a|5",
      "Weekends|b|6",
      "Weekends|Total|11",
    ];
    expect(summariesIn(lines, true)).toEqual(["Weekdays|Total|100", "Weekends|Total|11"]);
    expect(summariesIn(lines, false)).toEqual([]);
  });

  it("are averages, also of many rows and behind a total", () => {
    expect(summariesOf("a|10", "b|20", "c|30", "Average|20")).toEqual(["Average|20"]);
    expect(summariesOf("a|10", "b|21", "Total|31", "Moyenne|15,5")).toHaveLength(2);
    expect(summariesOf("a|10", "b|20", "c|30", "Average|25")).toEqual([]);
  });

  it("may have rounded figures, or others than these rows when nothing else is named", () => {
    expect(summariesOf("a|33.33", "b|33.33", "c|33.33", "Total|100")).toHaveLength(1);
    expect(summariesOf("Ada|Paris|3", "Bob|Rome|4", "Total||12")).toEqual(["Total||12"]);
  });

  it("are not clients, products or sums of something else that are called so", () => {
    expect(summariesOf("Acme|500", "Shell|300", "Total|900")).toEqual([]);
    expect(summariesOf("Acme|Lyon|500", "Total|Paris|900")).toEqual([]);
    expect(summariesOf("Acme|Lyon|500", "Total||900", "Zeta|Nice|20")).toEqual([]);
    expect(summariesOf("Totally new|40", "Tables|60", "Sumatra|100")).toEqual([]);
    expect(summariesOf("Total|5", "Total|7")).toEqual([]);
  });
});
