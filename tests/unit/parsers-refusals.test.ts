// Files without text: each is rejected with its code and a sentence that names it. Any other bytes are parsed or rejected.

import { describe, expect, it } from "vitest";
import { ParseError, quoteName } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import en from "../../locales/en/problems.json" with { type: "json" };
import { makeEpub, makePptx, makeXlsx, shape } from "../support/files/office.ts";
import { makeOdf, sheet, slide } from "../support/files/open-document.ts";
import { makePdf } from "../support/files/pdf.ts";
import { makeDocx, makeZip, paragraph } from "../support/files/zip.ts";
import fc from "../support/property-cases.ts";
import { say } from "../support/words.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const words = [[{ text: "Words on a page." }]];
const encryptedOffice = new Uint8Array([
  ...latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
  ...new Uint8Array(70_000),
  ...[..."EncryptedPackage"].flatMap((char) => [char.charCodeAt(0), 0]),
]);

const encrypted = {
  name: "META-INF/manifest.xml",
  data: "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>",
};

async function refusal(name: string, bytes: Uint8Array, contentType?: string): Promise<ParseError> {
  const error = await parseFile({ name, bytes, contentType }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ParseError) return error;
  throw new Error(`not refused: ${name}`, { cause: error });
}

describe("an unreadable file", () => {
  it.each<[string, Uint8Array, string, string]>([
    ["locked.pdf", makePdf(words, { userPassword: "x" }), "encrypted", "password"],
    ["locked.docx", encryptedOffice, "encrypted", "password"],
    ["cut.pdf", makePdf(words).subarray(0, 250), "unreadable", "damaged"],
    ["junk.pdf", bytesOf("%PDF-1.7 and then nothing"), "unreadable", "damaged"],
    ["scan.pdf", makePdf([[], []]), "scanned", "OCR"],
    ["empty.txt", new Uint8Array(), "empty", "empty"],
    ["blank.md", bytesOf(" \n\t\n"), "empty", "empty"],
    ["tags.html", bytesOf("<html><script>x</script></html>"), "empty", "empty"],
    [
      "renamed.pdf",
      makeZip([{ name: "a.txt", data: "x" }]),
      "mismatch",
      "a PDF but its content is a ZIP archive",
    ],
    ["renamed.docx", makePdf(words), "mismatch", "its content is a PDF"],
    ["word.pdf", makeDocx(paragraph("x")), "mismatch", "its content is a Word document"],
    ["text.docx", bytesOf("Just text."), "mismatch", "plain text"],
    ["photo.txt", latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0"), "mismatch", "a picture"],
    ["photo.png", latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0"), "picture", "reads pictures"],
    [
      "old.doc",
      latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0"),
      "unsupported",
      say("problems:words.oldOffice"),
    ],
    [
      "mail.msg",
      latin(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${[..."__substg1.0_"].map((sign) => `${sign}\0`).join("")}`),
      "unsupported",
      say("problems:words.outlook"),
    ],
    ["letter.ps", bytesOf("%!PS-Adobe-3.0"), "unsupported", "PostScript"],
    ["noise", latin("\0\x01\x02\x03\x04\x05\x06"), "unsupported", "unknown kind"],
    [
      "bomb.docx",
      makeDocx(paragraph("x"), [{ name: "word/comments.xml", data: "a".repeat(30e6) }]),
      "bomb",
      "expands",
    ],
    [
      "liar.docx",
      makeDocx(paragraph("x"), [{ name: "word/comments.xml", data: "a".repeat(30e6), claimedSize: 9 }]),
      "bomb",
      "expands",
    ],
    ["slides.xlsx", makePptx([{ shapes: shape(["x"]) }]), "mismatch", "a PowerPoint presentation"],
    ["table.pdf", makeXlsx([{ name: "S", rows: [["x"]] }]), "mismatch", "an Excel workbook"],
    ["book.zip", makeZip([{ name: "a.txt", data: "x" }]), "unsupported", say("problems:words.zip")],
    ["blank.pptx", makePptx([{ shapes: "" }]), "empty", "empty"],
    ["blank.xlsx", makeXlsx([{ name: "S", rows: [] }]), "empty", "empty"],
    ["headless.epub", makeZip([{ name: "META-INF/container.xml", data: "<x/>" }]), "unreadable", "damaged"],
    ["program.js", latin("\x7fELF\0\0\0\0\0"), "mismatch", "a program"],
    [
      "drawing.odg",
      makeOdf("graphics", "<draw:page/>"),
      "unsupported",
      "is an OpenDocument file other than ODT",
    ],
    ["notes.odt", makeOdf("text", "<text:p/>"), "empty", "empty"],
    ["bare.odt", makeOdf("text", "<text:p/>").subarray(0, 120), "unreadable", "damaged"],
    ["sums.ods", makeOdf("text", "<text:p>x</text:p>"), "mismatch", "an OpenDocument text"],
    ["locked.ods", makeOdf("spreadsheet", "x", { extra: [encrypted] }), "encrypted", "password"],
    ["cut.docx", makeDocx(paragraph("x")).subarray(0, 600), "unreadable", "damaged"],
    ["huge.txt", new Uint8Array(51 * 2 ** 20).fill(0x61), "too_large", "50 MiB"],
    ["long.txt", new Uint8Array(17 * 2 ** 20).fill(0x61), "too_large", "million characters"],
  ])("%s", async (name, bytes, code, says) => {
    const error = await refusal(name, bytes);
    expect(error.code).toBe(code);
    expect(error.message).toContain(`“${name}”`);
    expect(error.message).toContain(says);
    expect(error.message).toMatch(/\.$/);
    // What has no words in the catalogue would be English in a French sentence.
    for (const kind of [error.params.format, error.params.found])
      expect(Object.values(en.words)).toContain(kind);
  });

  it("is parsed by its declared type when the name says nothing", async () => {
    const error = await refusal(
      "upload",
      makeZip([{ name: "a", data: "x" }]),
      "application/pdf; charset=binary",
    );
    expect(error.code).toBe("mismatch");
  });
});

describe("endless nesting", () => {
  it.each<[string, string]>([
    ["deep.html", `${"<div>".repeat(300_000)}words`],
    ["lists.html", `${"<ul><li>".repeat(50_000)}words`],
    ["tables.html", `${"<table><tr><td>".repeat(50_000)}words`],
    ["quotes.md", `${">".repeat(200_000)} words`],
    ["lists.md", Array.from({ length: 1500 }, (_, i) => `${" ".repeat(2 * i)}- words`).join("\n")],
    ["angles.html", `${"<".repeat(500_000)} words`],
    ["brackets.md", `# ${"[".repeat(200_000)}words`],
  ])("%s is read anyway", async (name, source) => {
    // Not toContain: a failure would print all of it.
    expect((await parseFile({ name, bytes: bytesOf(source) })).text.includes("words")).toBe(true);
  });

  it("in a Word document is read or rejected", async () => {
    const body = `${"<w:sdt><w:sdtContent>".repeat(20_000)}${paragraph("words")}${"</w:sdtContent></w:sdt>".repeat(20_000)}`;
    const outcome = await parseFile({ name: "deep.docx", bytes: makeDocx(body) }).catch(
      (error: unknown) => error,
    );
    if (!(outcome instanceof ParseError)) expect(outcome).toMatchObject({ text: "words" });
  });
});

describe("a file name in a sentence", () => {
  it.each([
    ["\u202egnp.\u0007exe", "“\ufffdgnp.\ufffdexe”"],
    ["line\nfeed\u2028.txt", "“line\ufffdfeed\ufffd.txt”"],
    ["  ", "“unnamed file”"],
    ["🎉 «ü».pdf", "“🎉 «ü».pdf”"],
    ["\ud800.txt", "“\ufffd.txt”"],
  ])("%j", (name, expected) => {
    expect(quoteName(name)).toBe(expected);
  });

  it("is truncated, and keeps its extension", () => {
    expect(quoteName(`${"x".repeat(300)}.pdf`)).toMatch(/^“x+…x+\.pdf”$/);
    expect([...quoteName("🎉".repeat(300))].length).toBeLessThan(130);
  });
});

describe("any bytes", () => {
  const seeds = [
    makePdf([[{ text: "Title", size: 20 }, { text: "Some words." }]], { title: "T" }),
    makeDocx(paragraph("Head", "Heading1") + paragraph("Some words.")),
    bytesOf("<h1>a</h1><table><tr><td>b</td></tr></table><ul><li>c"),
    bytesOf("# a\n\n- b\n- c\n\n|x|y|\n|-|-|\n|1|2|\n"),
    bytesOf('a;b\n"c";d\n'),
    makePptx([{ shapes: shape(["Title"], "title") + shape(["a", "- b"], "body"), notes: "n" }]),
    makeXlsx(
      [
        {
          name: "S",
          rows: [
            ["Name", "Age"],
            ["Ann", 31],
          ],
          merged: ["A1:A2"],
        },
      ],
      { styles: [14] },
    ),
    makeEpub([{ file: "1.xhtml", html: "<h1>a</h1><p>b</p>" }], { title: "T" }),
    makeOdf(
      "text",
      "<text:h>a</text:h><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>",
    ),
    makeOdf(
      "spreadsheet",
      sheet("S", [
        ["a", "b"],
        ["c", "d"],
      ]),
    ),
    makeOdf(
      "presentation",
      slide("<draw:frame><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>"),
    ),
    bytesOf('{"a":[{"b":1},{"b":[2,"c"]}],"d":"e"}'),
    bytesOf(
      "From: a@b.test\r\nSubject: S\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nWords\r\n--x--",
    ),
    bytesOf("import a\n\n\ndef b():\n    return 1\n"),
    Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0, 0x21, 0x20, 0xca, 0xe0, 0xea),
  ];
  const damaged = fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)), { maxLength: 12 }),
      fc.nat(40),
    )
    .map(([seed, changes, cut]) => {
      const bytes = seed.slice(0, seed.length - (cut > 30 ? cut : 0));
      for (const [place, value] of changes) bytes[Math.floor(place * bytes.length)] = value;
      return bytes;
    });
  const names = fc.oneof(
    fc.constantFrom(
      ..."pdf docx pptx xlsx odt ods odp epub eml html md csv json js txt"
        .split(" ")
        .map((end) => `a.${end}`),
      "a",
    ),
    fc.string({ unit: "binary", maxLength: 40 }),
  );

  it("give text that Postgres accepts with a map inside it, or a refusal", async () => {
    const bytes = fc.oneof(damaged, fc.uint8Array({ maxLength: 300 }));
    await fc.assert(
      fc.asyncProperty(names, bytes, async (name, content) => {
        const outcome = await parseFile({ name, bytes: content }).catch((error: unknown) => error);
        if (outcome instanceof ParseError) return;
        const { text, structure } = outcome as Awaited<ReturnType<typeof parseFile>>;
        expect(text).not.toMatch(/\0|\p{Cs}/u);
        expect(text).toBe(text.normalize("NFC"));
        expect(JSON.stringify(structure)).not.toMatch(/\\u0000|\\ud[89a-f]/);
        let before = 0;
        for (const { start, end } of structure) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          before = start;
        }
      }),
      { numRuns: 800 },
    );
  });
});
