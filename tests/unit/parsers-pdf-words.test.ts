// What holds for any page of a PDF: its words are read, whatever is drawn around them.
import { expect, it } from "vitest";
import { withoutDoubles } from "../../edge-functions/indexing/parsers/pdf-lines.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { type Box, drawPdf, sides, type Word } from "../support/files/drawn-pdf.ts";
import fc from "../support/property-cases.ts";

interface RandomPage {
  rules: [x: number, y: number, long: number, isLevel: boolean][];
  grids: [x: number, y: number, columns: number, rows: number][];
}
it("loses no word, wherever rules, boxes and words stand", async () => {
  // On a lattice, so that words are often in one row, rules often meet, and words often stand in what they enclose.
  const at = fc.integer({ min: 0, max: 11 }).map((n) => 60 + 40 * n);
  const height = fc.integer({ min: 0, max: 15 }).map((n) => 400 + 10 * n);
  const box = fc.tuple(at, height, fc.constantFrom(1, 40, 80, 200), fc.constantFrom(1, 10, 20, 100));
  const rule = fc.tuple(at, height, fc.constantFrom(20, 80, 200, 400), fc.boolean());
  const grid = fc.tuple(at, height, fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 6 }));
  const page = fc.record({
    grey: fc.array(box, { maxLength: 2 }),
    strokes: fc.array(box, { maxLength: 2 }),
    rules: fc.array(rule, { maxLength: 5 }),
    grids: fc.array(grid, { minLength: 1, maxLength: 2 }),
    places: fc.array(fc.tuple(at, height), { minLength: 30, maxLength: 60 }),
  });
  const boxesOf = ({ rules, grids }: Pick<RandomPage, "rules" | "grids">): Box[] => [
    ...rules.map(([x, y, long, isLevel]): Box => (isLevel ? [x, y, long, 0.75] : [x, y, 0.75, long])),
    ...grids.flatMap(([x, y, columns, rows]) =>
      sides(
        Array.from({ length: columns + 1 }, (_, i) => x - 3 + 40 * i),
        Array.from({ length: rows + 1 }, (_, i) => y + 43 - 20 * i),
      ),
    ),
  ];
  await fc.assert(
    fc.asyncProperty(page, async ({ grey, strokes, rules, grids, places }) => {
      const words = places.map(([x, y], i): Word => [x, y, `w${i}z`]);
      const bytes = drawPdf([{ words, grey, strokes, boxes: boxesOf({ rules, grids }) }]);
      const { text } = await parseFile({ name: "a.pdf", bytes });
      expect(words.filter(([, , word]) => !text.includes(word))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it("has words once that are written twice, hardly apart, to make them bold", async () => {
  const words = ["Fees", "Adults", "12"].flatMap((word, at): Word[] => [
    [72 + 60 * at, 700, word],
    [72.4 + 60 * at, 700, word],
  ]);
  const { text } = await parseFile({
    name: "a.pdf",
    bytes: drawPdf([{ words: [...words, [72, 680, "Fees"]] }]),
  });
  expect(text.split(/\s+/)).toEqual(["Fees", "Adults", "12", "Fees"]);
});

it("keeps the same narrow letter twice, written one by one", () => {
  const letter = (x: number) => ({
    str: "l",
    hasEOL: false,
    height: 6,
    width: 1.4,
    transform: [6, 0, 0, 6, x, 700],
  });
  for (const x of [10, 10.3, 10.6, 10.9])
    expect(withoutDoubles([letter(x), letter(x + 1.4)])).toHaveLength(2);
  expect(withoutDoubles([letter(10), letter(10.3)])).toHaveLength(1);
});
