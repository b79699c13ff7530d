// Reads Rich Text Format, as Word, WordPad, LibreOffice and TextEdit save it, through HTML.
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { parseMarkup } from "./html.ts";
import { sayLeftOut } from "./left-out.ts";
import { Letterhead } from "./letterhead.ts";
import { RtfReader } from "./rtf-reader.ts";
import { tokensOf } from "./rtf-tokens.ts";
import { oneLine } from "./text-builder.ts";

export const rtf: Parser = {
  name: "rtf",
  label: "an RTF document",
  extensions: ["rtf"],
  contentTypes: ["application/rtf", "text/rtf", "application/x-rtf", "text/richtext"],
  matches: (bytes) => [..."{\\rtf"].every((sign, at) => bytes[at] === sign.charCodeAt(0)),
  parse: async (input) => parseRtf(input),
};

function parseRtf(input: ParserInput): ParsedDocument {
  const letterhead = new Letterhead();
  const reader = new RtfReader(input.name, letterhead);
  for (const token of tokensOf(input.bytes)) reader.read(token);
  const parsed = letterhead.above(parseMarkup(reader.finish(), input), input.name);
  const title = oneLine(reader.title) || parsed.title;
  return { ...parsed, ...(title ? { title } : {}), warnings: [...parsed.warnings, ...sayLeftOut(reader)] };
}
