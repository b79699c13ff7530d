// What is drawn on the sheets of workbooks and OpenDocument spreadsheets: text boxes, diagrams, descriptions of pictures, charts.
import { expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makeXlsx } from "../support/files/office.ts";
import { makeOdf, sheet } from "../support/files/open-document.ts";

const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (...all: [id: string, type: string, target: string][]) =>
  `<Relationships>${all
    .map(
      ([id, type, target]) => `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;
const words = (...lines: string[]) =>
  `<xdr:txBody>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("")}</xdr:txBody>`;

async function readBook(shapes: string, rows: (string | number)[][]) {
  const point = '<dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>Order</a:t></a:r></a:p></dgm:t></dgm:pt>';
  const value = '<c:ser><c:val><c:numCache><c:pt idx="0"><c:v>120</c:v></c:pt></c:numCache></c:val></c:ser>';
  const { text } = await parseFile({
    name: "a.xlsx",
    bytes: makeXlsx([{ name: "Prices", rows }], {
      extra: [
        {
          name: "xl/worksheets/_rels/sheet1.xml.rels",
          data: relations(["r", "drawing", "../drawings/drawing1.xml"]),
        },
        { name: "xl/drawings/drawing1.xml", data: `<xdr:wsDr>${shapes}</xdr:wsDr>` },
        {
          name: "xl/drawings/_rels/drawing1.xml.rels",
          data: relations(
            ["c", "chart", "../charts/chart1.xml"],
            ["d", "diagramData", "../diagrams/data1.xml"],
          ),
        },
        {
          name: "xl/charts/chart1.xml",
          data: `<c:chartSpace><c:plotArea>${value}</c:plotArea></c:chartSpace>`,
        },
        {
          name: "xl/diagrams/data1.xml",
          data: `<dgm:dataModel><dgm:ptLst>${point}</dgm:ptLst></dgm:dataModel>`,
        },
      ],
    }),
  });
  return text;
}

const rows = [
  ["Room", "Price"],
  ["Hall", 120],
];
const read = "Prices\n\nRoom: Hall\nPrice: 120";
const picture = '<xdr:pic><xdr:cNvPr id="1" name="p" descr="Plan of the second floor"/></xdr:pic>';
const frame = (inside: string) => `<xdr:graphicFrame>${inside}</xdr:graphicFrame>`;

it.each<[string, string, (string | number)[][], string]>([
  [
    "a text box",
    `<xdr:sp>${words("Prices include VAT.", "Ask Ann.")}</xdr:sp>`,
    rows,
    `${read}\n\nPrices include VAT.\n\nAsk Ann.`,
  ],
  [
    "a box in a group",
    `<xdr:grpSp><xdr:sp>${words("In 2026.")}</xdr:sp></xdr:grpSp>`,
    rows,
    `${read}\n\nIn 2026.`,
  ],
  ["a box of a sheet without cells", `<xdr:sp>${words("Closed.")}</xdr:sp>`, [], "Prices\n\nClosed."],
  ["a diagram", frame('<dgm:relIds r:dm="d"/>'), rows, `${read}\n\n- Order`],
  ["a picture's description", picture, rows, `${read}\n\nPlan of the second floor`],
  ["no chart, which draws cells", frame('<c:chart r:id="c"/>'), rows, read],
])("a workbook is read with %s", async (_, shapes, cells, expected) => {
  expect(await readBook(shapes, cells)).toBe(expected);
});

const box = (inside: string) =>
  `<draw:frame><draw:text-box><text:p>${inside}</text:p></draw:text-box></draw:frame>`;
const drawing = `<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./r"/></draw:frame>`;

async function readSpreadsheet(drawn: string, inCell = "") {
  const hall = {
    cell: `<table:table-cell office:value-type="string">${inCell}<text:p>Hall</text:p></table:table-cell>`,
  };
  const body = sheet("Prices", [
    ["Room", "Price"],
    [hall, "120"],
  ]).replace(">", `><table:shapes>${drawn}</table:shapes>`);
  return (await parseFile({ name: "a.ods", bytes: makeOdf("spreadsheet", body) })).text;
}

it.each([
  ["a text box", box("Prices include VAT."), "", `${read}\n\nPrices include VAT.`],
  ["a box tied to a cell", "", box("Ask Ann."), `${read}\n\nAsk Ann.`],
  ["no chart", drawing, "", read],
])("a spreadsheet is read with %s", async (_, drawn, inCell, expected) => {
  expect(await readSpreadsheet(drawn, inCell)).toBe(expected);
});

it("a spreadsheet with only an empty shape is empty", async () => {
  const body = sheet("Prices", []).replace(">", `><table:shapes>${box("")}</table:shapes>`);
  const parsing = parseFile({ name: "a.ods", bytes: makeOdf("spreadsheet", body) });
  await expect(parsing).rejects.toMatchObject({ code: "empty" });
});
