// Tables of every format as cells: merged and empty ones, bars and colons inside them, captions.

import { describe, expect, it } from "vitest";
import { type TextTable, tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { writeGrid } from "../../edge-functions/indexing/parsers/table-grid.ts";
import { writeTable } from "../../edge-functions/indexing/parsers/table-rows.ts";
import { oneLine, TextBuilder } from "../../edge-functions/indexing/parsers/text-builder.ts";
import fc from "../support/property-cases.ts";

async function tablesIn(name: string, content: string): Promise<Pick<TextTable, "caption" | "columns">[]> {
  const { text, structure } = await parseFile({ name, bytes: new TextEncoder().encode(content) });
  return tablesOf(text, structure).map(({ caption, columns, rows }) => ({
    caption,
    columns,
    rows: rows.map(({ cells }) => cells),
  }));
}

describe("a table's cells", () => {
  it("of HTML: merged down, merged along in a header, and empty", async () => {
    const page = `<table><caption>Sales</caption>
      <thead><tr><th rowspan=2>Town</th><th colspan=2>2026</th></tr><tr><th>Q1</th><th>Q2</th></tr></thead>
      <tr><td rowspan=2>Ghent</td><td>5</td><td></td></tr><tr><td></td><td>7 | 8</td></tr>
      <tr><td colspan=3>Estimates</td></tr></table>`;
    expect(await tablesIn("a.html", page)).toEqual([
      {
        caption: "Sales",
        columns: ["Town", "2026 Q1", "2026 Q2"],
        rows: [
          ["Ghent", "5", ""],
          ["Ghent", "", "7 | 8"],
          ["Estimates", "", ""],
        ],
      },
    ]);
  });

  it("of HTML without a header use the first row as names when it has no figures", async () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}`).join("")}`;
    expect(
      await tablesIn("a.html", `<table>${row("Day", "Open")}${row("Monday", "9")}</table>`),
    ).toMatchObject([{ columns: ["Day", "Open"] }]);
    expect(
      await tablesIn("a.html", `<table>${row("Monday", "9")}${row("Friday", "8")}</table>`),
    ).toMatchObject([
      {
        columns: ["", ""],
        rows: [
          ["Monday", "9"],
          ["Friday", "8"],
        ],
      },
    ]);
    expect(await tablesIn("a.html", `<table>${row("One", "row")}</table>`)).toEqual([]);
  });

  const years = (cell: "td" | "th") => `<tr><${cell} rowspan=2>Town</${cell}><${cell} colspan=2>2025</${cell}>
      <${cell} colspan=2>2026</${cell}></tr><tr><td>Q1<td>Q2<td>Q1<td>Q2</tr>
    <tr><td>Ghent<td>1<td>2<td>3<td>4</tr><tr><td>Mons<td>5<td>6<td>7<td>8</tr>`;
  const title = "<tr><td colspan=5>Sales</td></tr>";
  it.each([
    ["", years("td")],
    ["", years("th")],
    ["Sales", `${title}${years("td")}`],
  ])("of HTML have names in two rows, one merged along (%s)", async (caption, rows) => {
    expect(await tablesIn("a.html", `<table>${rows}</table>`)).toEqual([
      {
        caption,
        columns: ["Town", "2025 Q1", "2025 Q2", "2026 Q1", "2026 Q2"],
        rows: [
          ["Ghent", "1", "2", "3", "4"],
          ["Mons", "5", "6", "7", "8"],
        ],
      },
    ]);
  });

  it("of HTML keep a first row of words below a name merged along", async () => {
    const rows =
      "<tr><td>Name<td colspan=2>Phone</tr><tr><td>Ann<td>work<td>home</tr><tr><td>Bob<td>5<td>6</tr>";
    const [table] = await tablesIn("a.html", `<table>${rows}</table>`);
    expect(JSON.stringify(table)).toContain('["Ann","work","home"]');
  });

  it.each(["td", "th"])(
    "of HTML repeat the name of their rows from a cell over the whole width, a %s",
    async (cell) => {
      const wide = (text: string) => `<tr><${cell} colspan=2>${text}</${cell}></tr>`;
      const page = `<table><tr><th>Ticket<th>Price</tr>${wide("Weekdays")}<tr><td>Adult<td>12</tr><tr><td>Child<td>6</tr>
      ${wide("Weekends")}<tr><td>Adult<td>15</tr>${wide("Prices include VAT")}</table>`;
      expect(await tablesIn("a.html", page)).toMatchObject([
        {
          columns: ["", "Ticket", "Price"],
          rows: [
            ["Weekdays", "Adult", "12"],
            ["Weekdays", "Child", "6"],
            ["Weekends", "Adult", "15"],
            ["", expect.stringContaining("Prices include VAT"), expect.anything()],
          ],
        },
      ]);
    },
  );

  it("of HTML have names over the columns of values alone", async () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}`).join("")}`;
    const page = `<table>${row("", "", "2025", "Change", "Rank")}${row("Ghent", "East", "5", "up", "1")}${row("Mons", "South", "6", "down", "2")}</table>`;
    expect(await tablesIn("a.html", page)).toMatchObject([{ columns: ["", "", "2025", "Change", "Rank"] }]);
  });

  it.each([
    [
      "wrapped over three rows",
      [
        ["Inhibitor", "Mean", "Rate"],
        ["in grams", "Wealth", ""],
        ["", "", "per year"],
      ],
      ["Inhibitor in grams", "Mean Wealth", "Rate per year"],
    ],
    [
      "with their units below",
      [
        ["No", "Length", "Share"],
        ["", "m", "%"],
      ],
      ["No", "Length m", "Share %"],
    ],
    ["one of which is a sign", [["Age", "Enrolled", "%"]], ["Age", "Enrolled", "%"]],
    ["some of which are the same", [["Region", "p/kWh", "p/kWh"]], ["Region", "p/kWh", "p/kWh"]],
  ])("of a page have the names of columns %s", async (_, names, columns) => {
    const figures = [
      ["10", "1,200", "17.4%"],
      ["20", "300", "22.5%"],
    ];
    const rows = [...names, ...figures].map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join("")}</tr>`);
    expect(await tablesIn("a.html", `<table>${rows.join("")}</table>`)).toMatchObject([
      { columns, rows: figures },
    ]);
  });

  it.each([
    [
      "a value in words",
      [
        ["Room", "Price"],
        ["Hall", "free"],
        ["Suite", "90"],
        ["Loft", "80"],
      ],
    ],
    [
      "a name above other words",
      [
        ["No", "Note"],
        ["", "see below"],
        ["1", "a"],
        ["2", "b"],
      ],
    ],
    [
      "a name of the rows below",
      [
        ["Year", "All"],
        ["Actual", ""],
        ["2001", "5"],
        ["2002", "6"],
      ],
    ],
    [
      "one row of figures",
      [
        ["No", "Fee"],
        ["", "none"],
        ["1", "5"],
      ],
    ],
  ])("of a page keep %s as a row", async (_, rows) => {
    const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join("")}</tr>`);
    expect(await tablesIn("a.html", `<table>${lines.join("")}</table>`)).toMatchObject([
      { columns: rows[0], rows: rows.slice(1) },
    ]);
  });

  it("of Markdown, with bars on both sides, on none, and inside", async () => {
    const source = "Prices in euros:\n\nArticle | Price\n--- | ---:\nTea | 4\n| Milk \\| cream | |\n\nEnd.";
    expect(await tablesIn("a.md", source)).toEqual([
      {
        caption: "Prices in euros",
        columns: ["Article", "Price"],
        rows: [
          ["Tea", "4"],
          ["Milk | cream", ""],
        ],
      },
    ]);
  });

  it("of a sheet: names that begin alike, values with colons, empty cells", async () => {
    const source = "Time,Time: end,Note\n9:00,,a: b\n,17:00,Time: late\n";
    expect(await tablesIn("a.csv", source)).toMatchObject([
      {
        columns: ["Time", "Time end", "Note"],
        rows: [
          ["9:00", "", "a: b"],
          ["", "17:00", "Time: late"],
        ],
      },
    ]);
  });

  it("are as written, whatever they contain", () => {
    const clean = (text: string) => oneLine(text);
    const cell = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom("", "a|b", "\\|", "|", "a: b", "A: 1", "\\", "--- | ---", "x\ny"),
    );
    const grid = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 6 }),
      )
      // A last colon may make a name for the rows below.
      .map((rows) => rows.map((row) => row.map((text) => text.replace(/[:：]\s*$/, ""))))
      // Of a table without cells, the header is kept as its only row.
      .filter((rows) => rows.some((row) => row.some(clean)));
    fc.assert(
      fc.property(grid, (rows) => {
        const width = rows[0]?.length ?? 0;
        const names = Array.from({ length: width }, (_, i) => "ABCDE"[i] ?? "");
        const wanted = rows.map((row) => row.map(clean)).filter((row) => row.some(Boolean));
        const bars = new TextBuilder("a");
        const head = names.map((text) => ({ text, isHeader: true }));
        writeGrid(bars, { rows: [head, ...rows.map((row) => row.map((text) => ({ text })))] });
        const lines = new TextBuilder("a");
        const sparse = rows
          .map((row) => row.flatMap((text, i): [number, string][] => (clean(text) ? [[i, text]] : [])))
          .filter((row) => row.length > 0);
        writeTable(lines, [names.map((name, i) => [i, name]), ...sparse], { column: String });
        for (const { text, structure } of [bars.finish(), lines.finish()]) {
          const [table] = tablesOf(text, structure);
          expect(table?.rows.map(({ cells }) => cells.slice(0, width)) ?? []).toEqual(wanted);
        }
      }),
      { numRuns: 400 },
    );
  });
});
