// Owns pages as scanners write them: one drawing, 400 by 300 pixels, in every encoding, in strips, rotated, behind a mask.
// tests/fixtures/scans has encoded files of this drawing: Pillow wrote the JPEGs, the JPEG 2000 and the strip of CCITT G4; page.jb2 is one
// generic region of T.88.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { assemble, bytesOf, streamOf } from "./pdf.ts";

export const width = 400;
export const height = 300;

/** An F, which is recognisable from every side, and a comb of lines six pixels apart. */
export function isInk(x: number, y: number): boolean {
  if (x >= 40 && x < 80 && y >= 40 && y < 260) return true;
  if (x >= 80 && x < 240 && y >= 40 && y < 80) return true;
  if (x >= 80 && x < 180 && y >= 130 && y < 165) return true;
  return x >= 200 && x < 380 && y >= 200 && y < 260 && Math.floor((x - 200) / 6) % 2 === 0;
}

/** An image's dictionary entries, and its bytes. */
export type Packed = readonly [entries: string, data: Buffer];

const grey = "/ColorSpace /DeviceGray /BitsPerComponent";
const fixture = (name: string) => readFileSync(join(import.meta.dirname, "../../fixtures/scans", name));

/** The drawing's bits between two rows: 1 for ink, or for its absence. */
function bitsOf(from: number, to: number, inkIs: 0 | 1): Buffer {
  const rows = Buffer.alloc((width / 8) * (to - from));
  for (let y = from; y < to; y++)
    for (let x = 0; x < width; x++)
      if (isInk(x, y) === (inkIs === 1)) {
        const at = (y - from) * (width / 8) + (x >> 3);
        rows[at] = (rows[at] ?? 0) | (128 >> (x & 7));
      }
  return deflateSync(rows);
}
const size = (rows = height) => `/Width ${width} /Height ${rows}`;

export const packed = {
  jpeg: [`${size()} ${grey} 8 /Filter /DCTDecode`, fixture("page.jpg")],
  cmyk: [
    `${size()} /ColorSpace /DeviceCMYK /BitsPerComponent 8 /Decode [1 0 1 0 1 0 1 0] /Filter /DCTDecode`,
    fixture("page-cmyk.jpg"),
  ],
  jbig2: [`${size()} ${grey} 1 /Filter /JBIG2Decode`, fixture("page.jb2")],
  g4: [
    `${size()} ${grey} 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /BlackIs1 true /Columns ${width} /Rows ${height} >>`,
    fixture("page.g4"),
  ],
  bits: [`${size()} ${grey} 1 /Filter /FlateDecode`, bitsOf(0, height, 0)],
  mask: [`${size()} /ImageMask true /BitsPerComponent 1 /Filter /FlateDecode`, bitsOf(0, height, 0)],
  inverseMask: [
    `${size()} /ImageMask true /BitsPerComponent 1 /Decode [1 0] /Filter /FlateDecode`,
    bitsOf(0, height, 1),
  ],
  jpeg2000: [`${size()} /Filter /JPXDecode`, fixture("page.jp2")],
} as const satisfies Record<string, Packed>;

/** A strip of the drawing, as fax software cuts a page. */
export const strip = (from: number, to: number, isMask: boolean): Packed => [
  `${size(to - from)} ${isMask ? "/ImageMask true /BitsPerComponent" : grey} 1 /Filter /FlateDecode`,
  bitsOf(from, to, 0),
];

export interface ScannedPage {
  pictures: readonly Packed[];
  /** Operators; /P0, /P1 … are the images, /F1 is a font. */
  content: string;
  /** Extra entries of the page. */
  more?: string;
}

/** A PDF of pages as large in points as the drawing is in pixels. */
export function makeScanned(pages: ScannedPage[]): Uint8Array {
  const objects: Buffer[] = [
    bytesOf("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.alloc(0),
    bytesOf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
  ];
  const kids: string[] = [];
  for (const { pictures, content, more = "" } of pages) {
    const named = pictures.map(([entries, data], i) => {
      objects.push(streamOf(`/Type /XObject /Subtype /Image ${entries}`, data));
      return `/P${i} ${objects.length} 0 R`;
    });
    objects.push(streamOf("", bytesOf(content)));
    objects.push(
      bytesOf(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ${more} /Resources << /Font << /F1 3 0 R >> /XObject << ${named.join(" ")} >> >> /Contents ${objects.length} 0 R >>`,
      ),
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = bytesOf(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`);
  return assemble(objects);
}

/** An image over the whole page. */
export const whole = (picture: Packed, more?: string): ScannedPage => ({
  pictures: [picture],
  content: `q ${width} 0 0 ${height} 0 0 cm /P0 Do Q`,
  ...(more ? { more } : {}),
});

/** Width, height and grey values of a PNG from greyPng(). */
export function pixelsOf(png: Uint8Array) {
  const bytes = Buffer.from(png);
  const [across, down] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)));
  return { width: across, height: down, at: (x: number, y: number) => rows[y * (across + 1) + 1 + x] ?? -1 };
}
