// Workbooks as people lay them out: column names in two rows, several tables in a sheet.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { UnreadFormulas } from "../../edge-functions/indexing/parsers/sheets.ts";
import { makeXlsx, type Sheet } from "../support/files/office.ts";
import fc from "../support/property-cases.ts";

async function tablesIn(sheet: Omit<Sheet, "name">) {
  const { text, structure } = await parseFile({
    name: "a.xlsx",
    bytes: makeXlsx([{ name: "S", ...sheet }], { styles: [0] }),
  });
  return tablesOf(text, structure).map(({ caption, columns, rows }) => ({
    caption,
    columns,
    rows: rows.map(({ cells }) => cells),
  }));
}

describe("column names in two rows", () => {
  const names = ["Region", "2025 Q1", "2025 Q2", "2026 Q1", "2026 Q2"];
  const figures = [
    ["North", 1, 2, 3, 4],
    ["South", 5, 6, 7, 8],
  ];

  it.each<[string, Sheet["rows"], string[]]>([
    [
      "merged along and down",
      [["Region", "2025", null, "2026", null], [null, "Q1", "Q2", "Q1", "Q2"], ...figures],
      ["A1:A2", "B1:C1", "D1:E1"],
    ],
    [
      "of numbers below a title",
      [["Sales"], [null, 2025, null, 2026, null], ["Region", "Q1", "Q2", "Q1", "Q2"], ...figures],
      ["A1:E1", "B2:C2", "D2:E2"],
    ],
    ["left blank", [[null, "2025", null, "2026", null], ["Region", "Q1", "Q2", "Q1", "Q2"], ...figures], []],
  ])("%s become one", async (_, rows, merged) => {
    expect(await tablesIn({ rows, merged })).toMatchObject([
      {
        columns: names,
        rows: [
          ["North", "1", "2", "3", "4"],
          ["South", "5", "6", "7", "8"],
        ],
      },
    ]);
  });

  it("become one when a single name is above the others", async () => {
    const rows = [
      [null, "Price per night", null],
      ["Room", "Summer", "Winter"],
      ["Double", 90, 70],
    ];
    expect(await tablesIn({ rows, merged: ["B1:C1"] })).toMatchObject([
      {
        columns: ["Room", "Price per night Summer", "Price per night Winter"],
        rows: [["Double", "90", "70"]],
      },
    ]);
  });

  it("are not made of a row of values, and may be years", async () => {
    const rows = [
      ["Item", 2025, 2026],
      ["Tea", 4, 5],
      ["Milk", 1, 1],
    ];
    expect(await tablesIn({ rows })).toMatchObject([{ columns: ["Item", "2025", "2026"] }]);
    const people = [
      ["Name", "Phone", null],
      ["Ann", "work", "home"],
      ["Bob", "5", "6"],
    ];
    expect((await tablesIn({ rows: people }))[0]?.columns).toEqual(["Name", "Phone", "C"]);
    const merged = await tablesIn({
      rows: people.slice(0, 2).concat([["Eve", "here", "there"]]),
      merged: ["B1:C1"],
    });
    expect(merged[0]?.columns).toEqual(["Name", "Phone", "C"]);
    const born = [
      ["Ann", 1990],
      ["Bob", 1985],
    ];
    expect((await tablesIn({ rows: born }))[0]?.columns).toEqual(["A", "B"]);
  });
});

describe("tables below one another", () => {
  const rooms = [
    ["Room", "Price"],
    ["Hall", 120],
    ["Studio", 60],
  ];
  const people = [
    ["Contact", "Phone"],
    ["Ann", "01 22 33"],
    ["Bob", "01 44 55"],
  ];

  it.each<[string, Omit<Sheet, "name">, string]>([
    ["with figures below its names", { rows: [...rooms, [], ...people] }, "S"],
    ["with a title", { rows: [...rooms, [], ["Who to call"], [], ...people] }, "S · Who to call"],
    [
      "with names in bold",
      { rows: [...rooms, [], ["Contact", "Phone"], ["Ann", "at work"], ["Bob", "at home"]], bold: [1, 5] },
      "S",
    ],
  ])("have their own names: one %s", async (_, sheet, caption) => {
    expect(await tablesIn(sheet)).toMatchObject([
      {
        columns: ["Room", "Price"],
        rows: [
          ["Hall", "120"],
          ["Studio", "60"],
        ],
      },
      {
        caption,
        columns: ["Contact", "Phone"],
        rows: [
          ["Ann", expect.anything()],
          ["Bob", expect.anything()],
        ],
      },
    ]);
  });

  it.each<[string, Omit<Sheet, "name">]>([
    ["groups", { rows: [...rooms, [], ["First floor"], ["Attic", 40], ["Loft", 30]] }],
    ["a total", { rows: [...rooms, [], ["Total", 180]] }],
    ["a group without a price", { rows: [...rooms, [], ["Attic", "on request"], ["Loft", 30]], bold: [1] }],
    ["a remark", { rows: [...rooms, [], ["Prices without VAT."]] }],
  ])("are one when the rows below are %s", async (_, sheet) => {
    const tables = await tablesIn(sheet);
    expect(tables).toHaveLength(1);
    expect(tables[0]?.columns).toEqual(["Room", "Price"]);
  });
});

describe("tables beside one another", () => {
  const phones = [
    ["Contact", "Phone"],
    ["Ann", 223344],
    ["Bob", 445566],
  ];
  const beside = (names: (string | number)[][], at: number) =>
    [
      ["Room", "Price"],
      ["Hall", 120],
      ["Studio", 60],
      ["Attic", 40],
      ["Loft", 30],
    ].map((row, y) => [...row, null, ...(names[y - at] ?? [])]);

  it("have their own names where these stand beside values", async () => {
    expect(await tablesIn({ rows: beside(phones, 1) })).toMatchObject([
      {
        columns: ["Room", "Price"],
        rows: [
          ["Hall", "120"],
          ["Studio", "60"],
          ["Attic", "40"],
          ["Loft", "30"],
        ],
      },
      {
        columns: ["Contact", "Phone"],
        rows: [
          ["Ann", "223344"],
          ["Bob", "445566"],
        ],
      },
    ]);
  });

  it.each([
    [
      "remarks",
      [
        ["closed", "in winter"],
        ["open", "all year"],
      ],
      1,
    ],
    ["names in the row of the others", phones, 0],
  ])("are one with %s behind an empty column", async (_, names, at) => {
    expect(await tablesIn({ rows: beside(names, at) })).toHaveLength(1);
  });
});

describe("a title", () => {
  const table = [
    [null, "Room", "Price"],
    [null, "Hall", 120],
    [null, "Studio", 60],
  ];
  const shorter = table.map((row) => row.slice(1));

  it.each<[string, Sheet["rows"]]>([
    ["left of the table", [["Prices of 2026"], ...table]],
    ["in the middle, above an empty row", [[null, "Prices of 2026"], [], ...shorter]],
    ["and a line elsewhere", [[null, null, null, null, "Prices of 2026"], ["without VAT"], ...table]],
  ])("%s leaves the names to the table", async (_, rows) => {
    const [found, ...others] = await tablesIn({ rows });
    expect([found?.columns, others]).toEqual([["Room", "Price"], []]);
    expect(found?.caption).toContain("Prices of 2026");
  });

  it("is not what may name a column", async () => {
    const rows = [
      [null, "Price"],
      ["Hall", "on request"],
      ["Studio", 60],
    ];
    expect((await tablesIn({ rows }))[0]?.columns).toEqual(["A", "Price"]);
  });
});

it("loses no cell of a sheet of any layout", async () => {
  const cell = fc.option(fc.oneof(fc.stringMatching(/^[a-z]{1,6}$/), fc.integer({ min: 0, max: 3000 })));
  const row = fc.array(cell, { maxLength: 5 });
  const area = fc.tuple(fc.nat(4), fc.nat(4), fc.nat(3), fc.nat(3));
  const merge = area.map(([x, y, wide, high]) => {
    const at = (column: number, line: number) => `${String.fromCharCode(65 + column)}${line + 1}`;
    return `${at(x, y)}:${at(x + wide, y + high)}`;
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 9 }),
      fc.array(merge, { maxLength: 3 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 9 })),
      async (rows, merged, bold) => {
        const parsed = await parseFile({
          name: "a.xlsx",
          bytes: makeXlsx([{ name: "S", rows: [...rows, ["end"]], merged, bold }], { styles: [0] }),
        });
        const columns = parsed.structure.flatMap((span) => span.columns ?? []).join("\n");
        for (const value of rows.flat())
          if (value !== null) expect(`${parsed.text}\n${columns}`).toContain(String(value));
      },
    ),
    { numRuns: 300 },
  );
});

it("formulas without a result are all counted, and the first twenty named", () => {
  const unread = new UnreadFormulas();
  for (let row = 1; row <= 30; row++) unread.add("Plan", `B${row}`);
  expect([unread.count, unread.named.length, unread.named.at(-1)]).toEqual([30, 20, "Plan!B20"]);
});
