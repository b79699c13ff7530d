// The parsers with JSON, emails, source code, and texts without a declared encoding.
import { describe, expect, it } from "vitest";
import type { ParsedDocument, StructureKind } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePdf } from "../support/files/pdf.ts";
import { makeDocx, paragraph } from "../support/files/zip.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (name: string, content: string | Uint8Array, contentType?: string) =>
  parseFile({ name, bytes: typeof content === "string" ? bytesOf(content) : content, contentType });

const spans = ({ text, structure }: ParsedDocument, kind: StructureKind) =>
  structure.filter((span) => span.kind === kind).map((span) => text.slice(span.start, span.end));

describe("JSON", () => {
  it("has the path of every value, and keeps list items apart", async () => {
    const parsed = await parse(
      "a.json",
      JSON.stringify({
        title: "Shop",
        open: true,
        products: [
          {
            name: "Tea",
            tags: ["green", "loose"],
            price: { amount: 4.5, currency: "EUR" },
            parts: [{ id: 1 }],
          },
          { name: "Cup\nof clay", note: null },
        ],
        owner: { name: "Ann" },
        nothing: {},
      }),
    );
    expect(parsed.text).toBe(
      "title: Shop\nopen: true\n\nproducts\n\nname: Tea\ntags: green, loose\nprice.amount: 4.5\nprice.currency: EUR\nparts.1.id: 1\n\nname: Cup of clay\nnote: null\n\nowner\n\nname: Ann",
    );
    expect(parsed.title).toBe("Shop");
    expect(spans(parsed, "heading")).toEqual(["products", "owner"]);
    expect(spans(parsed, "item")).toHaveLength(2);
  });

  it("is read line by line, and invalid JSON as text", async () => {
    const lines = await parse("a.jsonl", '{"a":1}\n{"a":2}\n');
    expect(spans(lines, "item")).toEqual(["a: 1", "a: 2"]);
    const broken = await parse("a.json", "{ a: 1, // comment\n}");
    expect(broken.text).toBe("{ a: 1, // comment\n}");
    expect(broken.warnings).toHaveLength(1);
  });

  it("is parsed at any depth", async () => {
    const deep = `${'{"a":['.repeat(50_000)}"words"${"]}".repeat(50_000)}`;
    expect((await parse("deep.json", deep)).text.endsWith("words")).toBe(true);
  });
});

describe("source code", () => {
  const source = "import os\n\n\ndef first():\n    a = 1\n\n    return a\n\n\nclass Second:\n    pass\n\n}\n";
  it("is unchanged, in pieces between definitions", async () => {
    const parsed = await parse("a.py", source.replaceAll("\n", "\r\n"));
    expect(parsed.text).toBe(source.trimEnd());
    expect(spans(parsed, "code")).toEqual([
      "import os",
      "def first():\n    a = 1\n\n    return a",
      "class Second:\n    pass\n\n}",
    ]);
  });

  it("in XML defines nothing, whatever its entities", async () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;&b;</x>`;
    expect((await parse("a.xml", laughs)).text).toBe(laughs);
  });

  it("is detected by name, whatever the browser's type", async () => {
    expect((await parse("a.ts", "export const a = 1;", "video/mp2t")).structure).toHaveLength(1);
  });
});

describe("an email", () => {
  const head =
    "From: Ann <ann@x.test>\r\nTo: b@x.test, Club: c@x.test;\r\nSubject: =?utf-8?Q?Caf=C3=A9?= hours\r\n";
  const dated = `${head}Date: Sat, 1 Mar 2025 10:00:00 +0100\r\nMIME-Version: 1.0\r\n`;

  it("has its people, date and text, in any encoding and line ending", async () => {
    const mail = `${dated}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nWe open at nine, caf=E9 =\r\nincluded.\r\n`;
    const expected =
      "Café hours\n\nFrom: Ann <ann@x.test>\nTo: b@x.test, Club: c@x.test\nDate: 2025-03-01 09:00 UTC\n\nWe open at nine, café included.";
    for (const lineEnd of ["\r\n", "\n", "\r"]) {
      const parsed = await parse("a.eml", mail.replaceAll("\r\n", lineEnd));
      expect(parsed.text).toBe(expected);
      expect(parsed.title).toBe("Café hours");
    }
  });

  it("is read when a program saved it as text in UTF-16", async () => {
    const mail = `${dated}Content-Type: text/plain\r\n\r\nWe open at nine.\r\n`;
    const little = Uint8Array.from([...mail].flatMap((letter) => [letter.charCodeAt(0), 0]));
    for (const bytes of [little, Uint8Array.from([0xff, 0xfe, ...little])])
      expect((await parseFile({ name: "a.eml", bytes })).text).toContain(
        "Café hours\n\nFrom: Ann <ann@x.test>",
      );
  });

  const part = (type: string, body: string, more = "") =>
    `--B\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;
  const attach = (name: string, type: string, content: string | Uint8Array) =>
    part(
      type,
      Buffer.from(content).toString("base64"),
      `Content-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n`,
    );
  const mailOf = (...parts: string[]) =>
    `${dated}Content-Type: multipart/mixed; boundary=B\r\n\r\n${parts.join("")}--B--\r\n`;

  it("is read with files that have no name: a mail forwarded as an attachment under its subject, others under their type", async () => {
    const inner = `From: c@x.test\r\nSubject: Inner terms\r\nContent-Type: text/plain\r\n\r\nDue on 5 May.`;
    const forwarded = part("message/rfc822", inner, "Content-Disposition: attachment\r\n");
    const parsed = await parse(
      "a.eml",
      mailOf(part("text/plain", "See below."), forwarded, part("application/json", '{"a":1}')),
    );
    expect(parsed.text).toContain(
      "Attachments: Inner terms, application/json\n\nInner terms\n\nFrom: c@x.test\n\nDue on 5 May.\n\napplication/json\n\na: 1",
    );
    const picture = part("image/tiff", btoa("II*\0\u0001"), "Content-Transfer-Encoding: base64\r\n");
    const unread = await parse("a.eml", mailOf(part("text/plain", "See."), picture));
    expect(unread.warnings).toEqual(["Attached files that were not read: “image/tiff”."]);
  });

  it("is read by its page where the plain text lacks its words, and by the plain text where it says the same", async () => {
    const both = (plain: string, page: string) =>
      `${dated}Content-Type: multipart/alternative; boundary=B\r\n\r\n${part("text/plain", plain)}${part("text/html", page)}--B--\r\n`;
    const table = "<table><tr><th>Item<th>Price<tr><td>Bolt<td>12,50 €</table>";
    const stub = await parse(
      "a.eml",
      both("This mail needs an HTML viewer.", `<p>Our new prices for 2026:</p>${table}`),
    );
    expect(stub.text).toContain(
      "Our new prices for 2026:\n\n| Item | Price |\n| --- | --- |\n| Bolt | 12,50 € |",
    );
    expect(stub.text).not.toContain("viewer");
    const same = await parse(
      "a.eml",
      both(
        "Hello Ben,\r\n> quoted: https://x.test/a/b/c/d/e/f/g/h",
        "<p>Hello <b>Ben</b>,<blockquote>quoted",
      ),
    );
    expect(same.text).toContain("Hello Ben,\n> quoted: https://x.test/a/b/c/d/e/f/g/h");
  });

  it("is read with its attachments, each file a chapter in its place, and a message inside it", async () => {
    const price = "# Prices\n\n- Tea: 4\n- Milk: 2";
    const parsed = await parse(
      "a.eml",
      mailOf(
        part("text/plain", "See below."),
        attach(
          "price list.pdf",
          "application/pdf",
          makePdf([[{ text: "Page one." }], [{ text: "Page two." }]]),
        ),
        attach(
          "rules.docx",
          "application/octet-stream",
          makeDocx(paragraph("Rules", "Heading1") + paragraph("Be kind.")),
        ),
        attach("prices.md", "text/markdown", `\n\n${price}\n\n`),
        part("message/rfc822", "From: c@x.test\r\nSubject: Inner\r\n\r\nInner words."),
      ),
    );
    expect(parsed.text).toContain("See below.");
    expect(parsed.text).toContain("Inner words.");
    expect(parsed.text).toContain("Attachments: price list.pdf, rules.docx, prices.md");
    expect(parsed.text).toMatch(
      /price list\.pdf\n\nPage one\.\n\nPage two\.\n\nrules\.docx\n\nRules\n\nBe kind\.\n\nprices\.md\n\n# Prices/,
    );
    expect(spans(parsed, "page")).toEqual(["Page one.", "Page two."]);
    expect(spans(parsed, "item")).toEqual(["- Tea: 4", "- Milk: 2"]);
    expect(
      parsed.structure.filter(({ kind }) => kind === "heading").map(({ label, level }) => [label, level]),
    ).toEqual([
      ["Café hours", 1],
      ["price list.pdf", 2],
      ["rules.docx", 2],
      ["Rules", 3],
      ["prices.md", 2],
      ["Prices", 3],
    ]);
    expect(parsed.structure).toEqual(parsed.structure.toSorted((a, b) => a.start - b.start));
    expect(parsed.warnings).toEqual([]);
  });

  it("says which pages of an attachment have no text", async () => {
    const scan = makePdf([[], [{ text: "Page two." }]]);
    const parsed = await parse("a.eml", mailOf(attach("scan.pdf", "application/pdf", scan)));
    expect(parsed.text).toContain("Page two.");
    expect(parsed.warnings).toEqual([expect.stringMatching(/^In the attachment “scan\.pdf”: .*: 1\. If /)]);
  });

  it("names unreadable attachments, and stops at a limit of depth and number", async () => {
    let nested = mailOf(part("text/plain", "Level 6."));
    for (let level = 5; level >= 1; level--)
      nested = mailOf(
        part("text/plain", `Level ${level}.`),
        attach("inner.eml", "application/octet-stream", nested),
      );
    const many = Array.from({ length: 60 }, (_, i) => attach(`${i}.txt`, "text/plain", `Words of ${i}.`));
    const parsed = await parse(
      "a.eml",
      mailOf(
        part("text/plain", "See below."),
        attach("photo.png", "image/png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2])),
        attach("bad.docx", "application/octet-stream", "not a document"),
        attach("first.eml", "application/octet-stream", nested),
        ...many,
      ),
    );
    expect(parsed.text).toContain("See below.");
    for (const level of [1, 2, 3]) expect(parsed.text).toContain(`Level ${level}.`);
    expect(parsed.text).not.toContain("Level 4.");
    // Fifty in all: two rejected, three mails, and these.
    expect(parsed.text.match(/Words of \d+\./g)).toHaveLength(45);
    expect(parsed.warnings.at(-1)).toMatch(
      /^Attached files that were not read: “photo\.png”, “bad\.docx”, “45\.txt”/,
    );
    expect(parsed.warnings.join(" ")).toContain("“inner.eml”");
  });

  it("in HTML alone is read as a page", async () => {
    const parsed = await parse(
      "a.eml",
      `${dated}Content-Type: text/html\r\n\r\n<style>p{}</style><h2>News</h2><ul><li>One</li></ul>`,
    );
    expect(parsed.text).toMatch(/UTC\n\nNews\n\n- One$/);
    expect(spans(parsed, "list")).toEqual(["- One"]);
  });
});

describe("an undeclared encoding", () => {
  const utf16 = (text: string, little: boolean) => {
    const bytes = Buffer.from(text, "utf16le");
    return new Uint8Array(little ? bytes : bytes.swap16());
  };
  const hex = (digits: string) => new Uint8Array(Buffer.from(digits, "hex"));

  it.each<[string, Uint8Array, string]>([
    ["utf-16le", utf16("Здравствуйте, как дела?\nХорошо.", true), "Здравствуйте"],
    ["utf-16be", utf16("Здравствуйте, как дела?\nХорошо.", false), "Здравствуйте"],
    ["utf-16le", utf16("日本語の文章です。\n次の行。\n", true), "日本語"],
    [
      "shift_jis",
      hex(
        "82b782d782c482cc8ed088f582cd944e82c993f18f5c8cdc93fa82cc8b7889c982f08ee682e982b182c682aa82c582ab82dc82b78142",
      ),
      "すべての社員",
    ],
    [
      "windows-1251",
      hex("cff0e8e2e5f22c20ece8f02120cae0ea20e4e5ebe03f20c2f1e520f5eef0eef8ee2e"),
      "Привет, мир",
    ],
    [
      "koi8-r",
      hex(
        "f7d3c520d3cfd4d2d5c4cec9cbc920c9cdc5c0d420d0d2c1d7cf20cec120c4d7c1c4c3c1d4d820d0d1d4d820c4cec5ca20cfd4d0d5d3cbc120d720c7cfc42e20fac1d1d7ccc5cec9c520d0cfc4c1a3d4d3d120dac1d2c1cec5c52e",
      ),
      "Все сотрудники",
    ],
    [
      "windows-1250",
      hex(
        "57737a7973637920707261636f776e696379206d616ab920707261776f20646f20647775647a6965737475207069ea63697520646e692075726c6f707520726f637a6e69652e20576e696f73656b206e616c65bf79207ab36fbf79e6207a20777970727a65647a656e69656d2e205a61bff3b3e62067ea9c6cb9206a619ff12e",
      ),
      "złożyć",
    ],
    [
      "windows-1254",
      hex(
        "54fc6d20e7616cfdfe616e6c6172fd6e2079fd6c6461207969726d69206265fe2067fc6e20697a696e2068616b6bfd2076617264fd722e204261fe7675727520f66e636564656e20796170fd6c6d616cfd64fd722e",
      ),
      "çalışanların",
    ],
    [
      "windows-1252",
      hex(
        "546f7573206c65732073616c617269e973206f6e742064726f697420e02076696e67742d63696e71206a6f75727320646520636f6e67e9732070617220616e2e204c612064656d616e6465207365206661697420e0206c926176616e63652c2063926573742072e9676ce92e",
      ),
      "congés par an. La demande se fait à l’avance",
    ],
    ["windows-1252", hex("497420636f73747320a3352061742041636d6599209720636166e9"), "£5 at Acme™ — café"],
    ["macintosh", hex("54688e206f75204c6169742c206361668e2c2063728f6d652062729e6c8e65"), "café, crème"],
    ["windows-1252", hex("4dfc6c6c65720a53636872f66465720a47726fdf0a"), "Schröder"],
    [
      "gb18030",
      hex("cbf9d3d0d4b1b9a4c3bfc4ead3d0b6fecaaecee5ccecb5c4bcd9c6daa1a3c9eac7ebd3a6cce1c7b0cce1bdbba1a3"),
      "所有员工",
    ],
    [
      "big5",
      hex("a9d2a6b3adfba475a843a67ea6b3a447a451a4ada4d1aabab0b2b4c1a143a5d3bdd0c0b3b4a3ab65b4a3a5e6a143"),
      "所有員工",
    ],
    [
      "euc-kr",
      hex(
        "b8f0b5e720c1f7bff8c0ba20c0cf20b3e2bfa120c0ccbdcabfc020c0cfc0c720c8deb0a1b8a620bbe7bfebc7d220bcf620c0d6bdc0b4cfb4d92e",
      ),
      "모든 직원",
    ],
  ])("%s", async (encoding, bytes, says) => {
    const parsed = await parse("a.txt", bytes);
    expect(parsed.text).toContain(says);
    if (!encoding.startsWith("utf")) expect(parsed.warnings[0]).toContain(encoding);
  });
});
