// Reads a ZIP archive's directory and measures what its parts inflate to, without trusting the sizes it declares.
// Knows nothing of what the parts mean.

export interface ZipEntry {
  name: string;
  compressedSize: number;
  declaredSize: number;
  method: number;
  encrypted: boolean;
  headerOffset: number;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;

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
    const nameLength = view.getUint16(at + 28, true);
    const next = at + 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) return undefined;
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      compressedSize: view.getUint32(at + 20, true),
      declaredSize: view.getUint32(at + 24, true),
      headerOffset: view.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/**
 * How many bytes an entry inflates to, counted while inflating and given up past `most`.
 * Undefined where it cannot be inflated.
 */
export async function inflatedSize(
  bytes: Uint8Array,
  entry: ZipEntry,
  most: number,
): Promise<number | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = entry.headerOffset;
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== localHeader) return undefined;
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const data = bytes.slice(start, start + entry.compressedSize);
  if (data.length < entry.compressedSize) return undefined;
  if (entry.method === 0) return data.length;
  if (entry.method !== 8) return undefined;
  return countInflated(data, most);
}

async function countInflated(data: Uint8Array<ArrayBuffer>, most: number): Promise<number | undefined> {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > most) {
        await reader.cancel();
        return size;
      }
    }
    return size;
  } catch {
    return undefined;
  }
}

function findEnd(view: DataView): number | undefined {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) {
    if (view.getUint32(at, true) === endOfDirectory) return at;
  }
  return undefined;
}
