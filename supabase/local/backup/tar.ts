// Owns the tar format as far as a backup needs it: regular files with short names in USTAR, which every tar reads. Not a library:
// tar-stream adds thirteen packages, some of them native, in place of these lines.

const BLOCK = 512;

/** Two empty blocks end a tar file. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** @throws Error when a name or a size does not fit: our names are below 100 bytes, sizes below 8 GiB. */
export function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100 || size >= 8 ** 11) throw new Error(`${name} does not fit into a tar`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(Math.floor(Date.now() / 1000), 11), 136);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  header.write(`${octal(checksumOf(header), 6)} `, 148);
  return header;
}

/** Padding from the end of the content to the next block. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

export interface TarEntry {
  name: string;
  content: AsyncGenerator<Buffer>;
}

/**
 * Every entry in order. The unread content of an entry is skipped.
 * @throws Error when the tar is incomplete
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(source);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (readOctal(header, 148, 8) !== checksumOf(header)) throw new Error("a header is damaged");
    const name = header.toString("utf8", 0, header.indexOf(0) < 100 ? header.indexOf(0) : 100);
    const size = readOctal(header, 124, 12);
    const content = bytes.pieces(size);
    yield { name, content };
    for await (const _rest of content);
    await bytes.exactly(tarPadding(size).length);
  }
}

/** The sum of a header's bytes, with its checksum field counted as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function readOctal(header: Buffer, from: number, length: number): number {
  return Number.parseInt(header.toString("latin1", from, from + length), 8);
}

class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  #pending: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly `length` bytes, in the chunks they arrive in. */
  async *pieces(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (this.#pending.length === 0) {
        const { value, done } = await this.#source.next();
        if (done) throw new Error("its end is missing");
        this.#pending = value;
      }
      const piece = this.#pending.subarray(0, left);
      this.#pending = this.#pending.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async exactly(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}
