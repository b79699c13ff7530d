// Reads a ZIP archive's directory and inflates its parts, without trusting the sizes it declares. Knows nothing of what
// the parts mean.

export interface ZipEntry {
  name: string;
  compressedSize: number;
  method: number;
  encrypted: boolean;
  headerOffset: number;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
const localHeaderBytes = 30;
/** What a 32-bit field says when the true value stands in the ZIP64 extra field. */
const elsewhere = 0xffffffff;
/** What is inflated at once: at most a thousand times as much comes out, which is held before anybody can count it. */
const packedPerStep = 2048;

export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 &&
    bytes[1] === 0x4b &&
    ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
  );
}

/**
 * The entries of the central directory, at most `most` of them (format: PKWARE APPNOTE 6.3, 4.3.12).
 * Undefined where there is no readable directory.
 */
export function zipEntries(bytes: Uint8Array, most: number): ZipEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === undefined) return undefined;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: ZipEntry[] = [];
  for (let i = 0; i < Math.min(count, most); i++) {
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
    // In the order in which the extra field holds them; the unpacked size is measured, never believed.
    field(at + 24);
    const compressedSize = field(at + 20);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      compressedSize,
      headerOffset: field(at + 42),
    });
    at = next;
  }
  return entries;
}

/** Whether two entries share bytes of the file: no honest archive does, and it multiplies what a bomb holds. */
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

/** An entry's bytes, in pieces of at most 2 MiB as they are inflated. Undefined where it cannot be opened; damage throws on the way. */
export function inflated(bytes: Uint8Array, entry: ZipEntry): AsyncIterable<Uint8Array> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = entry.headerOffset;
  if (at + localHeaderBytes > view.byteLength || view.getUint32(at, true) !== localHeader) return undefined;
  const start = at + localHeaderBytes + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const data = bytes.subarray(start, start + entry.compressedSize);
  if (data.length < entry.compressedSize) return undefined;
  if (entry.method !== 0 && entry.method !== 8) return undefined;
  const packed = stepsOf(data);
  return pieces(entry.method === 0 ? packed : packed.pipeThrough(new DecompressionStream("deflate-raw")));
}

/** Gives the next step only when it is asked for: nothing is inflated ahead of the one who counts. */
function stepsOf(data: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= data.length) return controller.close();
        controller.enqueue(data.slice(at, at + packedPerStep));
        at += packedPerStep;
      },
    },
    { highWaterMark: 0 },
  );
}

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
