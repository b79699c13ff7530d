// Reads Excel workbooks (ECMA-376, part 1, SpreadsheetML): the tables of every visible sheet under its name. Dates, times, percentages
// and units are formatted. A formula is read by its stored result; nothing is calculated.

import { sentenceOf } from "../../_shared/text/sentences.ts";
import { Archive, holdsPart } from "./archive.ts";
import { limits, type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { type Relation, relationsOf, statedTitle } from "./office.ts";
import { writeRaised } from "./raised-text.ts";
import { writeTable } from "./table-rows.ts";
import { clipText, oneLine, TextBuilder } from "./text-builder.ts";
import { formatNumber, type NumberFormat, numberFormats } from "./xlsx-numbers.ts";
import { readSheet } from "./xlsx-sheet.ts";
import { partsOfSheet, type SheetRow, tablesOfSheet } from "./xlsx-tables.ts";
import { readPrefixed, readXml } from "./xml.ts";

const workbookPart = "xl/workbook.xml";

export const xlsx: Parser = {
  name: "xlsx",
  label: "an Excel workbook (XLSX)",
  extensions: ["xlsx", "xlsm", "xltx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  matches: (bytes) => holdsPart(bytes, workbookPart),
  parse: parseXlsx,
};

interface Workbook {
  sheets: { name: string; part: string; isHidden: boolean }[];
  since1904: boolean;
}

async function parseXlsx(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, xlsx.label);
  const relations = await relationsOf(archive, workbookPart);
  const workbook = await readWorkbook(archive, relations);
  const strings = await sharedStrings(archive, partOf(relations, "sharedStrings"));
  const formats = await numberFormats(archive, partOf(relations, "styles"));
  const out = new TextBuilder(input.name);
  const hidden = workbook.sheets.filter(({ isHidden }) => isHidden);
  if (hidden.length > 0) {
    const sheets = clipText(hidden.map(({ name }) => name).join(", "), 500);
    out.warn(sentenceOf("sheetsHidden", { sheets }));
  }
  let unread = 0;
  const unreadCells: string[] = [];
  let comments = 0;
  for (const { name, part, isHidden } of workbook.sheets) {
    if (isHidden) continue;
    comments += await commentsOf(archive, part);
    const rows = await readSheet(archive, part, {
      most: limits.textChars,
      format: (raw, type, style) => cellText(raw, type, formats[style], strings, workbook.since1904),
      onUnread: (address) => {
        if (unread++ < mostNamed) unreadCells.push(`${name}!${address}`);
      },
    });
    if (!rows) {
      throw new ParseError("too_large", input.name, {
        limit: `${limits.textChars / 2 ** 20} million characters of text`,
      });
    }
    writeSheet(out, name, rows);
  }
  if (unread > 0) {
    const cells = clipText(oneLine(unreadCells.join(", ")), 500);
    out.warn(sentenceOf("formulasUnread", { count: unread, cells }));
  }
  if (comments > 0) out.warn(sentenceOf("commentsLeftOut", { count: comments }));
  return out.finish(await statedTitle(archive));
}

/** Cells that a warning names. */
const mostNamed = 20;

/** The number of comments on a sheet's cells. The older form repeats those of a conversation. */
async function commentsOf(archive: Archive, sheet: string): Promise<number> {
  const counts = { comments: 0, threadedComment: 0 };
  for (const { type, part } of (await relationsOf(archive, sheet)).values()) {
    if (type !== "comments" && type !== "threadedComment") continue;
    await readXml(archive, part, {
      open(tag) {
        if (tag === "comment" || tag === "threadedComment") counts[type]++;
      },
    });
  }
  return Math.max(counts.comments, counts.threadedComment);
}

function writeSheet(out: TextBuilder, name: string, rows: SheetRow[]): void {
  if (rows.length === 0) return;
  const label = oneLine(name);
  out.block(label, { kind: "heading", level: 1, label });
  for (const { above, rows: table } of partsOfSheet(rows).flatMap(tablesOfSheet)) {
    for (const text of above) out.block(text);
    writeTable(out, table, { column: letters, caption: clipText([label, ...above].join(" · "), 300) });
  }
}

/** 0 is A, 25 is Z, 26 is AA. */
function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? letters(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

/** A cell's value as text, by its type (ECMA-376, part 1, 18.18.11: cell types). */
function cellText(
  raw: string,
  type: string,
  format: NumberFormat | undefined,
  strings: string[],
  since1904: boolean,
): string {
  if (type === "s") return strings[Number(raw)] ?? "";
  if (type === "b") return raw === "1" ? "TRUE" : "FALSE";
  if (type === "n" || type === "") return formatNumber(raw, format, since1904);
  return raw;
}

async function readWorkbook(archive: Archive, relations: Map<string, Relation>): Promise<Workbook> {
  const workbook: Workbook = { sheets: [], since1904: false };
  await readXml(archive, workbookPart, {
    open(tag, attributes) {
      if (tag === "workbookPr") workbook.since1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
      if (tag !== "sheet") return;
      const relation = relations.get(readPrefixed(attributes, "id") ?? "");
      // Chart and macro sheets have no cells.
      if (relation?.type !== "worksheet") return;
      const isHidden = attributes.state === "hidden" || attributes.state === "veryHidden";
      workbook.sheets.push({ name: attributes.name ?? "", part: relation.part, isHidden });
    },
  });
  return workbook;
}

/** The workbook's shared strings by index, without furigana. Raised words are written so that they stay apart. */
async function sharedStrings(archive: Archive, part: string): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  let inText = false;
  let phonetic = 0;
  let before = "";
  let isRaised = false;
  await readXml(archive, part, {
    open(tag, { val }) {
      if (tag === "si") text = "";
      if (tag === "r") {
        before = text;
        text = "";
        isRaised = false;
      }
      if (tag === "vertAlign") isRaised = val === "superscript";
      if (tag === "rPh") phonetic++;
      inText = tag === "t" && phonetic === 0;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(tag) {
      if (tag === "r") text = before + (isRaised ? writeRaised(before, text) : text);
      if (tag === "si") strings.push(text);
      if (tag === "rPh") phonetic--;
      inText = false;
    },
  });
  return strings;
}

function partOf(relations: Map<string, Relation>, type: string): string {
  return [...relations.values()].find((relation) => relation.type === type)?.part ?? "";
}
