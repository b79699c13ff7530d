// Word documents: unpacked sizes are checked first, then mammoth makes HTML of it, which the HTML reader takes.
import { Buffer } from "node:buffer";
import mammoth from "mammoth";
import promises from "mammoth/lib/promises.js";
import { Archive, holdsPart } from "./archive.ts";
import { type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { parseMarkup } from "./html.ts";

// mammoth makes its results promises of its own through __proto__, which Deno does not have: plain ones do.
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
  // mammoth reads the XML parts alone: pictures are never unpacked.
  await new Archive(input, docx.label).measure((part) => /\.(?:xml|rels)$/.test(part));
  return parseMarkup(await toHtml(input), input);
}

async function toHtml({ bytes, name }: ParserInput): Promise<string> {
  try {
    const result = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      },
    );
    return result.value;
  } catch (cause) {
    throw new ParseError("unreadable", name, { format: docx.label }, { cause });
  }
}
