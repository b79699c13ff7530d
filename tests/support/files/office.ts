// Writes minimal XLSX, PPTX and EPUB files: only the parts that programs write.
import { makeZip, type ZipPart } from "./zip.ts";

const namespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A part's relations, in order rId1, rId2 and so on. */
function relations(part: string, targets: [type: string, target: string][]): ZipPart {
  const [, folder = "", file = ""] = /^(.*\/)?([^/]+)$/.exec(part) ?? [];
  const all = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${namespace}/${type}" Target="${target}"/>`,
  );
  return {
    name: `${folder}_rels/${file}.rels`,
    data: `${xml}<Relationships>${all.join("")}</Relationships>`,
  };
}

function properties(title = ""): ZipPart {
  return {
    name: "docProps/core.xml",
    data: `${xml}<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
  };
}

export interface Sheet {
  name: string;
  state?: "hidden" | "veryHidden";
  /** The rows' XML, or rows of cells, written as shared strings and numbers. */
  rows: string | (string | number | null)[][];
  merged?: string[];
  /** The numbers of rows in bold: in style 1. */
  bold?: number[];
  /** The numbers of rows that are indented. */
  indented?: number[];
}

export interface WorkbookOptions {
  title?: string;
  since1904?: boolean;
  /** Number formats of the cell styles, after style 0, which has none: an id, or a custom code. */
  styles?: (number | string)[];
  /** XML of extra shared strings, before those of the sheets. */
  strings?: string[];
  extra?: ZipPart[];
}

export function makeXlsx(sheets: Sheet[], options: WorkbookOptions = {}): Uint8Array {
  const { title, since1904 = false, styles = [], strings = [], extra = [] } = options;
  const shared = [...strings];
  const cell = (value: string | number | null, ref: string, style: number) => {
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${ref}" s="${style}"><v>${value}</v></c>`;
    shared.push(`<si><t xml:space="preserve">${escapeXml(value)}</t></si>`);
    return `<c r="${ref}" s="${style}" t="s"><v>${shared.length - 1}</v></c>`;
  };
  const styleOf = (row: number, { bold = [], indented = [] }: Sheet) =>
    indented.includes(row) ? styles.length + 1 : bold.includes(row) ? 1 : 0;
  const rowsOf = ({ rows, ...sheet }: Sheet) =>
    typeof rows === "string"
      ? rows
      : rows
          .map(
            (row, y) =>
              `<row r="${y + 1}">${row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`, styleOf(y + 1, { rows, ...sheet }))).join("")}</row>`,
          )
          .join("");
  const parts = sheets.map(({ merged = [], ...sheet }, i) => ({
    name: `xl/worksheets/sheet${i + 1}.xml`,
    data: `${xml}<worksheet><sheetData>${rowsOf(sheet)}</sheetData><mergeCells>${merged
      .map((ref) => `<mergeCell ref="${ref}"/>`)
      .join("")}</mergeCells></worksheet>`,
  }));
  const custom = styles.flatMap((style, i) =>
    typeof style === "string" ? [`<numFmt numFmtId="${200 + i}" formatCode="${escapeXml(style)}"/>`] : [],
  );
  const formats = [0, ...styles].map((style, i) => (typeof style === "string" ? 199 + i : style));
  const listed = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" ${state ? `state="${state}"` : ""} r:id="rId${i + 1}"/>`,
  );
  return makeZip([
    properties(title),
    {
      name: "xl/workbook.xml",
      data: `${xml}<workbook xmlns:r="${namespace}"><workbookPr ${since1904 ? 'date1904="1"' : ""}/><sheets>${listed.join("")}</sheets></workbook>`,
    },
    relations("xl/workbook.xml", [
      ...sheets.map((_, i): [string, string] => ["worksheet", `worksheets/sheet${i + 1}.xml`]),
      ["sharedStrings", "/xl/sharedStrings.xml"],
      ["styles", "styles.xml"],
    ]),
    { name: "xl/sharedStrings.xml", data: `${xml}<sst>${shared.join("")}</sst>` },
    {
      name: "xl/styles.xml",
      data: `${xml}<styleSheet><numFmts>${custom.join("")}</numFmts><fonts><font/><font><b/></font></fonts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
        .map((id, i) => `<xf numFmtId="${id}" fontId="${i === 1 ? 1 : 0}"/>`)
        .join("")}<xf numFmtId="0"><alignment indent="1"/></xf></cellXfs></styleSheet>`,
    },
    ...parts,
    ...extra,
  ]);
}

export interface Slide {
  /** XML of shapes: shape(), slideTable(). */
  shapes: string;
  hidden?: boolean;
  notes?: string;
}

export function makePptx(slides: Slide[], options: { title?: string; extra?: ZipPart[] } = {}): Uint8Array {
  const notesSlide = (notes: string) =>
    `${xml}<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape([notes], "body")}${shape(["3"], "sldNum")}</p:spTree></p:cSld></p:notes>`;
  return makeZip([
    properties(options.title),
    {
      name: "ppt/presentation.xml",
      data: `${xml}<p:presentation xmlns:p="p" xmlns:r="${namespace}"><p:sldIdLst>${slides
        .map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`)
        .join("")}</p:sldIdLst></p:presentation>`,
    },
    // Slides are numbered in order of creation, not of display.
    relations(
      "ppt/presentation.xml",
      slides.map((_, i) => ["slide", `slides/slide${slides.length - i}.xml`]),
    ),
    ...slides.flatMap(({ shapes, hidden, notes }, i) => {
      const part = `ppt/slides/slide${slides.length - i}.xml`;
      const slide = `${xml}<p:sld xmlns:p="p" xmlns:a="a" ${hidden ? 'show="0"' : ""}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
      if (!notes) return [{ name: part, data: slide }];
      return [
        { name: part, data: slide },
        relations(part, [["notesSlide", `../notesSlides/notes${i}.xml`]]),
        { name: `ppt/notesSlides/notes${i}.xml`, data: notesSlide(notes) },
      ];
    }),
    ...(options.extra ?? []),
  ]);
}

/** A shape of paragraphs; a text that starts with `- ` is one level deeper. */
export function shape(paragraphs: string[], placeholder?: string, bullets = true): string {
  const lines = paragraphs.map((text) => {
    const level = /^(?:- )*/.exec(text)?.[0].length ?? 0;
    const runs = text.slice(level).split("\n");
    return `<a:p><a:pPr lvl="${level / 2}">${bullets ? "" : "<a:buNone/>"}</a:pPr>${runs
      .map((run) => `<a:r><a:t>${escapeXml(run)}</a:t></a:r>`)
      .join("<a:br/>")}</a:p>`;
  });
  const mark =
    placeholder === undefined ? "" : `<p:ph ${placeholder ? `type="${placeholder}"` : ""} idx="1"/>`;
  return `<p:sp><p:nvSpPr><p:nvPr>${mark}</p:nvPr></p:nvSpPr><p:txBody>${lines.join("")}</p:txBody></p:sp>`;
}

export function slideTable(rows: string[][]): string {
  const cells = (row: string[]) =>
    row.map(
      (cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${escapeXml(cell)}</a:t></a:r></a:p></a:txBody></a:tc>`,
    );
  return `<p:graphicFrame><a:graphic><a:tbl>${rows.map((row) => `<a:tr>${cells(row).join("")}</a:tr>`).join("")}</a:tbl></a:graphic></p:graphicFrame>`;
}

/** An EPUB without a table of contents unless a chapter is one. */
export function makeEpub(
  chapters: { file: string; html: string; isContents?: boolean; isMissing?: boolean }[],
  options: { title?: string; encryption?: string } = {},
): Uint8Array {
  const items = chapters.map(
    ({ file, isContents }, i) =>
      `<item id="c${i}" href="${encodeURI(file)}" media-type="application/xhtml+xml" ${isContents ? 'properties="nav"' : ""}/>`,
  );
  return makeZip([
    { name: "mimetype", data: "application/epub+zip" },
    {
      name: "META-INF/container.xml",
      data: `${xml}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    },
    ...(options.encryption
      ? [
          {
            name: "META-INF/encryption.xml",
            data: `${xml}<encryption><enc:EncryptedData xmlns:enc="e"><enc:EncryptionMethod Algorithm="${options.encryption}"/></enc:EncryptedData></encryption>`,
          },
        ]
      : []),
    {
      name: "OEBPS/book.opf",
      data: `${xml}<package xmlns:dc="d"><metadata><dc:title>${escapeXml(options.title ?? "")}</dc:title></metadata><manifest>${items.join("")}<item id="p" href="cover.png" media-type="image/png"/></manifest><spine>${chapters
        .map((_, i) => `<itemref idref="c${i}"/>`)
        .join("")}</spine></package>`,
    },
    ...chapters
      .filter(({ isMissing }) => !isMissing)
      .map(({ file, html }) => ({
        name: `OEBPS/${file}`,
        data: `${xml}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${html}</body></html>`,
      })),
  ]);
}
