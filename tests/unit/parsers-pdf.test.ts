// Reading a PDF page: tables as cells, columns in sequence, without headers and footers.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { assemble, bytesOf, makePdf, type PdfLine, streamOf } from "../support/files/pdf.ts";

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

  /** A row whose first cell has several lines, with the values at one of them. @param apart points from the row before */
  const rowOf = (lines: string[], values: string[], at: number, apart: number): PdfLine[] =>
    lines.flatMap((text, i) => [
      { text, at: 0, down: i === 0 ? apart : 12 },
      ...(i === at ? values.map((value, x) => ({ text: value, at: [220, 300][x] ?? 0, down: 0 })) : []),
    ]);

  it.each([
    ["at the last line of their row", -1, 20],
    ["at the last line, where rows are as close as lines", -1, 13],
    ["at the first line of their row", 0, 20],
    ["at the first line, where rows are as close as lines", 0, 13],
  ])("reads values %s with it", async (_, place, apart) => {
    const cells = [
      ["Annual visit of the heating system", "in autumn, with a report about", "its safety"],
      ["Repair of a boiler that stands in", "an attic"],
      ["Repair"],
    ];
    const values = [
      ["10 days", "120"],
      ["2 days", "95"],
      ["4 hours", "80"],
    ];
    const lineOf = (lines: string[]) => (place + lines.length) % lines.length;
    const { text, structure } = await parse([
      [
        ...rowOf(["Service"], ["Delay", "Price"], 0, 14),
        ...cells.flatMap((lines, i) => rowOf(lines, values[i] ?? [], lineOf(lines), apart)),
      ],
    ]);
    expect(tablesOf(text, structure)).toMatchObject([
      {
        columns: ["Service", "Delay", "Price"],
        rows: cells.map((lines, i) => ({ cells: [lines.join(" "), ...(values[i] ?? [])] })),
      },
    ]);
  });

  it("keeps the name of a group and lines between two tables out of the rows below them", async () => {
    const grouped: PdfLine[] = [
      ...row(["Item", "Price"], [0, 220]),
      ...row(["Tea", "4"], [0, 220]),
      ...row(["vegetables from the region"]),
      ...row(["Beans", "7"], [0, 220]),
      ...row(["Peas", "5"], [0, 220]),
    ];
    const { text, structure } = await parse([grouped]);
    expect(tablesOf(text, structure)[0]?.rows.map(({ cells }) => cells)).toEqual([
      ["Tea", "4"],
      ["vegetables from the region", ""],
      ["Beans", "7"],
      ["Peas", "5"],
    ]);
    const rows = [
      ["Sea", "Tide"],
      ["North", "5"],
      ["South", "6"],
    ].flatMap((cells) => row(cells, [0, 220]));
    const between = ["Tides are measured in metres.", "Prices are listed below."].map((words) => ({
      text: words,
      down: 14,
    }));
    const two = await parse([
      [
        ...rows,
        ...between,
        ...row(["Ship", "Price"], [0, 220]),
        ...row(["Ann", "9"], [0, 220]),
        ...row(["Bea", "8"], [0, 220]),
      ],
    ]);
    expect(tablesOf(two.text, two.structure)).toHaveLength(2);
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

  it.each([1.15, 1.5, 2])(
    "has paragraphs where lines are further apart than most (%d type sizes)",
    async (leading) => {
      const line = (text: string, times = 1): PdfLine => ({ text, size: 11, down: 11 * leading * times });
      const { text } = await parse([
        [
          line("The office opens at nine and"),
          line("closes at five."),
          line("On Fridays it closes at two, and", 1.6),
          line("nobody answers the telephone."),
          line("The branch in Ely is closed until", 2),
          line("the end of the month."),
        ],
      ]);
      expect(text.split("\n\n").map((one) => one.split("\n").length)).toEqual([2, 2, 2]);
    },
  );

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

/** A page with its content stream and annotations, each an object. */
function pageWith(content: string, annotations: string[] = [], entries = ""): Uint8Array {
  const references = annotations.map((_, i) => `${6 + i} 0 R`).join(" ");
  return assemble([
    bytesOf("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>"),
    bytesOf("<< /Type /Pages /Kids [4 0 R] /Count 1 >>"),
    bytesOf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    bytesOf(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${entries} /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [${references}] >>`,
    ),
    streamOf("", bytesOf(`BT ${content} ET`)),
    ...annotations.map(bytesOf),
  ]);
}
const at = (text: string, x: number, y: number, matrix = "1 0 0 1") =>
  `/F1 10 Tf ${matrix} ${x} ${y} Tm (${text}) Tj`;
const textOfPage = async (bytes: Uint8Array) => await parseFile({ name: "a.pdf", bytes });

describe("words over a PDF's page", () => {
  it("are read in their place: the values of a form and typed text, not those that nobody sees", async () => {
    const field = (rect: string, entries: string) =>
      `<< /Type /Annot /Subtype /Widget /Rect [${rect}] /T (f${rect.length}) ${entries} >>`;
    const parsed = await textOfPage(
      pageWith(
        ["Name:", "Member:", "Guest:", "Signed below."]
          .map((text, i) => at(text, 50, 700 - 30 * i))
          .join(" "),
        [
          field("120 695 300 712", "/FT /Tx /V (Ann Globex)"),
          field("120 665 130 675", "/FT /Btn /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R >> >>"),
          field("120 635 130 645", "/FT /Btn /V /Off /AS /Off /AP << /N << /Yes 5 0 R >> >>"),
          field("120 500 300 512", "/FT /Tx /F 2 /V (hidden)"),
          field("120 480 300 492", "/FT /Tx /Ff 8192 /V (password)"),
          "<< /Type /Annot /Subtype /FreeText /Rect [50 500 300 540] /Contents (Typed on top) >>",
          "<< /Type /Annot /Subtype /Text /Rect [500 500 520 520] /Contents (A comment) >>",
        ],
      ),
    );
    expect(parsed.text.replace(/\| --- \| --- \|\n/, "")).toBe(
      "| Name: | Ann Globex |\n| Member: | [x] |\n| Guest: | [ ] |\n\nSigned below.\n\nTyped on top",
    );
    expect(parsed.warnings).toEqual(["Comments were left out: 1."]);
  });
});

describe("a PDF's sideways text", () => {
  const rows = [
    ["Item", "Price", "Stock"],
    ["Bolt", "1.20", "10"],
    ["Nut", "0.80", "20"],
  ];
  const expected = "| Item | Price | Stock |\n| --- | --- | --- |\n| Bolt | 1.20 | 10 |\n| Nut | 0.80 | 20 |";
  const tableAt = (place: (x: number, y: number) => string) =>
    rows.flatMap((row, y) => row.map((text, x) => place(x, y).replace("%", text))).join(" ");

  it.each([
    ["up", (x: number, y: number) => at("%", 100 + 20 * y, 100 + 90 * x, "0 1 -1 0")],
    ["down", (x: number, y: number) => at("%", 500 - 20 * y, 700 - 90 * x, "0 -1 1 0")],
    ["upside down", (x: number, y: number) => at("%", 500 - 90 * x, 100 + 20 * y, "-1 0 0 -1")],
  ])("is read as a table if it runs %s", async (_, place) => {
    expect((await textOfPage(pageWith(tableAt(place)))).text).toBe(expected);
  });

  it("is kept beside a level table", async () => {
    const level = tableAt((x, y) => at("%", 100 + 90 * x, 700 - 20 * y));
    const page = pageWith(`${level} ${at("Label at the side", 60, 500, "0 1 -1 0")}`);
    expect((await textOfPage(page)).text).toBe(`${expected}\n\nLabel at the side`);
  });
});

it("tells the narrow gaps of a table from those of justified prose", async () => {
  // A gap of 1.2 type sizes: the longest words of each column end 12 points before the next.
  const table = [
    ["Bolt", "10", "1.20"],
    ["Bolts and", "5", "0.80"],
    ["Nut", "15", "2.00"],
  ];
  const cells = table.flatMap((row, y) =>
    row.map((text, x) => at(text, [50, 105, 128][x] ?? 0, 700 - 18 * y)),
  );
  expect((await textOfPage(pageWith(cells.join(" ")))).text).toContain("| Bolts and | 5 | 0.80 |");
  const lines = ["compensation ", "pays each ", "agreement of the "].flatMap((text, y) => [
    at(text, 50, 700 - 12 * y),
    at("employer", [123, 107, 140][y] ?? 0, 700 - 12 * y),
  ]);
  expect((await textOfPage(pageWith(lines.join(" ")))).text).not.toContain("|");
});
