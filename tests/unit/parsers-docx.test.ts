// Word documents as programs write them: fields, formulas, text boxes, charts, notes, numbered clauses, comments.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makeDocx, makeZip, paragraph } from "../support/files/zip.ts";

const declared =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="c" xmlns:dgm="d" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:v="urn:schemas-microsoft-com:vml"';
const run = (text: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (...inner: string[]) => `<w:p>${inner.join("")}</w:p>`;

/** A document of these paragraphs, with parts that it relates to. */
async function read(body: string, parts: { name: string; type: string; data: string }[] = []) {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const all = [
    { name: "styles.xml", type: "styles" },
    { name: "numbering.xml", type: "numbering" },
    ...parts,
  ];
  const relations = all.map(
    ({ name, type }, i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${name}"/>`,
  );
  const bytes = makeDocx("", [
    {
      name: "word/_rels/document.xml.rels",
      data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join("")}</Relationships>`,
    },
    { name: "word/document.xml", data: `<w:document ${declared}><w:body>${body}</w:body></w:document>` },
    ...parts.map(({ name, data }) => ({ name: `word/${name}`, data })),
  ]);
  return await parseFile({ name: "a.docx", bytes });
}
const textOf = async (body: string) => (await read(body)).text;

describe("the words of a Word document", () => {
  const page = "<html><head><title>No</title></head><body><h2>Offer</h2><p>Caf\u00e9, 12 €</p></body></html>";
  const mail = `MIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="b"\n\n--b\nContent-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n${page.replaceAll("\u00e9", "=C3=A9").replace("€", "=E2=82=AC")}\n--b--\n`;

  it.each([
    ["a page", "chunk.html", page],
    ["a page stored as an email", "chunk.mht", mail],
  ])("include those of %s that it is put together from, in its place", async (_name, name, data) => {
    const { text, structure } = await read(
      `${p(run("Above."))}<w:altChunk r:id="rId3"/>${p(run("Below."))}`,
      [{ name, type: "aFChunk", data }],
    );
    expect(text).toBe("Above.\n\nOffer\n\nCaf\u00e9, 12 €\n\nBelow.");
    expect(structure.filter(({ kind }) => kind === "heading")).toMatchObject([{ label: "Offer", level: 2 }]);
  });

  it("say what is ticked in a form, of today's kind and of the former one", async () => {
    const box = (checked: number) =>
      `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(checked ? "\u2612" : "\u2610")}</w:sdtContent></w:sdt>`;
    const field = (type: string, inner = "") =>
      `<w:r><w:fldChar w:fldCharType="${type}">${inner}</w:fldChar></w:r>`;
    const former = `${field("begin", '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>')}<w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r>${field("end")}`;
    const text = await textOf(
      p(box(1), run(" Tea "), box(0), run(" Milk")) + p(former, run(" Keys returned")),
    );
    expect(text.replace(/ +/g, " ")).toBe("[x] Tea [ ] Milk\n\n[x] Keys returned");
  });

  it("include fields, formulas, ruby's base, runs of one direction, and ends of lines", async () => {
    const field = `<w:fldSimple w:instr=" DOCPROPERTY Client ">${run("Globex")}</w:fldSimple>`;
    expect(await textOf(p(run("With "), field, run(".")))).toBe("With Globex.");
    const letter = (text: string) => `<m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath>`;
    expect(await textOf(p(letter("a=b"), letter("c=d"), run(", "), letter("e=f")))).toBe("a=b c=d, e=f");
    const formula =
      "<m:oMath><m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub><m:r><m:t>k</m:t></m:r></m:sub><m:sup/><m:e><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:e></m:nary></m:oMath>";
    expect(await textOf(p(run("Sum "), formula, run(" holds.")))).toBe("Sum ∑_k (a+b)/2 holds.");
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run("とう")}</w:rt><w:rubyBase>${run("東")}</w:rubyBase></w:ruby></w:r>`;
    expect(await textOf(p(ruby, `<w:dir w:val="rtl">${run("שלום")}</w:dir>`))).toBe("東שלום");
    expect(
      await textOf(p(run("one"), "<w:r><w:cr/></w:r>", run("two"), "<w:r><w:ptab/></w:r>", run("three"))),
    ).toBe("one\ntwo three");
  });

  it("leave out what was deleted or is hidden, and mark what is struck", async () => {
    const deleted = `<w:del w:id="1"><w:r><w:delText>100</w:delText></w:r></w:del><w:ins w:id="2">${run("250")}</w:ins>`;
    expect(await textOf(p(run("At most "), deleted, run(" €"), run(" secret", "<w:vanish/>")))).toBe(
      "At most 250 €",
    );
    expect(await textOf(p(run("seen", '<w:vanish w:val="0"/>'), run("old", "<w:strike/>")))).toBe(
      "seen~~old~~",
    );
    const row = (text: string, mark = "") => `<w:tr>${mark}<w:tc>${paragraph(text)}</w:tc></w:tr>`;
    const gone = row("gone", '<w:trPr><w:del w:id="3"/></w:trPr>');
    expect(await textOf(`<w:tbl>${row("kept")}${gone}</w:tbl>`)).toBe("kept");
  });

  const drawing = (inner: string) =>
    `<w:drawing><wp:inline><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></wp:inline></w:drawing>`;
  const box = (text: string) => `<w:txbxContent>${p(run(text))}</w:txbxContent>`;

  it("include each text box once, in whichever form it is stored", async () => {
    const choice = `<mc:Choice Requires="wps">${drawing(box("New box"))}</mc:Choice>`;
    const both = (fallback: string) =>
      p(
        run("Before."),
        `<w:r><mc:AlternateContent>${choice}<mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent></w:r>`,
        run(" After."),
      );
    const older = `<w:pict><v:oval><v:textbox>${box("New box")}</v:textbox></v:oval></w:pict>`;
    const expected = "Before. After.\n\nNew box";
    expect(await textOf(both(older))).toBe(expected);
    expect(await textOf(both("<w:drawing/>"))).toBe(expected);
    expect(await textOf(p(run("Before."), `<w:r>${drawing(box("New box"))}</w:r>`, run(" After.")))).toBe(
      expected,
    );
    expect(await textOf(p(run("Before. After."), `<w:r>${older}</w:r>`))).toBe(expected);
  });

  it("include charts as tables and diagrams as their words", async () => {
    const points = (values: string[]) =>
      values.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join("");
    const chart = `<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strCache>${points(["2026"])}</c:strCache></c:tx><c:cat><c:strCache>${points(["Q1", "Q2"])}</c:strCache></c:cat><c:val><c:numCache><c:formatCode>0.0%</c:formatCode>${points(["0.125", "0.5"])}</c:numCache></c:val></c:ser></c:barChart><c:catAx><c:title><a:t>Quarter</a:t></c:title></c:catAx></c:plotArea></c:chart></c:chartSpace>`;
    const point = (id: string, text: string) =>
      `<dgm:pt modelId="${id}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const link = (from: string, to: string, order: number) =>
      `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
    const diagram = `<dgm:dataModel><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${point("1", "Ship")}${point("2", "Plan")}<dgm:pt modelId="9" type="pres"/></dgm:ptLst><dgm:cxnLst>${link("0", "1", 1)}${link("0", "2", 0)}</dgm:cxnLst></dgm:dataModel>`;
    const body =
      p(run("See:"), `<w:r>${drawing('<c:chart r:id="rId3"/>')}</w:r>`) +
      p(run("Steps:"), `<w:r>${drawing('<dgm:relIds r:dm="rId4"/>')}</w:r>`);
    const { text, structure } = await read(body, [
      { name: "chart1.xml", type: "chart", data: chart },
      { name: "data1.xml", type: "diagramData", data: diagram },
    ]);
    expect(text).toBe(
      "See:\n\nSales\n\n| Quarter | 2026 |\n| --- | --- |\n| Q1 | 12.5% |\n| Q2 | 50% |\n\nSteps:\n\nPlan\n\nShip",
    );
    expect(structure.filter(({ kind }) => kind === "row")).toHaveLength(2);
    const twice = p(`<w:r>${drawing('<c:chart r:id="rId3"/>')}</w:r>`).repeat(2);
    const once = await read(twice, [{ name: "chart1.xml", type: "chart", data: chart }]);
    expect(once.text.match(/Q1/g)).toHaveLength(1);
  });

  it("include charts of the newer kind, with the labels of all levels", async () => {
    const points = (values: string[]) =>
      values.map((value, i) => `<cx:pt idx="${i}">${value}</cx:pt>`).join("");
    const chart = `<cx:chartSpace><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>A2</cx:f><cx:lvl>${points(["Leads", "Sales"])}</cx:lvl><cx:lvl>${points(["North"])}</cx:lvl></cx:strDim><cx:numDim type="val"><cx:f>B2</cx:f><cx:lvl formatCode="0%">${points(["1", "0.25"])}</cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Funnel</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="funnel"><cx:tx><cx:txData><cx:f>B1</cx:f><cx:v>2026</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`;
    const shown = `<w:r><mc:AlternateContent><mc:Choice Requires="cx1">${drawing('<cx:chart r:id="rId3"/>')}</mc:Choice><mc:Fallback><w:drawing/></mc:Fallback></mc:AlternateContent></w:r>`;
    const { text } = await read(p(run("See:"), shown), [
      { name: "chartEx1.xml", type: "chartEx", data: chart },
    ]);
    expect(text).toBe(
      "See:\n\nFunnel\n\n|  | 2026 |\n| --- | --- |\n| North Leads | 100% |\n| Sales | 25% |",
    );
  });
});

describe("a Word document without a part that it names", () => {
  it("is read without its pictures and links", async () => {
    const picture = (inner: string) =>
      `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic xmlns:pic="p">${inner}</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
    const body = p(
      run("Ask "),
      `<w:hyperlink r:id="rId90" w:anchor="top">${run("the desk")}</w:hyperlink>`,
      picture('<pic:blipFill><a:blip r:embed="rId91"/></pic:blipFill>'),
      picture('<pic:blipFill><a:blip r:link="rId92"/></pic:blipFill>'),
      '<w:r><w:pict><v:shape><v:imagedata r:id="rId93"/></v:shape></w:pict></w:r>',
      run(" first."),
    );
    expect(await textOf(body)).toBe("Ask the desk first.");
  });

  it("is read without its styles", async () => {
    const table = `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc>${p(run("Fee"))}</w:tc></w:tr></w:tbl>`;
    const bytes = makeZip([
      {
        name: "_rels/.rels",
        data: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
      },
      { name: "word/document.xml", data: `<w:document ${declared}><w:body>${table}</w:body></w:document>` },
    ]);
    expect((await parseFile({ name: "a.docx", bytes })).text).toBe("Fee");
  });
});

describe("the numbers of a Word document", () => {
  const level = (at: number, format: string, text: string, more = "") =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = `<w:numbering ${declared}><w:abstractNum w:abstractNumId="0">${level(0, "decimal", "%1", '<w:pStyle w:val="Heading1"/>')}${level(1, "decimal", "%1.%2", '<w:pStyle w:val="Heading2"/>')}${level(2, "lowerLetter", "(%3)")}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, "decimal", "%1.")}${level(1, "bullet", "•")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`;
  const styles = `<w:styles ${declared}>${[1, 2].map((n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`).join("")}<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="own"/><w:basedOn w:val="Heading2"/></w:style></w:styles>`;
  const parts = [
    { name: "numbering.xml", type: "numbering", data: numbering },
    { name: "styles.xml", type: "styles", data: styles },
  ];
  const item = (list: number, at: number, text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;

  it("are those of the clauses and headings, which the file only counts", async () => {
    const body =
      paragraph("Scope", "Heading1") +
      paragraph("Term", "Heading1") +
      paragraph("Start", "Heading2") +
      paragraph("Notice", "Heading2") +
      item(1, 2, "in writing") +
      item(1, 2, "in time") +
      paragraph("End", "Heading2") +
      item(1, 2, "at once") +
      paragraph("Custom", "Own");
    const { text, structure } = await read(body, parts);
    expect(text).toBe(
      "1 Scope\n\n2 Term\n\n2.1 Start\n\n2.2 Notice\n\n    (a) in writing\n    (b) in time\n\n2.3 End\n\n    (a) at once\n\n2.4 Custom",
    );
    expect(structure.filter(({ kind }) => kind === "heading").map(({ label }) => label)).toContain(
      "2.2 Notice",
    );
  });

  it("go on behind a paragraph in between, begin where a list says so, and count deleted words' paragraphs", async () => {
    const body =
      item(2, 0, "one") + paragraph("Between.") + item(2, 0, "two") + item(2, 1, "dot") + item(3, 0, "seven");
    expect((await read(body, parts)).text).toBe(
      "1. one\n\nBetween.\n\n2. two\n  - dot\n\n7. seven".replace("\n\n7", "\n7"),
    );
    const changed = item(2, 0, "one").replace(
      run("one"),
      `<w:del w:id="1">${run("gone")}</w:del>${run("one")}`,
    );
    expect((await read(changed, parts)).text).toBe("1. one");
  });

  it.each([0.5, -1, 4e9])("are none for an item of the level %d, which stays readable", async (at) => {
    const odd = `<w:numbering ${declared}><w:abstractNum w:abstractNumId="0">${level(at, "decimal", "%1.")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
    const { text } = await read(item(1, at, "one"), [
      { name: "numbering.xml", type: "numbering", data: odd },
    ]);
    expect(text).toMatch(/^(?:[-•] )?one$/);
  });
});

describe("the notes of a Word document", () => {
  const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
  const notes = (...texts: string[]) => ({
    name: "notes2.xml",
    type: "footnotes",
    data: `<w:footnotes ${declared}>${texts.map((text, i) => `<w:footnote w:id="${i + 1}">${p(run(text))}</w:footnote>`).join("")}</w:footnotes>`,
  });

  it("stand behind the block that refers to them, under its heading", async () => {
    const body =
      paragraph("First", "Heading1") +
      p(run("Forty days"), reference(1), run(" or more"), reference(2), run(".")) +
      paragraph("Second", "Heading1") +
      `<w:tbl><w:tr><w:tc>${p(run("A"), reference(3))}</w:tc><w:tc>${p(run("B"))}</w:tc></w:tr></w:tbl>` +
      p(run("End"));
    const { text } = await read(body, [notes("Of work.", "By contract.", "In euros.")]);
    expect(text).toBe(
      "First\n\nForty days[1] or more[2].\n\n[1] Of work.\n\n[2] By contract.\n\nSecond\n\nA[3], B\n\n[3] In euros.\n\nEnd",
    );
  });

  it("may be missing, which leaves the rest as it is", async () => {
    const body = p(run("Forty days"), reference(7), run(" or more"), reference(1), run("."));
    const { text } = await read(body, [notes("Of work.")]);
    expect(text).toBe("Forty days or more[1].\n\n[1] Of work.");
  });

  it("are counted if they are comments, which are left out", async () => {
    const comments = `<w:comments ${declared}><w:comment w:id="1">${p(run("Too long"))}</w:comment></w:comments>`;
    const { text, warnings } = await read(p(run("Text.")), [
      { name: "comments.xml", type: "comments", data: comments },
    ]);
    expect(text).toBe("Text.");
    expect(warnings).toEqual(["Comments were left out: 1."]);
  });
});

describe("the headers and footers of a Word document", () => {
  const part = (name: string, type: "header" | "footer", inner: string) => ({
    name,
    type,
    data: `<w:hdr ${declared}>${inner}</w:hdr>`,
  });
  const field = (code: string, shown: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const tab = "<w:r><w:tab/></w:r>";
  const refers = (kind: string, type: string, id: number) =>
    `<w:${kind}Reference w:type="${type}" r:id="rId${id}"/>`;
  const section = (inner: string) => `<w:sectPr>${inner}</w:sectPr>`;

  it("are read once, in front of the text, without what counts pages or stands in a template", async () => {
    const placeholder = `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${p(run("[Type here]"))}</w:sdtContent></w:sdt>`;
    const box = (tag: string) =>
      `<mc:${tag}><w:txbxContent>${p(run(`In a box: ${tag}`))}</w:txbxContent></mc:${tag}>`;
    const { text, title, structure } = await read(
      paragraph("Handbook", "Heading1") +
        p(run("Words.")) +
        section(refers("header", "default", 3) + refers("footer", "default", 4)) +
        section(refers("header", "default", 3) + refers("footer", "default", 5)),
      [
        part(
          "header1.xml",
          "header",
          `<w:p><w:pPr><w:tabs><w:tab w:val="right"/></w:tabs></w:pPr>${run("Globex")}${tab}${run("Ref. 118")}${run("secret", "<w:vanish/>")}</w:p>${p(run("Handbook"))}${placeholder}${p(`<w:r><mc:AlternateContent>${box("Choice")}${box("Fallback")}</mc:AlternateContent></w:r>`)}`,
        ),
        part(
          "footer1.xml",
          "footer",
          p(
            run("IBAN FR76 – Page "),
            field("PAGE \\* MERGEFORMAT", "1"),
            run(" of "),
            field("NUMPAGES", "3"),
          ) +
            p(run("Page "), '<w:fldSimple w:instr="PAGE">', run("2"), "</w:fldSimple>") +
            p(run("Printed "), field("DATE", "1 May 2026")) +
            p(run("By "), field("AUTHOR", "Ann Day")),
        ),
        part("footer2.xml", "footer", p(run("IBAN FR76"))),
      ],
    );
    expect(text).toBe("Globex Ref. 118\n\nIn a box: Choice\n\nIBAN FR76\n\nBy Ann Day\n\nHandbook\n\nWords.");
    expect(title).toBe("Handbook");
    expect(structure).toMatchObject([{ kind: "heading", start: text.indexOf("Handbook") }]);
  });

  it("are those that the pages show", async () => {
    const parts = [
      part("header1.xml", "header", p(run("First page"))),
      part("header2.xml", "header", p(run("Even pages"))),
    ];
    const references = refers("header", "first", 3) + refers("header", "even", 4);
    const body = (more = "") => p(run("Words.")) + section(references + more);
    expect((await read(body(), parts)).text).toBe("Words.");
    expect((await read(body('<w:titlePg w:val="0"/>'), parts)).text).toBe("Words.");
    expect((await read(body("<w:titlePg/>"), parts)).text).toBe("First page\n\nWords.");
    const settings = {
      name: "settings.xml",
      type: "settings",
      data: `<w:settings ${declared}><w:evenAndOddHeaders/></w:settings>`,
    };
    expect((await read(body(), [...parts, settings])).text).toBe("Even pages\n\nWords.");
  });

  it("are read in one pass, however many fields stay open; looking at all of them for each word would time out", async () => {
    const open = Array.from(
      { length: 100_000 },
      (_, i) => `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${run(String(i * 7919))}`,
    );
    const { text } = await read(p(run("Words.")) + section(refers("header", "default", 3)), [
      part("header1.xml", "header", p(...open)),
    ]);
    expect(text).toMatch(/^07919\d+\n\nWords\.$/);
  });
});

describe("the pictures of a Word document", () => {
  const picture = (description: string) =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 3" descr="${description}"/><a:graphic><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId3"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const image = { name: "media/a.png", type: "image", data: "x" };

  it.each([
    ["Plan of the ground floor with two exits", "See Plan of the ground floor with two exits."],
    ["Picture 3", "See ."],
    ["logo.png", "See ."],
    ["Company logo final.png", "See ."],
    ["https://x.test/a b", "See ."],
    ["A picture containing text, outdoor&#10;&#10;Description automatically generated", "See ."],
    ["Une image contenant texte, capture d’écran", "See ."],
    ["Espace réservé du contenu 4", "See ."],
  ])("are described by %j", async (description, expected) => {
    const { text } = await read(p(run("See "), picture(description), run(".")), [image]);
    expect(text.replace(" .", ".").replace("See.", "See .")).toBe(expected);
  });
});

it("reads the main part that a Word document names", async () => {
  // mammoth alone reads no field.
  const body = paragraph("Terms", "Heading1") + p(run("Ask "), `<w:fldSimple>${run("Ann.")}</w:fldSimple>`);
  const { text, structure } = await parseFile({ name: "a.docx", bytes: makeDocx(body, [], "document2.xml") });
  expect(text).toBe("Terms\n\nAsk Ann.");
  expect(structure[0]).toMatchObject({ kind: "heading", label: "Terms" });
});

it("a row that leaves out columns at its start keeps its cells below their names", async () => {
  const row = (properties: string, ...cells: string[]) =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells.map((text) => `<w:tc>${p(run(text))}</w:tc>`).join("")}</w:tr>`;
  const former = '<w:trPrChange><w:trPr><w:gridBefore w:val="2"/></w:trPr></w:trPrChange>';
  const table = `<w:tbl>${row("", "Town", "2025", "2026")}${row("", "Ghent", "5", "6")}${row('<w:gridBefore w:val="1"/>', "7", "8")}${row(former, "Mons", "9", "10")}</w:tbl>`;
  expect(await textOf(table)).toBe(
    "| Town | 2025 | 2026 |\n| --- | --- | --- |\n| Ghent | 5 | 6 |\n|  | 7 | 8 |\n| Mons | 9 | 10 |",
  );
});
