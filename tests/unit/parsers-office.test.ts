// The parsers with presentations, workbooks and e-books, ordinary and unusual.
import { describe, expect, it } from "vitest";
import type { ParsedDocument, StructureKind } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makeEpub, makePptx, makeXlsx, shape, slideTable } from "../support/files/office.ts";

const parse = (name: string, bytes: Uint8Array) => parseFile({ name, bytes });

const spans = ({ text, structure }: ParsedDocument, kind: StructureKind) =>
  structure.filter((span) => span.kind === kind).map((span) => text.slice(span.start, span.end));
const headings = ({ structure }: ParsedDocument) =>
  structure.filter(({ kind }) => kind === "heading").map(({ label }) => label);

describe("PPTX", () => {
  it("keeps slides as pages in display order, with titles, lists, tables and notes", async () => {
    const parsed = await parse(
      "a.pptx",
      makePptx(
        [
          {
            shapes: shape(["Q3 & beyond"], "ctrTitle") + shape(["Ann"], "subTitle"),
            notes: "Say hello first.",
          },
          {
            shapes:
              shape(["Plan"], "title") +
              shape(["Hire two", "- one in Lyon", "Ship"], "") +
              shape(["Stands alone", "and so does this"], "body", false) +
              slideTable([
                ["Month", "Sum"],
                ["May", "12"],
              ]) +
              shape(["7"], "sldNum") +
              shape(["ACME confidential"], "ftr"),
          },
        ],
        { title: "Board meeting" },
      ),
    );
    expect(parsed.text).toBe(
      "Q3 & beyond\n\nAnn\n\nNotes: Say hello first.\n\nPlan\n\n- Hire two\n  - one in Lyon\n- Ship\n\nStands alone\n\nand so does this\n\n| Month | Sum |\n| --- | --- |\n| May | 12 |",
    );
    expect(parsed.title).toBe("Board meeting");
    expect(headings(parsed)).toEqual(["Q3 & beyond", "Plan"]);
    expect(spans(parsed, "page")[0]).toBe("Q3 & beyond\n\nAnn\n\nNotes: Say hello first.");
    expect(parsed.structure.filter(({ kind }) => kind === "page").map(({ page }) => page)).toEqual([1, 2]);
    expect(parsed.structure.find(({ kind }) => kind === "table")?.label).toBe("Month | Sum");
    expect(spans(parsed, "item")).toHaveLength(3);
  });

  it("names an untitled slide by number, skips hidden ones and says so", async () => {
    const parsed = await parse(
      "a.pptx",
      makePptx([
        { shapes: shape(["Titled"], "title") },
        { shapes: shape(["Old figures"]), hidden: true },
        { shapes: shape(["Only a\ntext box"]) },
        { shapes: "" },
      ]),
    );
    expect(headings(parsed)).toEqual(["Titled", "Slide 3"]);
    expect(parsed.text).toContain("Slide 3\n\nOnly a\ntext box");
    expect(parsed.text).not.toContain("Old");
    expect(parsed.warnings).toEqual(["Hidden slides were left out: 2."]);
    expect(parsed.title).toBe("Titled");
  });
});

describe("PPTX with what is drawn", () => {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const withParts = (shapes: string, parts: { name: string; type: string; data: string }[]) =>
    parse(
      "a.pptx",
      makePptx([{ shapes: shape(["Sales"], "title") + shapes }], {
        extra: [
          {
            name: "ppt/slides/_rels/slide1.xml.rels",
            data: `<Relationships>${parts.map(({ name, type }, i) => `<Relationship Id="r${i}" Type="${office}/${type}" Target="../${name}"/>`).join("")}</Relationships>`,
          },
          ...parts.map(({ name, data }) => ({ name: `ppt/${name}`, data })),
        ],
      }),
    );
  const frame = (inner: string) => `<p:graphicFrame><a:graphic>${inner}</a:graphic></p:graphicFrame>`;

  it("has charts as tables, diagrams as lists, and says how many comments were left out", async () => {
    const labels = '<c:lvl><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:lvl>';
    const years = '<c:lvl><c:pt idx="0"><c:v>2026</c:v></c:pt></c:lvl>';
    const series = (name: string, values: string) =>
      `<c:ser><c:tx><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:tx><c:cat>${labels}${years}</c:cat><c:val>${values}</c:val></c:ser>`;
    const chart = `<c:chart><c:title><c:v>By quarter</c:v></c:title><c:plotArea>${series("North", '<c:pt idx="0"><c:v>10</c:v></c:pt>')}${series("South", '<c:pt idx="1"><c:v>20</c:v></c:pt>')}</c:plotArea></c:chart>`;
    const point = (id: string, text: string) => `<d:pt modelId="${id}"><a:t>${text}</a:t></d:pt>`;
    const diagram = `<d:dataModel>${point("1", "Plan")}${point("2", "Hire")}<d:cxn srcId="1" destId="2" srcOrd="0"/><d:cxn srcId="2" destId="1" srcOrd="0"/></d:dataModel>`;
    const parsed = await withParts(frame('<c:chart r:id="r0"/>') + frame('<d:relIds r:dm="r1"/>'), [
      { name: "charts/chart1.xml", type: "chart", data: chart },
      { name: "diagrams/data1.xml", type: "diagramData", data: diagram },
      { name: "comments/comment1.xml", type: "comments", data: "<cmLst><cm/><cm/></cmLst>" },
    ]);
    expect(parsed.text).toBe(
      "Sales\n\nBy quarter\n\n|  | North | South |\n| --- | --- | --- |\n| 2026 Q1 | 10 |  |\n| Q2 |  | 20 |\n\n- Plan\n  - Hire",
    );
    expect(parsed.structure.find(({ kind }) => kind === "table")?.caption).toBe("By quarter");
    expect(parsed.warnings).toEqual(["Comments were left out: 2."]);
  });

  it("keeps raised and struck words apart, reads formulas, and each shape in one form only", async () => {
    const text = (inner: string) => `<p:sp><p:txBody><a:p>${inner}</a:p></p:txBody></p:sp>`;
    const run = (words: string, properties = "") => `<a:r><a:rPr ${properties}/><a:t>${words}</a:t></a:r>`;
    const formula =
      "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>";
    const shapes =
      text(run("10") + run("6", 'baseline="30000"') + run(" at ") + run("5", 'strike="sngStrike"')) +
      `<mc:AlternateContent><mc:Choice>${text(run("Let ") + formula)}</mc:Choice><mc:Fallback>${text(run("no"))}</mc:Fallback></mc:AlternateContent>`;
    expect((await withParts(shapes, [])).text).toBe("Sales\n\n10⁶ at ~~5~~\n\nLet a/2");
  });

  it("has the descriptions of pictures, without names that programs give them", async () => {
    const picture = (description: string, placeholder = "") =>
      `<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="${description}"/><p:nvPr>${placeholder}</p:nvPr></p:nvPicPr></p:pic>`;
    const shapes =
      picture("Two people fill a form at a desk") +
      picture("Picture 3") +
      picture("office.jpg") +
      picture("Une image contenant texte&#10;&#10;Description générée automatiquement") +
      picture("The firm's seal with a lion", '<p:ph type="ftr"/>') +
      '<p:sp><p:nvSpPr><p:cNvPr id="9" name="Box" descr="A box with rounded corners"/></p:nvSpPr></p:sp>';
    expect((await withParts(shapes, [])).text).toBe("Sales\n\nTwo people fill a form at a desk");
  });

  it("reads charts of very many series, and diagrams of very many links, within the limits", async () => {
    const series = Array.from(
      { length: 15_000 },
      (_, i) => `<c:ser><c:val><c:pt idx="${i}"><c:v>1</c:v></c:pt></c:val></c:ser>`,
    );
    const chart = `<c:chart><c:plotArea>${series.join("")}</c:plotArea></c:chart>`;
    const links = Array.from({ length: 60_000 }, (_, i) => `<d:cxn srcId="1" destId="${i}" srcOrd="${i}"/>`);
    const diagram = `<d:dataModel><d:pt modelId="1"><a:t>Plan</a:t></d:pt>${links.join("")}</d:dataModel>`;
    const { structure, text } = await withParts(
      frame('<c:chart r:id="r0"/>') + frame('<d:relIds r:dm="r1"/>'),
      [
        { name: "charts/chart1.xml", type: "chart", data: chart },
        { name: "diagrams/data1.xml", type: "diagramData", data: diagram },
      ],
    );
    expect(structure.filter(({ kind }) => kind === "row")).toHaveLength(255);
    expect(text.endsWith("- Plan")).toBe(true);
  });

  it("reads a paragraph of very many runs in one pass; copying it for each would time out", async () => {
    const words = `<p:sp><p:txBody><a:p>${"<a:r><a:t>word </a:t></a:r>".repeat(150_000)}</a:p></p:txBody></p:sp>`;
    expect((await withParts(words, [])).text).toHaveLength(150_000 * 5 + 6);
  });
});

describe("XLSX", () => {
  it("becomes a table per visible sheet, with the column names in every row", async () => {
    const parsed = await parse(
      "a.xlsx",
      makeXlsx([
        {
          name: "People",
          rows: [
            ["Name", "Age"],
            ["Ann, B.", 31],
            ["Bob", 0.1 + 0.2],
          ],
        },
        { name: "Old", state: "hidden", rows: [["secret", 1]] },
        { name: "Older", state: "veryHidden", rows: [["secret", 1]] },
        { name: "Empty", rows: [] },
        {
          name: "Figures",
          rows: [
            [1, null, 3],
            [4, 5, null],
          ],
        },
      ]),
    );
    expect(parsed.text).toBe(
      "People\n\nName: Ann, B.\nAge: 31\n\nName: Bob\nAge: 0.3\n\nFigures\n\nA: 1\nC: 3\n\nA: 4\nB: 5",
    );
    expect(headings(parsed)).toEqual(["People", "Figures"]);
    expect(parsed.structure.find(({ kind }) => kind === "table")?.label).toBe("Name | Age");
    expect(parsed.warnings).toEqual(["Hidden sheets were left out: Old, Older."]);
  });

  it("shows values as displayed: dates, times, percentages, formula results, booleans, errors, rich text", async () => {
    const row = [
      '<c r="A2" s="1"><v>45717</v></c>',
      '<c r="B2" s="2"><v>45717.75</v></c>',
      '<c r="C2" s="3"><v>0.125</v></c>',
      '<c r="D2"><f>SUM(1,2)</f><v>3</v></c>',
      '<c r="E2" t="b"><v>1</v></c>',
      '<c r="F2" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c r="G2" t="s"><v>0</v></c>',
      '<c r="H2" t="inlineStr"><is><t>in </t><t>line</t></is></c>',
      '<c r="I2" t="str"><f>A1</f><v>Joined</v></c>',
      '<c r="J2" s="4"><v>1.5</v></c>',
      '<c r="K2" s="5"><v>0.5</v></c>',
      '<c r="L2" s="6"><v>1234.5</v></c>',
      '<c r="M2" s="1"><v>59</v></c>',
      '<c r="N2"><f>NOW()</f></c>',
    ].join("");
    const parsed = await parse(
      "a.xlsx",
      makeXlsx([{ name: "S", rows: `<row r="2">${row}</row>` }], {
        styles: [14, 'dd/mm/yyyy\\ hh:mm;@"y"', 10, "[h]:mm", "h:mm AM/PM", '#,##0.00" days"'],
        strings: ["<si><r><t>Rich </t></r><r><t>text</t></r><rPh><t>furigana</t></rPh></si>"],
      }),
    );
    expect(parsed.text).toBe(
      "S\n\nA: 2025-03-01\nB: 2025-03-01 18:00\nC: 12.5%\nD: 3\nE: TRUE\nF: #DIV/0!\nG: Rich text\nH: in line\nI: Joined\nJ: 36:00\nK: 12:00\nL: 1234.5 days\nM: 1900-02-28",
    );
    const mac = makeXlsx([{ name: "S", rows: '<row><c s="1"><v>1</v></c></row>' }], {
      since1904: true,
      styles: [14],
    });
    expect((await parse("mac.xlsx", mac)).text).toBe("S\n\nA: 1904-01-02");
  });

  it("uses lines above a table as its title, and repeats a vertically merged value", async () => {
    const parsed = await parse(
      "a.xlsx",
      makeXlsx([
        {
          name: "Sales",
          rows: [
            ["Sales 2025"],
            ["in thousands"],
            ["Region", "Month", "Sum"],
            ["North", "May", 1],
            [null, "June", 2],
            ["South", "May", 3],
          ],
          merged: ["A1:C1", "A4:A5", "A4:XFD1048576", "nonsense"],
        },
      ]),
    );
    expect(parsed.text).toBe(
      "Sales\n\nSales 2025\n\nin thousands\n\nRegion: North\nMonth: May\nSum: 1\n\nRegion: North\nMonth: June\nSum: 2\n\nRegion: South\nMonth: May\nSum: 3",
    );
  });

  it("counts cells without a reference", async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const parsed = await parse(
      "a.xlsx",
      makeXlsx([
        { name: "S", rows: `<row>${cell("K")}${cell("L")}</row><row>${cell("1")}${cell("2")}</row>` },
      ]),
    );
    expect(parsed.text).toBe("S\n\nK: 1\nL: 2");
  });
});

describe("EPUB", () => {
  it("has its chapters in order, even without a table of contents", async () => {
    const parsed = await parse(
      "a.epub",
      makeEpub(
        [
          { file: "nav.xhtml", html: "<nav><ol><li>Contents</li></ol></nav>", isContents: true },
          { file: "two words.xhtml", html: "<h1>One</h1><p>First<a id='x'/> words.</p>" },
          { file: "gone.xhtml", html: "", isMissing: true },
          { file: "2.xhtml", html: "<h2>Two</h2><ul><li>a</li><li>b</li></ul>" },
        ],
        { title: "The book" },
      ),
    );
    expect(parsed.text).toBe("One\n\nFirst words.\n\nTwo\n\n- a\n- b");
    expect(parsed.title).toBe("The book");
    expect(headings(parsed)).toEqual(["One", "Two"]);
    expect(parsed.warnings).toEqual(["Chapters that are missing in the file were left out: 1."]);
  });

  it("is rejected with copy protection, but not with obfuscated fonts", async () => {
    const chapters = [{ file: "1.xhtml", html: "<p>Words.</p>" }];
    await expect(
      parse("a.epub", makeEpub(chapters, { encryption: "http://www.w3.org/2001/04/xmlenc#aes128-cbc" })),
    ).rejects.toMatchObject({ code: "locked" });
    const fonts = makeEpub(chapters, { encryption: "http://www.idpf.org/2008/embedding" });
    expect((await parse("a.epub", fonts)).text).toBe("Words.");
  });
});
