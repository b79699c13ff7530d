// Reading a PDF: running heads that vary, contents without leaders, and table cells of several lines.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { blocksOf } from "../../edge-functions/indexing/parsers/pdf-columns.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePdf, type PdfLine } from "../support/files/pdf.ts";
import fc from "../support/property-cases.ts";

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

  it("keep the first copy of a note that every page repeats", async () => {
    const note =
      "Children who were given nothing but milk, and women who have heard of it, are counted here.";
    const { text } = await parse([0, 1, 2, 3].map((n) => [...prose(n), { text: note, down: 60 }]));
    expect(text.split(note)).toHaveLength(2);
    expect(text.indexOf(note)).toBeLessThan(text.indexOf("Sentence b0"));
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

  /** Lines one below the other, of which the first is `down` points below the line before. */
  const column = (name: string, lines: number, at: number, down: number): PdfLine[] =>
    Array.from({ length: lines }, (_, n) => ({
      text: `${n === 0 ? "The" : "and the"} ${name} line ${n}`,
      at,
      down: n === 0 ? down : 13,
    }));
  const wide: PdfLine = {
    text: "This line is as wide as the page and stands across all of its columns.",
    down: 20,
  };

  it("are read as the file writes them, in a part of the page, beside no table above them", async () => {
    const prices = [
      ["Room", "Day", "Night"],
      ["Hall", "12", "19"],
      ["Attic", "8", "9"],
    ].flatMap((cells) => cells.map((text, i): PdfLine => ({ text, at: 60 * i, down: i === 0 ? 13 : 0 })));
    // The second column begins higher than the first, and ends earlier.
    const columns = [column("first", 6, 0, 22), column("second", 6, 170, -69), column("third", 4, 340, -65)];
    const below = { ...wide, down: 60 };
    const { text, structure } = await parse([[wide, wide, ...prices, ...columns.flat(), below, wide]]);
    expect(structure.find(({ kind }) => kind === "table")?.columns).toEqual(["Room", "Day", "Night"]);
    const sequence = [...columns.flat(), wide].map((line) => line.text);
    expect(text.split(/\n+/).slice(-18, -1)).toEqual(sequence);
  });

  /** A line of words, in points from the page's origin. */
  const runAt = (left: number, y: number, width: number, hasEOL = true) => ({
    ...{ str: "and words of a sentence", hasEOL, height: 10, width },
    transform: [10, 0, 0, 10, left, y],
  });

  it.each([
    ["between them", -200, 20],
    ["behind them", -500, 20],
    ["above them", 100, -200],
  ])("are found with the page's origin %s", (_, left, top) => {
    const runs = [left, left + 210].flatMap((at) =>
      Array.from({ length: 8 }, (_, n) => runAt(at, top - 13 * n, 180)),
    );
    expect(blocksOf(runs)).toEqual([
      { runs: runs.slice(0, 8), isColumn: true },
      { runs: runs.slice(8), isColumn: true },
    ]);
  });

  const linesAt = (lines: [text: string, at: number][], down: number): PdfLine[] =>
    lines.map(([text, at], n) => ({ text, at, down: n === 0 ? down : 13 }));
  const contact = linesAt(
    [
      ["Contact", 20],
      ["Anna Berg", 10],
      ["Office 214", 0],
      ["anna@berg.example", 5],
    ],
    20,
  );

  it.each([
    ["before the text", [...contact, ...column("body", 14, 160, -40)]],
    [
      "behind the text",
      [
        ...column("body", 14, 160, 20),
        ...linesAt(
          contact.map(({ text, at = 0 }) => [text, at]),
          -166,
        ),
      ],
    ],
  ])("may be a box of short lines that the file writes %s", async (_, lines) => {
    const { text } = await parse([[wide, ...lines, { ...wide, down: 200 }]]);
    expect(text).toContain("Contact\nAnna Berg\nOffice 214\nanna@berg.example\n");
    expect(text).toContain("and the body line 5\nand the body line 6\n");
  });

  it("may hold a formula and a figure with words", async () => {
    const formula: PdfLine[] = [
      { text: "a + b", at: 40, down: 18 },
      { text: "c", at: 46, down: 12 },
      { text: "(1)", at: 190, down: -7 },
    ];
    const figure: PdfLine[] = [
      { text: "100", at: 250, down: -170 },
      { text: "0", at: 256, down: 40 },
      { text: "Cost in euros", at: 300, down: -35 },
    ];
    const columns = [
      ...column("first", 6, 0, 22),
      ...formula,
      ...column("next", 5, 0, 26),
      ...figure,
      ...column("second", 8, 250, 50),
    ];
    const { text } = await parse([[wide, ...columns]]);
    for (const name of ["first", "next", "second"])
      expect(text).toContain(`and the ${name} line 1\nand the ${name} line 2\nand the ${name} line 3\n`);
  });

  it.each([
    [
      "keep a table of codes that are as wide as each other",
      ["Hall", "Attic", "Yard"],
      ["ABA", "BAB", "AAB"],
      true,
    ],
    ["keep a list as one", ["1.", "2.", "3."], ["Knock", "Enter", "Sit down"], false],
  ])("%s", async (_, left, right, isTable) => {
    const rows = left.flatMap((text, n): PdfLine[] => [
      { text, at: 0, down: n === 0 ? 26 : 13 },
      { text: right[n] ?? "", at: 60, down: 0 },
    ]);
    const columns = [...column("first", 8, 0, 22), ...rows, ...column("second", 10, 250, -143)];
    const { structure } = await parse([[wide, ...columns]]);
    expect(structure.some(({ kind }) => kind === "table")).toBe(isTable);
  });

  it("are none where short values stand on the lines of the text beside them", async () => {
    const names = linesAt(
      Array.from({ length: 12 }, (_, n) => [`Room ${n}`, 0]),
      20,
    );
    const rooms = column("room for many people", 12, 120, -143);
    const { structure } = await parse([[wide, ...names, ...rooms]]);
    expect(structure.find(({ kind }) => kind === "table")?.columns?.[0]).toBe("Room 0");
  });

  it("keep every run of a page once, in the file's order", () => {
    const place = fc.integer({ min: -300, max: 300 });
    const run = fc.record({
      left: place,
      y: place,
      width: fc.integer({ min: 0, max: 250 }),
      hasEOL: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 40 }), (places) => {
        const runs = places.map(({ left, y, width, hasEOL }) => runAt(left, y, width, hasEOL));
        expect(blocksOf(runs).flatMap((block) => block.runs)).toEqual(runs);
      }),
    );
  });

  it("keep a sentence that goes on in the next column whole", async () => {
    const [last, next] = ["and this sentence goes", "on in the next column."];
    const columns = [
      ...column("first", 6, 0, 22),
      { text: last, at: 0, down: 13 },
      { text: next, at: 250, down: -78 },
      ...column("second", 6, 250, 13),
    ];
    expect((await parse([[wide, ...columns]])).text).toContain(`${last}\n${next}\n`);
  });

  it("are none where another cell stands beside them", async () => {
    const cell = (text: string, at: number, down: number): PdfLine => ({ text, at, down });
    const row = (post: string) => [
      cell(post, 0, 20),
      ...column(`${post} one`, 6, 80, 0),
      ...column(`${post} two`, 6, 260, -65),
    ];
    const names = [cell("Post", 0, 20), cell("Duties", 80, 0), cell("Terms", 260, 0)];
    const { structure } = await parse([[wide, ...names, ...row("cook"), ...row("waiter"), wide]]);
    expect(structure.find(({ kind }) => kind === "table")?.columns).toEqual(["Post", "Duties", "Terms"]);
  });

  it("are none where values are written column by column", async () => {
    const values = (at: number, down: number) =>
      Array.from(
        { length: 7 },
        (_, n): PdfLine => ({ text: `Item ${at} ${n}`, at, down: n === 0 ? down : 13 }),
      );
    const { structure } = await parse([[wide, ...values(0, 13), ...values(200, -78)]]);
    expect(structure.find(({ kind }) => kind === "table")?.columns).toEqual(["Item 0 0", "Item 200 0"]);
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

  it("keeps cells that are hardly further apart than words, and empty ones", async () => {
    const places = [0, 125, 160];
    const rows = [
      row(["Post", "Day", "Night"], 20, places),
      row(["Skilled worker, level two", "12.50", "18.75"], 14, places),
      row(["Manager", undefined, "25.00"], 14, places),
      row(["Apprentice", "8.00", "none"], 14, places),
    ];
    const { structure, text } = await parse([[{ text: "The rates of this year." }, ...rows.flat()]]);
    expect(structure.find(({ kind }) => kind === "table")?.columns).toEqual(["Post", "Day", "Night"]);
    expect(text).toContain("| Manager |  | 25.00 |");
    expect(text).toContain("| Skilled worker, level two | 12.50 | 18.75 |");
  });

  it("has one row where several cells take several lines, which are written cell by cell", async () => {
    const cell = (about: string, post: string, at: number, down: number): PdfLine[] =>
      [
        `The ${post} has ${about}, all of which are`,
        "described in the contract that is",
        "signed on the first day of the work.",
      ].map((text, n) => ({ text, at, down: n === 0 ? down : 13 }));
    const row = (post: string): PdfLine[] => [
      { text: post, at: 0, down: 22 },
      ...cell("duties", post, 80, 0),
      ...cell("terms", post, 290, -26),
    ];
    const names = ["Post", "Duties", "Terms"].map(
      (text, i): PdfLine => ({ text, at: [0, 80, 290][i] ?? 0, down: 0 }),
    );
    const posts = ["Cook", "Waiter", "Porter"];
    const { text, structure } = await parse([[...names, ...posts.flatMap(row)]]);
    const sentenceOn = (about: string, post: string) =>
      `The ${post} has ${about}, all of which are described in the contract that is signed on the first day of the work.`;
    expect(tablesOf(text, structure)).toMatchObject([
      {
        columns: ["Post", "Duties", "Terms"],
        rows: posts.map((post) => ({ cells: [post, sentenceOn("duties", post), sentenceOn("terms", post)] })),
      },
    ]);
  });

  it("is not made of a list, whose bullets make no headings", async () => {
    const items = ["Fast", "Reliable", "Simple", "Quiet"].flatMap((text): PdfLine[] => [
      { text: "\u0095", size: 14, at: 0, down: 14 },
      { text, at: 30, down: 0 },
    ]);
    const prices = [
      row(["Room", "Price"], 30, [0, 200]),
      row(["Hall", "12"], 14, [0, 200]),
      row(["Attic", "8"], 14, [0, 200]),
    ];
    const { structure, text } = await parse([[...items, ...prices.flat()]]);
    expect(text).toMatch(/^• Fast\n• Reliable\n• Simple\n• Quiet\n/);
    expect(structure.filter(({ kind }) => kind === "heading")).toEqual([]);
  });
});
