// Rewrites a part of a Word document into what mammoth reads: it skips fields of one tag, formulas, ruby, runs of one direction, line ends
// of old programs, text boxes without an older form, charts and diagrams, columns that a row leaves out, and it does not number paragraphs.
import { escapeUTF8 } from "entities";
import { Parser as SaxParser } from "htmlparser2";
import { chunkMark } from "./docx-chunks.ts";
import type { Numbering, Place } from "./docx-numbering.ts";
import { MathText } from "./math-text.ts";
import type { Graphic } from "./office-graphics.ts";
import { describePicture } from "./picture-words.ts";
import { readPrefixed } from "./xml.ts";

/** Enclose a paragraph's number at its start, for placeNumbers(). They are removed from the text itself. */
const numberStart = "\ue0f0";
const numberEnd = "\ue0f1";

/** Tags without meaning of their own: their content is read in their place. */
const transparent = new Set(["w:fldSimple", "w:dir", "w:bdo", "w:ruby", "w:rubyBase", "m:oMathPara"]);
const skipped = new Set(["w:rt", "w:rubyPr", "m:oMathParaPr"]);
/** Deleted words; inside properties the same tags mark a deleted row or paragraph. */
const deleted = new Set(["w:del", "w:moveFrom"]);
const renamed: Record<string, string> = {
  "w:cr": "w:br",
  "w:ptab": "w:tab",
  "v:oval": "v:rect",
  "v:line": "v:rect",
  "v:polyline": "v:rect",
};

/** Attributes that name a relation. mammoth reads nothing of a document in which one is missing. */
const relationNames = ["r:id", "r:embed", "r:link"];

const deepest = 1000;
/** As many columns as Word has. */
const mostLeftOut = 63;

/** An element whose text boxes and drawings are written behind it, as mammoth does not look for them inside. */
interface Frame {
  tag: string;
  depth: number;
  boxes: string[];
  /** What mammoth reads instead if the frame has no boxes. */
  fallback: string;
}

export class DocxSource {
  readonly #numbering: Numbering;
  readonly #graphics: Map<string, Graphic>;
  #outs: string[][] = [[]];
  #frames: Frame[] = [];
  /** The depths of open text boxes inside frames. */
  #boxes: number[] = [];
  #depth = 0;
  #skippedFrom = 0;
  #math: MathText | undefined;
  /** The last formula as it was written. */
  #formula = "";
  #place: Place | undefined;
  /** The number of open elements that keep a paragraph's former properties. */
  #former = 0;
  /** The depth of the open run, and whether its words are hidden. */
  #run = { depth: 0, isHidden: false };
  /** The number of open elements with properties of runs or rows. */
  #properties = 0;
  /** The columns that the open row leaves out at its start. */
  #leftOut = 0;
  /** What a reference to each note looks like. The notes' parts are rewritten before the main part. */
  readonly #notes = new Set<string>();
  #relations: ReadonlySet<string> = new Set();

  constructor(numbering: Numbering, graphics: Map<string, Graphic>) {
    this.#numbering = numbering;
    this.#graphics = graphics;
  }

  /** @param relations the ids of the part's relations */
  rewrite(xml: string, relations: ReadonlySet<string>): string {
    this.#outs = [[]];
    this.#relations = relations;
    const sax = new SaxParser(
      {
        onopentag: (tag, attributes) => this.#open(tag, attributes),
        ontext: (text) => this.#text(text),
        onclosetag: (tag) => this.#close(tag),
      },
      { xmlMode: true },
    );
    sax.write(xml);
    sax.end();
    return (this.#outs[0] ?? []).join("");
  }

  #emit(text: string): void {
    this.#outs.at(-1)?.push(text);
  }

  #open(tag: string, attributes: Record<string, string>): void {
    // The reader slows down with the depth, and no program writes so much.
    if (++this.#depth > deepest) throw new Error("nested too deeply");
    if (this.#skippedFrom) return;
    if (this.#math || tag === "m:oMath") {
      this.#math ??= new MathText();
      this.#math.open(tag.slice(tag.indexOf(":") + 1), readPrefixed(attributes, "val"));
      return;
    }
    const frame = this.#frames.at(-1);
    const isAlternative = tag === "mc:Fallback" && frame?.tag === "mc:AlternateContent";
    if (tag === "w:r") this.#run = { depth: this.#depth, isHidden: false };
    if (tag === "w:vanish" && this.#depth === this.#run.depth + 2)
      this.#run.isHidden = !/^(?:0|false|off)$/.test(attributes["w:val"] ?? "");
    const isHidden = tag === "w:t" && this.#run.isHidden && this.#depth === this.#run.depth + 1;
    const isDeleted = deleted.has(tag) && this.#properties === 0;
    const isNote = tag === "w:footnote" || tag === "w:endnote";
    if (isNote && !/separator$/i.test(attributes["w:type"] ?? ""))
      this.#notes.add(`${tag}Reference ${attributes["w:id"]}`);
    // mammoth reads nothing of a document in which a note is missing.
    const isBroken = tag.endsWith("noteReference") && !this.#notes.has(`${tag} ${attributes["w:id"]}`);
    if (isHidden || isDeleted || isBroken || skipped.has(tag) || (isAlternative && frame.boxes.length > 0)) {
      this.#skippedFrom = this.#depth;
      return;
    }
    if (transparent.has(tag)) return;
    if (tag === "mc:AlternateContent" || (tag === "w:drawing" && !this.#isInFrame)) this.#openFrame(tag);
    if (this.#isInFrame && frame && tag === "w:txbxContent") {
      this.#boxes.push(this.#depth);
      this.#outs.push([]);
      return;
    }
    const graphic = tag === "c:chart" || tag === "cx:chart" ? "id" : tag === "dgm:relIds" ? "dm" : undefined;
    const id = graphic && readPrefixed(attributes, graphic);
    const drawn = id && frame ? this.#graphics.get(id) : undefined;
    if (drawn) {
      frame?.boxes.push(writeGraphic(drawn));
      // Written once: a file that names it again and again would fill the memory.
      this.#graphics.delete(id ?? "");
    }
    if (tag === "mc:Choice" || tag === "mc:Fallback") {
      this.#outs.push([]);
      return;
    }
    if (tag === "w:altChunk")
      this.#emit(
        `<w:p><w:r><w:t>${chunkMark}${escapeUTF8(attributes["r:id"] ?? "")}${chunkMark}</w:t></w:r></w:p>`,
      );
    this.#readPlace(tag, attributes);
    for (const name of relationNames)
      if (!this.#relations.has(attributes[name] ?? "")) delete attributes[name];
    if (tag === "wp:docPr") keepDescription(attributes);
    if (tag === "w:gridBefore" && this.#properties === 1) this.#leftOut = Number(attributes["w:val"]) || 0;
    if (tag !== "mc:AlternateContent") this.#emit(`<${renamed[tag] ?? tag}${attributesOf(attributes)}>`);
  }

  /** True inside a frame, unless it is inside one of its text boxes. */
  get #isInFrame(): boolean {
    return (this.#frames.at(-1)?.depth ?? 0) > (this.#boxes.at(-1) ?? 0);
  }

  #openFrame(tag: string): void {
    this.#frames.push({ tag, depth: this.#depth, boxes: [], fallback: "" });
  }

  #readPlace(tag: string, attributes: Record<string, string>): void {
    if (tag === "w:p") this.#place = {};
    if (tag === "w:rPr" || tag === "w:trPr") this.#properties++;
    if (tag === "w:pPrChange") this.#former++;
    if (!this.#place || this.#former > 0) return;
    const value = attributes["w:val"] ?? "";
    if (tag === "w:pStyle") this.#place.style = value;
    if (tag === "w:numId") this.#place.list = value;
    if (tag === "w:ilvl") this.#place.level = Number(value) || 0;
    if (tag === "w:r" || tag === "w:hyperlink" || tag === "w:ins") this.#number();
  }

  /** Writes the number of the open paragraph in front of its first words. */
  #number(): void {
    if (!this.#place) return;
    const number = this.#numbering.next(this.#place);
    this.#place = undefined;
    if (number.trim() !== "") this.#emit(run(`${numberStart}${number.trim()}${numberEnd}`));
  }

  #text(text: string): void {
    if (this.#skippedFrom) return;
    if (this.#math) this.#math.text(text);
    else this.#emit(escapeUTF8(text.replace(/[\ue0f0\ue0f1\ue0f3]/g, "")));
  }

  #close(tag: string): void {
    const depth = this.#depth--;
    if (this.#skippedFrom) {
      if (this.#skippedFrom === depth) this.#skippedFrom = 0;
      return;
    }
    if (this.#math) {
      this.#math.close();
      if (tag !== "m:oMath") return;
      this.#number();
      // Formulas side by side have nothing between them, and Word sets them apart.
      const isBeside = this.#formula !== "" && this.#outs.at(-1)?.at(-1) === this.#formula;
      this.#formula = run(`${isBeside ? " " : ""}${this.#math.finish()}`);
      this.#emit(this.#formula);
      this.#math = undefined;
      return;
    }
    if (transparent.has(tag)) return;
    if (this.#boxes.at(-1) === depth) {
      this.#boxes.pop();
      const box = this.#outs.pop()?.join("") ?? "";
      this.#frames.at(-1)?.boxes.push(box);
      return;
    }
    if (tag === "mc:Choice" || tag === "mc:Fallback") {
      const inner = this.#outs.pop()?.join("") ?? "";
      const frame = this.#frames.at(-1);
      if (frame && tag === "mc:Fallback") frame.fallback = inner;
      return;
    }
    if (tag === "w:pPrChange") this.#former--;
    if (tag === "w:rPr" || tag === "w:trPr") this.#properties--;
    if (tag === "w:p" && this.#place) {
      // One without words is counted too.
      this.#numbering.next(this.#place);
      this.#place = undefined;
    }
    if (tag !== "mc:AlternateContent") this.#emit(`</${renamed[tag] ?? tag}>`);
    if (tag === "w:trPr" && this.#properties === 0) this.#fillRow();
    if (this.#frames.at(-1)?.depth === depth) this.#closeFrame();
  }

  /** mammoth would move the cells of the row to columns on the left. */
  #fillRow(): void {
    const columns = Math.min(this.#leftOut, mostLeftOut);
    this.#leftOut = 0;
    if (columns > 0) this.#emit(`<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr><w:p></w:p></w:tc>`);
  }

  #closeFrame(): void {
    const { boxes = [], fallback = "" } = this.#frames.pop() ?? {};
    if (boxes.length === 0) this.#emit(fallback);
    // mammoth reads a picture's words after the paragraph that it belongs to.
    else
      this.#emit(`<w:pict>${boxes.map((box) => `<w:txbxContent>${box}</w:txbxContent>`).join("")}</w:pict>`);
  }
}

/** mammoth reads one of the two, whatever it says. */
function keepDescription(attributes: Record<string, string>): void {
  attributes.descr = describePicture(attributes.descr ?? "") || describePicture(attributes.title ?? "");
  delete attributes.title;
}

const run = (text: string) => `<w:r><w:t xml:space="preserve">${escapeUTF8(text)}</w:t></w:r>`;

const attributesOf = (attributes: Record<string, string>) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeUTF8(value)}"`)
    .join("");

function writeGraphic(graphic: Graphic): string {
  const paragraph = (text: string) => `<w:p>${run(text)}</w:p>`;
  if (graphic.kind === "diagram") return graphic.items.map(({ text }) => paragraph(text)).join("");
  const rows = graphic.rows.map(
    (row) => `<w:tr>${row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join("")}</w:tr>`,
  );
  return `${graphic.title ? paragraph(graphic.title) : ""}<w:tbl>${rows.join("")}</w:tbl>`;
}

/** Moves the numbers that rewrite() wrote to where HTML has them: to a list's items, and in front of other paragraphs. */
export function placeNumbers(markup: string): string {
  return markup
    .replace(/<li>((?:<a id="[^"<>]*"><\/a>)*)\ue0f0([^<\ue0f1]{0,200})\ue0f1/g, '<li data-number="$2">$1')
    .replace(/\ue0f0([^\ue0f1]{0,200})\ue0f1/g, "$1 ");
}
