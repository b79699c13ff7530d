// Tables of a PDF that have rules around some of their cells: rows and columns that only figures tell.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { type Box, type DrawnPage, drawPdf, sides, type Word } from "../support/files/drawn-pdf.ts";
import fc from "../support/property-cases.ts";

const levelRules = (from: number, to: number, ys: number[]) => ys.map((y): Box => [from, y, to - from, 0.75]);

const read = async (page: DrawnPage) => (await parseFile({ name: "a.pdf", bytes: drawPdf([page]) })).text;

describe("a PDF's table without rules between some of its rows or columns", () => {
  /** Three rules down, and one below the names and one above the total. */
  const boxes = sides([70, 170, 250, 330], [720, 700, 640, 620]);
  const names: Word[] = [
    [72, 706, "Group"],
    [172, 706, "Number"],
    [252, 706, "Share"],
  ];
  const rows = (...cells: [string, string, string][]): Word[] =>
    cells.flatMap(([name, count, share], row): Word[] => [
      [72, 686 - 14 * row, name],
      [172, 686 - 14 * row, count],
      [252, 686 - 14 * row, share],
    ]);
  const total: Word[] = [
    [72, 626, "Total"],
    [172, 626, "60"],
    [252, 626, "100 %"],
  ];

  it("has a row for each line of figures, in columns that are as wide as figures are", async () => {
    const ages = ["3-year-olds", "4-year-olds", "Others", "Total"];
    const words = ages.flatMap((age, row): Word[] => [
      [72, 686 - 14 * row, age],
      [146, 686 - 14 * row, `1,53${row}`],
      [186, 686 - 14 * row, `1,02${row}`],
    ]);
    const names: Word[] = [
      [72, 706, "Age"],
      [146, 706, "Here"],
      [186, 706, "There"],
    ];
    const text = await read({
      boxes: sides([70, 144, 180, 216], [720, 700, 636]),
      words: [...names, ...words],
    });
    expect(text.trim()).toBe(
      `| Age | Here | There |\n| --- | --- | --- |\n${ages.map((age, row) => `| ${age} | 1,53${row} | 1,02${row} |`).join("\n")}`,
    );
  });

  it("has the name in the middle of several rows in each of them", async () => {
    const figures = rows(["", "30", "50 %"], ["Adults", "20", "33 %"], ["", "10", "17 %"]);
    const text = await read({ boxes, words: [...names, ...figures, ...total] });
    for (const row of ["30 | 50 %", "20 | 33 %", "10 | 17 %"]) expect(text).toContain(`| Adults | ${row} |`);
  });

  it("keeps two lines of times in the row that they belong to", async () => {
    const words: Word[] = [
      [72, 679, "Evening show"],
      [172, 686, "18:00 20:00"],
      [172, 672, "22:00"],
      [252, 686, "17:00 19:00"],
      [252, 672, "21:00"],
    ];
    const text = await read({ boxes, words: [...names, ...words, ...total] });
    expect(text).toContain("| Evening show | 18:00 20:00 22:00 | 17:00 19:00 21:00 |");
  });

  it("has a column for each of the figures beside each other, named after both lines of its name", async () => {
    const figures = [12, 34, 56].flatMap((figure, row): Word[] => [
      [72, 686 - 14 * row, `Line ${row}`],
      [176, 686 - 14 * row, String(figure)],
      [220, 686 - 14 * row, String(figure + 1)],
      [252, 686 - 14 * row, "1.5"],
    ]);
    const words: Word[] = [
      [72, 726, "Group"],
      [188, 732, "Members"],
      [174, 720, "Men"],
      [212, 720, "Women"],
      [252, 726, "Hours"],
    ];
    const text = await read({
      boxes: sides([70, 170, 250, 330], [744, 700, 640]),
      words: [...words, ...figures],
    });
    expect(text).toContain("| Group | Members Men | Members Women | Hours |");
    expect(text).toContain("| Line 1 | 34 | 35 | 1.5 |");
  });

  it("cuts figures of two columns that the file writes as one run", async () => {
    const figures = [12, 34, 56].flatMap((figure, row): Word[] => [
      [72, 686 - 14 * row, `Line ${row}`],
      [217, 686 - 14 * row, String(figure)],
      [266, 686 - 14 * row, String(figure + 1)],
      [300, 686 - 14 * row, "1.5"],
    ]);
    const together: Word[] = [
      [72, 644, "Line 3"],
      [187, 644, "1234567 7654321"],
      [300, 644, "1.5"],
    ];
    const text = await read({
      boxes: sides([70, 170, 290, 350], [720, 700, 636]),
      words: [[72, 706, "Name"], [172, 706, "Count"], [300, 706, "Share"], ...figures, ...together],
    });
    expect(text).toContain("| Line 0 | 12 | 13 | 1.5 |");
    expect(text).toContain("| Line 3 | 1234567 | 7654321 | 1.5 |");
  });

  it("has the columns of its names in rows that have rules above and below alone", async () => {
    const own = sides([70, 170, 250, 330], [720, 700]);
    const lines = levelRules(70, 330, [680, 660, 640]);
    const edges: Box[] = [
      [70, 640, 0.75, 60],
      [330, 640, 0.75, 60],
    ];
    const cells = ["Adults", "Pupils", "Guests"].flatMap((name, row): Word[] => [
      [72, 686 - 20 * row, name],
      [172, 686 - 20 * row, String(row)],
      [252, 686 - 20 * row, `${row} %`],
    ]);
    const text = await read({ boxes: [...own, ...lines, ...edges], words: [...names, ...cells] });
    expect(text.trim()).toBe(
      "| Group | Number | Share |\n| --- | --- | --- |\n| Adults | 0 | 0 % |\n| Pupils | 1 | 1 % |\n| Guests | 2 | 2 % |",
    );
  });

  it("does not repeat the prose of a merged cell for each of the figures beside it", async () => {
    const prose = ["For groups of", "ten or more", "that book in", "advance, as", "schools do"];
    const words: Word[] = [
      ...prose.map((line, row): Word => [72, 686 - 14 * row, line]),
      ...[1, 2, 3].flatMap((figure, row): Word[] => [
        [172, 686 - 14 * row, `${figure} h`],
        [252, 686 - 14 * row, `${10 * figure}`],
      ]),
      [172, 626, "all day"],
      [252, 626, "80"],
    ];
    const own = boxes.filter(([left, bottom, width]) => !(left === 70 && bottom === 640 && width > 1));
    const text = await read({ boxes: own, words: [...names, ...words] });
    expect(text.split("schools do").length - 1).toBeLessThanOrEqual(2);
    for (const [, , word] of words) expect(text).toContain(word);
  });

  it("keeps every word, and repeats none in more than the rows and columns that it is merged over", async () => {
    const columns = 5;
    const lines = 9;
    /** What stands at a place: nothing, a word or two, or one to three figures. Each is told from all others by its number. */
    const cell = fc.constantFrom("", "", "word", "long", "figure", "figure", "figures");
    const mostOfWords = 4;
    const pages = fc.record({
      cells: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
        minLength: lines,
        maxLength: lines,
      }),
      /** The columns and lines before which a rule stands. */
      upright: fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 2 }),
      level: fc.subarray([0, 1, 2, 3, 5, 7, 9], { minLength: 2 }),
      /** Sides of cells that are left out. */
      without: fc.array(fc.nat(), { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(pages, async ({ cells, upright, level, without }) => {
        const xs = upright.map((at) => 70 + 90 * at);
        const ys = level.map((at) => 700 - 16 * at);
        const drawn = sides(xs, ys);
        const left = new Set(without.map((at) => at % drawn.length));
        const words = cells.flatMap((row, y) =>
          row.flatMap((kind, x): Word[] => {
            const number = 100 + 10 * y + x;
            const place = (at: number, text: string): Word => [74 + 90 * x + 26 * at, 689 - 16 * y, text];
            // Goes on over the last edge.
            if (kind === "long" && x === columns - 1)
              return [place(0, `Long${number}`), place(2, `${number}beyond`)];
            if (kind === "word" || kind === "long") return [place(0, `Name${number}`)];
            if (kind === "figure") return [place(1, `${number}`)];
            return kind === "figures"
              ? [place(0, `${number}0`), place(1, `${number}1`), place(2, `${number}2`)]
              : [];
          }),
        );
        const text = await read({ boxes: drawn.filter((_, at) => !left.has(at)), words });
        const times = new Map<string, number>();
        for (const word of text.match(/\w+/g) ?? []) times.set(word, (times.get(word) ?? 0) + 1);
        expect(words.flatMap(([, , word]) => (times.has(word) ? [] : [word]))).toEqual([]);
        const all = [...times.values()].reduce((sum, count) => sum + count, 0);
        expect(all).toBeLessThanOrEqual(mostOfWords * words.length);
      }),
      { numRuns: 150 },
    );
  });
});
