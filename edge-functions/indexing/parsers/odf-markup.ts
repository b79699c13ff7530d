// Writes the body of an OpenDocument text, or a slide's shapes, as HTML for the HTML reader. Tracked deletions and generated tables of
// contents are left out; text boxes stand behind the paragraph that they are tied to, notes behind the block.
import { escapeUTF8 } from "entities";
import { MathText } from "./math-text.ts";
import type { OdfNumbering } from "./odf-numbering.ts";
import { type OdfStyles, outline } from "./odf-styles.ts";
import { describePicture } from "./picture-words.ts";
import { mostColumns } from "./table-rows.ts";

/** Without words that a reader sees in this place. */
const skipped = new Set(
  (
    "tracked-changes table-of-content forms annotation ruby-text page-thumbnail binary-data document number " +
    "covered-table-cell"
  ).split(" "),
);
export const shapes = new Set(
  (
    "frame custom-shape rect circle ellipse line polyline polygon regular-polygon path connector caption " +
    "measure g"
  ).split(" "),
);
/** Caps empty cells that a file repeats. */
const mostRepeated = 20_000;

interface List {
  style: string;
  counts: (number | undefined)[];
  /** The element in the markup, once it is written: a list of headings is none. */
  tag: "" | "ol" | "ul";
  hasItem: boolean;
  isHeader: boolean;
  stated: number | undefined;
}

/** What has paragraphs of its own: the body, a cell, a text box, a note. */
interface Flow {
  tag: string;
  depth: number;
  out: string;
  lists: List[];
  paragraph: { tag: string; depth: number; marks: string[]; after: string } | undefined;
  /** Of a shape. */
  alternative: string;
  hasPicture: boolean;
}

export class OdfMarkup {
  comments = 0;
  embedded = 0;
  readonly #styles: OdfStyles;
  readonly #numbering: OdfNumbering | undefined;
  /** The markup or the formula of a chart or another object, by its address. */
  readonly #objects: Map<string, OdfObject>;
  readonly #headings: (number | undefined)[] = [];
  #flows: Flow[] = [];
  #parents: string[] = [];
  #skippedFrom = 0;
  #math: MathText | undefined;
  #tables = 0;
  #repeated = 0;
  #spans: string[][] = [];
  #notes = "";
  #citation = "";
  #description = "";

  /** @param numbering absent for slides, whose files number their lists in ways of each program's own */
  constructor(styles: OdfStyles, objects: Map<string, OdfObject>, numbering?: OdfNumbering) {
    this.#styles = styles;
    this.#objects = objects;
    this.#numbering = numbering;
    this.#openFlow("body");
  }

  /** The markup since the last call. */
  take(): string {
    const [body] = this.#flows;
    const out = (body?.out ?? "") + this.#notes;
    this.#notes = "";
    if (body) body.out = "";
    return out;
  }

  open(tag: string, attributes: Record<string, string>): void {
    const parent = this.#parents.at(-1) ?? "";
    this.#parents.push(tag);
    if (this.#skippedFrom) return;
    if (this.#math || tag === "math") {
      this.#math ??= new MathText();
      this.#math.open(tag);
      return;
    }
    if (tag === "annotation") this.comments++;
    if (this.#isLeftOut(tag, attributes)) {
      this.#skippedFrom = this.#parents.length;
      return;
    }
    if (tag === "p" || tag === "h") this.#openParagraph(tag, attributes);
    else if (shapes.has(tag) || tag === "note-body") this.#openFlow(tag);
    else if (tag === "list") this.#openList(attributes);
    else if (tag === "list-item" || tag === "list-header") this.#openItem(tag, attributes);
    else if (tag === "table" || tag === "table-row" || tag === "table-cell") this.#openTable(tag, attributes);
    else if (shapes.has(parent)) this.#openInShape(tag, attributes);
    else if (this.#paragraph) this.#openInline(tag, attributes);
  }

  text(text: string): void {
    if (this.#skippedFrom) return;
    const tag = this.#parents.at(-1);
    if (this.#math) this.#math.text(text);
    else if (tag === "note-citation") this.#citation += text;
    else if ((tag === "title" || tag === "desc") && shapes.has(this.#parents.at(-2) ?? ""))
      this.#description += text;
    else if (this.#paragraph) this.#emit(escapeUTF8(text));
  }

  close(tag: string): void {
    const depth = this.#parents.length;
    this.#parents.pop();
    if (this.#skippedFrom) {
      if (this.#skippedFrom === depth) this.#skippedFrom = 0;
      return;
    }
    if (this.#math) {
      this.#math.close();
      if (tag === "math") {
        this.#emit(escapeUTF8(this.#math.finish()));
        this.#math = undefined;
      }
      return;
    }
    const flow = this.#flows.at(-1);
    if (flow?.paragraph?.depth === depth) this.#closeParagraph(flow);
    else if (flow?.depth === depth && this.#flows.length > 1) this.#closeFlow(flow);
    else if (tag === "list") this.#closeList();
    else if (tag === "table" || tag === "table-row") this.#closeTable(tag);
    else if (tag === "span") this.#closeSpan();
    else if ((tag === "title" || tag === "desc") && flow && this.#description) {
      // The longer description comes behind the title.
      flow.alternative = this.#description;
      this.#description = "";
    }
  }

  get #paragraph() {
    return this.#flows.at(-1)?.paragraph;
  }

  #emit(markup: string): void {
    const flow = this.#flows.at(-1);
    if (flow) flow.out += markup;
  }

  #isLeftOut(tag: string, attributes: Record<string, string>): boolean {
    if (skipped.has(tag) || tag.endsWith("-source")) return true;
    if (tag === "section") return attributes["text:display"] === "none";
    const family = tag === "span" ? "text" : tag === "p" || tag === "h" ? "paragraph" : "";
    return family !== "" && this.#styles.isHidden(family, attributes["text:style-name"]);
  }

  #openFlow(tag: string): void {
    const depth = this.#parents.length;
    this.#flows.push({
      tag,
      depth,
      out: "",
      lists: [],
      paragraph: undefined,
      alternative: "",
      hasPicture: false,
    });
  }

  #closeFlow({ tag, out, alternative, hasPicture }: Flow): void {
    this.#flows.pop();
    const outer = this.#flows.at(-1);
    if (!outer) return;
    if (tag === "note-body") {
      // A note inside a note comes first.
      const mark = `[${escapeUTF8(this.#citation.trim())}]`;
      this.#notes += out.replace(/^<p>/, `<p>${mark} `);
      outer.out += mark;
      this.#citation = "";
      this.#placeNotes();
      return;
    }
    if (tag === "td" || tag === "th") {
      outer.out += `${out}</${tag}>`;
      return;
    }
    const words = describePicture(alternative);
    const picture = out === "" && hasPicture && words ? `<img alt="${escapeUTF8(words)}">` : "";
    if (outer.paragraph) {
      outer.out += picture;
      outer.paragraph.after += out;
    } else outer.out += picture ? `<p>${picture}</p>` : out;
  }

  #openParagraph(tag: string, attributes: Record<string, string>): void {
    const flow = this.#flows.at(-1);
    // No program writes one directly inside another.
    if (!flow || flow.paragraph) return;
    const style = attributes["text:style-name"];
    const styled = tag === "p" ? this.#styles.levelOf(style) : undefined;
    const level = Math.min(6, Math.max(1, styled ?? (Number(attributes["text:outline-level"]) || 1)));
    const isHeading = tag === "h" || styled !== undefined;
    const number = tag === "h" ? this.#numberHeading(flow, attributes) : "";
    if (!isHeading) this.#writeItem(flow, style);
    const name = isHeading ? `h${level}` : "p";
    const marks = isHeading ? [] : this.#styles.looksOf("paragraph", style);
    flow.out += `<${name}>${number && `${escapeUTF8(number)} `}${marks.map((mark) => `<${mark}>`).join("")}`;
    flow.paragraph = { tag: name, depth: this.#parents.length, marks, after: "" };
  }

  #closeParagraph(flow: Flow): void {
    const { tag, marks, after } = flow.paragraph ?? { tag: "p", marks: [], after: "" };
    flow.out += `${marks.map((mark) => `</${mark}>`).join("")}</${tag}>${after}`;
    flow.paragraph = undefined;
    this.#placeNotes();
  }

  #openInline(tag: string, attributes: Record<string, string>): void {
    if (tag === "span") {
      const marks = this.#styles.looksOf("text", attributes["text:style-name"]);
      this.#spans.push(marks);
      this.#emit(marks.map((mark) => `<${mark}>`).join(""));
    } else if (tag === "line-break") this.#emit("<br>");
    else if (tag === "s") this.#emit(" ");
    else if (tag === "tab") this.#emit("\t");
  }

  #closeSpan(): void {
    const marks = this.#spans.pop() ?? [];
    this.#emit(
      marks
        .map((mark) => `</${mark}>`)
        .reverse()
        .join(""),
    );
  }

  #openInShape(tag: string, attributes: Record<string, string>): void {
    const flow = this.#flows.at(-1);
    if (!flow) return;
    if (tag === "image") flow.hasPicture = true;
    if (tag === "object-ole") this.embedded++;
    if (tag !== "object") return;
    const address = addressOf(attributes["xlink:href"] ?? "");
    const object = this.#objects.get(address);
    // Written once: a file that names it again and again would fill the memory.
    this.#objects.delete(address);
    if (object?.markup) flow.out += object.markup;
    // A formula belongs into its line.
    const outer = this.#flows.at(-2);
    if (object?.formula && outer?.paragraph) outer.out += escapeUTF8(object.formula);
    else if (object?.formula) flow.out += `<p>${escapeUTF8(object.formula)}</p>`;
  }

  #openList(attributes: Record<string, string>): void {
    const flow = this.#flows.at(-1);
    if (!flow || flow.paragraph) return;
    const outer = flow.lists.at(-1);
    const style = attributes["text:style-name"] ?? outer?.style ?? "";
    const counts = outer?.counts ?? this.#numbering?.begin(style, attributes) ?? [];
    flow.lists.push({ style, counts, tag: "", hasItem: false, isHeader: false, stated: undefined });
  }

  #openItem(tag: string, attributes: Record<string, string>): void {
    const list = this.#flows.at(-1)?.lists.at(-1);
    if (!list) return;
    this.#endItem(list);
    const stated = Number.parseInt(attributes["text:start-value"] ?? "", 10);
    list.stated = Number.isNaN(stated) ? undefined : stated;
    list.isHeader = tag === "list-header";
  }

  /** Opens the lists and items around a paragraph that are not written yet: one of headings alone is no list. */
  #writeItem(flow: Flow, style: string | undefined): void {
    flow.lists.forEach((list, i) => {
      const isOwn = i === flow.lists.length - 1;
      if (list.hasItem || (list.isHeader && list.tag)) return;
      const name = list.style || this.#styles.listOf(style) || "";
      const number =
        isOwn && !list.isHeader ? this.#numbering?.next(list.counts, name, i + 1, list.stated) : "";
      if (!list.tag) {
        list.tag = this.#numbering?.isNumbered(name, i + 1) ? "ol" : "ul";
        flow.out += `<${list.tag}>`;
      }
      if (list.isHeader) return;
      flow.out += number ? `<li data-number="${escapeUTF8(number)}">` : "<li>";
      list.hasItem = true;
    });
  }

  #endItem(list: List): void {
    if (list.hasItem) this.#emit("</li>");
    list.hasItem = false;
  }

  #closeList(): void {
    const flow = this.#flows.at(-1);
    if (!flow || flow.paragraph) return;
    const list = flow.lists.pop();
    if (!list) return;
    this.#endItem(list);
    if (list.tag) flow.out += `</${list.tag}>`;
    this.#placeNotes();
  }

  #numberHeading(flow: Flow, attributes: Record<string, string>): string {
    const list = flow.lists.at(-1);
    const isUnnumbered = list ? list.isHeader : attributes["text:is-list-header"] === "true";
    if (!this.#numbering || isUnnumbered) return "";
    if (list) return this.#numbering.next(list.counts, list.style, flow.lists.length, list.stated);
    const level = Number(attributes["text:outline-level"]) || 1;
    const start =
      attributes["text:restart-numbering"] === "true" ? attributes["text:start-value"] : undefined;
    return this.#numbering.next(
      this.#headings,
      outline,
      level,
      start === undefined ? undefined : Number(start) || 0,
    );
  }

  #openTable(tag: string, attributes: Record<string, string>): void {
    if (tag === "table") {
      const flow = this.#flows.at(-1);
      if (flow) this.#writeItem(flow, undefined);
      this.#tables++;
      this.#emit("<table>");
    } else if (tag === "table-row") this.#emit("<tr>");
    else {
      const repeated = Number(attributes["table:number-columns-repeated"]) || 1;
      const most = Math.min(repeated - 1, mostColumns, mostRepeated - this.#repeated);
      this.#repeated += Math.max(0, most);
      const isHead = this.#parents.at(-3) === "table-header-rows";
      const span = (name: string) => Number(attributes[`table:number-${name}-spanned`]) || 1;
      const cell = isHead ? "th" : "td";
      this.#emit(`<${cell}></${cell}>`.repeat(Math.max(0, most)));
      this.#emit(`<${cell} colspan="${span("columns")}" rowspan="${span("rows")}">`);
      this.#openFlow(cell);
    }
  }

  #closeTable(tag: string): void {
    this.#emit(tag === "table" ? "</table>" : "</tr>");
    if (tag === "table") this.#tables--;
    this.#placeNotes();
  }

  /** Behind a block of the body. Inside it, a note would belong to a cell or an item. */
  #placeNotes(): void {
    const [body] = this.#flows;
    if (this.#flows.length > 1 || !body || body.paragraph || body.lists.length > 0 || this.#tables > 0)
      return;
    body.out += this.#notes;
    this.#notes = "";
  }
}

export interface OdfObject {
  markup?: string;
  formula?: string;
}

/** The folder of an object: "Object 1" */
const addressOf = (href: string) => href.replace(/^\.\//, "").replace(/\/$/, "");
