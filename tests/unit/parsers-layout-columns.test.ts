// Tables whose columns only place values, as programs for financial reports write them: spacers, and "$", ")" and "%" in columns of their own.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { widthOf, withoutLayoutColumns } from "../../edge-functions/indexing/parsers/table-layout-columns.ts";
import fc from "../support/property-cases.ts";

type Written = string | [text: string, columns: number];

async function tableIn(cell: "td" | "th", names: Written[][], rows: string[][]) {
  const line = (all: Written[], tag: string) =>
    `<tr>${all
      .map((one) => (typeof one === "string" ? [one, 1] : one))
      .map(([text, columns]) => `<${tag} colspan=${columns}>${text || "&nbsp;"}</${tag}>`)
      .join("")}</tr>`;
  const page = `<table>${names.map((row) => line(row, cell)).join("")}${rows.map((row) => line(row, "td")).join("")}</table>`;
  const { text, structure } = await parseFile({ name: "a.html", bytes: new TextEncoder().encode(page) });
  const [table] = tablesOf(text, structure);
  return { columns: table?.columns, rows: table?.rows.map(({ cells }) => cells) };
}

describe.each(["td", "th"] as const)("amounts below names in %s", (cell) => {
  it("stand in one cell with their signs", async () => {
    const names: Written[][] = [["", "", ["2025", 2], "", "", ["2024", 2], ""]];
    const rows = [
      ["Revenue", "", "$", "10,024", "", "", "$", "9,959", ""],
      ["Costs", "", "", "(7,791", ")", "", "", "(6,584", ")"],
      ["Margin", "", "", "22", "%", "", "", "(3", ")%"],
    ];
    expect(await tableIn(cell, names, rows)).toEqual({
      columns: ["", "2025", "2024"],
      rows: [
        ["Revenue", "$10,024", "$9,959"],
        ["Costs", "(7,791)", "(6,584)"],
        ["Margin", "22%", "(3)%"],
      ],
    });
  });

  it("have the names of two rows", async () => {
    const names: Written[][] = [
      ["", "", ["2025", 6], "", ["2024", 6], ""],
      ["Quarter", "", ["High", 2], "", "", ["Low", 2], "", ["High", 2], "", "", ["Low", 2], ""],
    ];
    const rows = [["March", "", "", "3.02", "", "", "", "1.72", "", "", "1.95", "", "", "", "0.70", ""]];
    expect(await tableIn(cell, names, [...rows, ["June", ...(rows[0] ?? []).slice(1)]])).toEqual({
      columns: ["Quarter", "2025 High", "2025 Low", "2024 High", "2024 Low"],
      rows: [
        ["March", "3.02", "1.72", "1.95", "0.70"],
        ["June", "3.02", "1.72", "1.95", "0.70"],
      ],
    });
  });
});

it.each([
  ["behind the amounts", ["12", "€", "Ann", "9", "€"], ["12€", "Ann", "9€"]],
  ["in front of them", ["€", "12", "Ann", "€", "9"], ["€12", "Ann", "€9"]],
  ["in front of them, beside others", ["3", "$", "12", "$", "9"], ["3", "$12", "$9"]],
  ["behind or in front, which nobody can tell", ["12", "€", "5", "€"], ["12", "€", "5€"]],
])("signs %s go with their amounts", async (_, cells, expected) => {
  expect((await tableIn("td", [], [cells, cells])).rows).toEqual([expected, expected]);
});

it.each([
  ["two values below a name", [["Size", ""]], [["S", "M"]], [["S", "M"]]],
  ["a sign and a column of words", [["Currency", "Country"]], [["$", "Canada"]], [["$", "Canada"]]],
  ["an empty cell", [["Room", "Price"]], [["Hall", ""]], [["Hall", ""]]],
])("%s keep their columns", async (_, names, rows, expected) => {
  expect((await tableIn("th", names, [...rows, ...rows])).rows).toEqual([...expected, ...expected]);
});

it("a table may have more rows than a call takes arguments", () => {
  expect(widthOf(Array<string[]>(700_000).fill(["Ghent", "5"]))).toBe(2);
});

it("no text is lost, moved to another row, or joined with another but a sign", () => {
  const text = fc.constantFrom("", "", "$", "€", ")", "%", "a", "b", "12");
  const row = fc.array(fc.tuple(text, fc.integer({ min: 1, max: 3 })), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
      const merged = rows.map(() => new Map<number, number>());
      const cells = rows.map((all, y) =>
        all.flatMap(([word, columns], i) => {
          const from = all.slice(0, i).reduce((sum, [, wide]) => sum + wide, 0);
          if (columns > 1) merged[y]?.set(from, from + columns - 1);
          return [word, ...Array<string>(columns - 1).fill("")];
        }),
      );
      const found = withoutLayoutColumns({ cells, merged });
      for (const [y, line] of found.cells.entries()) {
        expect(line.join("")).toBe(cells[y]?.join(""));
        for (const joined of line) expect(joined).toMatch(/^[$€]*(?:a|b|12|)[)%€]*$|^[$€)%]+$/);
        for (const [from, to] of found.merged[y] ?? []) expect(to).toBeGreaterThan(from);
      }
    }),
    { numRuns: 500 },
  );
});
