// Owns unpacking a document that is a ZIP archive, under limits on the total size and the compression ratio.
import { type Allowance, limits, ParseError, type ParserInput } from "./document.ts";
import { entriesOverlap, inflateEntry, isZip, type ZipEntry, zipEntries } from "./zip.ts";

/** True for a ZIP archive that contains a part with each of these names. */
export function holdsParts(bytes: Uint8Array, ...parts: (string | RegExp)[]): boolean {
  const entries = isZip(bytes) ? zipEntries(bytes, limits.zipEntries) : undefined;
  return (
    entries !== undefined &&
    parts.every((part) =>
      entries.some(({ name }) => (part instanceof RegExp ? part.test(name) : name === part)),
    )
  );
}

export class Archive {
  readonly #bytes: Uint8Array;
  readonly #fileName: string;
  readonly #label: string;
  readonly #entries: Map<string, ZipEntry>;
  readonly #allowance: Allowance;

  /**
   * @param label the expected format, for the error: "a Word document (DOCX)"
   * @throws ParseError `unreadable`, or `bomb` for too many or overlapping entries
   */
  constructor({ bytes, name, allowance }: ParserInput, label: string) {
    this.#allowance = allowance ?? fullAllowance();
    this.#bytes = bytes;
    this.#fileName = name;
    this.#label = label;
    const entries = zipEntries(bytes, limits.zipEntries + 1);
    if (!entries) throw this.unreadable();
    if (entries.length > limits.zipEntries || entriesOverlap(entries)) throw new ParseError("bomb", name);
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(part: string): boolean {
    return this.#entries.has(part);
  }

  unreadable(cause?: unknown): ParseError {
    return new ParseError("unreadable", this.#fileName, { format: this.#label }, { cause });
  }

  /**
   * A part's bytes in pieces, counted as they are inflated, because declared sizes may be false. Yields nothing for a missing part.
   * @throws ParseError `encrypted`, `bomb`, `too_large`, `unreadable`
   */
  async *read(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(part);
    if (!entry) return;
    if (entry.encrypted) throw new ParseError("encrypted", this.#fileName);
    const pieces = inflateEntry(this.#bytes, entry);
    if (!pieces) throw this.unreadable();
    let size = 0;
    try {
      for await (const piece of pieces) {
        size += piece.byteLength;
        this.#allowance.bytes -= piece.byteLength;
        this.#refuseBomb(size, entry);
        yield piece;
      }
    } catch (cause) {
      throw cause instanceof ParseError ? cause : this.unreadable(cause);
    }
  }

  /** A whole part, empty when missing. */
  async bytes(part: string): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.read(part)) pieces.push(piece);
    const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  /** A whole part as text, "" when missing. XML may be UTF-16; everything else is decoded as UTF-8. */
  async text(part: string): Promise<string> {
    let text = "";
    for await (const piece of this.texts(part)) text += piece;
    return text;
  }

  async *texts(part: string): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined;
    for await (const piece of this.read(part)) {
      decoder ??= new TextDecoder(encodingOf(piece));
      yield decoder.decode(piece, { stream: true });
    }
    if (decoder) yield decoder.decode();
  }

  #refuseBomb(size: number, { compressedSize }: ZipEntry): void {
    if (size > limits.zipRatioFromBytes && size > compressedSize * limits.zipRatio) {
      throw new ParseError("bomb", this.#fileName);
    }
    if (this.#allowance.bytes < 0) {
      throw new ParseError("too_large", this.#fileName, {
        limit: `${limits.zipXmlBytes / 2 ** 20} MiB unpacked`,
      });
    }
  }
}

export const fullAllowance = (): Allowance => ({ bytes: limits.zipXmlBytes });

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}
