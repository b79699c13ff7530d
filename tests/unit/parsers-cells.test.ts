// Cells as programs store them: numbers with words in their formats, formulas without results, comments, tables side by side, and CSV as
// it is exported.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makeXlsx, type Sheet, type WorkbookOptions } from "../support/files/office.ts";

const sheet = (rows: Sheet["rows"], options?: WorkbookOptions) =>
  parseFile({ name: "a.xlsx", bytes: makeXlsx([{ name: "S", rows }], options) });
const csv = async (source: string) =>
  await parseFile({ name: "a.csv", bytes: new TextEncoder().encode(source) });

describe("a number in a workbook", () => {
  /** The number as read, in a cell of this format. */
  const show = async (format: string, value: number) => {
    const cell = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`;
    const { text } = await sheet(cell, { styles: [format] });
    return text.replace("S\n\nA: ", "");
  };

  it("has its currency or unit", async () => {
    expect(await show('#,##0.00\\ "€"', 1.2)).toBe("1.20 €");
    expect(await show("[$$-409]#,##0.00", 1234.5)).toBe("$1234.50");
    expect(await show('_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-', -6.5)).toBe("-6.50 €");
    expect(await show('"€"#,##0.00;[Red]("€"#,##0.00)', -5)).toBe("-€5.00");
    expect(await show('0" kg"', 12.345)).toBe("12.345 kg");
    expect(await show('"Profit "0;"Loss "0', -4)).toBe("Loss 4");
  });

  it("never looks like thousands with its currency", async () => {
    expect(await show('0.00 "€"', 234.567)).toBe("234.57 €");
    expect(await show('0.000 "€"', 0.125)).toBe("0.1250 €");
  });

  it("has the leading zeros that its format adds, as postal codes need", async () => {
    expect(await show("00000", 1069)).toBe("01069");
    expect(await show("000-00-0000", 12)).toBe("000-00-0012");
    expect(await show("00\\ 00", 12345)).toBe("123 45");
    expect(await show("00000", 1.5)).toBe("1.5");
  });

  it("stays as stored where the format shows another number", async () => {
    expect(await show('#,##0.0,"k"', 12500)).toBe("12500");
    expect(await show("# ?/?", 0.5)).toBe("0.5");
    expect(await show('[>=1000]#,##0,"k";0', 1500)).toBe("1500");
    expect(await show("0.00E+00", 12)).toBe("12");
  });
});

describe("a workbook", () => {
  it("says which formulas have no stored result, and how many comments were left out", async () => {
    const formulas =
      '<row r="1"><c r="A1"><f>1+1</f><v></v></c><c r="B1"><f>2</f><v>2</v></c><c r="C1" t="str"><f>""</f><v></v></c></row>';
    const target = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments";
    const { text, warnings } = await sheet(formulas, {
      extra: [
        {
          name: "xl/worksheets/_rels/sheet1.xml.rels",
          data: `<Relationships><Relationship Id="r" Type="${target}" Target="../comments1.xml"/></Relationships>`,
        },
        {
          name: "xl/comments1.xml",
          data: "<comments><commentList><comment/><comment/></commentList></comments>",
        },
      ],
    });
    expect(text).toBe("S\n\nB: 2");
    expect(warnings).toEqual([
      "Formulas without a stored result were left out (1): S!A1. Open the workbook in a spreadsheet program, save it, and upload it again.",
      "Comments were left out: 2.",
    ]);
  });

  it("keeps raised words apart", async () => {
    const run = (text: string, align = "") =>
      `<r><rPr>${align && `<vertAlign val="${align}"/>`}</rPr><t>${text}</t></r>`;
    const { text } = await sheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', {
      strings: [`<si>${run("10")}${run("6", "superscript")}${run(" units")}</si>`],
    });
    expect(text).toBe("S\n\nA: 10⁶ units");
  });

  it("keeps the words of a first row that names no values, and a remark beside the names", async () => {
    expect(
      (
        await sheet([
          ["Terms", null],
          [null, "30 days"],
        ])
      ).text,
    ).toBe("S\n\nA: Terms\n\nB: 30 days");
    const remark = [
      ["Item", "Price", "All prices without VAT"],
      ["Bolt", 2],
      ["Nut", 1],
    ];
    expect((await sheet(remark)).text).toBe(
      "S\n\nAll prices without VAT\n\nItem: Bolt\nPrice: 2\n\nItem: Nut\nPrice: 1",
    );
  });
});

describe("tables beside one another", () => {
  it("are read one after the other where their names repeat, or the right one is longer", async () => {
    const same = [
      ["Name", "Age", null, "Name", "Age"],
      ["Ann", 1, null, "Cy", 3],
      ["Ben", 2, null, "Di", 4],
    ];
    expect((await sheet(same)).text).toBe(
      "S\n\nName: Ann\nAge: 1\n\nName: Ben\nAge: 2\n\nName: Cy\nAge: 3\n\nName: Di\nAge: 4",
    );
    const longer = [
      ["Left", "Val", null, "Right", "Cost"],
      ["a", 1, null, "x", 10],
      [null, null, null, "y", 20],
    ];
    expect((await sheet(longer)).text).toBe(
      "S\n\nLeft: a\nVal: 1\n\nRight: x\nCost: 10\n\nRight: y\nCost: 20",
    );
  });

  it("are one table where an empty column only groups its columns", async () => {
    const totals = [
      ["Item", "Qty", null, "Net", "Gross"],
      ["Bolt", 1, null, 10, 12],
      [null, null, null, 10, 12],
    ];
    expect((await sheet(totals)).text).toBe(
      "S\n\nItem: Bolt\nQty: 1\nNet: 10\nGross: 12\n\nNet: 10\nGross: 12",
    );
  });
});

describe("CSV", () => {
  it("counts names that repeat", async () => {
    const parsed = await csv("Name,Phone,Phone\nAnn,11,22\nBen,33,44\n");
    expect(parsed.text).toBe("Name: Ann\nPhone: 11\nPhone 2: 22\n\nName: Ben\nPhone: 33\nPhone 2: 44");
    expect(parsed.warnings).toEqual([]);
    expect((await csv("Ann,yes,yes\nBen,no,yes\nCy,no,no\n")).text).toContain("Column 1: Ann");
  });

  it("may have spaces around quoted values, and state its delimiter", async () => {
    expect((await csv('Name, Price, Note\n"A", "1,5" , "x, y"\n')).text).toBe(
      "Name: A\nPrice: 1,5\nNote: x, y",
    );
    expect((await csv("sep=;\r\nName;Price\r\nA;1,5\r\n")).text).toBe("Name: A\nPrice: 1,5");
    const tabs = await parseFile({
      name: "a.tsv",
      bytes: new TextEncoder().encode('N\tA\tB\nx\t\t" q "\n\t\t5\n'),
    });
    expect(tabs.text).toBe("N: x\nB: q\n\nB: 5");
  });
});
