// Writes PDFs whose pages have words at places, boxes and rules. Not a PDF library.
import { assemble, bytesOf, streamOf } from "./pdf.ts";

/** In points from the left and the bottom. */
export type Word = [left: number, y: number, text: string];
export type Box = [left: number, bottom: number, width: number, height: number];
export interface DrawnPage {
  words: Word[];
  /** Filled: a thin one is a rule, a grey one shades a row. */
  boxes?: Box[];
  grey?: Box[];
  /** The corners of stroked rectangles. */
  strokes?: Box[];
}

const contentOf = ({ words, boxes = [], grey = [], strokes = [] }: DrawnPage) =>
  [
    ...grey.map((box) => `0.9 g ${box.join(" ")} re f 0 g`),
    ...boxes.map((box) => `${box.join(" ")} re f`),
    ...strokes.map((box) => `${box.join(" ")} re S`),
    ...words.map(
      ([left, y, text]) => `BT /F1 11 Tf ${left} ${y} Td (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`,
    ),
  ].join("\n");

export function drawPdf(pages: DrawnPage[]): Uint8Array {
  const objects = [
    bytesOf("<< /Type /Catalog /Pages 2 0 R >>"),
    bytesOf(
      `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    ),
    bytesOf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    ...pages.flatMap((page, i) => [
      bytesOf(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R >>`,
      ),
      streamOf("", bytesOf(contentOf(page))),
    ]),
  ];
  return assemble(objects);
}

/** The sides of cells, each drawn by itself, as browsers do. */
export const sides = (xs: number[], ys: number[]): Box[] =>
  ys.slice(1).flatMap((bottom, row) =>
    xs.slice(1).flatMap((right, column): Box[] => {
      const [left = 0, top = 0] = [xs[column], ys[row]];
      return [
        [left, top, right - left, 0.75],
        [left, bottom, right - left, 0.75],
        [left, bottom, 0.75, top - bottom],
        [right, bottom, 0.75, top - bottom],
      ];
    }),
  );
