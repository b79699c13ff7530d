// Reads a picture as a document of one page whose text is a model's reading.
import {
  limits,
  type PagePictures,
  type ParsedDocument,
  ParseError,
  type Parser,
  type ParserInput,
} from "./document.ts";
import { TextBuilder } from "./text-builder.ts";

export const image: Parser = {
  name: "image",
  label: "a picture",
  extensions: ["png", "jpg", "jpeg", "webp", "gif"],
  contentTypes: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  matches: (bytes) => typeOf(bytes) !== undefined,
  parse: async (input) => parsePicture(input),
  pictures: async (input) => picturesIn(input),
};

/** The type of a picture by its first bytes. */
const signatures: [string, (head: string) => boolean][] = [
  ["image/png", (head) => head.startsWith("\x89PNG")],
  ["image/jpeg", (head) => head.startsWith("\xff\xd8\xff")],
  ["image/gif", (head) => head.startsWith("GIF87a") || head.startsWith("GIF89a")],
  ["image/webp", (head) => head.startsWith("RIFF") && head.slice(8) === "WEBP"],
];

function typeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return signatures.find(([, mark]) => mark(head))?.[0];
}

function parsePicture({ name, readings }: ParserInput): ParsedDocument {
  if (!readings) throw new ParseError("picture", name);
  const reading = readings.find(({ page }) => page === 1);
  const out = new TextBuilder(name);
  const close = out.open("page", { page: 1, ...(reading ? { confidence: reading.confidence } : {}) });
  out.block(reading?.text ?? "");
  close();
  return { ...out.finish(), ...(reading ? {} : { unreadPages: [1] }) };
}

function picturesIn({ bytes, name }: ParserInput): PagePictures {
  const contentType = typeOf(bytes);
  if (!contentType) return { pictures: [], isBlank: false };
  if (bytes.length > limits.pictureBytes)
    throw new ParseError("too_large", name, { limit: `${limits.pictureBytes / 2 ** 20} MiB` });
  return { pictures: [{ contentType, bytes }], isBlank: false };
}
