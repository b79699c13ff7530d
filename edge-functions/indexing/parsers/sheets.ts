// Writes the sheets of workbooks and OpenDocument spreadsheets, and says what was left out.
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { limits, ParseError } from "./document.ts";
import { type LeftOut, sayLeftOut } from "./left-out.ts";
import { writeTable } from "./table-rows.ts";
import { clipText, oneLine, type TextBuilder } from "./text-builder.ts";
import { partsOfSheet, type SheetRow, tablesOfSheet } from "./xlsx-tables.ts";

export interface SheetContent {
  name: string;
  /** Undefined for a sheet that is too large. */
  rows: SheetRow[] | undefined;
  /** Writes the words of what is drawn on it; absent without any. */
  writeDrawn?: (() => void) | undefined;
}

/**
 * Writes the tables of a sheet under its name, then what is drawn on it.
 * @param fileName for the error @throws ParseError `too_large`
 */
export function writeSheet(
  out: TextBuilder,
  { name, rows, writeDrawn }: SheetContent,
  fileName: string,
): void {
  if (!rows) {
    throw new ParseError("too_large", fileName, {
      limit: `${limits.textChars / 2 ** 20} million characters of text`,
    });
  }
  if (rows.length === 0 && !writeDrawn) return;
  const label = oneLine(name);
  out.block(label, { kind: "heading", level: 1, label });
  for (const { above, rows: table, looks } of partsOfSheet(rows).flatMap(tablesOfSheet)) {
    for (const text of above) out.block(text);
    const caption = clipText([label, ...above].join(" · "), 300);
    writeTable(out, table, { column: letters, caption, looks });
  }
  writeDrawn?.();
}

/** 0 is A, 25 is Z, 26 is AA. */
export function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? letters(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

/** Cells that a warning names: a file may have a million of them. */
const mostNamed = 20;

/** The formulas without a stored result. */
export class UnreadFormulas {
  count = 0;
  readonly named: string[] = [];

  add(sheet: string, address: string): void {
    this.count += 1;
    if (this.count <= mostNamed) this.named.push(`${sheet}!${address}`);
  }
}

export interface LeftOutOfSheets extends LeftOut {
  /** The names of hidden sheets. */
  hidden: string[];
  unread: UnreadFormulas;
}

export function noteSheets(out: TextBuilder, leftOut: LeftOutOfSheets): void {
  const { hidden, unread } = leftOut;
  const list = (names: string[]) => clipText(oneLine(names.join(", ")), 500);
  if (hidden.length > 0) out.warn(sentenceOf("sheetsHidden", { sheets: list(hidden) }));
  if (unread.count > 0)
    out.warn(sentenceOf("formulasUnread", { count: unread.count, cells: list(unread.named) }));
  for (const warning of sayLeftOut(leftOut)) out.warn(warning);
}
