// Assembles a document's text from normalised blocks and records the spans that point into it. Each block is normalised before its
// offsets are taken, so that no later step moves them.
import {
  limits,
  type ParsedDocument,
  ParseError,
  type StructureKind,
  type StructureSpan,
} from "./document.ts";

/**
 * A text in its stored form: NFC, "\n" line ends, no control characters, no soft hyphens, U+FFFD for lone surrogates. Postgres refuses
 * NUL and lone surrogates.
 */
export function normalizeText(raw: string): string {
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
  return normalizeText(raw).replace(/\s+/g, " ").trim();
}

/** At most `most` UTF-16 units, never half a surrogate pair, which Postgres refuses in JSON. */
export function clipText(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

export interface BlockOptions {
  kind?: StructureKind;
  level?: number;
  label?: string;
  /** The separator from the previous block: a blank line by default. */
  separator?: "\n\n" | "\n";
}

export class TextBuilder {
  readonly warnings: string[] = [];
  readonly #fileName: string;
  #parts: string[] = [];
  #length = 0;
  #structure: StructureSpan[] = [];
  /** Open containers without a block: each starts at its first block. */
  #waiting = new Set<StructureSpan>();

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  /**
   * Appends a block, without blank lines before it and white space after it. Ignores an empty block.
   * @throws ParseError `too_large` when the text outgrows its limit
   */
  block(raw: string, options: BlockOptions = {}): void {
    // Normalising shortens a text, but never by this much, and takes gigabytes for one of 50 million characters.
    if (raw.length > 3 * limits.textChars) throw this.#tooLarge();
    const text = normalizeText(raw)
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
        ...(label ? { label: clipText(label, 300) } : {}),
      });
    }
  }

  /** Opens a container. Call the returned function to close it around the blocks added since. */
  open(
    kind: StructureKind,
    extra: Pick<StructureSpan, "page" | "confidence" | "columns" | "caption" | "records"> = {},
  ): (label?: string) => void {
    const span: StructureSpan = { kind, start: 0, end: 0, ...extra };
    this.#waiting.add(span);
    return (label) => {
      this.#waiting.delete(span);
      span.end = this.#length;
      if (label) span.label = clipText(label, 500);
    };
  }

  /**
   * Appends another document with its structure as a chapter: its name becomes a heading, unless it is "", and its headings go below it.
   * Returns false and appends nothing if the limits would be exceeded.
   */
  append({ text, structure }: ParsedDocument, level: number, name: string): boolean {
    if (this.#length + name.length + text.length + 4 > limits.textChars) return false;
    if (this.#structure.length + structure.length + 1 > limits.structureSpans) return false;
    this.block(name, { kind: "heading", level, label: name });
    this.block(text);
    // A document's text begins without a blank line, so only its end is trimmed and all offsets shift by the same amount.
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

  /** @returns a function that removes everything added since, for a second reading of the same. Close all containers first. */
  checkpoint(): () => void {
    const length = this.#length;
    const waiting = [...this.#waiting];
    const lists = [this.#parts, this.#structure, this.warnings].map((list) => ({ list, size: list.length }));
    return () => {
      this.#length = length;
      this.#waiting = new Set(waiting);
      for (const { list, size } of lists) list.length = size;
    };
  }

  /** Records a sentence about what was left out or guessed. Ignores undefined. */
  warn(sentence: string | undefined): void {
    if (sentence) this.warnings.push(sentence);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  finish(title?: string): ParsedDocument {
    const clean = title ? clipText(oneLine(title), 300) : "";
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
