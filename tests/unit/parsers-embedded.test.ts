// Files inside a document that no reader opens are counted: what they hold is missing in the text.
import { expect, test } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePptx, makeXlsx, shape } from "../support/files/office.ts";
import { makeOdf, sheet, slide } from "../support/files/open-document.ts";
import { assemble, bytesOf, streamOf } from "../support/files/pdf.ts";
import { makeDocx, paragraph } from "../support/files/zip.ts";

const officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
/** Relations of one embedded workbook, named twice, an object of an old program, a linked file and a picture. */
const relations = `<Relationships>
  <Relationship Id="e1" Type="${officeTypes}/package" Target="../embeddings/Sheet.xlsx"/>
  <Relationship Id="e2" Type="${officeTypes}/package" Target="../embeddings/Sheet.xlsx"/>
  <Relationship Id="e3" Type="${officeTypes}/oleObject" Target="../embeddings/oleObject1.bin"/>
  <Relationship Id="e4" Type="${officeTypes}/oleObject" Target="file:///c:/linked.xls" TargetMode="External"/>
  <Relationship Id="e5" Type="${officeTypes}/image" Target="../media/image1.emf"/>
</Relationships>`;
const ole =
  '<draw:frame><draw:object-ole xlink:href="./Object 1"/><draw:image xlink:href="./p.png"/></draw:frame>';

const embedded: [name: string, bytes: () => Uint8Array, count: number][] = [
  [
    "a.docx",
    () => makeDocx(paragraph("Words."), [{ name: "word/_rels/document.xml.rels", data: relations }]),
    2,
  ],
  [
    "a.pptx",
    () =>
      makePptx([{ shapes: shape(["Words."], "title") }], {
        extra: [{ name: "ppt/slides/_rels/slide1.xml.rels", data: relations }],
      }),
    2,
  ],
  [
    "a.xlsx",
    () =>
      makeXlsx([{ name: "S", rows: [["Words."]] }], {
        extra: [{ name: "xl/worksheets/_rels/sheet1.xml.rels", data: relations }],
      }),
    2,
  ],
  ["a.odt", () => makeOdf("text", `<text:p>Words.</text:p><text:p>${ole}${ole}</text:p>`), 2],
  [
    "a.odp",
    () => makeOdf("presentation", slide(`<draw:frame><text:p>Words.</text:p></draw:frame>${ole}`)),
    1,
  ],
  [
    "a.ods",
    () =>
      makeOdf(
        "spreadsheet",
        sheet("S", [["Words."]]).replace(
          "</table:table>",
          `<table:shapes>${ole}</table:shapes></table:table>`,
        ),
      ),
    1,
  ],
  [
    "a.rtf",
    () =>
      bytesOf(
        String.raw`{\rtf1\ansi Words.\par{\object\objemb{\*\objclass Excel.Sheet.12}{\*\objdata 01}{\result{\pict 00}}}{\object\objlink{\*\objclass Word.Document}{\result{\pict 00}}}\par}`,
      ),
    1,
  ],
];

const unread = (count: number) =>
  `Embedded files or objects that were not read: ${count}. Upload those that matter by themselves.`;

test.each(embedded)("%s says how many embedded files were not read", async (name, bytes, count) => {
  const { text, warnings } = await parseFile({ name, bytes: new Uint8Array(bytes()) });
  expect(text).toContain("Words.");
  expect(warnings).toEqual([unread(count)]);
});

test("a PDF says how many files are attached to it and to its pages", async () => {
  const file = (name: string, data: number) =>
    bytesOf(`<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${data} 0 R >> >>`);
  const data = (text: string) => streamOf("/Type /EmbeddedFile", bytesOf(text));
  const objects = [
    bytesOf(
      "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 6 0 R (b) 7 0 R] >> >> >>",
    ),
    bytesOf("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    bytesOf(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 20 20] /FS 9 0 R >>] >>",
    ),
    streamOf("", bytesOf("BT /F1 12 Tf 72 700 Td (Words.) Tj ET")),
    bytesOf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    file("costs.xlsx", 8),
    file("factur-x.xml", 10),
    data("1"),
    file("plan.docx", 11),
    data("2"),
    data("3"),
  ];
  const { text, warnings } = await parseFile({ name: "a.pdf", bytes: assemble(objects) });
  expect(text).toBe("Words.");
  expect(warnings).toEqual([unread(3)]);
});
