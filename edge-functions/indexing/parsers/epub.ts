// Reads e-books (EPUB 2 and 3): the chapters in reading order, each as a web page.

import { decodePercent } from "../../_shared/text/percent.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { Archive, holdsParts } from "./archive.ts";
import { type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { readMarkup } from "./html.ts";
import { resolveTarget } from "./office.ts";
import { TextBuilder } from "./text-builder.ts";
import { readXml } from "./xml.ts";

const containerPart = "META-INF/container.xml";

export const epub: Parser = {
  name: "epub",
  label: "an e-book (EPUB)",
  extensions: ["epub"],
  contentTypes: ["application/epub+zip"],
  matches: (bytes) => holdsParts(bytes, containerPart),
  parse: parseEpub,
};

interface Book {
  title: string;
  chapters: string[];
}

async function parseEpub(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, epub.label);
  if (await isLocked(archive)) throw new ParseError("locked", input.name);
  const book = await readBook(archive, await packagePart(archive));
  const out = new TextBuilder(input.name);
  let missing = 0;
  for (const part of book.chapters) {
    if (!archive.has(part)) {
      missing++;
      continue;
    }
    readMarkup(withoutShortTags(await archive.text(part)), out);
  }
  if (missing > 0) out.warn(sentenceOf("chaptersMissing", { count: missing }));
  return out.finish(book.title);
}

async function packagePart(archive: Archive): Promise<string> {
  let part = "";
  await readXml(archive, containerPart, {
    open(tag, attributes) {
      if (tag === "rootfile") part ||= attributes["full-path"] ?? "";
    },
  });
  if (!archive.has(part)) throw archive.unreadable();
  return part;
}

/** The spine lists the chapters in order by ids of the manifest (EPUB 3.3, 5.7). */
async function readBook(archive: Archive, part: string): Promise<Book> {
  const items = new Map<string, string>();
  const book: Book = { title: "", chapters: [] };
  let inTitle = false;
  await readXml(archive, part, {
    open(tag, { id, href, idref, properties, "media-type": type = "" }) {
      inTitle = tag === "title" && book.title === "";
      const isText = /^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml)$/.test(type);
      const isContents = properties?.split(/\s+/).includes("nav");
      if (tag === "item" && id && href && isText && !isContents) {
        items.set(id, resolveTarget(part, decodePath(href)));
      }
      const chapter = tag === "itemref" ? items.get(idref ?? "") : undefined;
      if (chapter) book.chapters.push(chapter);
    },
    text(text) {
      if (inTitle) book.title += text;
    },
    close() {
      inTitle = false;
    },
  });
  return book;
}

/** True when more than fonts is encrypted: fonts are only scrambled, by two public methods. */
async function isLocked(archive: Archive): Promise<boolean> {
  let locked = false;
  await readXml(archive, "META-INF/encryption.xml", {
    open(tag, { Algorithm = "" }) {
      if (
        tag === "EncryptionMethod" &&
        !/idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/.test(Algorithm)
      )
        locked = true;
    },
  });
  return locked;
}

/** XHTML may self-close a title or a script, which in HTML would swallow the rest of the page. */
function withoutShortTags(source: string): string {
  return source.replace(/<(title|script|style|a|div|span|p|iframe|textarea)\b([^<>]*)\/>/gi, "<$1$2></$1>");
}

const decodePath = (href: string): string => decodePercent(href.split("#")[0] ?? "");
