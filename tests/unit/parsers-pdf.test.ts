// Reading a PDF page: tables as cells, columns in sequence, without headers and footers.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePdf, type PdfLine } from "../support/files/pdf.ts";

const parse = (pages: PdfLine[][]) => parseFile({ name: "a.pdf", bytes: makePdf(pages) });

/** Cells of one row at their positions; undefined for an empty one. */
const row = (cells: (string | undefined)[], places = [0, 150, 260, 360]): PdfLine[] =>
  cells
    .flatMap((text, i) => (text === undefined ? [] : [{ text, at: places[i] ?? 0 }]))
    .map((line, i) => ({ ...line, down: i === 0 ? 14 : 0 }));

describe("a PDF", () => {
  it("keeps a table's cells, empty ones too, and the text around it", async () => {
    const parsed = await parse([
      [
        { text: "The rates below have applied since January." },
        ...row(["City", "Hotel", "Meals"]),
        ...row(["London", "190", "55"]),
        ...row(["Paris", undefined, "50"]),
        ...row(["Berlin", "130", undefined]),
        ...row(["Amsterdam", "165", "48"]),
        { text: "Alcohol is not reimbursed, and neither are fines of any kind.", down: 40 },
      ],
    ]);
    expect(tablesOf(parsed.text, parsed.structure)).toMatchObject([
      {
        columns: ["City", "Hotel", "Meals"],
        rows: [
          { cells: ["London", "190", "55"] },
          { cells: ["Paris", "", "50"] },
          { cells: ["Berlin", "130", ""] },
          { cells: ["Amsterdam", "165", "48"] },
        ],
      },
    ]);
    expect(parsed.text).toMatch(/^The rates below have applied since January\.\n\n\| City/);
    expect(parsed.text).toMatch(/fines of any kind\.$/);
  });

  it("has two columns in sequence, between the lines that span both", async () => {
    const prose = (side: string, n: number) => `${side} ${n} is a line of plain prose in it`;
    const both: PdfLine[] = Array.from({ length: 8 }, (_, n) => [
      { text: prose("Left", n), at: 0, down: 13 },
      { text: prose("Right", n), at: 250, down: 0 },
    ]).flat();
    const parsed = await parse([
      [
        { text: "A heading that stands across the page, over both of its columns, from side to side" },
        ...both,
      ],
    ]);
    const places = Array.from({ length: 8 }, (_, n) => [
      parsed.text.indexOf(prose("Left", n)),
      parsed.text.indexOf(prose("Right", n)),
    ]);
    expect(Math.max(...places.map(([left = -1]) => left))).toBeLessThan(
      Math.min(...places.map(([, right = -1]) => right)),
    );
    expect(parsed.text).toMatch(/^A heading/);
  });

  it.each([
    ["three narrow columns", 3, 8, 150],
    ["two short columns", 2, 4, 170],
  ])("has %s of prose in sequence, and no table", async (_, columns, lines, width) => {
    const prose = (column: number, line: number) => `${"abc"[column]} words ${line} of the lease`;
    const all = Array.from({ length: lines }, (_, n) =>
      Array.from({ length: columns }, (_, i) => ({
        text: prose(i, n),
        at: i * width,
        down: i === 0 ? 13 : 0,
      })),
    );
    const parsed = await parse([all.flat()]);
    expect(parsed.structure.filter(({ kind }) => kind === "table")).toEqual([]);
    const sequence = Array.from({ length: columns }, (_, i) => all.map((_, n) => prose(i, n)));
    expect(parsed.text.split(/\n+/)).toEqual(sequence.flat());
  });

  it("keeps a table whose values are words in lower case", async () => {
    const parsed = await parse([
      [
        ...row(["first room", "with a view", "open all year"]),
        ...row(["second room", "without a view", "closed in winter"]),
        ...row(["kitchen", "for all guests", "open from nine to eleven"]),
      ],
    ]);
    expect(tablesOf(parsed.text, parsed.structure)).toHaveLength(1);
  });

  it("loses running headers, footers and page numbers, and keeps one-off text at the edges", async () => {
    const page = (n: number): PdfLine[] => [
      { text: "Acme handbook 2026", down: 0 },
      { text: `Chapter words number ${n} are ${"x".repeat(n + 3)} here.`, down: 40 },
      { text: `More of them ${"y".repeat(n)} follow.`, down: 200 },
      { text: `Page ${n} of 4`, down: 300 },
    ];
    const parsed = await parse([1, 2, 3, 4].map(page));
    expect(parsed.text).not.toContain("Acme handbook");
    expect(parsed.text).not.toContain("Page 2");
    for (const n of [1, 2, 3, 4]) expect(parsed.text).toContain(`number ${n} are`);
    const numbers = ["One", "Two", "Three", "Four"].map((text, n) => [
      { text: `${text} words.`, down: 10 },
      { text: `- ${n + 7} -`, down: 90 * n + 90 },
    ]);
    expect((await parse(numbers)).text).toBe("One words.\n\nTwo words.\n\nThree words.\n\nFour words.");
    const slips = Array.from({ length: 4 }, () => [{ text: "A slip that is the same on each page." }]);
    expect((await parse(slips)).text).toContain("A slip");
    const two = await parse([page(1), page(2)]);
    expect(two.text).toContain("Acme handbook");
  });

  it("loses a table of contents, and only the dots of a dotted price line", async () => {
    const contents: PdfLine[] = [
      { text: "Contents" },
      { text: "Pay ............................ 2" },
      { text: "Leave . . . . . . . . . . . . . 2" },
      { text: "Expenses ....................... 3" },
    ];
    const menu: PdfLine[] = [{ text: "Tea ............ 4" }, { text: "Milk ........... 2" }];
    const parsed = await parse([contents, [{ text: "Pay is monthly." }], menu]);
    expect(parsed.text).toBe("Pay is monthly.\n\nTea 4\nMilk 2");
  });

  it("rejoins a word split across lines, unless it has its hyphen elsewhere", async () => {
    const parsed = await parse([
      [
        { text: "The reimburse-" },
        { text: "ment is fast, and long-" },
        { text: "term plans of a long-term kind stay. From A-" },
        { text: "B it is far." },
      ],
    ]);
    expect(parsed.text).toBe(
      "The reimbursement is fast, and long-term plans of a long-term kind stay. From A-\nB it is far.",
    );
  });
});
