// Collects the lines of a document's headers and footers: addresses, telephone numbers, references. Leaves out what counts pages, and what
// the document says itself. Pure.
import type { ParsedDocument } from "./document.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

/** Stands for a page's number or the number of pages. */
const pageMark = "\ue0f2";
/** Between things that stand beside each other in a header. */
const separator = /[\t\n|•·]|\s[-–—/]\s/;
const mostLines = 50;

export class Letterhead {
  readonly #lines = new Set<string>();
  #open: string[] = [];

  openParagraph(): void {
    this.#open.push("");
  }

  /** @param text "\t" and "\n" where the header has them */
  add(text: string): void {
    this.#write(text.replaceAll(pageMark, ""));
  }

  addPageNumber(): void {
    this.#write(pageMark);
  }

  closeParagraph(): void {
    const text = this.#open.pop() ?? "";
    for (const line of text.split("\n")) {
      // Beside a page's number stand words that only name it.
      const parts = line.includes(pageMark)
        ? line.split(separator).filter((part) => !part.includes(pageMark))
        : [line];
      const kept = oneLine(parts.join(" "));
      if (/\p{L}{2}|\d{2}/u.test(kept) && this.#lines.size < mostLines) this.#lines.add(kept);
    }
  }

  /**
   * The document behind these lines. At its end they would stand under the last heading, and be cited as its words.
   * @param name the file's
   */
  above(document: ParsedDocument, name: string): ParsedDocument {
    const own = oneLine(document.text);
    const lines = [...this.#lines].filter((line) => !own.includes(line));
    const out = new TextBuilder(name);
    // A sentence would otherwise go on from one line to the next.
    for (const line of lines) out.block(line);
    if (lines.length === 0 || !out.append(document, 0, "")) return document;
    return { ...document, ...out.finish(document.title), warnings: document.warnings };
  }

  #write(text: string): void {
    const last = this.#open.pop();
    if (last !== undefined) this.#open.push(last + text);
  }
}
