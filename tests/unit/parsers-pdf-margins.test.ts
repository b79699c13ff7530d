// Reading a PDF: running heads that vary, contents without leaders, and table cells of several lines.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePdf, type PdfLine } from "../support/files/pdf.ts";

const parse = (pages: PdfLine[][]) => parseFile({ name: "a.pdf", bytes: makePdf(pages) });

const prose = (n: number): PdfLine[] =>
  Array.from({ length: 4 }, (_, line) => ({
    text: `Sentence ${"abcdefgh"[n]}${line} tells what applies here.`,
  }));

describe("a PDF's margins", () => {
  it("lose the head of a chapter that few pages share, but no line of a page's own", async () => {
    const chapters = ["Leave", "Leave", "Expenses", "Training", "Training", "Pensions"];
    const page = (chapter: string, n: number): PdfLine[] => [
      { text: n % 2 ? `${n + 3} Chapter on ${chapter}` : `CHAPTER ON ${chapter.toUpperCase()}` },
      { text: chapter, size: 20, down: 50 },
      { text: "A subject of chapter on", size: 20, down: 40 },
      ...prose(n),
    ];
    const { text } = await parse(chapters.map(page));
    expect(text).not.toMatch(/chapter on (?:leave|expenses|training|pensions)/i);
    for (const n of [0, 1, 2, 3, 4, 5]) expect(text).toContain(`Sentence ${"abcdefgh"[n]}0`);
    const bills = [14, 27, 31, 58].map((number, n) => [
      { text: `Bill ${number} of ${"abcd"[n]}` },
      ...prose(n).map((line, i) => ({ ...line, ...(i === 0 ? { down: 50 } : {}) })),
    ]);
    for (const number of [14, 27, 31, 58]) expect((await parse(bills)).text).toContain(`Bill ${number}`);
  });

  it("keep a chapter's title whose number is its page's", async () => {
    const page = (n: number): PdfLine[] => [
      { text: n === 2 ? "3 Leave" : `Text ${"abcd"[n]}`, ...(n === 2 ? { size: 20 } : {}) },
      ...prose(n),
      { text: `${n + 1}`, down: 60 + 10 * n },
    ];
    expect((await parse([0, 1, 2, 3].map(page))).text).toContain("3 Leave");
  });

  it("lose page numbers in a document of two pages, and the second copy of its head", async () => {
    const page = (n: number): PdfLine[] => [
      { text: "Rental agreement 2026-0417" },
      ...prose(n).map((line, i) => ({ ...line, ...(i === 0 ? { down: 40 } : {}) })),
      { text: `Page ${n} / 2`, down: 60 },
    ];
    const { text } = await parse([page(1), page(2)]);
    expect(text).not.toContain("Page");
    expect(text.match(/Rental agreement/g)).toHaveLength(1);
  });

  it("lose a list of contents without leaders, and keep a list of parts", async () => {
    const names = ["Opening hours", "Fees", "Emergencies", "Complaints"];
    const contents: PdfLine[] = [
      { text: "Contents" },
      ...names.map((name, n) => ({ text: `${n + 1} ${name} ${n + 2}` })),
    ];
    const chapters = names.map((name, n): PdfLine[] => [{ text: name, size: 20 }, ...prose(n)]);
    const { text } = await parse([contents, ...chapters]);
    expect(text).not.toMatch(/Contents|Fees 3/);
    const box = await parse([
      [{ text: "Contents" }, { text: "Screws 4" }, { text: "Nuts 8" }, { text: "Bolts 12" }],
      prose(0),
    ]);
    expect(box.text).toContain("Nuts 8");
  });
});

describe("a PDF's columns", () => {
  it("do not take a line beside a heading for one", async () => {
    const both = Array.from({ length: 8 }, (_, n): PdfLine[] => [
      n === 3
        ? { text: "The heading of this column", size: 18, at: 0, down: 14 }
        : { text: `Left ${n} is a line of plain prose`, at: 0, down: 14 },
      { text: `Right ${n} is a line of plain prose`, at: 280, down: 0 },
    ]).flat();
    const { structure } = await parse([both]);
    const headings = structure.filter(({ kind }) => kind === "heading").map(({ label }) => label);
    expect(headings).toEqual(["The heading of this column"]);
  });
});

describe("a PDF's table", () => {
  const row = (cells: (string | undefined)[], down: number, places = [0, 90, 280]): PdfLine[] =>
    cells
      .flatMap((text, i) => (text === undefined ? [] : [{ text, at: places[i] ?? 0 }]))
      .map((line, i) => ({ ...line, down: i === 0 ? down : 0 }));

  it("has one row where a cell takes several lines", async () => {
    const parsed = await parse([
      [
        ...row(["Number", "Article", "Price"], 20),
        ...row(["PX-1", "Glue for outside,", "25"], 26),
        ...row([undefined, "withstands sea water"], 13),
        ...row(["PX-2", "Screw", "4"], 26),
        ...row([undefined, "Panel of oak,"], 26),
        ...row(["PX-3", undefined, "90"], 6.5),
        ...row([undefined, "three layers"], 6.5),
      ],
    ]);
    expect(tablesOf(parsed.text, parsed.structure)).toMatchObject([
      {
        columns: ["Number", "Article", "Price"],
        rows: [
          { cells: ["PX-1", "Glue for outside, withstands sea water", "25"] },
          { cells: ["PX-2", "Screw", "4"] },
          { cells: ["PX-3", "Panel of oak, three layers", "90"] },
        ],
      },
    ]);
  });

  it("keeps its rows where they are close together below a header", async () => {
    const places = [0, 80, 160, 240, 320];
    const parsed = await parse([
      [
        ...row(["Name", "Mon", "Tue", "Wed", "Thu"], 20, places),
        ...row(["Ann", undefined, "x"], 26, places),
        ...row(["Bob", undefined, undefined, "x"], 13, places),
        ...row(["Cid", undefined, undefined, undefined, "x"], 13, places),
      ],
    ]);
    expect(tablesOf(parsed.text, parsed.structure)[0]?.rows).toHaveLength(3);
  });
});
