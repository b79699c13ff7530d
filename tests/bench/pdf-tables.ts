// Measures how the tables of PDFs are read, against cells that people wrote down: `npx tsx tests/bench/pdf-tables.ts FOLDER`, where FOLDER has
// NAME.pdf beside NAME-str.xml as in the data of the ICDAR 2013 table competition (github.com/tabulapdf/tabula-java has it). Counts the pairs of
// cells beside or below each other, without spaces, dots and dashes, as that competition does. Judges nothing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DomUtils, parseDocument } from "htmlparser2";
import type { ParsedDocument } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";

interface Cell {
  row: number;
  column: number;
  toRow: number;
  toColumn: number;
  text: string;
}

const [folder = "."] = process.argv.slice(2);

const fold = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[\s._\-\u2010-\u2014\u00ad]+/g, "")
    .toLowerCase();

/** Each cell with the next one that has text to its right, and below it. */
function pairsIn(cells: Cell[]): string[] {
  const at = new Map<string, Cell>();
  for (const cell of cells)
    for (let row = cell.row; row <= cell.toRow; row++)
      for (let column = cell.column; column <= cell.toColumn; column++) at.set(`${row},${column}`, cell);
  const rows = Math.max(...cells.map((cell) => cell.toRow));
  const columns = Math.max(...cells.map((cell) => cell.toColumn));
  const pairs = new Set<string>();
  const add = (cell: Cell, other: Cell | undefined, way: string) => {
    if (other?.text) pairs.add(`${way} ${cell.text} ${other.text}`);
    return Boolean(other?.text);
  };
  for (const cell of cells.filter(({ text }) => text)) {
    for (let row = cell.row; row <= cell.toRow; row++)
      for (let column = cell.toColumn + 1; column <= columns; column++)
        if (add(cell, at.get(`${row},${column}`), "right")) break;
    for (let column = cell.column; column <= cell.toColumn; column++)
      for (let row = cell.toRow + 1; row <= rows; row++)
        if (add(cell, at.get(`${row},${column}`), "below")) break;
  }
  return [...pairs];
}

function pairsWritten(xml: string): string[] {
  const document = parseDocument(xml, { xmlMode: true });
  return DomUtils.getElementsByTagName("table", document).flatMap((table) =>
    pairsIn(
      DomUtils.getElementsByTagName("region", table).flatMap((region) =>
        DomUtils.getElementsByTagName("cell", region).map(({ attribs, children }): Cell => {
          const number = (name: string, other = 0) => Number(attribs[name] ?? other);
          const [right, down] = [region.attribs["col-increment"], region.attribs["row-increment"]].map(
            Number,
          );
          const [row, column] = [number("start-row"), number("start-col")];
          const content = DomUtils.getElementsByTagName("content", children);
          return {
            row: row + (down ?? 0),
            column: column + (right ?? 0),
            toRow: number("end-row", row) + (down ?? 0),
            toColumn: number("end-col", column) + (right ?? 0),
            text: fold(DomUtils.textContent(content)),
          };
        }),
      ),
    ),
  );
}

function pairsRead({ text, structure }: ParsedDocument): string[] {
  const tables = structure.filter(({ kind }) => kind === "table");
  return tables.flatMap(({ start, end }) => {
    const lines = text.slice(start, end).split("\n");
    const rows = lines.filter((line) => line.startsWith("|") && !/^\|(?: --- \|)+$/.test(line));
    const cells = rows.flatMap((line, row) =>
      line
        .slice(2, -2)
        .split(" | ")
        .map(
          (cell, column): Cell => ({
            row,
            column,
            toRow: row,
            toColumn: column,
            text: fold(cell.replace(/\\\|/g, "|")),
          }),
        ),
    );
    // A merged cell is read as one in each of its rows.
    return pairsIn(cells).filter((pair) => !/ (\S+) \1$/.test(pair));
  });
}

const sum = { written: 0, read: 0, both: 0 };
const scores: { name: string; recall: number; precision: number }[] = [];
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith("-str.xml"))
  .sort()) {
  const name = file.replace(/-str\.xml$/, "");
  const path = join(folder, `${name}.pdf`);
  if (!existsSync(path)) continue;
  const written = pairsWritten(readFileSync(join(folder, file), "utf8"));
  const read = pairsRead(await parseFile({ name: `${name}.pdf`, bytes: new Uint8Array(readFileSync(path)) }));
  const left = new Map<string, number>();
  for (const pair of written) left.set(pair, (left.get(pair) ?? 0) + 1);
  let both = 0;
  for (const pair of read) {
    const count = left.get(pair) ?? 0;
    if (count > 0) both++;
    left.set(pair, count - 1);
  }
  sum.written += written.length;
  sum.read += read.length;
  sum.both += both;
  scores.push({ name, recall: both / written.length, precision: both / Math.max(1, read.length) });
}

const f1 = ({ recall, precision }: { recall: number; precision: number }) =>
  recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
for (const score of scores.sort((a, b) => f1(a) - f1(b)))
  console.log(
    `${score.name.padEnd(10)} recall ${score.recall.toFixed(2)}  precision ${score.precision.toFixed(2)}`,
  );
const mean = scores.reduce((total, score) => total + f1(score), 0) / scores.length;
console.log(
  `${scores.length} documents: recall ${(sum.both / sum.written).toFixed(3)}, precision ${(sum.both / sum.read).toFixed(3)}, mean F1 ${mean.toFixed(3)}`,
);
