// Reading RTF: its tables of fonts and styles, lists, tables, notes, fields, and what is not shown.
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../edge-functions/_shared/text/table-text.ts";
import { ParseError } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import fc from "../support/property-cases.ts";

const fonts =
  "{\\fonttbl{\\f0\\fswiss\\fcharset0 Arial;}{\\f1\\fcharset238 Arial CE;}{\\f2\\fcharset128 Mincho;}{\\f3\\fcharset2 Symbol;}}";
const file = (body: string, head = fonts) =>
  Uint8Array.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0${head}\r\n${body}}`, (sign) => sign.charCodeAt(0));
const parse = (body: string, head?: string) => parseFile({ name: "a.rtf", bytes: file(body, head) });
const textOf = async (body: string, head?: string) => (await parse(body, head)).text;

async function rowsIn(body: string) {
  const { text, structure } = await parse(body);
  return tablesOf(text, structure).map(({ columns, rows }) => [columns, ...rows.map(({ cells }) => cells)]);
}
const row = (edges: number[], cells: string[], before = "") =>
  `\\trowd${before}${edges.map((edge) => `\\cellx${edge}`).join("")}\\pard\\intbl ${cells.join("\\cell ")}\\cell\\row\n`;

describe("RTF's words", () => {
  it.each<[string, string, string]>([
    [
      "the code page of the font",
      "{\\f1 \\'9elu\\'9dou\\'e8k\\'fd}\\par {\\f0 caf\\'e9}",
      "žluťoučký\n\ncafé",
    ],
    ["characters of two bytes", "{\\f2 \\'83e\\'83X\\'83g}", "テスト"],
    [
      "Unicode and its fallback",
      "\\u8364?5 {\\uc2\\u8364 EUR} {\\uc0\\u-10179 \\u-8690 }\\u233\\'e9t\\u233 \\'e9",
      "€5 €R 😎été",
    ],
    ["a fallback that a brace ends", "{\\u8364}5{\\u8364 }{6}", "€5€6"],
    ["signs", "a\\emdash b\\~c\\_d\\-e \\{f\\} \\\\ \\lquote g\\rquote ", "a—b c-de {f} \\ ‘g’"],
    ["line ends in the file, and as paragraphs", "one\r\ntwo\\\nthree\\line four", "onetwo\n\nthree\nfour"],
    ["binary data, whatever it holds", "a{\\pict\\bin4 }}}}}b", "ab"],
    ["raised and struck words", "10{\\super 6} H{\\sub 2}O {\\strike 12} {\\strike0 9}", "10⁶ H2O ~~12~~ 9"],
    ["fields' results", '{\\field{\\*\\fldinst{HYPERLINK "https://a.example"}}{\\fldrslt{here}}}', "here"],
    ["formulas", "{\\mmath{\\*\\moMath{\\mr x+1}{\\mmathPr z}}}", "x+1"],
    ["a newer form", "{\\upr{old}{\\*\\ud{new}}}", "new"],
    [
      "what stands in an object's place",
      "{\\object{\\*\\objclass Excel}{\\*\\objdata 01}{\\result{5 kg}}}",
      "5 kg",
    ],
    ["and not hidden or deleted ones", "a{\\v b}{\\deleted c}{\\v0 d}{\\*\\unknown e}{\\xe f}", "ad"],
    ["and nothing behind the end", "a}rest", "a"],
  ])("are %s", async (_, body, expected) => {
    expect(await textOf(body)).toBe(expected);
  });

  it.each([
    ["\\mac", "caf\\'8e", "café"],
    ["\\pca", "caf\\'82", "café"],
    ["\\ansicpg1251", "\\'e4\\'e0", "да"],
    ["\\ansicpg999999", "caf\\'e9", "café"],
  ])("are decoded as a file with %s says", async (head, body, expected) => {
    expect(await textOf(`${head} ${body}`, "")).toBe(expected);
  });
});

describe("RTF's structure", () => {
  const styles =
    "{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 Kop 1;}{\\s2 heading 2;}{\\*\\cs3 Strong;}}{\\info{\\title Hand\\'e9book}{\\author Ann}}";

  it("has headings by their styles and levels, and the title", async () => {
    const body =
      "\\pard\\s1 Fees\\par\\pard\\s2 Rent\\par\\pard 5\\par\\pard\\outlinelevel1 Tax\\par\\pard{\\listtext 2.\\tab}\\s1 Rooms\\par";
    const { structure, title } = await parse(body, fonts + styles);
    const headings = structure.filter(({ kind }) => kind === "heading");
    expect(headings.map(({ label, level }) => `${level} ${label}`)).toEqual([
      "1 Fees",
      "2 Rent",
      "2 Tax",
      "1 2. Rooms",
    ]);
    expect(title).toBe("Handébook");
  });

  it("has lists by the marks that it shows, inside of each other by their indents", async () => {
    const item = (mark: string, indent: number, text: string) =>
      `\\pard{\\listtext ${mark}\\tab}\\li${indent} ${text}\\par\n`;
    const body = `${item("3.", 360, "Oil")}${item("{\\f3 \\'b7}", 720, "thin")}${item("o", 720, "thick")}${item("4.", 360, "Salt")}\\pard End\\par`;
    expect(await textOf(body)).toBe("3. Oil\n  - thin\n  - thick\n4. Salt\n\nEnd");
    expect(await textOf("{\\pntext\\f3\\'b7\\tab}{\\*\\pn\\pnlvlblt{\\pntxtb\\'b7}}Oil\\par")).toBe("- Oil");
  });

  it("has tables with cells merged along and down, and offset rows", async () => {
    const body =
      row([1000, 3000], ["Town", "2025"]) +
      row([1000, 2000, 3000], ["", "Q1", "Q2"]) +
      "\\trowd\\clvmgf\\cellx1000\\cellx2000\\cellx3000\\pard\\intbl Ghent\\cell 5\\cell 6\\cell\\row\n" +
      "\\trowd\\clvmrg\\cellx1000\\cellx2000\\cellx3000\\pard\\intbl \\cell 7\\cell 8\\cell\\row\n" +
      row([2000, 3000], ["9", "10"], "\\trleft1000") +
      "\\pard After\\par";
    expect(await rowsIn(body)).toEqual([
      [
        ["Town", "2025 Q1", "2025 Q2"],
        ["Ghent", "5", "6"],
        ["Ghent", "7", "8"],
        ["", "9", "10"],
      ],
    ]);
    expect(await textOf(body)).toMatch(/\n\nAfter$/);
  });

  it("keeps columns of rows whose cells are as many, whatever their widths, and lists inside cells", async () => {
    const body =
      row([1000, 2000], ["Room", "Price"]) +
      row([1400, 2000], ["Hall", "{\\listtext 1.\\tab}5\\par {\\listtext 2.\\tab}6"]);
    expect(await rowsIn(body)).toEqual([
      [
        ["Room", "Price"],
        ["Hall", "1. 5 2. 6"],
      ],
    ]);
  });

  it("loses no words of tables inside of cells, nor of cells without a row", async () => {
    const inner =
      "\\pard\\intbl\\itap2 a\\nestcell b\\nestcell{\\*\\nesttableprops\\trowd\\cellx500\\cellx900\\nestrow}{\\nonesttables\\par}";
    const text = await textOf(
      `\\trowd\\cellx1000\\cellx2000${inner}\\pard\\intbl c\\cell d\\cell\\row\\pard e\\par\\pard\\intbl f\\cell`,
    );
    expect(text.replace(/[^a-f]/g, "")).toBe("abcdef");
  });

  it("puts notes and text boxes behind their paragraph, headers in front", async () => {
    const body =
      "{\\header\\pard ACME, 12 High St\\tab {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}\\par}" +
      "See{\\super\\chftn}{\\footnote\\pard{\\super\\chftn} Rule 4.} below{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv y}}{\\shptxt Box}}{\\shprslt old}}.\\par Next\\par";
    expect(await textOf(body)).toBe("ACME, 12 High St\n\nSee[1] below.\n\n[1] Rule 4.\n\nBox\n\nNext");
  });

  it("leaves out comments, told in a note, and the generated table of contents", async () => {
    const body =
      "{\\field{\\*\\fldinst TOC \\\\o}{\\fldrslt Fees\\tab 3\\par}}a{\\*\\annotation{\\*\\atndate 1}why?}\\par";
    const { text, warnings } = await parse(body);
    expect(text).toBe("a");
    expect(warnings.join()).toMatch(/Comments/);
  });
});

it("a Word file is an RTF document by its content", async () => {
  expect((await parseFile({ name: "old.doc", bytes: file("Hello") })).text).toBe("Hello");
  await expect(parseFile({ name: "a.pdf", bytes: file("Hello") })).rejects.toMatchObject({
    code: "mismatch",
  });
});

describe("hostile RTF", () => {
  const seconds = async (body: string) => {
    const from = performance.now();
    await parse(body).catch((cause: unknown) => expect(cause).toBeInstanceOf(ParseError));
    return (performance.now() - from) / 1000;
  };

  it.each([
    ["open groups", "{".repeat(1_000_000)],
    ["closed groups", `a${"}".repeat(1_000_000)}`],
    ["fonts", `{\\fonttbl${Array.from({ length: 60_000 }, (_, i) => `{\\f${i}\\fcharset238;}`).join("")}}a`],
    [
      "tables inside of each other",
      `\\pard\\intbl${Array.from({ length: 50_000 }, (_, i) => `\\itap${i + 1} a`).join("")}`,
    ],
    [
      "rows with edges of their own",
      Array.from({ length: 5_000 }, (_, i) =>
        row([i + 100, i * 70 + 200, i * 71 + 300, 900_000].slice(i % 2), ["a", "b", "c", "d"].slice(i % 2)),
      ).join(""),
    ],
    ["notes inside of each other", "{\\footnote a".repeat(50_000)],
    ["an endless \\bin", "a{\\bin99999999999 }b"],
    [
      "lists ever deeper",
      Array.from({ length: 30_000 }, (_, i) => `\\pard{\\listtext -}\\li${i} a\\par`).join(""),
    ],
  ])("of %s is read or refused at once", async (_, body) => {
    expect(await seconds(body)).toBeLessThan(8);
  });

  it("of any words is read or refused with a reason", async () => {
    const word = fc.constantFrom(
      ..."{ } {\\* \\par \\pard \\intbl \\cell \\row \\trowd \\cellx9 \\clvmrg \\clmrg \\itap2 \\nestcell \\nestrow \\u9 \\uc9 \\'e9 \\bin3 \\footnote \\header \\field \\fldinst \\fldrslt \\shptxt \\upr \\ud \\f1 \\fonttbl \\stylesheet \\s1 \\listtext \\li5 \\v \\super a 12".split(
        " ",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
        await seconds(words.join(" "));
      }),
      { numRuns: 400 },
    );
  });
});
