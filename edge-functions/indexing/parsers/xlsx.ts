// Reads Excel workbooks (ECMA-376, part 1, SpreadsheetML): the tables of every visible sheet under its name. Dates, times, percentages
// and units are formatted. A formula is read by its stored result; nothing is calculated. Of what is drawn on a sheet, words are read.

import { Archive, holdsParts } from "./archive.ts";
import { limits, type ParsedDocument, type Parser, type ParserInput } from "./document.ts";
import { countEmbedded, type Relation, relationsOf, statedTitle } from "./office.ts";
import { readSlide, type SlideBlock } from "./pptx-slide.ts";
import { writeRaised } from "./raised-text.ts";
import { noteSheets, UnreadFormulas, writeSheet } from "./sheets.ts";
import { withGraphics, writeBlocks } from "./slide-blocks.ts";
import { TextBuilder } from "./text-builder.ts";
import { cellStyles, formatNumber, type NumberFormat } from "./xlsx-numbers.ts";
import { readSheet } from "./xlsx-sheet.ts";
import { readPrefixed, readXml } from "./xml.ts";

const workbookPart = "xl/workbook.xml";

export const xlsx: Parser = {
  name: "xlsx",
  label: "an Excel workbook (XLSX)",
  extensions: ["xlsx", "xlsm", "xltx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  matches: (bytes) => holdsParts(bytes, workbookPart),
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
  const styles = await cellStyles(archive, partOf(relations, "styles"));
  const out = new TextBuilder(input.name);
  const hidden: string[] = [];
  const unread = new UnreadFormulas();
  const leftOut = { comments: 0, embedded: 0 };
  for (const { name, part, isHidden } of workbook.sheets) {
    if (isHidden) {
      hidden.push(name);
      continue;
    }
    const about = await relationsOf(archive, part);
    leftOut.comments += await commentsOf(archive, about);
    leftOut.embedded += countEmbedded(about);
    const rows = await readSheet(archive, part, {
      most: limits.textChars,
      format: (raw, type, style) => cellText(raw, type, styles[style]?.format, strings, workbook.since1904),
      lookOf: (style) => styles[style]?.look,
      onUnread: (address) => unread.add(name, address),
    });
    const drawn = await readDrawn(archive, about);
    const writeDrawn = drawn.length > 0 ? () => writeBlocks(out, drawn) : undefined;
    writeSheet(out, { name, rows, writeDrawn }, input.name);
  }
  noteSheets(out, { hidden, unread, ...leftOut });
  return out.finish(await statedTitle(archive));
}

/** The number of comments on a sheet's cells. The older form repeats those of a conversation. */
async function commentsOf(archive: Archive, relations: Map<string, Relation>): Promise<number> {
  const counts = { comments: 0, threadedComment: 0 };
  for (const { type, part } of relations.values()) {
    if (type !== "comments" && type !== "threadedComment") continue;
    await readXml(archive, part, {
      open(tag) {
        if (tag === "comment" || tag === "threadedComment") counts[type]++;
      },
    });
  }
  return Math.max(counts.comments, counts.threadedComment);
}

/** Text boxes, descriptions of pictures, and diagrams. A chart draws values of cells, which are read as such. */
async function readDrawn(archive: Archive, relations: Map<string, Relation>): Promise<SlideBlock[]> {
  const drawing = [...relations.values()].find(({ type }) => type === "drawing");
  if (!drawing) return [];
  // Its shapes are those of a slide (DrawingML).
  const { blocks } = await readSlide(archive, drawing.part);
  const graphics = await relationsOf(archive, drawing.part);
  const diagrams = new Map([...graphics].filter(([, { type }]) => type === "diagramData"));
  return await withGraphics(archive, diagrams, blocks);
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
