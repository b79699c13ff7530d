// Reads what a Word document has from other files (altChunk), in its place: programs that make a document from a web page put the page into it
// as a whole, alone or as a stored email.
import { escapeUTF8 } from "entities";
import PostalMime from "postal-mime";
import type { Archive } from "./archive.ts";
import { decodeText } from "./decode.ts";
import { declaredEncoding } from "./html.ts";
import type { Relation } from "./office.ts";

/** Encloses the id of a chunk's relation, in a paragraph of its own. It is removed from the text itself. */
export const chunkMark = "\ue0f3";

/** @param readDocument returns the HTML of a Word document inside the document */
export async function placeChunks(
  html: string,
  archive: Archive,
  {
    relations,
    readDocument,
  }: {
    relations: Map<string, Relation>;
    readDocument: (bytes: Uint8Array) => Promise<string>;
  },
): Promise<string> {
  let placed = html;
  for (const [id, { type, part }] of relations) {
    if (type !== "aFChunk") continue;
    const place = `<p>${chunkMark}${escapeUTF8(id)}${chunkMark}</p>`;
    if (!placed.includes(place)) continue;
    const bytes = await archive.bytes(part);
    const isDocument = bytes[0] === 0x50 && bytes[1] === 0x4b;
    const content = isDocument ? await readDocument(bytes) : await markupIn(bytes);
    placed = placed.split(place).join(content);
  }
  return placed;
}

async function markupIn(bytes: Uint8Array): Promise<string> {
  const page = decodeText(bytes, declaredEncoding(bytes)).text;
  if (!/^\s*[\w-]+:/.test(page)) return bodyOf(page);
  const mail = await PostalMime.parse(bytes);
  return mail.html ? bodyOf(mail.html) : `<p>${escapeUTF8(mail.text ?? "")}</p>`;
}

const bodyOf = (page: string) => /<body\b[^>]*>([\s\S]*)<\/body/i.exec(page)?.[1] ?? page;
