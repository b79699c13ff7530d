// OpenDocument texts, spreadsheets and presentations, in the XML that LibreOffice writes.
import { describe, expect, it } from "vitest";
import type { ParsedDocument } from "../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makeOdf, type OdfOptions, sheet, slide } from "../support/files/open-document.ts";

const textual = async (body: string, options: OdfOptions = {}) =>
  await parseFile({ name: "a.odt", bytes: makeOdf("text", body, options) });
const textOf = async (body: string, options: OdfOptions = {}) => (await textual(body, options)).text;
const p = (inner: string, style = "") => `<text:p text:style-name="${style}">${inner}</text:p>`;
const h = (inner: string, level: number) => `<text:h text:outline-level="${level}">${inner}</text:h>`;
const headings = ({ structure }: ParsedDocument) =>
  structure.filter(({ kind }) => kind === "heading").map(({ level, label }) => `${level} ${label}`);
const style = (name: string, properties: string, family = "text", more = "") =>
  `<style:style style:name="${name}" style:family="${family}" ${more}>${properties}</style:style>`;

describe("an OpenDocument text", () => {
  it("keeps headings, its title, line ends, notes and words with marks", async () => {
    const automatic =
      style("Up", '<style:text-properties style:text-position="super 58%"/>') +
      style("Down", '<style:text-properties style:text-position="-33% 58%"/>') +
      style("Old", '<style:text-properties style:text-line-through-style="solid"/>') +
      style("Older", "", "text", 'style:parent-style-name="Old"') +
      style("Gone", '<style:text-properties text:display="none"/>') +
      style("P1", "", "paragraph", 'style:parent-style-name="Title"');
    const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;
    const note =
      "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>From January.</text:p></text:note-body></text:note>";
    const parsed = await textual(
      p("Handbook", "P1") +
        h("Leave", 1) +
        p(
          `10${span("Up", "6")} H${span("Down", "2")}O ${span("Older", "300")} 250${span("Gone", "9")}${note} days<text:line-break/>a<text:s text:c="3"/>b`,
        ) +
        h("Sick", 2) +
        p("Rest."),
      { automatic, title: "Stated" },
    );
    expect(parsed.text).toBe(
      "Handbook\n\nLeave\n\n10⁶ H2O ~~300~~ 250[1] days\na b\n\n[1] From January.\n\nSick\n\nRest.",
    );
    expect(headings(parsed)).toEqual(["1 Handbook", "1 Leave", "2 Sick"]);
    expect(parsed.title).toBe("Handbook");
    expect((await textual(p("x"), { title: "Stated" })).title).toBe("Stated");
  });

  it("takes a paragraph in a heading's style for one, as converters of web pages write it", async () => {
    const automatic =
      style("P1", "", "paragraph", 'style:parent-style-name="Heading_20_2"') +
      style("P2", "", "paragraph", 'style:parent-style-name="P2"');
    const parsed = await textual(p("Offer", "Heading_20_1") + p("Price", "P1") + p("750 euros.", "P2"), {
      automatic,
    });
    expect(headings(parsed)).toEqual(["1 Offer", "2 Price"]);
  });

  it("leaves out tracked deletions, comments, hidden sections and the generated table of contents", async () => {
    const deletion =
      "<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>";
    const contents =
      "<text:table-of-content><text:index-body><text:p>Scope 1</text:p></text:index-body></text:table-of-content>";
    const { text, warnings } = await textual(
      `${deletion}${contents}${p("Kept <office:annotation><text:p>comment</text:p></office:annotation>words.")}<text:section text:display="none">${p("hidden")}</text:section><text:section>${p("Shown.")}</text:section>`,
    );
    expect(text).toBe("Kept words.\n\nShown.");
    expect(warnings).toEqual(["Comments were left out: 1."]);
  });

  it("counts lists and headings as the styles say, across other text", async () => {
    const level = (at: number, format: string, more = "") =>
      `<text:list-level-style-number text:level="${at}" style:num-format="${format}" ${more}/>`;
    const styles = `<text:outline-style><text:outline-level-style text:level="1" style:num-format="I"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style><text:list-style style:name="N">${level(1, "1", 'style:num-suffix="." text:start-value="4"')}${level(2, "a", 'style:num-prefix="(" style:num-suffix=")"')}</text:list-style><text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style><text:list-style style:name="L">${level(1, "1", 'loext:num-list-format="§%1%"')}</text:list-style>`;
    const item = (inner: string, more = "") => `<text:list-item ${more}>${inner}</text:list-item>`;
    const list = (name: string, inner: string, more = "") =>
      `<text:list text:style-name="${name}" ${more}>${inner}</text:list>`;
    const body =
      h("Scope", 1) +
      h("Term", 2) +
      list(
        "N",
        item(`${p("one")}<text:list>${item(p("in writing")) + item(p("in time"))}</text:list>`),
        'xml:id="l1"',
      ) +
      p("Between.") +
      list("N", item(p("two") + p("more")), 'text:continue-list="l1"') +
      h("End", 2) +
      list("N", item(p("anew")) + item(p("ten"), 'text:start-value="10"')) +
      list("B", item(p("dot"))) +
      list("N", item(p("eleven")), 'text:continue-numbering="true"') +
      // A heading in a list has the list's number, and is no item.
      list("L", item(h("Clause", 1))) +
      h("Last", 1);
    const parsed = await textual(body, { styles });
    expect(parsed.text).toBe(
      "I Scope\n\nI.1 Term\n\n4. one\n  (a) in writing\n  (b) in time\n\nBetween.\n\n5. two\n  more\n\nI.2 End\n\n4. anew\n10. ten\n\n- dot\n\n11. eleven\n\n§1 Clause\n\nII Last",
    );
    expect(parsed.structure.filter(({ kind }) => kind === "list")).toHaveLength(5);
  });

  it.each([1.5, -2])("gives a heading of the level %d no number, and reads it", async (level) => {
    const styles = `<text:outline-style><text:outline-level-style text:level="${level}" style:num-format="1"/></text:outline-style>`;
    expect((await textual(h("Scope", level), { styles })).text).toBe("Scope");
  });

  it("keeps tables with merged cells, and headers of several rows", async () => {
    const cell = (text: string, more = "") => `<table:table-cell ${more}>${p(text)}</table:table-cell>`;
    const row = (...cells: string[]) => `<table:table-row>${cells.join("")}</table:table-row>`;
    const covered = `<table:covered-table-cell>${p("covered")}</table:covered-table-cell>`;
    const { text, structure } = await textual(
      `<table:table><table:table-header-rows>${row(cell("Room"), cell("Price", 'table:number-columns-spanned="2"'), covered)}</table:table-header-rows>${row(cell("Hall", 'table:number-rows-spanned="2"'), cell("1"), cell("2"))}${row(covered, cell("3"), cell("4"))}<table:table-row><table:table-cell table:number-columns-repeated="2"/>${cell("5")}</table:table-row></table:table>`,
    );
    expect(text).toBe(
      "| Room | Price | Price |\n| --- | --- | --- |\n| Hall | 1 | 2 |\n| Hall | 3 | 4 |\n|  |  | 5 |",
    );
    expect(structure.find(({ kind }) => kind === "table")?.columns).toEqual(["Room", "Price", "Price"]);
  });

  it("places text boxes behind their paragraph, charts as tables, formulas in their line, pictures by their description", async () => {
    const frame = (inner: string) => `<draw:frame>${inner}</draw:frame>`;
    const chart =
      "<chart:chart><chart:title><text:p>Sales</text:p></chart:title><chart:axis chart:dimension='x'><chart:title><text:p>Quarter</text:p></chart:title></chart:axis><table:table><table:table-row><table:table-cell><text:p/></table:table-cell><table:table-cell><text:p>2026</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Q1</text:p></table:table-cell><table:table-cell office:value='0.10'><text:p>0.10</text:p></table:table-cell></table:table-row></table:table></chart:chart>";
    const formula =
      "<math><semantics><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation>{a} over {2}</annotation></semantics></math>";
    const text = await textOf(
      p(`Before${frame(`<draw:text-box>${p("Box.")}</draw:text-box>`)} after.`) +
        p(`Half: ${frame('<draw:object xlink:href="./F"/><draw:image/>')} of it.`) +
        p(frame('<draw:object xlink:href="./C"/><draw:image/><svg:title>Object 1</svg:title>')) +
        p(
          `See ${frame("<draw:image/><svg:title>Image1</svg:title><svg:desc>Plan with two exits</svg:desc>")}here.`,
        ) +
        p(`End${frame("<draw:image/><svg:title>Picture 4</svg:title>")}.`),
      {
        extra: [
          { name: "C/content.xml", data: chart },
          { name: "F/content.xml", data: formula },
        ],
      },
    );
    expect(text).toBe(
      "Before after.\n\nBox.\n\nHalf: a/2 of it.\n\nSales\n\n| Quarter | 2026 |\n| --- | --- |\n| Q1 | 0.1 |\n\nSee Plan with two exits here.\n\nEnd.",
    );
  });

  it("writes a chart that is named twice once, and repeats few empty cells", async () => {
    const chart =
      "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>c</text:p></table:table-cell><table:table-cell><text:p>d</text:p></table:table-cell></table:table-row></table:table>";
    const twice = p('<draw:frame><draw:object xlink:href="./C"/></draw:frame>').repeat(2);
    const extra = [{ name: "C/content.xml", data: chart }];
    expect(await textOf(twice, { extra })).toBe("| a | b |\n| --- | --- |\n| c | d |");
    const row = `<table:table-row><table:table-cell table:number-columns-repeated="99999999"/><table:table-cell>${p("x")}</table:table-cell></table:table-row>`;
    const { text } = await textual(`<table:table>${row.repeat(300)}</table:table>`);
    expect(text.match(/x/g)).toHaveLength(300);
    // The last rows repeat nothing, once the whole file has repeated 20,000 cells.
    expect(text.trimEnd().split("\n").at(-1)).toMatch(/^\| x \| {2}\|$/);
  });

  it("begins with the lines of its headers and footers, each once", async () => {
    const page = "<text:page-number>1</text:page-number>";
    const styles = `<style:master-page><style:header>${p("Initech SAS<text:tab/>Ref. 118")}${p("Handbook")}</style:header><style:footer>${p(`SIRET 123 – Page ${page} / <text:page-count>3</text:page-count>`)}${p(`Page ${page}`)}</style:footer><style:footer-left>${p("SIRET 123")}</style:footer-left><style:header-first style:display="false">${p("Former name")}</style:header-first></style:master-page>`;
    const parsed = await textual(h("Handbook", 1) + p("Words."), { styles });
    expect(parsed.text).toBe("Initech SAS Ref. 118\n\nSIRET 123\n\nHandbook\n\nWords.");
    expect(parsed.title).toBe("Handbook");
    expect(parsed.text.slice(parsed.structure[0]?.start, parsed.structure[0]?.end)).toBe("Handbook");
  });
});

describe("an OpenDocument file packed again", () => {
  const mimetype = "application/vnd.oasis.opendocument.text";
  const manifest = { name: "META-INF/manifest.xml", data: "<manifest/>" };

  it.each([
    ["with its kind last", [{ name: "mimetype", data: mimetype, isStored: true }, manifest]],
    ["with its kind compressed", [{ name: "mimetype", data: mimetype }, manifest]],
  ])("is read %s", async (_, extra) => {
    expect(await textOf(p("Ask Ann."), { extra })).toBe("Ask Ann.");
  });

  it("is refused without its manifest, as any archive is", async () => {
    const parsing = textOf(p("Ask Ann."), { extra: [{ name: "mimetype", data: mimetype }] });
    await expect(parsing).rejects.toMatchObject({ code: "mismatch" });
  });
});

describe("an OpenDocument spreadsheet", () => {
  const figure = (type: string, value: string, shown: string, more = "") => ({
    cell: `<table:table-cell office:value-type="${type}" ${value} ${more}><text:p>${shown}</text:p></table:table-cell>`,
  });
  const read = async (body: string, automatic = "") =>
    await parseFile({ name: "a.ods", bytes: makeOdf("spreadsheet", body, { automatic }) });

  it.each([
    ["float", 'office:value="1234.5"', "1 234,50", "1234.5"],
    ["float", 'office:value="1234"', "1,234", "1234"],
    ["float", 'office:value="1.234"', "1,234", "1.234"],
    ["float", 'office:value="-3.25"', "-3,3 kg", "-3.25 kg"],
    ["float", 'office:value="7"', "007", "007"],
    ["float", 'office:value="1"', "VRAI", "VRAI"],
    ["float", 'office:value="0.5"', "1/2", "1/2"],
    ["float", 'office:value="12000"', "12 k", "12 k"],
    ["currency", 'office:value="1234.5"', "1.234,50 €", "1234.50 €"],
    ["currency", 'office:value="-99"', "-99,00 €", "-99.00 €"],
    ["percentage", 'office:value="0.125"', "13 %", "12.5%"],
    ["date", 'office:date-value="2026-04-03"', "03/04/26", "2026-04-03"],
    ["date", 'office:date-value="2026-04-03T14:05:00"', "3 avr.", "2026-04-03 14:05"],
    ["time", 'office:time-value="PT26H30M00S"', "26:30:00", "26:30"],
    ["time", 'office:time-value="PT09H00M05S"', "9:00", "09:00:05"],
    ["boolean", 'office:boolean-value="true"', "VRAI", "TRUE"],
    ["string", "", "#DIV/0!", "#DIV/0!"],
  ])("shows a %s %s displayed as %j as %j", async (type, value, shown, expected) => {
    const { text } = await read(
      sheet("S", [
        ["Name", "Figure"],
        ["a", figure(type, value, shown)],
      ]),
    );
    expect(text).toBe(`S\n\nName: a\nFigure: ${expected}`);
  });

  it("of thousands of equal rows is no bomb", async () => {
    const row =
      "<table:table-row><table:table-cell><text:p>Closed on all of these days</text:p></table:table-cell></table:table-row>";
    const bytes = makeOdf(
      "spreadsheet",
      `<table:table table:name="Days">${row.repeat(50_000)}</table:table>`,
    );
    const { text } = await parseFile({ name: "a.ods", bytes });
    expect(text.match(/Closed/g)?.length).toBeGreaterThanOrEqual(50_000);
  });

  it("keeps sheets as tables, repeats repeated and merged values, and says what it left out", async () => {
    const spans = {
      cell: '<table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>North</text:p></table:table-cell>',
    };
    const covered = { cell: "<table:covered-table-cell/>" };
    const twice = {
      cell: '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="4"><text:p>4</text:p></table:table-cell>',
    };
    const unread = { cell: '<table:table-cell table:formula="of:=1+1"/>' };
    const note = {
      cell: '<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>Two</text:p><text:p>lines</text:p></table:table-cell>',
    };
    const empty =
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    const twoRows =
      '<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><text:p>South</text:p></table:table-cell></table:table-row>';
    const body =
      sheet("Prices", [
        ["Region", "Q1", "Q2", "Q3"],
        [spans, "1", "2", unread],
        [covered, twice, note],
      ]).replace("</table:table>", `${empty}${twoRows}</table:table>`) +
      sheet("Secret", [["a"]], "off") +
      sheet("'file:///b.ods'#S", [["b"]]);
    const { text, warnings, structure } = await read(
      body,
      style("off", '<style:table-properties table:display="false"/>', "table"),
    );
    expect(text).toBe(
      "Prices\n\nRegion: North\nQ1: 1\nQ2: 2\n\nRegion: North\nQ1: 4\nQ2: 4\nQ3: Two lines\n\nRegion: South\n\nRegion: South",
    );
    expect(warnings).toEqual([
      "Hidden sheets were left out: Secret.",
      expect.stringContaining("Prices!D2"),
      "Comments were left out: 1.",
    ]);
    expect(structure.find(({ kind }) => kind === "table")).toMatchObject({
      columns: ["Region", "Q1", "Q2", "Q3"],
      caption: "Prices",
    });
  });
});

describe("an OpenDocument presentation", () => {
  const frame = (inner: string, placeholder = "") =>
    `<draw:frame presentation:class="${placeholder}"><draw:text-box>${inner}</draw:text-box></draw:frame>`;

  it("keeps slides as pages with titles, lists, tables and notes", async () => {
    const list = `<text:list><text:list-item>${p("Hire two")}<text:list><text:list-item>${p("one in Lyon")}</text:list-item></text:list></text:list-item><text:list-item>${p("Ship")}</text:list-item></text:list>`;
    const cell = (text: string) => `<table:table-cell>${p(text)}</table:table-cell>`;
    const table = `<draw:frame><table:table><table:table-row>${cell("Month")}${cell("Sum")}</table:table-row><table:table-row>${cell("May")}${cell("12")}</table:table-row></table:table><draw:image/></draw:frame>`;
    const notes = `<presentation:notes><draw:page-thumbnail presentation:class="page"/>${frame(p("Say hello."), "notes")}</presentation:notes>`;
    const parsed = await parseFile({
      name: "a.odp",
      bytes: makeOdf(
        "presentation",
        slide(
          frame(p("Above")) +
            frame(p("Plan"), "title") +
            frame(list, "outline") +
            table +
            frame(p("ACME"), "footer") +
            notes,
        ) +
          slide(frame(p("Old"), "title"), "off") +
          slide(`<draw:custom-shape>${p("Untitled words")}</draw:custom-shape>`) +
          slide(""),
        {
          automatic: style(
            "off",
            '<style:drawing-page-properties presentation:visibility="hidden"/>',
            "drawing-page",
          ),
        },
      ),
    });
    expect(parsed.text).toBe(
      "Plan\n\nAbove\n\n- Hire two\n  - one in Lyon\n- Ship\n\n| Month | Sum |\n| --- | --- |\n| May | 12 |\n\nNotes: Say hello.\n\nSlide 3\n\nUntitled words",
    );
    expect(parsed.structure.filter(({ kind }) => kind === "page").map(({ page }) => page)).toEqual([1, 3]);
    expect(headings(parsed)).toEqual(["2 Plan", "2 Slide 3"]);
    expect(parsed.title).toBe("Plan");
    expect(parsed.warnings).toEqual(["Hidden slides were left out: 2."]);
  });
});
