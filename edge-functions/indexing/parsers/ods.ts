// Reads OpenDocument spreadsheets, as LibreOffice Calc saves them: the tables of every visible sheet under its name.
import { Archive } from "./archive.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { parseMarkup, readMarkup } from "./html.ts";
import { odfKind, odfTitle, readBody } from "./odf.ts";
import { OdfStyles } from "./odf-styles.ts";
import { OdsSheets } from "./ods-sheets.ts";
import { noteSheets, writeSheet } from "./sheets.ts";
import { TextBuilder } from "./text-builder.ts";

export const ods: Parser = {
  name: "ods",
  label: "an OpenDocument spreadsheet (ODS)",
  extensions: ["ods", "ots"],
  contentTypes: ["application/vnd.oasis.opendocument.spreadsheet"],
  matches: (bytes) => odfKind(bytes) === "spreadsheet",
  parse: parseOds,
};

async function parseOds(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, ods.label);
  const out = new TextBuilder(input.name);
  const styles = new OdfStyles();
  const sheets = new OdsSheets(styles, ({ name, cells, markup }) => {
    const isBlank = parseMarkup(markup, { name: "" }).text === "";
    const writeDrawn = isBlank ? undefined : () => readMarkup(markup, out);
    writeSheet(out, { name, rows: cells.finish(), writeDrawn }, input.name);
  });
  await readBody(archive, input.name, styles, sheets);
  noteSheets(out, sheets);
  return out.finish(await odfTitle(archive));
}
