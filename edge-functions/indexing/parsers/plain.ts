// Reads plain text: decoded, normalised, and otherwise as written.
import { decodeText } from "./decode.ts";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { TextBuilder } from "./text-builder.ts";

export const plain: Parser = {
  name: "plain",
  label: "a text file",
  extensions: ["txt", "text", "log"],
  contentTypes: ["text/plain"],
  parse: async (input) => parsePlain(input),
};

function parsePlain({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  out.block(decoded.text);
  return out.finish();
}
