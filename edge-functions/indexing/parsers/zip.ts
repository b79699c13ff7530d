// Reads a ZIP archive's directory and inflates its parts, without trusting the declared sizes. Does not know what the parts mean.

export interface ZipEntry {
  name: string;
  compressedSize: number;
  /** The declared bytes of the unpacked entry, and their declared CRC-32: the measured ones may differ. */
  size: number;
  crc32: number;
  method: number;
  encrypted: boolean;
  headerOffset: number;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
export const localHeaderBytes = 30;
/** The value of a 32-bit field whose real value is in the ZIP64 extra field. */
const elsewhere = 0xffffffff;
/** Compressed bytes inflated per step: output is at most a thousand times as large, and all of it is in memory before it is counted. */
const packedPerStep = 2048;
const storedPerStep = 256 * 1024;

export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 &&
    bytes[1] === 0x4b &&
    ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
  );
}

export interface ZipDirectory {
  /** The declared number of entries. */
  count: number;
  /** The offset from the start of the archive. */
  offset: number;
}

/** The place of the central directory, from an archive's last bytes (format: PKWARE APPNOTE 6.3, 4.3.16). */
export function findDirectory(tail: Uint8Array): ZipDirectory | undefined {
  const view = viewOf(tail);
  const end = findEnd(view);
  if (end === undefined) return undefined;
  return { count: view.getUint16(end + 10, true), offset: view.getUint32(end + 16, true) };
}

/** The entries of the central directory, at most `most`. Undefined when there is no readable directory. */
export function zipEntries(bytes: Uint8Array, most: number): ZipEntry[] | undefined {
  const directory = findDirectory(bytes);
  return directory && readDirectory(bytes.subarray(directory.offset), Math.min(directory.count, most));
}

/**
 * Reads `count` entries of a directory (format: APPNOTE 4.3.12). Undefined when it does not contain them.
 * @param bytes from its first entry on
 */
export function readDirectory(bytes: Uint8Array, count: number): ZipEntry[] | undefined {
  const view = viewOf(bytes);
  let at = 0;
  const entries: ZipEntry[] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== directoryEntry) return undefined;
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > view.byteLength) return undefined;
    const large = largeFields(view, nameEnd, extraEnd);
    const field = (offset: number) => {
      const value = view.getUint32(offset, true);
      return value === elsewhere ? (large.next().value ?? value) : value;
    };
    // Read in the order of the extra field.
    const size = field(at + 24);
    const compressedSize = field(at + 20);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      compressedSize,
      size,
      crc32: view.getUint32(at + 16, true),
      headerOffset: field(at + 42),
    });
    at = next;
  }
  return entries;
}

/** True when two entries share bytes of the file. No program writes that, and it lets a small file unpack to a huge one. */
export function entriesOverlap(entries: ZipEntry[]): boolean {
  const inOrder = entries.toSorted((a, b) => a.headerOffset - b.headerOffset);
  return inOrder.some((entry, i) => {
    const before = inOrder[i - 1];
    return (
      before !== undefined &&
      entry.headerOffset < before.headerOffset + localHeaderBytes + before.compressedSize
    );
  });
}

/**
 * An entry's bytes in pieces of at most 2 MiB, as they are inflated. Undefined when it cannot be opened; throws on damage while
 * reading.
 */
export function inflateEntry(bytes: Uint8Array, entry: ZipEntry): AsyncIterable<Uint8Array> | undefined {
  const start = dataOffset(bytes.subarray(entry.headerOffset), entry);
  if (start === undefined) return undefined;
  const data = bytes.subarray(start, start + entry.compressedSize);
  return data.length < entry.compressedSize ? undefined : unpackEntry([data], entry);
}

/**
 * The offset of an entry's data in the archive. Undefined when there is no entry, or its compression method is not supported.
 * @param header the archive's bytes from the entry's header on, at least 30
 */
export function dataOffset(header: Uint8Array, { headerOffset, method }: ZipEntry): number | undefined {
  const view = viewOf(header);
  if (localHeaderBytes > view.byteLength || view.getUint32(0, true) !== localHeader) return undefined;
  if (method !== 0 && method !== 8) return undefined;
  return headerOffset + localHeaderBytes + view.getUint16(26, true) + view.getUint16(28, true);
}

/** An entry's bytes from its data. Throws on damage while reading. */
export function unpackEntry(data: Bytes, { method }: ZipEntry): AsyncIterable<Uint8Array> {
  if (method === 0) return slicesOf(data, storedPerStep);
  // Pulls one step at a time: nothing is inflated before the consumer has counted the last piece.
  const steps = slicesOf(data, packedPerStep);
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await steps.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await steps.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  return pieces(packed.pipeThrough(new DecompressionStream("deflate-raw")));
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

async function* slicesOf(data: Bytes, most: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const part of data) {
    for (let at = 0; at < part.length; at += most) yield part.slice(at, at + most);
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function* pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The 64-bit values of the ZIP64 extra field (APPNOTE 4.5.3), in order. */
function* largeFields(view: DataView, from: number, to: number): Generator<number, undefined> {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const end = Math.min(to, at + 4 + view.getUint16(at + 2, true));
    for (let field = at + 4; field + 8 <= end; field += 8) yield Number(view.getBigUint64(field, true));
  }
}

function findEnd(view: DataView): number | undefined {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) {
    if (view.getUint32(at, true) === endOfDirectory) return at;
  }
  return undefined;
}
