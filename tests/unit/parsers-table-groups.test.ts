// Rows that only name the rows below them: by a colon, bold type, or standing to the left.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { groupsOf, plainLook } from "../../edge-functions/indexing/parsers/table-groups.ts";
import { makePptx, makeXlsx, type Sheet, slideTable } from "../support/files/office.ts";
import { makeOdf, sheet } from "../support/files/open-document.ts";
import { makeDocx, table } from "../support/files/zip.ts";
import fc from "../support/property-cases.ts";

async function tableIn(name: string, bytes: Uint8Array) {
  const { text, structure } = await parseFile({ name, bytes });
  const [found] = tablesOf(text, structure);
  return { columns: found?.columns, rows: found?.rows.map(({ cells }) => cells), text };
}

const page = (rows: string[][]) =>
  new TextEncoder().encode(
    `<table><tr><th><th>2025<th>2026</tr>${rows.map((row) => `<tr>${row.map((cell) => (cell.startsWith("<td") ? cell : `<td>${cell}`)).join("")}</tr>`).join("")}</table>`,
  );
const rowsOf = async (rows: string[][]) => (await tableIn("a.html", page(rows))).rows;
const bold = (text: string) => `<td><p style="margin:0;font-weight:bold">${text}</p>`;
const inset = (text: string) => `<td style="padding-left:12pt">${text}`;

describe("a name with empty cells beside it is told in the rows below it", () => {
  it("by its colon, until a total", async () => {
    expect(
      await rowsOf([
        ["Current assets:", "", ""],
        ["Cash", "120", "130"],
        ["Stock", "80", "90"],
        ["Total current assets", "200", "220"],
        ["Buildings", "50", "40"],
      ]),
    ).toEqual([
      ["Current assets:", "Cash", "120", "130"],
      ["Current assets:", "Stock", "80", "90"],
      ["", "Total current assets", "200", "220"],
      ["", "Buildings", "50", "40"],
    ]);
  });

  it("until a row with the sum of those since any name above", async () => {
    expect(
      await rowsOf([
        ["From work:", "", ""],
        ["Sales", "$900", "1,000"],
        ["Corrections:", "", ""],
        ["Stock", "(200)", "-150"],
        ["Debts", "50", "(50)"],
        ["Cash earned", "$750", "800"],
        ["Cash before", "20", "770"],
      ]),
    ).toEqual([
      ["From work:", "Sales", "$900", "1,000"],
      ["Corrections:", "Stock", "(200)", "-150"],
      ["Corrections:", "Debts", "50", "(50)"],
      ["", "Cash earned", "$750", "800"],
      ["", "Cash before", "20", "770"],
    ]);
  });

  it("by bold type, until a bold row", async () => {
    expect(
      await rowsOf([
        [bold("Security"), "", ""],
        ["Log", "no", "yes"],
        ["<b>Price</b>", "5", "6"],
        ["Tax", "1", "2"],
      ]),
    ).toEqual([
      ["Security", "Log", "no", "yes"],
      ["", "Price", "5", "6"],
      ["", "Tax", "1", "2"],
    ]);
  });

  it("as far as the rows stand to the right of it", async () => {
    expect(
      await rowsOf([
        ["Per share:", "", ""],
        [inset("Basic"), "1.1", "1.2"],
        ["\u00a0\u00a0Diluted", "1.0", "1.1"],
        ["Dividends", "0.4", "0.5"],
      ]),
    ).toEqual([
      ["Per share:", "Basic", "1.1", "1.2"],
      ["Per share:", "Diluted", "1.0", "1.1"],
      ["", "Dividends", "0.4", "0.5"],
    ]);
  });

  it("below a name over the whole width, with both", async () => {
    expect(
      await rowsOf([
        ["<td colspan=3>Town:"],
        ["Adults:", "", ""],
        ["Day", "5", "6"],
        ["<td colspan=3>Country"],
        ["Day", "7", "8"],
      ]),
    ).toEqual([
      ["Town · Adults:", "Day", "5", "6"],
      ["Country", "Day", "7", "8"],
    ]);
  });

  it("although the first row below it has the sum of rows above", async () => {
    const rows = [
      ["A:", "", ""],
      ["b", "100", "100"],
      ["c", "100", "100"],
      ["D:", "", ""],
      ["e", "200", "200"],
    ];
    expect((await rowsOf(rows))?.at(-1)).toEqual(["D:", "e", "200", "200"]);
  });

  it.each([
    [
      "a form",
      [
        ["Name:", "", ""],
        ["Street:", "", ""],
        ["Town:", "Ghent", "Mons"],
      ],
    ],
    [
      "bold names of every row",
      [
        [bold("Ann"), "", ""],
        [bold("Bob"), "5", "6"],
      ],
    ],
    [
      "a row that lacks its values",
      [
        ["Tea", "", ""],
        ["Milk", "5", "6"],
      ],
    ],
    [
      "a value merged down",
      [
        ["<td rowspan=2>Note:", "", ""],
        ["5", "6"],
      ],
    ],
    [
      "a line of prose",
      [
        ["He says:", "", ""],
        ["Come, sir", "the heart", "and so on"],
      ],
    ],
    [
      "nothing below",
      [
        ["Tea", "5", "6"],
        ["Sources:", "", ""],
      ],
    ],
    [
      "a row without a name below",
      [
        ["Total:", "", ""],
        ["", "5", "6"],
      ],
    ],
    [
      "a text that is long",
      [
        [`${"a ".repeat(60)}:`, "", ""],
        ["Milk", "5", "6"],
      ],
    ],
  ])("but %s keeps its rows", async (_, rows) => {
    expect((await tableIn("a.html", page(rows))).columns).toEqual(["", "2025", "2026"]);
  });
});

it("slides and Word's tables have such names in bold, OpenDocument's texts too", async () => {
  const rows = [
    ["Plan", "Free", "Paid"],
    ["Safety", "", ""],
    ["Log", "no", "yes"],
  ];
  const expected = { columns: ["", "Plan", "Free", "Paid"], rows: [["Safety", "Log", "no", "yes"]] };
  const slide = slideTable(rows).replace("<a:r><a:t>Safety", '<a:r><a:rPr b="1"/><a:t>Safety');
  expect(await tableIn("a.pptx", makePptx([{ shapes: slide }]))).toMatchObject(expected);
  const word = table(rows).replace(/<w:r>(?=<w:t[^>]*>Safety)/, "<w:r><w:rPr><w:b/></w:rPr>");
  expect(await tableIn("a.docx", makeDocx(word))).toMatchObject(expected);
  const style =
    '<style:style style:name="B" style:family="paragraph"><style:text-properties fo:font-weight="bold"/></style:style>';
  const body = sheet("T", rows).replace("<text:p>Safety", '<text:p text:style-name="B">Safety');
  expect(await tableIn("a.odt", makeOdf("text", body, { automatic: style }))).toMatchObject(expected);
});

describe("a sheet's names of rows", () => {
  const names = ["Article", "Sold", "Price"];
  const inSheet = (one: Omit<Sheet, "name">) =>
    tableIn("a.xlsx", makeXlsx([{ name: "S", ...one }], { styles: [0] }));

  it.each<[string, Partial<Sheet>]>([
    ["a colon", {}],
    ["bold type", { bold: [1, 2, 5] }],
    ["a cell over the whole width", { merged: ["A2:C2", "A5:C5"] }],
    ["how far they stand to the left", { bold: [1, 2, 5], indented: [3, 4, 6] }],
  ])("told by %s stand in front of each row", async (how, look) => {
    const mark = how === "a colon" ? ":" : "";
    const rows = [names, [`Drinks${mark}`], ["Tea", 12, 3], ["Milk", 7, 1], [`Food${mark}`], ["Rice", 4, 9]];
    const { columns, rows: found, text } = await inSheet({ rows, ...look });
    expect(columns).toEqual(["", ...names]);
    expect(found).toEqual([
      [`Drinks${mark}`, "Tea", "12", "3"],
      [`Drinks${mark}`, "Milk", "7", "1"],
      [`Food${mark}`, "Rice", "4", "9"],
    ]);
    expect(text).toContain(`Drinks${mark}\nArticle: Milk\nSold: 7\nPrice: 1`);
  });

  it("in a column of their own are cells of each row", async () => {
    const rows = [
      ["Kind", ...names],
      ["Drinks:", null, null, null],
      [null, "Tea", 12, 3],
      [null, "Milk", 7, 1],
      ["Food", null, null, null],
      [null, "Rice", 4, 9],
      ["Total", null, 23, 13],
    ];
    expect((await inSheet({ rows })).rows).toEqual([
      ["Drinks", "Tea", "12", "3"],
      ["Drinks", "Milk", "7", "1"],
      ["Food", "Rice", "4", "9"],
      ["Total", "", "23", "13"],
    ]);
  });

  it("end with a total, and are none before a remark or with a colon inside", async () => {
    const rows = [
      names,
      ["Drinks:"],
      ["Tea", 12, 3],
      ["Total drinks", 12, 3],
      ["Rice", 4, 9],
      ["Note: a:"],
      ["Salt", 1, 1],
      ["End:"],
    ];
    expect((await inSheet({ rows })).rows).toEqual([
      ["Drinks:", "Tea", "12", "3"],
      ["", "Total drinks", "12", "3"],
      ["", "Rice", "4", "9"],
      ["", "Note: a:", "", ""],
      ["", "Salt", "1", "1"],
      ["", "End:", "", ""],
    ]);
  });

  it("are bold in an OpenDocument spreadsheet", async () => {
    const style =
      '<style:style style:name="B" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>';
    const cell = {
      cell: '<table:table-cell office:value-type="string" table:style-name="B"><text:p>Drinks</text:p></table:table-cell>',
    };
    const body = sheet("S", [names, [cell], ["Tea", "12", "3"]]);
    expect(await tableIn("a.ods", makeOdf("spreadsheet", body, { automatic: style }))).toMatchObject({
      columns: ["", ...names],
      rows: [["Drinks", "Tea", "12", "3"]],
    });
  });
});

it("no text is lost or moved to another row, whatever a table's rows look like", () => {
  const label = fc.constantFrom("", "a", "b:", "total c", "d", `${"e ".repeat(60)}:`);
  const row = fc.record({
    label,
    values: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("100", "200", "x")), {
      maxLength: 3,
      selector: ([at]) => at,
    }),
    isWhole: fc.boolean(),
    isBold: fc.boolean(),
    indent: fc.constantFrom(0, 0, 1),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (all) => {
      const said = all.filter((one) => one.label !== "" || one.values.length > 0);
      const rows = said.map((one) => ({
        ...plainLook,
        ...one,
        isWhole: one.isWhole && one.values.length === 0,
      }));
      const names = groupsOf(rows);
      let last = "";
      for (const [at, name] of names.entries()) {
        if (name === undefined) {
          expect(rows[at]?.values).toEqual([]);
          last = rows[at]?.label ?? "";
          expect(names.slice(at + 1).find((one) => one !== undefined)).toContain(last.replace(":", ""));
        } else if (name !== "" && !rows.slice(0, at).some(({ isWhole }) => isWhole)) expect(name).toBe(last);
      }
    }),
    { numRuns: 1000 },
  );
});
