// Reads Word documents: mammoth converts the parts that it requests, unpacked under our limits, to HTML for the HTML reader.
import mammoth from "mammoth";
import promises from "mammoth/lib/promises.js";
import { Archive, holdsPart } from "./archive.ts";
import { limits, type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { parseMarkup } from "./html.ts";
import { contentsAmong } from "./table-of-contents.ts";
import { oneLine } from "./text-builder.ts";

// mammoth builds its promises through __proto__, which Deno lacks; plain promises work.
promises.toExternalPromise = (promise) => promise;

export const docx: Parser = {
  name: "docx",
  label: "a Word document (DOCX)",
  extensions: ["docx", "docm", "dotx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  matches: (bytes) => holdsPart(bytes, "word/document.xml"),
  parse: parseDocx,
};

async function parseDocx(input: ParserInput): Promise<ParsedDocument> {
  return parseMarkup(withoutContents(await toHtml(input)), input);
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

async function toHtml(input: ParserInput): Promise<string> {
  const archive = new Archive(input, docx.label);
  // Replaces the archive that mammoth would unpack itself, in full and without limits. mammoth requests only text: pictures stay
  // packed.
  let tags = 0;
  const file = {
    exists: (part: string) => archive.has(part),
    read: async (part: string) => {
      const text = await archive.text(part);
      for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) tags++;
      if (tags <= limits.docxTags) return text;
      throw new ParseError("too_large", input.name, { limit: `${limits.docxTags / 1_000_000} million tags` });
    },
  };
  try {
    const result = await mammoth.convertToHtml(
      // The shape that mammoth's unzip.js takes; its types omit it.
      { file } as unknown as Parameters<typeof mammoth.convertToHtml>[0],
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      },
    );
    return result.value;
  } catch (cause) {
    throw cause instanceof ParseError ? cause : archive.unreadable(cause);
  }
}
