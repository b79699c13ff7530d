// Reads OpenDocument presentations: every visible slide as a page under its title, with its notes.
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { Archive } from "./archive.ts";
import { listPages, type ParsedDocument, type Parser, type ParserInput } from "./document.ts";
import { parseMarkup, readMarkup } from "./html.ts";
import { type LeftOut, sayLeftOut } from "./left-out.ts";
import { odfKind, odfObjects, odfTitle, readBody } from "./odf.ts";
import { OdfMarkup } from "./odf-markup.ts";
import { OdfStyles } from "./odf-styles.ts";
import { writeSlide } from "./pptx.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

export const odp: Parser = {
  name: "odp",
  label: "an OpenDocument presentation (ODP)",
  extensions: ["odp", "otp"],
  contentTypes: ["application/vnd.oasis.opendocument.presentation"],
  matches: (bytes) => odfKind(bytes) === "presentation",
  parse: parseOdp,
};

/** Placeholders that repeat on every slide. */
const furniture = new Set(["page-number", "date-time", "footer", "header", "page"]);

async function parseOdp(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, odp.label);
  const out = new TextBuilder(input.name);
  const styles = new OdfStyles();
  const slides = new Slides(styles, new OdfMarkup(styles, await odfObjects(archive)), out);
  await readBody(archive, input.name, styles, slides);
  if (slides.hidden.length > 0) out.warn(sentenceOf("slidesHidden", { slides: listPages(slides.hidden) }));
  for (const warning of sayLeftOut(slides.leftOut)) out.warn(warning);
  return out.finish((await odfTitle(archive)) || slides.firstTitle);
}

class Slides {
  readonly hidden: number[] = [];
  firstTitle = "";
  readonly #styles: OdfStyles;
  readonly #shapes: OdfMarkup;
  readonly #out: TextBuilder;
  #page = 0;
  #depth = 0;
  #skippedFrom = 0;
  /** The open title or notes, and what stands in front of it. */
  #part: { name: "title" | "notes"; depth: number } | undefined;
  #slide = { title: "", markup: "", notes: "" };

  constructor(styles: OdfStyles, shapes: OdfMarkup, out: TextBuilder) {
    this.#styles = styles;
    this.#shapes = shapes;
    this.#out = out;
  }

  get leftOut(): LeftOut {
    return this.#shapes;
  }

  open(tag: string, attributes: Record<string, string>): void {
    this.#depth++;
    if (this.#skippedFrom) return;
    if (tag === "page") {
      this.#page++;
      this.#slide = { title: "", markup: "", notes: "" };
    }
    const isHidden = tag === "page" && this.#styles.isHidden("drawing-page", attributes["draw:style-name"]);
    if (isHidden) this.hidden.push(this.#page);
    const placeholder = attributes["presentation:class"] ?? "";
    if (isHidden || furniture.has(placeholder)) {
      this.#skippedFrom = this.#depth;
      return;
    }
    const name = placeholder === "title" ? "title" : tag === "notes" ? "notes" : undefined;
    if (name && !this.#part && this.#slide[name] === "") {
      this.#slide.markup += this.#shapes.take();
      this.#part = { name, depth: this.#depth };
    }
    this.#shapes.open(tag, attributes);
  }

  text(text: string): void {
    if (!this.#skippedFrom) this.#shapes.text(text);
  }

  close(tag: string): void {
    const depth = this.#depth--;
    if (this.#skippedFrom) {
      if (this.#skippedFrom === depth) this.#skippedFrom = 0;
      return;
    }
    this.#shapes.close(tag);
    if (this.#part?.depth === depth) {
      this.#slide[this.#part.name] = parseMarkup(this.#shapes.take(), { name: "" }).text;
      this.#part = undefined;
    }
    if (tag !== "page") return;
    const markup = this.#slide.markup + this.#shapes.take();
    const title = oneLine(this.#slide.title);
    this.firstTitle ||= title;
    const slide = { page: this.#page, title, isBlank: markup === "", notes: this.#slide.notes };
    writeSlide(this.#out, slide, () => readMarkup(markup, this.#out));
  }
}
