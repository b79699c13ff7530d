// Tables of a PDF that rules tell: between all cells, or between rows alone. Cells of several lines, merged cells, other pages.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { type Box, type DrawnPage, drawPdf, sides, type Word } from "../support/files/drawn-pdf.ts";

const levelRules = (from: number, to: number, ys: number[]) => ys.map((y): Box => [from, y, to - from, 0.75]);

const read = async (...pages: DrawnPage[]) =>
  (await parseFile({ name: "a.pdf", bytes: drawPdf(pages) })).text;

/** Cells of one, two and three lines beside each other. */
const centred: DrawnPage = {
  boxes: sides([70, 120, 220, 320], [700, 640, 600]),
  words: [
    [72, 668, "Code"],
    [132, 674, "Weight"],
    [150, 662, "g"],
    [232, 680, "Shelf"],
    [232, 668, "life"],
    [232, 656, "days"],
    [72, 616, "B06"],
    [132, 622, "about 640, of"],
    [132, 610, "olives 90"],
    [232, 616, "4"],
    [72, 570, "Text below the table."],
  ],
};

describe("a PDF's table with rules around its cells", () => {
  it("has a row per row, whose cells of one, two and three lines are centred beside each other", async () => {
    const text = await read(centred);
    expect(text.trim()).toBe(
      "| Code | Weight g | Shelf life days |\n| --- | --- | --- |\n| B06 | about 640, of olives 90 | 4 |\n\nText below the table.",
    );
  });

  it("has the name over two columns in both, and the one beside two rows in both", async () => {
    const [xs, ys] = [
      [70, 170, 250, 330],
      [700, 680, 660, 640],
    ];
    const merged: Box[] = [
      [70, 680, 100, 0.75],
      [250, 680, 0.75, 20],
    ];
    const boxes = sides(xs, ys).filter(
      ([left, bottom, width, height]) =>
        !merged.some((one) => one[0] === left && one[1] === bottom && one[2] === width && one[3] === height),
    );
    const text = await read({
      boxes,
      words: [
        [72, 676, "Item"],
        [230, 686, "Price"],
        [172, 666, "net"],
        [252, 666, "gross"],
        [72, 646, "Bolt"],
        [172, 646, "1.50"],
        [252, 646, "1.80"],
      ],
    });
    expect(text.trim()).toBe(
      "| Item | Price net | Price gross |\n| --- | --- | --- |\n| Bolt | 1.50 | 1.80 |",
    );
  });

  it("keeps words in their cells that a file writes as one run, and a word that is broken at its hyphen", async () => {
    const text = await read({
      strokes: [
        [70, 680, 60, 20],
        [130, 680, 100, 20],
        [70, 650, 60, 30],
        [130, 650, 100, 30],
        [70, 630, 60, 20],
        [130, 630, 100, 20],
      ],
      words: [
        [72, 686, "Day"],
        [132, 686, "Open"],
        [72, 668, "Mon-"],
        [72, 656, "Sat"],
        // Some programs leave as little as a space between two cells.
        [103, 656, "only from nine"],
        [72, 636, "Sun"],
        [132, 636, "closed"],
      ],
    });
    expect(text.trim()).toBe("| Day | Open |\n| --- | --- |\n| Mon-Sat only | from nine |\n| Sun | closed |");
  });

  it("has its header on the next page too, where the file does not repeat it", async () => {
    const xs = [70, 170, 250];
    const rows = (from: number): Word[] =>
      [0, 1, 2].flatMap((row): Word[] => [
        [72, 686 - 20 * row, `Bolt ${from + row}`],
        [172, 686 - 20 * row, `${from + row}.50`],
      ]);
    const names: Word[] = [
      [72, 706, "Item"],
      [172, 706, "Price"],
    ];
    const pages = [
      { boxes: sides(xs, [720, 700, 680, 660, 640]), words: [...names, ...rows(1)] },
      { boxes: sides(xs, [700, 680, 660, 640]), words: rows(4) },
      { boxes: sides(xs, [720, 700, 680, 660, 640]), words: [...names, ...rows(7)] },
    ];
    const table = (from: number) =>
      `| Item | Price |\n| --- | --- |\n${[0, 1, 2].map((row) => `| Bolt ${from + row} | ${from + row}.50 |`).join("\n")}`;
    expect((await read(...pages)).trim()).toBe([1, 4, 7].map(table).join("\n\n"));
    // A line between them ends the table.
    const [first = { words: [] }, second = { words: [] }] = pages;
    const apart = await read(first, { ...second, words: [[72, 730, "Nuts"], ...second.words] });
    expect(apart).not.toContain("Price |\n| --- | --- |\n| Bolt 4");
  });

  it("keeps the names that every page repeats at one height, as no running head", async () => {
    const xs = [70, 170, 250];
    const page = (from: number): DrawnPage => ({
      boxes: sides(xs, [720, 700, 680, 660]),
      words: [
        [72, 706, "Item"],
        [172, 706, "Price"],
        ...[0, 1].flatMap((row): Word[] => [
          [72, 686 - 20 * row, `Bolt ${from + row}`],
          [172, 686 - 20 * row, `${from + row}.50`],
        ]),
      ],
    });
    const text = await read(page(1), page(3), page(5), page(7));
    expect(text.match(/\| Item \| Price \|/g)).toHaveLength(4);
  });

  it("has its words once where it stands in a cell of another", async () => {
    const inner = sides([80, 160, 240], [690, 670, 650]);
    const outer = sides([70, 250, 400, 500], [700, 600, 560]);
    const text = await read({
      boxes: [...inner, ...outer],
      words: [
        [82, 676, "Size"],
        [162, 676, "Price"],
        [82, 656, "L"],
        [162, 656, "4.50"],
        [252, 660, "Prices of shirts"],
        [402, 660, "Spring"],
        [72, 580, "On request"],
        [252, 580, "Coats"],
        [402, 580, "Autumn"],
      ],
    });
    expect(text).toContain("| Size | Price |\n| --- | --- |\n| L | 4.50 |");
    expect(text.match(/4\.50/g)).toHaveLength(1);
    expect(text).toContain("| On request | Coats | Autumn |");
  });

  it("is read by its gaps where lines of its cells have no rule between them", async () => {
    const values = ["bottom", "left", "top", "right", "polar", "none"];
    const text = await read({
      boxes: sides([70, 120, 220], [720, 700, 600]),
      words: [
        [72, 706, "Bit"],
        [132, 706, "Meaning"],
        ...values.flatMap((value, row): Word[] => [
          [72, 686 - 14 * row, String(2 ** row)],
          [132, 686 - 14 * row, value],
        ]),
      ],
    });
    for (const [row, value] of values.entries()) expect(text).toContain(`| ${2 ** row} | ${value} |`);
  });

  it("is read by its gaps where a merged cell has rows and columns of its own", async () => {
    const lines = ["Paper", "Print", "Post", "Total"];
    const text = await read({
      boxes: sides([70, 220, 280, 340], [720, 700, 620]).filter(
        ([left, bottom, width]) => width > 1 || bottom >= 700 || left === 70 || left === 340,
      ),
      words: [
        [72, 706, "Item"],
        [222, 706, "Count"],
        [282, 706, "Price"],
        ...lines.flatMap((name, row): Word[] => [
          [72, 686 - 16 * row, name],
          [230, 686 - 16 * row, String(row)],
          [290, 686 - 16 * row, `${row}.50`],
        ]),
      ],
    });
    for (const [row, name] of lines.entries()) expect(text).toContain(`| ${name} | ${row} | ${row}.50 |`);
  });

  it("is read by its gaps on a page that draws far more, as a plan does, whose drawing takes too much memory", async () => {
    const row = "| B06 | about 640, of olives 90 | 4 |";
    // Without room for a picture.
    const lines = Array.from(
      { length: 60 },
      (_, i): Word => [
        72,
        780 - 12.5 * i,
        "Prose that fills the page from its left edge to its right one, or nearly, so that no large picture has room on it",
      ],
    );
    const words = [...centred.words, ...lines.filter(([, y]) => y > 710 || y < 560)];
    expect(await read({ ...centred, words })).toContain(row);
    const strokes = Array.from({ length: 60_000 }, (_, i): Box => [i % 600, i % 700, 1, 1]);
    const text = await read({ ...centred, words, strokes });
    expect(text).toContain("about 640, of");
    expect(text).not.toContain(row);
  });

  it("is none where words stand on lines closer than they are high, as under music", async () => {
    const text = await read({
      boxes: [
        ...levelRules(70, 400, [700, 695, 690, 685, 680]),
        [70, 680, 0.75, 20],
        [235, 680, 0.75, 20],
        [400, 680, 0.75, 20],
      ],
      words: [
        [75, 697, "Sal"],
        [240, 697, "ve"],
        [75, 687, "re"],
        [240, 687, "gi"],
      ],
    });
    expect(text).not.toContain("|");
  });
});

describe("a PDF's table with rules between its rows alone", () => {
  const rows: Word[] = [
    [100, 706, "Plan"],
    [180, 706, "Price"],
    [330, 706, "For whom"],
    [72, 682, "Solo"],
    [172, 682, "9"],
    [252, 686, "One person who works alone and"],
    [252, 674, "needs nothing more"],
    [72, 656, "Large"],
    [172, 656, "on request"],
    [252, 656, "Everybody else"],
  ];
  const table =
    "| Plan | Price | For whom |\n| --- | --- | --- |\n| Solo | 9 | One person who works alone and needs nothing more |\n| Large | on request | Everybody else |";
  const below: Word = [
    72,
    610,
    "Prose below it goes on over most of the width of the page, and is in no cell.",
  ];

  it.each([
    ["below each row", levelRules(70, 450, [700, 669, 648])],
    ["above each row", levelRules(70, 450, [718, 700, 669])],
    ["above, below and between", levelRules(70, 450, [718, 700, 669, 648])],
  ])("has cells of several lines, and names centred over values (%s)", async (_name, boxes) => {
    expect((await read({ boxes, words: [...rows, below] })).trim()).toBe(`${table}\n\n${below[2]}`);
  });

  it("may have every second row shaded instead", async () => {
    const words: Word[] = [...rows, [72, 636, "Other"], [172, 636, "0"], [252, 636, "Schools"]];
    const grey: Box[] = [
      [70, 669, 380, 31],
      [70, 630, 380, 18],
    ];
    expect((await read({ grey, words })).trim()).toBe(`${table}\n| Other | 0 | Schools |`);
  });

  it("is none where prose stands between the rules", async () => {
    const line = "A section of prose that takes most of the width of the page, as prose does.";
    const words = [690, 678, 650, 638, 610, 598].map((y): Word => [72, y, line]);
    expect(await read({ boxes: levelRules(70, 450, [720, 664, 624, 584]), words })).not.toContain("|");
  });
});

describe("a PDF's table without rules", () => {
  const figures = (columns: number, rows: number, top: number): Word[] =>
    Array.from({ length: rows }, (_, row): Word[] => [
      [72, top - 14 * row, `Line ${row}`],
      ...Array.from(
        { length: columns - 1 },
        (_, at): Word => [130 + 32 * at, top - 14 * row, String(10 * (row + 1) + at)],
      ),
    ]).flat();

  it("names each column after its group too, whose name is in the middle above", async () => {
    const text = await read({
      words: [
        [136, 700, "Inland"],
        [200, 700, "Abroad"],
        [72, 686, "Size"],
        ...["2024", "2025", "2024", "2025"].map((year, at): Word => [126 + 32 * at, 686, year]),
        ...figures(5, 4, 672),
      ],
    });
    expect(text).toContain("| Size | Inland 2024 | Inland 2025 | Abroad 2024 | Abroad 2025 |");
    expect(text).toContain("| Line 1 | 20 | 21 | 22 | 23 |");
  });

  it("keeps the words of a line above its figures and of one between its columns", async () => {
    const rows = (count: number, top: number) =>
      Array.from({ length: count }, (_, row): Word[] =>
        [72, 130, 162, 200].map((left, at) => [
          left,
          top - 14 * row,
          ["Line", "10", "20", "1,000,000"][at] ?? "",
        ]),
      ).flat();
    const apart: Word[] = [
      [72, 714, "Outlay of all regions, each year"],
      [236, 714, "Euros"],
      [104, 644, "of it"],
    ];
    const text = await read({ words: [...apart, ...rows(4, 700), ...rows(2, 630)] });
    expect(text).toContain("| Line | 10 | 20 | 1,000,000 |");
    for (const [, , word] of apart) expect(text).toContain(word);
  });

  it("ends above its notes, which are prose behind a mark", async () => {
    const note =
      "Counted in the year before, without those who had left, moved or joined another group since then.";
    const notes = ["1", "2"].flatMap((mark, at): Word[] => [
      [72, 640 - 12 * at, mark],
      [98, 640 - 12 * at, note],
    ]);
    const text = await read({ words: [...figures(4, 4, 700), ...notes] });
    expect(text).toContain(`| Line 3 | 40 | 41 | 42 |\n\n1 ${note}`);
  });

  it("may have as many columns as a page is wide", async () => {
    const text = await read({ words: figures(15, 4, 700) });
    expect(text).toContain(`| Line 2 | ${Array.from({ length: 14 }, (_, at) => 30 + at).join(" | ")} |`);
  });

  it("has cells of several lines that are centred beside others, and names beside the middle of narrow values", async () => {
    const text = await read({
      words: [
        [82, 700, "Code"],
        [132, 706, "Weight"],
        [132, 694, "in g"],
        [252, 700, "Life"],
        [72, 676, "B06"],
        [132, 682, "about 640, of"],
        [132, 670, "olives 90"],
        [242, 676, "4"],
        [72, 652, "B07"],
        [132, 652, "950"],
        [242, 652, "5"],
        [72, 628, "B08"],
        [132, 634, "between 700"],
        [132, 622, "and 720"],
        [242, 628, "7"],
      ],
    });
    expect(text.trim()).toBe(
      "| Code | Weight in g | Life |\n| --- | --- | --- |\n| B06 | about 640, of olives 90 | 4 |\n| B07 | 950 | 5 |\n| B08 | between 700 and 720 | 7 |",
    );
  });

  it("is none where columns of prose stand at different heights", async () => {
    const column = (left: number, from: number, said: string): Word[] =>
      Array.from({ length: 14 }, (_, i) => [left, from - 12 * i, `prose of the ${said} column of text`]);
    // As a program writes that goes down the page line by line.
    const words = [...column(72, 700, "left"), ...column(330, 694, "right")].sort((a, b) => b[1] - a[1]);
    const titles: Word[] = [
      [72, 730, "A title of this side"],
      [330, 730, "And one of the other"],
    ];
    const text = await read({ words: [...titles, ...words] });
    expect(text).not.toContain("|");
    expect(text.lastIndexOf("left")).toBeLessThan(text.indexOf("right"));
  });
});

describe("what a browser prints around a page", () => {
  const page = (top: string, bottom: string, text: string): DrawnPage => ({
    words: [
      [24, 770, top],
      [72, 700, text],
      [24, 16, bottom],
    ],
  });

  const said =
    "Delivery costs five euros within the country, and nothing above forty euros. Parcels leave on weekdays at four.";

  it.each([
    ["Chrome", "11/29/26, 11:12 AM   Prices", "https://shop.example/prices 1/1"],
    ["Firefox, in French", "Tarifs   https://shop.example/tarifs", "1 sur 1   29/11/2026 11:12"],
  ])("is left out of a single page, too (%s)", async (_browser, top, bottom) => {
    expect((await read(page(top, bottom, said))).trim()).toBe(said);
  });

  it("is text where one of the address, the time and the page's number is missing", async () => {
    const text = await read(page("11/29/26, 11:12 Minutes", "See https://shop.example/minutes", said));
    expect(text).toContain("11:12 Minutes");
    expect(text).toContain("https://shop.example/minutes");
  });
});
