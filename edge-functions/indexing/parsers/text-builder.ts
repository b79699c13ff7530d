// Puts a document's text together from blocks, normalised, and keeps the spans that point into it.
// Each block is normalised before its offsets are taken, so no later step can move them.
import {
  limits,
  type ParsedDocument,
  ParseError,
  type StructureKind,
  type StructureSpan,
} from "./document.ts";

/** Characters Postgres refuses or that mean nothing in text: NUL and controls, soft hyphens, lone surrogates. */
export function normalised(raw: string): string {
  return (
    raw
      .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the point
      .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\ufeff]/g, "")
      .replace(/\p{Cs}/gu, "\ufffd")
      .normalize("NFC")
  );
}

/** Prose on one line: every run of white space becomes one space. */
export function oneLine(raw: string): string {
  return normalised(raw).replace(/\s+/g, " ").trim();
}

/** At most `most` UTF-16 units, never half a surrogate pair: Postgres refuses one in JSON. */
export function clipped(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

export interface BlockOptions {
  kind?: StructureKind;
  level?: number;
  label?: string;
  /** What stands between this block and the one before: a blank line unless told otherwise. */
  separator?: "\n\n" | "\n";
}

export class TextBuilder {
  readonly warnings: string[] = [];
  readonly #fileName: string;
  #parts: string[] = [];
  #length = 0;
  #structure: StructureSpan[] = [];
  /** Containers opened and still without a block: they start where their first block does. */
  #waiting = new Set<StructureSpan>();

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  /**
   * Appends a block; white space around it is dropped and an empty block is ignored.
   * @throws ParseError `too_large` when the text outgrows its limit.
   */
  block(raw: string, options: BlockOptions = {}): void {
    // Normalising makes a text shorter, never by this much; and it takes gigabytes for one of 50 million characters.
    if (raw.length > 3 * limits.textChars) throw this.#tooLarge();
    const text = normalised(raw)
      .replace(/^\s*\n/, "")
      .trimEnd();
    if (text.trim() === "") return;
    const separator = this.#length === 0 ? "" : (options.separator ?? "\n\n");
    const start = this.#length + separator.length;
    this.#parts.push(separator, text);
    this.#length = start + text.length;
    if (this.#length > limits.textChars) throw this.#tooLarge();
    for (const container of this.#waiting) {
      container.start = start;
      this.#mark(container);
    }
    this.#waiting.clear();
    if (options.kind) {
      const { kind, level, label } = options;
      this.#mark({
        kind,
        start,
        end: this.#length,
        ...(level ? { level } : {}),
        ...(label ? { label: clipped(label, 300) } : {}),
      });
    }
  }

  /** Opens a container; call what is returned to close it around the blocks added since. */
  open(
    kind: StructureKind,
    extra: Pick<StructureSpan, "page" | "confidence" | "columns" | "caption" | "records"> = {},
  ): (label?: string) => void {
    const span: StructureSpan = { kind, start: 0, end: 0, ...extra };
    this.#waiting.add(span);
    return (label) => {
      this.#waiting.delete(span);
      span.end = this.#length;
      if (label) span.label = clipped(label, 500);
    };
  }

  /**
   * Appends another document with its structure as a chapter: its name is a heading of a level that its own stand below.
   * False, and nothing is appended, where it would outgrow the limits.
   */
  append({ text, structure }: ParsedDocument, level: number, name: string): boolean {
    if (this.#length + name.length + text.length + 4 > limits.textChars) return false;
    if (this.#structure.length + structure.length + 1 > limits.structureSpans) return false;
    this.block(name, { kind: "heading", level, label: name });
    this.block(text);
    // A block loses white space at both ends; what stands before its last word stays where it was before that.
    const shift = this.#length - text.trimEnd().length;
    for (const span of structure) {
      const below = span.level ? { level: Math.min(6, span.level + level) } : {};
      this.#mark({
        ...span,
        start: span.start + shift,
        end: Math.min(span.end + shift, this.#length),
        ...below,
      });
    }
    return true;
  }

  /** Notes a sentence about what was left out or guessed; nothing for undefined. */
  warn(sentence: string | undefined): void {
    if (sentence) this.warnings.push(sentence);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  finish(title?: string): ParsedDocument {
    const clean = title ? clipped(oneLine(title), 300) : "";
    return {
      text: this.#parts.join(""),
      ...(clean ? { title: clean } : {}),
      structure: this.#structure,
      warnings: this.warnings,
    };
  }

  #tooLarge(): ParseError {
    return new ParseError("too_large", this.#fileName, {
      limit: `${limits.textChars / 2 ** 20} million characters of text`,
    });
  }

  #mark(span: StructureSpan): void {
    if (this.#structure.length < limits.structureSpans) this.#structure.push(span);
  }
}
