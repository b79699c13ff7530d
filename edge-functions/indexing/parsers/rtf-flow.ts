// Assembles the paragraphs of an RTF text, a note or a text box to HTML: lists, headings, tables inside of each other. Pure.
import { escapeUTF8 } from "entities";
import { htmlOfRows, type RowPlaces, type RtfRow } from "./rtf-tables.ts";

export interface RtfParagraph {
  /** Of a heading, from 1; 0 for none. */
  heading: number;
  /** How many tables it is in. */
  tables: number;
  /** How far it stands to the right, by which the lists inside of each other are told. */
  indent: number;
}

export interface RtfMarks {
  isBold: boolean;
  isStruck: boolean;
  place: "" | "sup" | "sub";
}

interface OpenTable {
  rows: RtfRow[];
  cells: string[];
  cell: Blocks;
}

interface OpenList {
  tag: "ul" | "ol";
  indent: number;
}

/** Blocks one below the other, the last of which may be an open list. */
class Blocks {
  #html = "";
  #lists: OpenList[] = [];

  add(html: string): void {
    this.#closeLists(0);
    this.#html += html;
  }

  addItem(html: string, mark: string, indent: number): void {
    const isNumber = /\d|\p{L}\p{P}/u.test(mark);
    const tag = isNumber ? "ol" : "ul";
    const isInner = (list: OpenList) => list.indent > indent || (list.indent === indent && list.tag !== tag);
    this.#closeLists(this.#lists.filter((list) => !isInner(list)).length);
    if (
      (this.#lists.at(-1)?.indent ?? Number.NEGATIVE_INFINITY) < indent &&
      this.#lists.length < deepestList
    ) {
      this.#lists.push({ tag, indent });
      this.#html += `<${tag}>`;
    }
    this.#html += isNumber ? `<li data-number="${escapeUTF8(mark)}">${html}</li>` : `<li>${html}</li>`;
  }

  take(): string {
    this.add("");
    const html = this.#html;
    this.#html = "";
    return html;
  }

  #closeLists(depth: number): void {
    while (this.#lists.length > depth) this.#html += `</${this.#lists.pop()?.tag}>`;
  }
}

const deepestList = 8;
const deepestTable = 8;

export class RtfFlow {
  readonly #blocks = new Blocks();
  #tables: OpenTable[] = [];
  #run = "";
  #open: string[] = [];
  /** Blocks that follow the open paragraph: notes, text boxes. */
  #after = "";
  /** The number or bullet of the open paragraph. */
  #mark = "";

  add(text: string, { isBold, isStruck, place }: RtfMarks): void {
    if (text === "") return;
    const tags = [isBold ? "b" : "", isStruck ? "s" : "", place].filter(Boolean);
    if (tags.join() !== this.#open.join()) {
      this.#closeMarks();
      this.#run += tags.map((tag) => `<${tag}>`).join("");
      this.#open = tags;
    }
    this.#run += escapeUTF8(text);
  }

  addBreak(): void {
    this.#run += "<br>";
  }

  addMark(text: string): void {
    this.#mark += text;
  }

  addAfter(html: string): void {
    this.#after += html;
  }

  endParagraph({ heading, tables, indent }: RtfParagraph): void {
    this.#closeMarks();
    const blocks = this.#blocksIn(Math.min(tables, deepestTable));
    const html = this.#run;
    const mark = this.#mark.trim();
    this.#run = "";
    this.#mark = "";
    const isBlank = html.replace(/<[^>]*>/g, "").trim() === "";
    if (!isBlank && heading > 0 && tables === 0)
      blocks.add(`<h${heading}>${escapeUTF8(mark ? `${mark} ` : "")}${html}</h${heading}>`);
    else if (!isBlank && mark && tables === 0) blocks.addItem(html, mark, indent);
    else if (!isBlank) blocks.add(`<p>${escapeUTF8(mark ? `${mark} ` : "")}${html}</p>`);
    if (this.#after) blocks.add(this.#after);
    this.#after = "";
  }

  endCell(paragraph: RtfParagraph): void {
    const tables = Math.min(Math.max(1, paragraph.tables), deepestTable);
    this.endParagraph({ ...paragraph, tables });
    const table = this.#tables[tables - 1];
    table?.cells.push(table.cell.take());
  }

  /** @param tables how many tables the row is in */
  endRow(places: RowPlaces, tables: number): void {
    const depth = Math.min(Math.max(1, tables), deepestTable);
    const blocks = this.#blocksIn(depth);
    const table = this.#tables[depth - 1];
    if (!table) return;
    // Words behind the last cell's end.
    const rest = blocks.take();
    if (rest) table.cells.push(rest);
    if (table.cells.length > 0) table.rows.push({ cells: table.cells, places });
    table.cells = [];
  }

  finish(paragraph: RtfParagraph): string {
    this.endParagraph({ ...paragraph, tables: 0 });
    return this.#blocks.take();
  }

  #closeMarks(): void {
    for (const tag of this.#open.toReversed()) this.#run += `</${tag}>`;
    this.#open = [];
  }

  /** Where a paragraph in that many tables goes; ends the tables within. */
  #blocksIn(tables: number): Blocks {
    while (this.#tables.length > tables) {
      const { rows, cells, cell } = this.#tables.pop() ?? { rows: [], cells: [], cell: new Blocks() };
      const rest = [...cells, cell.take()].filter(Boolean);
      const html = `${rows.length > 0 ? htmlOfRows(rows) : ""}${rest.join("")}`;
      (this.#tables.at(-1)?.cell ?? this.#blocks).add(html);
    }
    while (this.#tables.length < tables) this.#tables.push({ rows: [], cells: [], cell: new Blocks() });
    return this.#tables.at(-1)?.cell ?? this.#blocks;
  }
}
