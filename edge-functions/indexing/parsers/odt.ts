// Reads OpenDocument texts, as LibreOffice Writer saves them, through HTML.
import { Archive } from "./archive.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { parseMarkup } from "./html.ts";
import { sayLeftOut } from "./left-out.ts";
import { Letterhead } from "./letterhead.ts";
import { odfKind, odfObjects, odfTitle, readBody } from "./odf.ts";
import { OdfMarkup } from "./odf-markup.ts";
import { OdfNumbering } from "./odf-numbering.ts";
import { OdfStyles } from "./odf-styles.ts";

export const odt: Parser = {
  name: "odt",
  label: "an OpenDocument text (ODT)",
  extensions: ["odt", "ott"],
  contentTypes: ["application/vnd.oasis.opendocument.text"],
  matches: (bytes) => odfKind(bytes) === "text",
  parse: parseOdt,
};

async function parseOdt(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, odt.label);
  const styles = new OdfStyles();
  const letterhead = new Letterhead();
  const body = new OdfMarkup(styles, await odfObjects(archive), new OdfNumbering(styles));
  await readBody(archive, input.name, styles, body, new StylesAndHeaders(styles, letterhead));
  const parsed = letterhead.above(parseMarkup(body.take(), input), input.name);
  const title = parsed.title ?? (await odfTitle(archive));
  return { ...parsed, ...(title ? { title } : {}), warnings: [...parsed.warnings, ...sayLeftOut(body)] };
}

const header = /^(?:header|footer)(?:-left|-first)?$/;
const leftOut = new Set(["annotation", "tracked-changes"]);

/** Headers and footers stand among the styles. */
class StylesAndHeaders {
  readonly #styles: OdfStyles;
  readonly #letterhead: Letterhead;
  #depth = 0;
  #shownFrom = 0;
  #skippedFrom = 0;

  constructor(styles: OdfStyles, letterhead: Letterhead) {
    this.#styles = styles;
    this.#letterhead = letterhead;
  }

  open(tag: string, attributes: Record<string, string>): void {
    this.#depth++;
    if (!this.#shownFrom) this.#styles.open(tag, attributes);
    if (header.test(tag) && attributes["style:display"] !== "false") this.#shownFrom ||= this.#depth;
    if (!this.#shownFrom || this.#skippedFrom) return;
    const isPageNumber = tag === "page-number" || tag === "page-count";
    if (isPageNumber || leftOut.has(tag)) this.#skippedFrom = this.#depth;
    if (isPageNumber) this.#letterhead.addPageNumber();
    if (tag === "p" || tag === "h") this.#letterhead.openParagraph();
    if (tag === "tab") this.#letterhead.add("\t");
    if (tag === "line-break") this.#letterhead.add("\n");
    if (tag === "s") this.#letterhead.add(" ");
  }

  text(text: string): void {
    if (this.#shownFrom && !this.#skippedFrom) this.#letterhead.add(text.replace(/\s/g, " "));
  }

  close(tag: string): void {
    const depth = this.#depth--;
    if (!this.#shownFrom) this.#styles.close(tag);
    else if (!this.#skippedFrom && (tag === "p" || tag === "h")) this.#letterhead.closeParagraph();
    if (this.#skippedFrom === depth) this.#skippedFrom = 0;
    if (this.#shownFrom === depth) this.#shownFrom = 0;
  }
}
