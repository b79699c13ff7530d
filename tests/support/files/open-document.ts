// Writes OpenDocument files: only the parts that programs write.
import { makeZip, type ZipPart } from "./zip.ts";

const namespaces = "chart draw fo loext manifest number office presentation style svg table text xlink"
  .split(" ")
  .map((one) => `xmlns:${one}="${one}"`)
  .join(" ");
const xml = '<?xml version="1.0" encoding="UTF-8"?>';

export interface OdfOptions {
  title?: string;
  /** XML of named styles and list styles, and of headers and footers. */
  styles?: string;
  /** XML of the styles that only the body uses. */
  automatic?: string;
  extra?: ZipPart[];
}

/** @param kind "text", "spreadsheet", "presentation" or another */
export function makeOdf(kind: string, body: string, options: OdfOptions = {}): Uint8Array {
  const { title = "", styles = "", automatic = "", extra = [] } = options;
  const own = [
    { name: "mimetype", data: `application/vnd.oasis.opendocument.${kind}`, isStored: true },
    {
      name: "content.xml",
      data: `${xml}<office:document-content ${namespaces}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    {
      name: "styles.xml",
      data: `${xml}<office:document-styles ${namespaces}>${styles}</office:document-styles>`,
    },
    {
      name: "meta.xml",
      data: `${xml}<office:document-meta xmlns:dc="dc"><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
    },
  ];
  const replaced = new Set(extra.map(({ name }) => name));
  return makeZip([...own.filter(({ name }) => !replaced.has(name)), ...extra]);
}

/** A sheet of texts, or of the XML of cells. */
export function sheet(name: string, rows: (string | { cell: string })[][], style = ""): string {
  const cell = (value: string | { cell: string }) =>
    typeof value === "string"
      ? `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
      : value.cell;
  const written = rows.map((row) => `<table:table-row>${row.map(cell).join("")}</table:table-row>`);
  return `<table:table table:name="${name}" table:style-name="${style}">${written.join("")}</table:table>`;
}

/** A slide of shapes. */
export function slide(shapes: string, style = ""): string {
  return `<draw:page draw:style-name="${style}">${shapes}</draw:page>`;
}
