// Reads the cells of the sheets in the body of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, 9), and the words of what is drawn on
// them. A chart draws values of cells, which are read as such.
import { limits } from "./document.ts";
import { PendingText } from "./html-pending.ts";
import { OdfMarkup, shapes } from "./odf-markup.ts";
import type { OdfStyles } from "./odf-styles.ts";
import { odsValue } from "./ods-values.ts";
import { letters, UnreadFormulas } from "./sheets.ts";
import type { CellLook } from "./table-groups.ts";
import { SheetCells } from "./xlsx-sheet.ts";

const skipped = new Set(["annotation", "forms", "tracked-changes", "ruby-text"]);
/** The name of a sheet that keeps values of another file. */
const fromElsewhere = /^'[a-z]+:.*'#/i;

interface Cell {
  attributes: Record<string, string>;
  /** False before its first paragraph. */
  hasWords: boolean;
}

interface Sheet {
  name: string;
  depth: number;
  cells: SheetCells;
  row: number;
  column: number;
}

interface ReadSheet {
  name: string;
  cells: SheetCells;
  /** Of what is drawn on it. */
  markup: string;
}

export class OdsSheets {
  readonly hidden: string[] = [];
  readonly unread = new UnreadFormulas();
  comments = 0;
  readonly #styles: OdfStyles;
  readonly #onSheet: (sheet: ReadSheet) => void;
  readonly #drawn: OdfMarkup;
  readonly #words = new PendingText();
  readonly #styleNumbers = new Map<string, number>();
  #depth = 0;
  #skippedFrom = 0;
  #drawnFrom = 0;
  #paragraphFrom = 0;
  #sheet: Sheet | undefined;
  #cell: Cell | undefined;
  #row: { column: number; text: string; style: number; look: CellLook }[] = [];
  #rowTimes = 1;
  #spans: string[][] = [];

  /** @param onSheet is told every visible sheet */
  constructor(styles: OdfStyles, onSheet: (sheet: ReadSheet) => void) {
    this.#styles = styles;
    this.#drawn = new OdfMarkup(styles, new Map());
    this.#onSheet = onSheet;
  }

  get embedded(): number {
    return this.#drawn.embedded;
  }

  open(tag: string, attributes: Record<string, string>): void {
    this.#depth++;
    if (this.#skippedFrom) return;
    if (this.#drawnFrom || (this.#sheet && shapes.has(tag))) {
      this.#drawnFrom ||= this.#depth;
      this.#drawn.open(tag, attributes);
      return;
    }
    if (tag === "annotation" && this.#sheet) this.comments++;
    if (skipped.has(tag)) this.#skippedFrom = this.#depth;
    else if (tag === "table" && !this.#sheet) this.#openSheet(attributes);
    else if (this.#cell) this.#openInCell(this.#cell, tag, attributes);
    else if (tag === "table-row") {
      this.#row = [];
      this.#rowTimes = timesOf("rows", attributes);
      if (this.#sheet) this.#sheet.column = 0;
    } else if (tag === "table-cell") this.#cell = { attributes, hasWords: false };
    else if (tag === "covered-table-cell") {
      if (this.#sheet) this.#sheet.column += timesOf("columns", attributes);
      this.#skippedFrom = this.#depth;
    }
  }

  text(text: string): void {
    if (this.#drawnFrom) this.#drawn.text(text);
    else if (this.#paragraphFrom && !this.#skippedFrom) this.#words.add(text);
  }

  close(tag: string): void {
    const depth = this.#depth--;
    if (this.#skippedFrom) {
      if (this.#skippedFrom === depth) this.#skippedFrom = 0;
      return;
    }
    if (this.#drawnFrom) {
      this.#drawn.close(tag);
      if (this.#drawnFrom === depth) this.#drawnFrom = 0;
      return;
    }
    if (this.#paragraphFrom === depth) this.#paragraphFrom = 0;
    if (tag === "span" && this.#paragraphFrom)
      for (const mark of (this.#spans.pop() ?? []).toReversed()) this.#words.close(mark, false);
    if (!this.#sheet) return;
    if (tag === "table-cell" && this.#cell) this.#closeCell(this.#sheet, this.#cell.attributes);
    if (tag === "table-row") this.#closeRow(this.#sheet);
    if (this.#sheet.depth !== depth) return;
    const { name, cells } = this.#sheet;
    this.#onSheet({ name, cells, markup: this.#drawn.take() });
    this.#sheet = undefined;
  }

  #openSheet(attributes: Record<string, string>): void {
    const name = attributes["table:name"] ?? "";
    const isForeign = fromElsewhere.test(name.slice(0, 1_000));
    if (isForeign || this.#styles.isHidden("table", attributes["table:style-name"])) {
      if (!isForeign) this.hidden.push(name);
      this.#skippedFrom = this.#depth;
      return;
    }
    this.#sheet = { name, depth: this.#depth, cells: new SheetCells(limits.textChars), row: 0, column: 0 };
  }

  #openInCell(cell: Cell, tag: string, attributes: Record<string, string>): void {
    if (tag === "p" && !this.#paragraphFrom) {
      if (cell.hasWords) this.#words.add("\n");
      cell.hasWords = true;
      this.#paragraphFrom = this.#depth;
    } else if (!this.#paragraphFrom) return;
    else if (tag === "span") {
      const marks = this.#styles.marksOf("text", attributes["text:style-name"]);
      this.#spans.push(marks);
      for (const mark of marks) this.#words.open(mark, {});
    } else if (tag === "s" || tag === "tab") this.#words.add(" ");
    else if (tag === "line-break") this.#words.add("\n");
  }

  #closeCell(sheet: Sheet, attributes: Record<string, string>): void {
    this.#cell = undefined;
    this.#spans = [];
    const text = odsValue(this.#words.take(), attributes);
    const { column } = sheet;
    const times = timesOf("columns", attributes);
    sheet.column += times;
    if (text === "") {
      const isUnread = attributes["table:formula"] && !attributes["office:value-type"];
      if (isUnread) this.unread.add(sheet.name, `${letters(column)}${sheet.row + 1}`);
      return;
    }
    const style = attributes["table:style-name"];
    for (let i = 0; i < times && !sheet.cells.isTooLarge; i++) {
      this.#row.push({
        column: column + i,
        text,
        style: this.#numberOf(style ?? ""),
        look: { isBold: this.#styles.isBold("table-cell", style), indent: 0 },
      });
      // Counted once a row, before a file of few bytes has filled the memory.
      if (this.#row.length > mostCellsInRow) break;
    }
    const right = column + timesOf("columns", attributes, "spanned") - 1;
    const bottom = sheet.row + timesOf("rows", attributes, "spanned") - 1;
    if (right > column || bottom > sheet.row)
      sheet.cells.merge({ top: sheet.row, bottom, left: column, right });
  }

  #closeRow(sheet: Sheet): void {
    for (let i = 0; i < this.#rowTimes && this.#row.length > 0 && !sheet.cells.isTooLarge; i++)
      for (const { column, text, style, look } of this.#row)
        sheet.cells.add(sheet.row + i, column, text, style, look);
    sheet.row += this.#rowTimes;
    this.#row = [];
  }

  #numberOf(style: string): number {
    const number = this.#styleNumbers.get(style) ?? this.#styleNumbers.size;
    this.#styleNumbers.set(style, number);
    return number;
  }
}

/** As many columns as the programs have. */
const mostCellsInRow = 16_384;

const timesOf = (what: "rows" | "columns", attributes: Record<string, string>, how = "repeated") =>
  Math.max(1, Number(attributes[`table:number-${what}-${how}`]) || 1);
