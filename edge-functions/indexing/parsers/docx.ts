// Word documents: unpacked sizes are checked first, then mammoth makes HTML of it, which the HTML reader takes.
import { Buffer } from "node:buffer";
import mammoth from "mammoth";
import promises from "mammoth/lib/promises.js";
import { limits, type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { parseMarkup } from "./html.ts";
import { inflatedSize, isZip, type ZipEntry, zipEntries } from "./zip.ts";

// mammoth makes its results promises of its own through __proto__, which Deno does not have: plain ones do.
promises.toExternalPromise = (promise) => promise;

const mainPart = "word/document.xml";

export const docx: Parser = {
  name: "docx",
  label: "a Word document (DOCX)",
  extensions: ["docx"],
  contentTypes: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  matches: (bytes) =>
    isZip(bytes) && (zipEntries(bytes, limits.zipEntries)?.some((entry) => entry.name === mainPart) ?? false),
  parse: parseDocx,
};

async function parseDocx({ bytes, name }: ParserInput): Promise<ParsedDocument> {
  await refuseBombs(bytes, name);
  return parseMarkup(await toHtml(bytes, name), { name });
}

async function toHtml(bytes: Uint8Array, name: string): Promise<string> {
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

/** Measures the XML parts by inflating them: declared sizes can lie. Pictures are never unpacked at all. */
async function refuseBombs(bytes: Uint8Array, name: string): Promise<void> {
  const entries = zipEntries(bytes, limits.zipEntries + 1);
  if (!entries) throw new ParseError("unreadable", name, { format: docx.label });
  if (entries.length > limits.zipEntries) throw new ParseError("bomb", name);
  let total = 0;
  for (const entry of entries.filter(isXml)) {
    if (entry.encrypted) throw new ParseError("encrypted", name);
    const size = await inflatedSize(bytes, entry, limits.zipXmlBytes - total);
    if (size === undefined) throw new ParseError("unreadable", name, { format: docx.label });
    if (size > limits.zipRatioFromBytes && size > entry.compressedSize * limits.zipRatio) {
      throw new ParseError("bomb", name);
    }
    total += size;
    if (total > limits.zipXmlBytes) {
      throw new ParseError("too_large", name, { limit: `${limits.zipXmlBytes / 2 ** 20} MiB unpacked` });
    }
  }
}

function isXml({ name }: ZipEntry): boolean {
  return name.endsWith(".xml") || name.endsWith(".rels");
}
