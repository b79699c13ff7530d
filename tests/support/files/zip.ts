// Writes ZIP archives and minimal DOCX files, honest ones and ones with false sizes.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  name: string;
  data: Uint8Array | string;
  /** The unpacked size in the headers. */
  claimedSize?: number;
  isStored?: boolean;
}

export function makeZip(parts: ZipPart[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = Buffer.from(part.data as string);
    const packed = part.isStored ? data : deflateRawSync(data);
    const name = Buffer.from(part.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(part.isStored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(part.claimedSize ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    files.push(Buffer.from("PK\x03\x04", "latin1"), common, name, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, tail, name);
    offset += 4 + 26 + name.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...files, index, end]));
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relations = "http://schemas.openxmlformats.org";

/**
 * A DOCX around a body's XML; defines styles Heading1 to Heading3 and one bulleted list (numId 1).
 * @param main the name of its main part, in the folder "word"
 */
export function makeDocx(body: string, extra: ZipPart[] = [], main = "document.xml"): Uint8Array {
  const styles = [1, 2, 3].map(
    (n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`,
  );
  return makeZip([
    {
      name: "[Content_Types].xml",
      data: `<?xml version="1.0"?><Types xmlns="${relations}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/${main}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      data: `<?xml version="1.0"?><Relationships xmlns="${relations}/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument/2006/relationships/officeDocument" Target="word/${main}"/></Relationships>`,
    },
    {
      name: `word/_rels/${main}.rels`,
      data: `<?xml version="1.0"?><Relationships xmlns="${relations}/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${relations}/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>`,
    },
    { name: "word/styles.xml", data: `<?xml version="1.0"?><w:styles ${word}>${styles.join("")}</w:styles>` },
    {
      name: "word/numbering.xml",
      data: `<?xml version="1.0"?><w:numbering ${word}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    },
    {
      name: `word/${main}`,
      data: `<?xml version="1.0"?><w:document ${word}><w:body>${body}</w:body></w:document>`,
    },
    ...extra,
  ]);
}

/** A paragraph's XML, in a style or as an item of the list. */
export function paragraph(text: string, style?: string): string {
  const list = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
  const marks = style === "list" ? list : style ? `<w:pStyle w:val="${style}"/>` : "";
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<w:p>${marks ? `<w:pPr>${marks}</w:pPr>` : ""}<w:r><w:t xml:space="preserve">${escaped}</w:t></w:r></w:p>`;
}

/** A table's XML: rows of cells. */
export function table(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}
