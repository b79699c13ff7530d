// Writes small PDFs: pages of lines in Helvetica, optionally encrypted. Not a PDF library.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export interface PdfLine {
  text: string;
  size?: number;
  /** Points below the line before; default 1.2 times the size. */
  down?: number;
  /** Points from the left margin; default 0. */
  at?: number;
}

export interface PdfOptions {
  title?: string;
  /** Needed to open the file (standard security handler, revision 2). */
  userPassword?: string;
  /** Encrypts with an empty user password: opens without a prompt, as files with printing restrictions do. */
  restricted?: boolean;
  /** Unreferenced bytes, as the images of other pages are. */
  unused?: number;
}

/** A PDF with one page per entry. A page without lines is blank, as a scan without text recognition is. */
export function makePdf(pages: PdfLine[][], options: PdfOptions = {}): Uint8Array {
  const id = createHash("md5").update("parley").digest();
  const key =
    options.userPassword || options.restricted ? encryptionKey(options.userPassword ?? "", id) : undefined;
  const objects: Buffer[] = [];
  const font = 3;
  const firstPage = 4;
  const pageIds = pages.map((_, i) => firstPage + 2 * i);
  objects.push(bytesOf("<< /Type /Catalog /Pages 2 0 R >>"));
  objects.push(
    bytesOf(`<< /Type /Pages /Kids [${pageIds.map((n) => `${n} 0 R`).join(" ")}] /Count ${pages.length} >>`),
  );
  objects.push(bytesOf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"));
  pages.forEach((lines, i) => {
    const content = firstPage + 2 * i + 1;
    objects.push(
      bytesOf(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 ${font} 0 R >> >> /Contents ${content} 0 R >>`,
      ),
    );
    const stream = key ? rc4(objectKey(key, content), drawing(lines)) : drawing(lines);
    objects.push(
      Buffer.concat([bytesOf(`<< /Length ${stream.length} >>\nstream\n`), stream, bytesOf("\nendstream")]),
    );
  });
  let trailer = "";
  if (options.title) {
    const number = objects.length + 1;
    const title = key ? rc4(objectKey(key, number), bytesOf(options.title)) : bytesOf(options.title);
    objects.push(bytesOf(`<< /Title <${title.toString("hex")}> >>`));
    trailer += ` /Info ${number} 0 R`;
  }
  if (options.unused) objects.push(streamOf("", Buffer.alloc(options.unused, " ")));
  if (key) {
    objects.push(bytesOf(encryptDictionary(key, options.userPassword ?? "")));
    trailer += ` /Encrypt ${objects.length} 0 R`;
  }
  return assemble(objects, `${trailer} /ID [<${id.toString("hex")}> <${id.toString("hex")}>]`);
}

/** A page of makeScans(): a greyscale scan, nothing, or strokes without an image. */
type Scan = "rgb" | "bits" | "mask" | "damaged" | "blank" | "strokes";

/** A PDF of pages without text. */
export function makeScans(pages: Scan[], width = 400, height = 300): Uint8Array {
  const objects: Buffer[] = [
    bytesOf("<< /Type /Catalog /Pages 2 0 R >>"),
    bytesOf(
      `<< /Type /Pages /Kids [${pages.map((_, i) => `${3 + 3 * i} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    ),
  ];
  const perRow = Math.ceil(width / 8);
  pages.forEach((kind, i) => {
    const isBlack = (y: number) => y >= height / 3 && y < (2 * height) / 3;
    const rows = (bytes: number) =>
      Buffer.concat(Array.from({ length: height }, (_, y) => Buffer.alloc(bytes, isBlack(y) ? 0 : 255)));
    const pixels = deflateSync(kind === "rgb" ? rows(3 * width) : rows(perRow));
    const depth =
      kind === "rgb"
        ? "/ColorSpace /DeviceRGB /BitsPerComponent 8"
        : kind === "mask"
          ? "/ImageMask true /BitsPerComponent 1"
          : "/ColorSpace /DeviceGray /BitsPerComponent 1";
    const filter = kind === "damaged" ? "/Filter /JPXDecode" : "/Filter /FlateDecode";
    const what =
      kind === "blank" ? "" : kind === "strokes" ? "0 0 m 300 300 l S" : "q 612 0 0 792 0 0 cm /Scan Do Q";
    objects.push(
      bytesOf(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /Scan ${4 + 3 * i} 0 R >> >> /Contents ${5 + 3 * i} 0 R >>`,
      ),
      streamOf(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${depth} ${filter}`, pixels),
      streamOf("", bytesOf(what)),
    );
  });
  return assemble(objects);
}

export const streamOf = (entries: string, data: Buffer) =>
  Buffer.concat([bytesOf(`<< ${entries} /Length ${data.length} >>\nstream\n`), data, bytesOf("\nendstream")]);

function drawing(lines: PdfLine[]): Buffer {
  let body = "BT 72 740 Td ";
  let before = 0;
  for (const { text, size = 11, down = size * 1.2, at = 0 } of lines) {
    body += `/F1 ${size} Tf ${at - before} ${-down} Td (${text.replace(/[\\()]/g, "\\$&")}) Tj\n`;
    before = at;
  }
  return bytesOf(`${body}ET`);
}

export function assemble(objects: Buffer[], trailer = ""): Uint8Array {
  const parts: Buffer[] = [bytesOf("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")];
  let length = parts[0]?.length ?? 0;
  const offsets: number[] = [];
  objects.forEach((object, i) => {
    offsets.push(length);
    const part = Buffer.concat([bytesOf(`${i + 1} 0 obj\n`), object, bytesOf("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    bytesOf(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

// The standard security handler, revision 2 (PDF 1.7, 7.6.3): a 40-bit RC4 key.
const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const permissions = -4;
const ownerEntry = rc4(md5(pad("owner")).subarray(0, 5), padding);

function encryptionKey(userPassword: string, id: Buffer): Buffer {
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions);
  return md5(Buffer.concat([pad(userPassword), ownerEntryFor(userPassword), bits, id])).subarray(0, 5);
}

function ownerEntryFor(userPassword: string): Buffer {
  return userPassword === "" ? ownerEntry : rc4(md5(pad("owner")).subarray(0, 5), pad(userPassword));
}

function encryptDictionary(key: Buffer, userPassword: string): string {
  const owner = ownerEntryFor(userPassword).toString("hex");
  return `<< /Filter /Standard /V 1 /R 2 /O <${owner}> /U <${rc4(key, padding).toString("hex")}> /P ${permissions} >>`;
}

function objectKey(key: Buffer, number: number): Buffer {
  const suffix = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0]);
  return md5(Buffer.concat([key, suffix])).subarray(0, 10);
}

function pad(password: string): Buffer {
  return Buffer.concat([bytesOf(password), padding]).subarray(0, 32);
}

function md5(data: Buffer): Buffer {
  return createHash("md5").update(data).digest();
}

/** OpenSSL 3 no longer offers RC4 by default; this is the whole algorithm. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number) => {
    const kept = state[a] ?? 0;
    state[a] = state[b] ?? 0;
    state[b] = kept;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + (state[i] ?? 0)) & 255;
      swap(i, j);
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
    }),
  );
}

export function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
