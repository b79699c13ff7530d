// Owns files that exhaust a parser: each is small and stands for one attack.
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { makeEpub, makePptx, makeXlsx, shape } from "./office.ts";
import { makeOdf } from "./open-document.ts";
import { makeDocx, makeZip, paragraph } from "./zip.ts";

export interface Bomb {
  name: string;
  bytes: Uint8Array;
  /** Allowed outcomes: "read", or the error codes. Any may be truncated on a slow machine. */
  may: string[];
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const zeros = "0".repeat(60_000_000);
const rtfOf = (body: string) => bytesOf(`{\\rtf1 ${body}}`);

const laughs = (root: string, body: string) => {
  const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY l0 "ha">${levels.join("")}]>${body}`;
};

/** A PDF from the bodies of its objects, the first of which is the catalogue. */
function pdfOf(objects: string[], trailer = ""): Uint8Array {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((body, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  return bytesOf(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

const catalogue = "<< /Type /Catalog /Pages 2 0 R >>";
const page = (contents: string, more = "") =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents ${contents} ${more} >>`;
const stream = (data: string, more = "") =>
  `<< /Length ${data.length} ${more} >>\nstream\n${data}\nendstream`;

/** A PDF whose page is a stream of nothing, and long once inflated. */
function inflating(length: number): Uint8Array {
  const packed = deflateSync(new Uint8Array(length).fill(0x20));
  const head = bytesOf(
    `%PDF-1.4\n1 0 obj\n${catalogue}\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n3 0 obj\n${page("4 0 R")}\nendobj\n4 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`,
  );
  const tail = bytesOf("\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n");
  return new Uint8Array(Buffer.concat([head, packed, tail]));
}

/** An email with one file attached many times. */
function mailWith(times: number, name: string, bytes: Uint8Array): Uint8Array {
  const part = `--b\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`;
  return bytesOf(
    `From: a@x.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(times)}--b--\r\n`,
  );
}

/** Several names for one part of the file: unpacked, each counts again. */
function overlapping(): Uint8Array {
  const honest = makeDocx(paragraph("x"), [{ name: "word/a.xml", data: "0".repeat(3_000_000) }]);
  const parts = Array.from({ length: 8 }, (_, i) => ({ name: `word/${i}.xml`, data: "0".repeat(3_000_000) }));
  const bytes = makeZip([...parts, { name: "word/document.xml", data: honest }]);
  const view = new DataView(bytes.buffer);
  // Point every entry of the directory to the first one's data.
  for (let at = 0; at + 46 < bytes.length; at++) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 42, 0, true);
  }
  return bytes;
}

export function bombs(): Bomb[] {
  const pages = Array.from({ length: 100_000 }, () => "<</Type/Page/Parent 2 0 R>>");
  const rows = `<row><c t="inlineStr"><is><t>${"x".repeat(30_000)}</t></is></c></row>`;
  return [
    {
      name: "nested.docx",
      // An archive in an archive is never opened.
      bytes: makeDocx(paragraph("words"), [
        { name: "word/media/a.zip", data: makeZip([{ name: "b.xml", data: zeros }]) },
      ]),
      may: ["read"],
    },
    {
      name: "large.docx",
      // A part without a relation to it is never unpacked.
      bytes: makeDocx(paragraph("x"), [{ name: "word/z.xml", data: zeros }]),
      may: ["read"],
    },
    {
      name: "liar.xlsx",
      bytes: makeXlsx([{ name: "S", rows: `<row><c><v>${zeros}</v></c></row>` }], { extra: [] }),
      may: ["bomb"],
    },
    {
      name: "many.docx",
      bytes: makeDocx(
        paragraph("x"),
        Array.from({ length: 6_000 }, (_, i) => ({ name: `word/${i}.xml`, data: "<x/>" })),
      ),
      may: ["bomb"],
    },
    {
      name: "spaces.docx",
      // Inflated in one go, it is in memory before its size is counted.
      bytes: makeDocx(Buffer.alloc(400_000_000, " ").toString("latin1")),
      may: ["too_large"],
    },
    {
      name: "hidden.docx",
      // Its main part is not named .xml; the relation that leads there allows that.
      bytes: makeZip([
        { name: "word/document.xml", data: "<x/>" },
        {
          name: "_rels/.rels",
          data: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.bin"/></Relationships>',
        },
        { name: "word/document.bin", data: Buffer.alloc(200_000_000, " ") },
      ]),
      may: ["too_large"],
    },
    {
      name: "tags.docx",
      bytes: makeDocx(
        Array.from({ length: 30_000 }, (_, i) => `<w:p w:rsidR="${i * 7919}"/>`.repeat(20)).join(""),
      ),
      may: ["too_large"],
    },
    { name: "inflating.pdf", bytes: inflating(400_000_000), may: ["scanned"] },
    { name: "row.csv", bytes: bytesOf(`a,b\n${"1,2,".repeat(3_000_000)}`), may: ["unreadable", "too_large"] },
    { name: "million.html", bytes: bytesOf(`${"<div>".repeat(1_000_000)}words`), may: ["read"] },
    { name: "overlapping.docx", bytes: overlapping(), may: ["bomb"] },
    {
      name: "cells.xlsx",
      bytes: makeXlsx([{ name: "S", rows: rows.repeat(1_400) }]),
      may: ["too_large", "bomb"],
    },
    {
      name: "merged.xlsx",
      bytes: makeXlsx([
        { name: "S", rows: [["a", "b"]], merged: Array.from({ length: 50_000 }, () => "A1:XFD1048576") },
      ]),
      may: ["read"],
    },
    {
      name: "deep.pptx",
      bytes: makePptx([
        { shapes: `${"<p:grpSp>".repeat(100_000)}${shape(["x"])}${"</p:grpSp>".repeat(100_000)}` },
      ]),
      may: ["unreadable", "bomb"],
    },
    {
      name: "laughs.docx",
      bytes: makeZip([
        ...["[Content_Types].xml", "_rels/.rels"].map((name) => ({ name, data: "<Types/>" })),
        {
          name: "word/document.xml",
          data: laughs("w:document", "<w:document><w:body>&l9;</w:body></w:document>"),
        },
      ]),
      may: ["read", "empty", "unreadable"],
    },
    {
      name: "laughs.xlsx",
      bytes: makeXlsx([{ name: "S", rows: [["a"]] }], { strings: [laughs("x", "<si><t>&l9;</t></si>")] }),
      may: ["read"],
    },
    {
      name: "laughs.epub",
      bytes: makeEpub([{ file: "1.xhtml", html: laughs("x", "<p>&l9; words</p>") }]),
      may: ["read"],
    },
    {
      name: "repeated.ods",
      // Every row and every cell a million times.
      bytes: makeOdf(
        "spreadsheet",
        `<table:table>${`<table:table-row table:number-rows-repeated="1048576">${'<table:table-cell table:number-columns-repeated="1048576"><text:p>x</text:p></table:table-cell>'.repeat(20)}</table:table-row>`.repeat(20)}</table:table>`,
      ),
      may: ["too_large"],
    },
    {
      name: "repeated.odt",
      bytes: makeOdf(
        "text",
        `<text:p>words</text:p><table:table>${`<table:table-row>${'<table:table-cell table:number-columns-repeated="99999999"/>'.repeat(200)}</table:table-row>`.repeat(300)}</table:table>`,
      ),
      may: ["read"],
    },
    {
      name: "charts.odt",
      // One large chart, named again and again.
      bytes: makeOdf(
        "text",
        '<text:p><draw:frame><draw:object xlink:href="./O"/></draw:frame></text:p>'.repeat(50_000),
        {
          extra: [
            {
              name: "O/content.xml",
              data: `<table:table>${`<table:table-row><table:table-cell>${Array.from({ length: 500 }, (_, i) => i).join(" ")}</table:table-cell><table:table-cell/></table:table-row>`.repeat(1_000)}</table:table>`,
            },
          ],
        },
      ),
      may: ["read", "bomb"],
    },
    {
      name: "deep.odt",
      bytes: makeOdf("text", `${"<draw:g>".repeat(100_000)}<text:p>x</text:p>${"</draw:g>".repeat(100_000)}`),
      may: ["unreadable", "bomb"],
    },
    {
      name: "laughs.odt",
      bytes: makeOdf("text", "", {
        extra: [
          { name: "styles.xml", data: laughs("x", "<style:header><text:p>&l9;</text:p></style:header>") },
        ],
      }),
      may: ["empty", "read"],
    },
    { name: "laughs.xml", bytes: bytesOf(laughs("x", "<x>&l9;</x>")), may: ["read"] },
    {
      name: "pages.pdf",
      bytes: pdfOf([
        catalogue,
        `<</Type/Pages/Count 100000/Kids[${pages.map((_, i) => `${i + 3} 0 R`).join(" ")}]>>`,
        ...pages,
      ]),
      may: ["too_large"],
    },
    {
      name: "promised.pdf",
      bytes: pdfOf([catalogue, "<< /Type /Pages /Count 2900 /Kids [3 0 R] >>", page("4 0 R"), stream("")]),
      may: ["unreadable", "scanned"],
    },
    {
      name: "pagetree.pdf",
      bytes: pdfOf([catalogue, "<< /Type /Pages /Count 100 /Kids [2 0 R 2 0 R] >>"]),
      may: ["unreadable", "scanned"],
    },
    {
      name: "length.pdf",
      bytes: pdfOf([
        catalogue,
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        page("4 0 R"),
        "<< /Length 4 0 R >>\nstream\nx\nendstream",
      ]),
      may: ["unreadable", "scanned"],
    },
    {
      name: "previous.pdf",
      bytes: pdfOf([catalogue, "<< /Type /Pages /Count 0 /Kids [] >>"], "/Prev 9"),
      may: ["unreadable", "scanned", "empty"],
    },
    {
      name: "form.pdf",
      bytes: pdfOf([
        catalogue,
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        page("4 0 R", "/Resources << /XObject << /F 5 0 R >> >>"),
        stream("/F Do"),
        stream(
          "/F Do /F Do",
          "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >>",
        ),
      ]),
      may: ["unreadable", "scanned"],
    },
    { name: "long.txt", bytes: new Uint8Array(49 * 2 ** 20).fill(0x61), may: ["too_large"] },
    { name: "feeds.js", bytes: bytesOf(`a${"\n".repeat(3_000_000)}}`), may: ["read"] },
    { name: "spaces.md", bytes: bytesOf(`a${" ".repeat(2_000_000)}b`), may: ["read"] },
    {
      name: "ticks.md",
      bytes: bytesOf(`# ${"`a".repeat(500_000)}\n\n${"* ".repeat(500_000)}`),
      may: ["read"],
    },
    {
      name: "links.md",
      bytes: bytesOf(`# ${"[a](".repeat(300_000)}\n\n${"|".repeat(900_000)}\n|-|`),
      may: ["read"],
    },
    { name: "deep.html", bytes: bytesOf(`${"<div>".repeat(500_000)}words`), may: ["read"] },
    { name: "bytes.rtf", bytes: rtfOf("\\'41".repeat(3_000_000)), may: ["read"] },
    {
      name: "deep.rtf",
      bytes: rtfOf(`${"{".repeat(2_000)}${"\\mac ".repeat(3_000_000)}words`),
      may: ["read"],
    },
    {
      name: "rows.rtf",
      bytes: rtfOf(`\\trowd\\cellx9\\intbl ${"a\\cell\\row".repeat(1_500_000)}`),
      may: ["read", "too_large"],
    },
    {
      name: "deep.json",
      bytes: bytesOf(`${"[".repeat(500_000)}1${"]".repeat(500_000)}`),
      may: ["read"],
    },
    {
      name: "parts.eml",
      bytes: bytesOf(
        `From: a@x.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n".repeat(100_000)}`,
      ),
      may: ["read", "unreadable", "empty"],
    },
    {
      name: "attached.eml",
      bytes: mailWith(
        30,
        "bomb.docx",
        makeDocx(paragraph("x"), [{ name: "word/x.xml", data: zeros, claimedSize: 10 }]),
      ),
      may: ["read"],
    },
    {
      name: "ten-thousand.eml",
      bytes: mailWith(10_000, "a.txt", bytesOf("words")),
      may: ["read"],
    },
    {
      name: "headers.eml",
      bytes: bytesOf(`From: ${"(".repeat(3_000_000)}a@x.test\r\n\r\nwords`),
      may: ["read", "unreadable"],
    },
  ];
}
