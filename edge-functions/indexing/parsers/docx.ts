// Reads Word documents: mammoth converts the parts that it requests, unpacked under our limits and rewritten by docx-source.ts, to HTML
// for the HTML reader.
import { Archive, holdsParts } from "./archive.ts";
import { limits, type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { placeChunks } from "./docx-chunks.ts";
import { hasEvenHeaders, headersIn, readHeaders } from "./docx-headers.ts";
import { placeNotes } from "./docx-notes.ts";
import { Numbering } from "./docx-numbering.ts";
import { DocxSource, placeNumbers } from "./docx-source.ts";
import { parseMarkup } from "./html.ts";
import { sayLeftOut } from "./left-out.ts";
import { Letterhead } from "./letterhead.ts";
import { countEmbedded, mainPartOf, type Relation, relationIdsOf, relationsOf } from "./office.ts";
import { type Graphic, readGraphic } from "./office-graphics.ts";
import { contentsAmong } from "./table-of-contents.ts";
import { oneLine } from "./text-builder.ts";
import { readXml } from "./xml.ts";

/** Loads mammoth with the first document: each start of a parser took a fifth of a second of CPU time for it. */
async function loadMammoth() {
  const [{ default: mammoth }, { default: promises }] = await Promise.all([
    import("mammoth"),
    import("mammoth/lib/promises.js"),
  ]);
  // mammoth builds its promises through __proto__, which Deno lacks; plain promises work.
  promises.toExternalPromise = (promise) => promise;
  return mammoth;
}

const noteParts = ["word/footnotes.xml", "word/endnotes.xml"];
const stylesPart = "word/styles.xml";
/** In place of missing styles, without which mammoth reads no table that names its style. */
const noStyles = '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';

export const docx: Parser = {
  name: "docx",
  label: "a Word document (DOCX)",
  extensions: ["docx", "docm", "dotx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  // Some programs name the main part word/document2.xml.
  matches: (bytes) => holdsParts(bytes, /^word\/[^/]+\.xml$/),
  parse: parseDocx,
};

async function parseDocx(input: ParserInput): Promise<ParsedDocument> {
  const archive = new Archive(input, docx.label);
  const { html, headers, relations } = await toHtml(input, archive);
  const letterhead = new Letterhead();
  await readHeaders(archive, relations, headers, letterhead);
  const markup = placeNotes(placeNumbers(html));
  const parsed = letterhead.above(parseMarkup(withoutContents(markup), input), input.name);
  const leftOut = { comments: await countComments(archive), embedded: countEmbedded(relations) };
  return { ...parsed, warnings: [...parsed.warnings, ...sayLeftOut(leftOut)] };
}

/** Removes the table of contents, typed or generated: a search would find its entries in place of their chapters. */
function withoutContents(markup: string): string {
  const paragraphs = [...markup.matchAll(/<(p|h[1-6])\b[^>]*>([\s\S]*?)<\/\1>/g)];
  const contents = contentsAmong(paragraphs.map(([, , text = ""]) => oneLine(text.replace(/<[^>]*>/g, ""))));
  let kept = "";
  let at = 0;
  for (const i of contents) {
    const { 0: paragraph, index } = paragraphs[i] ?? { 0: "", index: at };
    kept += markup.slice(at, index);
    at = index + paragraph.length;
  }
  return kept + markup.slice(at);
}

async function countComments(archive: Archive): Promise<number> {
  let count = 0;
  await readXml(archive, "word/comments.xml", {
    open(tag) {
      if (tag === "comment") count++;
    },
  });
  return count;
}

/** The charts and diagrams by their relations' ids. */
async function graphicsOf(archive: Archive, relations: Map<string, Relation>): Promise<Map<string, Graphic>> {
  const graphics = new Map<string, Graphic>();
  for (const [id, relation] of relations) {
    const graphic = await readGraphic(archive, relation);
    if (graphic) graphics.set(id, graphic);
  }
  return graphics;
}

/** What is ticked in a form, as Markdown writes it. */
const withMarks = (html: string) =>
  html.replace(/<input type="checkbox"( checked="checked")? \/>/g, (_, ticked) => (ticked ? "[x] " : "[ ] "));

/** Documents inside of each other that are read. No program nests them. */
const deepest = 3;

/** The document's text as HTML, the ids of its headers and footers, and its relations. */
async function toHtml(
  input: ParserInput,
  archive: Archive,
  depth = 1,
): Promise<{ html: string; headers: string[]; relations: Map<string, Relation> }> {
  const mainPart = (await mainPartOf(archive)) ?? "word/document.xml";
  const relations = await relationsOf(archive, mainPart);
  const source = new DocxSource(await Numbering.read(archive), await graphicsOf(archive, relations));
  const related = [...relations.values()].filter(({ type }) => type === "footnotes" || type === "endnotes");
  /** The parts with paragraphs of the text. */
  const textParts = new Set([mainPart, ...noteParts, ...related.map(({ part }) => part)]);
  const isEven = await hasEvenHeaders(archive);
  let headers: string[] = [];
  // Replaces the archive that mammoth would unpack itself, in full and without limits. mammoth requests only text: pictures stay
  // packed.
  let tags = 0;
  const file = {
    exists: (part: string) => part === stylesPart || archive.has(part),
    read: async (part: string) => {
      const text = archive.has(part) ? await archive.text(part) : noStyles;
      for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) tags++;
      if (part === mainPart) headers = headersIn(text, isEven);
      if (tags > limits.docxTags)
        throw new ParseError("too_large", input.name, {
          limit: `${limits.docxTags / 1_000_000} million tags`,
        });
      return textParts.has(part) ? source.rewrite(text, await relationIdsOf(archive, part)) : text;
    },
  };
  const mammoth = await loadMammoth();
  try {
    const result = await mammoth.convertToHtml(
      // The shape that mammoth's unzip.js takes; its types omit it.
      { file } as unknown as Parameters<typeof mammoth.convertToHtml>[0],
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      },
    );
    const readDocument = async (bytes: Uint8Array) => {
      if (depth === deepest) return "";
      const inner = { ...input, bytes };
      return (await toHtml(inner, new Archive(inner, docx.label), depth + 1)).html;
    };
    const html = await placeChunks(withMarks(result.value), archive, { relations, readDocument });
    return { html, headers, relations };
  } catch (cause) {
    throw cause instanceof ParseError ? cause : archive.unreadable(cause);
  }
}
