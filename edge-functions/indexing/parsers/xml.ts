// Streams a part of an archive through an XML reader. Drops namespace prefixes, defines no entities and limits the depth, so that
// a small part cannot exhaust the memory.
import { Parser as SaxParser } from "htmlparser2";
import type { Archive } from "./archive.ts";

export interface XmlHandler {
  open?(tag: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(tag: string): void;
}

const deepest = 1000;

/** @throws ParseError when the part is damaged, or nested deeper than any program writes; a missing part is empty */
export async function readXml(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const sax = new SaxParser(
    {
      onopentag(tag, attributes) {
        if (++depth > deepest) throw archive.unreadable();
        handler.open?.(local(tag), attributes);
      },
      ontext(text) {
        handler.text?.(text);
      },
      onclosetag(tag) {
        depth--;
        handler.close?.(local(tag));
      },
    },
    { xmlMode: true },
  );
  for await (const text of archive.texts(part)) sax.write(text);
  sax.end();
}

/** An attribute with any namespace prefix, to tell r:id from id. */
export function readPrefixed(attributes: Record<string, string>, name: string): string | undefined {
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

function local(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1);
}
