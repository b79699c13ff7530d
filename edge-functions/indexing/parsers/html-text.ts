// Turns a stream of tags into blocks of text. Knows HTML's elements, not files or encodings.
import { LookOfCell } from "./cell-look.ts";
import {
  type Attributes,
  isMain,
  isOwnText,
  LeftOut,
  type MainTag,
  outsideMain,
  type Surrounding,
  surrounding,
} from "./html-main.ts";
import { isMarkTag, PendingText } from "./html-pending.ts";
import { MathText } from "./math-text.ts";
import { type Numerals, numeral } from "./numerals.ts";
import { type GridCell, writeGrid } from "./table-grid.ts";
import { isContentsTitle } from "./table-of-contents.ts";
import { oneLine, type TextBuilder } from "./text-builder.ts";

const dropped = new Set(
  "script style noscript template nav svg canvas iframe object embed audio video select button datalist dialog".split(
    " ",
  ),
);
const blocks = new Set(
  (
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 " +
    "h5 h6 head header hgroup hr html legend li main ol p pre section summary table tbody td tfoot th thead title tr ul"
  ).split(" "),
);

/** Stands for <br>, since a line feed in the source is only a space. */
const lineBreak = "\u2028";

interface List {
  /** Absent in a list of bullets. */
  numerals?: Numerals;
  next: number;
}

const numeralsOf: Record<string, Numerals> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

/** An open table. A layout table (with headings or tables inside its cells) is read as prose instead. */
interface Table {
  layout: boolean;
  rows: GridCell[][];
  caption: string;
  /** The open cell, or undefined between cells. */
  cell?: GridCell;
  /** Of the open cell's words. */
  look?: LookOfCell;
}

export class HtmlText {
  readonly #out: TextBuilder;
  readonly #pending = new PendingText();
  #depth = 0;
  /** The depth of the outermost skipped element, or 0. */
  #skippedFrom = 0;
  /** The skipped element, if only its name or place says that it is not the page's own text. */
  #leftOut: { element: number; kind: Surrounding } | undefined;
  /** The depth of an element that nobody sees, within the skipped one, or 0. */
  #unseenFrom = 0;
  /** The depth of the element that is the page's own text whatever its name, or 0. */
  #ownFrom = 0;
  #opened = 0;
  #isInLink = false;
  readonly leftOut = new LeftOut();
  #title = "";
  #firstHeading = "";
  #inTitle = false;
  #preformatted = 0;
  #heading = 0;
  #lists: List[] = [];
  #closeList: (() => void) | undefined;
  #listStarted = false;
  #item = "";
  #tables: Table[] = [];
  /** A term of a description list that still waits for its description. */
  #term = "";
  /** The term of the previous description, to which a further description belongs too. */
  #termBefore = "";
  #math: { text: MathText; depth: number } | undefined;
  /** The number of open elements whose footer belongs to the text. */
  #ownText = 0;
  /** The depth of the open main element, or 0. */
  #mainFrom = 0;
  readonly #mainOnly: MainTag | undefined;
  readonly #own: ReadonlySet<number>;

  /**
   * @param mainOnly skips everything outside this element except the page's title
   * @param own elements that are read whatever their name: the `leftOut.ownText()` of a reading before
   */
  constructor(out: TextBuilder, mainOnly: MainTag | undefined, own: ReadonlySet<number>) {
    this.#out = out;
    this.#mainOnly = own.has(outsideMain) ? undefined : mainOnly;
    this.#own = own;
  }

  open(tag: string, attributes: Attributes): void {
    this.#depth++;
    this.#opened++;
    if (tag === "a") this.#isInLink = attributes.href !== undefined;
    const isUnseen = dropped.has(tag) || isHidden(attributes);
    if (this.#skippedFrom) {
      if (isUnseen) this.#unseenFrom ||= this.#depth;
      return;
    }
    if (this.#own.has(this.#opened)) this.#ownFrom ||= this.#depth;
    const kind = this.#ownFrom ? undefined : this.#surrounding(tag, attributes);
    if (isUnseen || kind) {
      this.#skippedFrom = this.#depth;
      this.#leftOut = isUnseen || this.#isOutside || !kind ? undefined : { element: this.#opened, kind };
      return;
    }
    if (isOwnText(tag)) this.#ownText++;
    if (this.#mainOnly && !this.#mainFrom && isMain(tag, attributes, this.#mainOnly))
      this.#mainFrom = this.#depth;
    if (tag === "title") this.#inTitle = true;
    if (this.#isOutside) return;
    if (this.#math || tag === "math") {
      this.#math ??= { text: new MathText(), depth: this.#depth };
      this.#math.text.open(tag);
      return;
    }
    if (isMarkTag(tag)) this.#pending.open(tag, attributes);
    this.#table?.look?.open(tag, attributes);
    if (tag === "br") this.#pending.add(lineBreak);
    if (tag === "img" && attributes.alt) this.#pending.add(` ${attributes.alt} `);
    if (!blocks.has(tag)) return;
    const heading = /^h[1-6]$/.test(tag);
    if (heading || tag === "table") this.#leaveCell();
    this.#flush();
    if (tag === "dd") this.#term ||= this.#termBefore;
    if (heading) this.#heading = Number(tag[1]);
    if (tag === "pre") this.#preformatted++;
    if (tag === "ul" || tag === "ol") this.#openList(tag === "ol", attributes);
    if (tag === "li") this.#item = this.#marker(attributes);
    if (tag === "table") this.#openTable();
    if (tag === "tr") this.#table?.rows.push([]);
    if ((tag === "td" || tag === "th") && this.#table) {
      this.#table.look = new LookOfCell();
      this.#table.look.open(tag, attributes);
      this.#table.cell = {
        text: "",
        isHeader: tag === "th",
        columns: Number.parseInt(attributes.colspan ?? "1", 10) || 1,
        rows: Number.parseInt(attributes.rowspan ?? "1", 10) || 1,
      };
    }
  }

  text(text: string): void {
    const isKept = !this.#skippedFrom && !this.#isOutside;
    if (isKept && this.#math) this.#math.text.text(text);
    else if (isKept) this.#pending.add(text);
    if (isKept) this.#table?.look?.text(text);
    if (this.#isInLink || this.#inTitle) return;
    if (isKept) this.leftOut.keep(text);
    else if (!this.#skippedFrom) this.leftOut.leaveOut(text, outsideMain, "around");
    else if (this.#leftOut && !this.#unseenFrom)
      this.leftOut.leaveOut(text, this.#leftOut.element, this.#leftOut.kind);
  }

  close(tag: string): void {
    const depth = this.#depth--;
    if (tag === "a") this.#isInLink = false;
    if (this.#unseenFrom === depth) this.#unseenFrom = 0;
    if (this.#ownFrom === depth) this.#ownFrom = 0;
    if (this.#skippedFrom) {
      if (this.#skippedFrom === depth) this.#skippedFrom = 0;
      return;
    }
    if (this.#math) {
      this.#closeMath(this.#math, depth);
      return;
    }
    if (isMarkTag(tag)) this.#pending.close(tag, this.#heading > 0);
    this.#table?.look?.close();
    if (isOwnText(tag)) this.#ownText = Math.max(0, this.#ownText - 1);
    if (!blocks.has(tag) || this.#isOutside) return;
    if (this.#mainFrom === depth) {
      this.#flush();
      this.#mainFrom = 0;
      return;
    }
    if (tag === "caption" && this.#table) {
      this.#endCaption(this.#table);
      return;
    }
    if (tag === "dt") {
      this.#endTerm();
      return;
    }
    if ((tag === "td" || tag === "th") && this.#table) {
      const { rows, cell = { text: "" }, look } = this.#table;
      if (rows.length === 0) rows.push([]);
      rows.at(-1)?.push({ ...cell, ...look?.finish(), text: oneLine(this.#pending.take()) });
      this.#table.cell = undefined;
      this.#table.look = undefined;
      return;
    }
    this.#flush();
    if (tag === "dl") {
      this.#endTerms();
      this.#termBefore = "";
    }
    if (/^h[1-6]$/.test(tag)) this.#heading = 0;
    if (tag === "title") this.#inTitle = false;
    if (tag === "pre") this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (tag === "li") this.#item = "";
    if (tag === "ul" || tag === "ol") this.#endList();
    if (tag === "table") this.#endTable();
  }

  /** Closes what is open. @returns the page's title, its first heading, or "" */
  finish(): string {
    this.#flush();
    this.#endTerms();
    while (this.#tables.length > 0) this.#endTable();
    this.#closeList?.();
    return this.#title || this.#firstHeading;
  }

  get #isOutside(): boolean {
    return this.#mainOnly !== undefined && this.#mainFrom === 0 && !this.#inTitle;
  }

  #surrounding(tag: string, attributes: Attributes): Surrounding | undefined {
    return surrounding(tag, attributes) ?? (tag === "footer" && this.#ownText === 0 ? "around" : undefined);
  }

  /** The table whose cells are being read, unless it is a layout table. */
  get #table(): Table | undefined {
    const table = this.#tables.at(-1);
    return table && !table.layout ? table : undefined;
  }

  #flush(): void {
    const raw = this.#pending.take();
    if (this.#term && raw.trim() !== "" && !this.#table && !this.#inTitle && this.#heading === 0) {
      this.#pending.add(`${this.#term.replace(/\s*:$/, "")}: ${raw.trimStart()}`);
      this.#termBefore = this.#term;
      this.#term = "";
      this.#flush();
      return;
    }
    if (this.#table) {
      // Blocks inside a cell stay in the cell, separated by a space.
      if (raw !== "") this.#pending.add(`${raw} `);
      return;
    }
    if (raw.trim() === "") return;
    if (this.#inTitle) {
      this.#title ||= oneLine(raw);
      return;
    }
    if (this.#preformatted > 0) {
      this.#out.block(raw, { kind: "code" });
      return;
    }
    const text = raw.split(lineBreak).map(oneLine).filter(Boolean).join("\n");
    if (this.#heading > 0) {
      const label = oneLine(text);
      if (!isContentsTitle(label)) this.#firstHeading ||= label;
      this.#out.block(label, { kind: "heading", level: this.#heading, label });
    } else if (this.#lists.length > 0) {
      const indent = "  ".repeat(Math.min(this.#lists.length, 8) - 1);
      const body = this.#item ? `${indent}${this.#item} ${text}` : `${indent}  ${text}`;
      this.#out.block(body, { kind: "item", separator: this.#listStarted ? "\n" : "\n\n" });
      this.#listStarted = true;
      this.#item = "";
    } else {
      this.#out.block(text);
    }
  }

  /** Writes a caption above its table, as a paragraph of its own. */
  #endCaption(table: Table): void {
    table.caption = oneLine(this.#pending.take());
    if (table.caption) this.#out.block(table.caption);
  }

  /** Holds a term until its description: alone it says nothing. */
  #endTerm(): void {
    if (this.#table || this.#lists.length > 0) {
      this.#flush();
      return;
    }
    const term = oneLine(this.#pending.take());
    // Several terms may share a description.
    this.#term = [this.#term, term].filter(Boolean).join(", ");
    this.#termBefore = "";
  }

  #endTerms(): void {
    if (this.#term) this.#out.block(this.#term);
    this.#term = "";
  }

  #closeMath({ text, depth }: { text: MathText; depth: number }, closed: number): void {
    text.close();
    if (closed > depth) return;
    this.#pending.add(text.finish());
    this.#math = undefined;
  }

  #openList(ordered: boolean, { start = "1", type = "" }: Attributes): void {
    if (this.#lists.length === 0 && !this.#table) {
      this.#closeList = this.#out.open("list");
      this.#listStarted = false;
    }
    const first = Number.parseInt(start, 10);
    const numerals = ordered ? { numerals: numeralsOf[type] ?? "decimal" } : {};
    this.#lists.push({ ...numerals, next: Number.isFinite(first) ? first : 1 });
  }

  #endList(): void {
    this.#lists.pop();
    if (this.#lists.length > 0) return;
    this.#closeList?.();
    this.#closeList = undefined;
  }

  #marker({ value = "", "data-number": number }: Attributes): string {
    const list = this.#lists.at(-1);
    if (!list?.numerals) return "-";
    // As Word counts, from docx-source.ts.
    if (number) return number;
    const stated = Number.parseInt(value, 10);
    if (Number.isFinite(stated)) list.next = stated;
    return `${numeral(list.numerals, list.next++)}.`;
  }

  #openTable(): void {
    this.#tables.push({ layout: false, rows: [], caption: "" });
  }

  #endTable(): void {
    const table = this.#tables.pop();
    if (table && !table.layout) writeGrid(this.#out, table);
  }

  /** A heading or a table inside a cell makes the table a layout table: its cells so far become prose. */
  #leaveCell(): void {
    const table = this.#table;
    if (!table) return;
    table.layout = true;
    const rows = table.rows.splice(0).map((row) => row.map(({ text }) => text));
    const open = table.cell ? (rows.pop() ?? []) : [];
    for (const row of rows) this.#out.block(row.filter(Boolean).join(", "));
    for (const part of [...open, oneLine(this.#pending.take())]) this.#out.block(part);
  }
}

/** True for what readers of the page cannot see, which is also where injected instructions are placed. */
function isHidden(attributes: Record<string, string>): boolean {
  // A tab that is not the first, or text that opens when it is searched for: readers of the page can see it.
  if (attributes.role === "tabpanel" || attributes.hidden === "until-found") return false;
  if (attributes.hidden !== undefined || attributes["aria-hidden"] === "true") return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? "");
}
