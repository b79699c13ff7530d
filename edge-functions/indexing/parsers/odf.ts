// Owns what OpenDocument files share (OpenDocument 1.3, part 2, 3): their kinds, the title, passwords, styles, and the charts and formulas
// inside them.
import { escapeUTF8 } from "entities";
import { type Archive, holdsParts } from "./archive.ts";
import { ParseError } from "./document.ts";
import { MathText } from "./math-text.ts";
import type { OdfObject } from "./odf-markup.ts";
import type { OdfStyles } from "./odf-styles.ts";
import { oneLine } from "./text-builder.ts";
import { formatNumber } from "./xlsx-numbers.ts";
import { readXml, type XmlHandler } from "./xml.ts";

/** The first entry of the archive, stored as it is, behind its header. */
const mark = "mimetypeapplication/vnd.oasis.opendocument.";
const markAt = 30;

/** True for a file that a program for archives has packed again, in which the mark is not first, or is compressed. */
export const isRepackedOdf = (bytes: Uint8Array) => holdsParts(bytes, "content.xml", "META-INF/manifest.xml");

/** "text" for a text or its template; undefined for a file of another kind. */
export function odfKind(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(markAt, markAt + 100));
  return head.startsWith(mark) ? /^[a-z]*/.exec(head.slice(mark.length))?.[0] : undefined;
}

/**
 * Reads the styles and the body. The styles of styles.xml come first, and may go to a handler of their own.
 * @param fileName for the error
 * @throws ParseError `encrypted` for a file with a password
 */
export async function readBody(
  archive: Archive,
  fileName: string,
  styles: OdfStyles,
  body: Required<XmlHandler>,
  named: XmlHandler = handlerOf(styles),
): Promise<void> {
  await refuseEncrypted(archive, fileName);
  await readXml(archive, "styles.xml", named);
  let depth = 0;
  let bodyFrom = 0;
  await readXml(archive, "content.xml", {
    open(tag, attributes) {
      depth++;
      if (bodyFrom) body.open(tag, attributes);
      else styles.open(tag, attributes);
      if (tag === "body") bodyFrom ||= depth;
    },
    text(text) {
      if (bodyFrom) body.text(text);
    },
    close(tag) {
      if (bodyFrom === depth) bodyFrom = 0;
      if (bodyFrom) body.close(tag);
      else styles.close(tag);
      depth--;
    },
  });
}

const handlerOf = (styles: OdfStyles): XmlHandler => ({
  open: (tag, attributes) => styles.open(tag, attributes),
  close: (tag) => styles.close(tag),
});

async function refuseEncrypted(archive: Archive, name: string): Promise<void> {
  await readXml(archive, "META-INF/manifest.xml", {
    open(tag) {
      if (tag === "encryption-data") throw new ParseError("encrypted", name);
    },
  });
}

export async function odfTitle(archive: Archive): Promise<string> {
  let title = "";
  let isInTitle = false;
  await readXml(archive, "meta.xml", {
    open(tag) {
      isInTitle = tag === "title";
    },
    text(text) {
      if (isInTitle) title += text;
    },
    close() {
      isInTitle = false;
    },
  });
  return oneLine(title);
}

/** The charts and formulas by their folders. */
export async function odfObjects(archive: Archive): Promise<Map<string, OdfObject>> {
  const objects = new Map<string, OdfObject>();
  for (const name of archive.names) {
    const folder = /^([^/]+)\/content\.xml$/.exec(name)?.[1];
    if (folder) objects.set(folder, await readObject(archive, name));
  }
  return objects;
}

/** Cells of a chart, more than people can see. */
const mostCells = 20_000;

async function readObject(archive: Archive, part: string): Promise<OdfObject> {
  let math: MathText | undefined;
  const parents: string[] = [];
  const rows: string[][] = [];
  let cells = 0;
  let title = "";
  let axis = "";
  let isAxisOfNames = false;
  let value: string | undefined;
  const isIn = (tag: string) => parents.includes(tag);
  await readXml(archive, part, {
    open(tag, attributes) {
      if (math || tag === "math") {
        math ??= new MathText();
        math.open(tag);
        return;
      }
      parents.push(tag);
      if (tag === "axis") isAxisOfNames = attributes["chart:dimension"] === "x";
      if (tag === "table-row") rows.push([]);
      if (tag !== "table-cell") return;
      value = attributes["office:value"];
      if (cells++ < mostCells) rows.at(-1)?.push(value ? formatNumber(value, "number", false) : "");
    },
    text(text) {
      if (math) math.text(text);
      else if (isIn("table-cell") && value === undefined && cells <= mostCells) {
        const row = rows.at(-1);
        row?.push((row.pop() ?? "") + text);
      } else if (isIn("title") && !isIn("axis")) title += text;
      else if (isIn("title") && isAxisOfNames) axis += text;
    },
    close() {
      if (math) math.close();
      else parents.pop();
    },
  });
  if (math) return { formula: math.finish() };
  const [names = [], ...values] = rows.filter((row) => row.some((text) => text.trim() !== ""));
  if (values.length === 0) return {};
  const row = (texts: string[], tag: string) =>
    `<tr>${texts.map((text) => `<${tag}>${escapeUTF8(text === "NaN" ? "" : text)}</${tag}>`).join("")}</tr>`;
  const head = row([axis.trim() || (names[0] ?? ""), ...names.slice(1)], "th");
  const body = values.map((texts) => row(texts, "td")).join("");
  return { markup: `${title.trim() && `<p>${escapeUTF8(title)}</p>`}<table>${head}${body}</table>` };
}
