// Runs in Deno: parses with limits that are far too small, then with ordinary ones. Prints each outcome.
import { endParsers, parseGuarded } from "../../../edge-functions/indexing/parse-guarded.ts";
import { ParseError } from "../../../edge-functions/indexing/parsers/document.ts";
import { parseFile } from "../../../edge-functions/indexing/parsers/registry.ts";
import { makeEpub, makePptx, makeXlsx, shape } from "./office.ts";
import { makeOdf, sheet, slide } from "./open-document.ts";
import { makePdf } from "./pdf.ts";
import { makeDocx, paragraph } from "./zip.ts";

const signal = new AbortController().signal;
const large = new TextEncoder().encode(`a,b\n${"1,2\n".repeat(1_500_000)}`);

async function outcome(
  name: string,
  bytes: Uint8Array,
  within?: { milliseconds: number; memoryMib: number },
) {
  try {
    return (await parseGuarded({ name, bytes }, signal, within))?.text.slice(0, 60);
  } catch (error) {
    return error instanceof ParseError ? { code: error.code, message: error.message } : String(error);
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const words = bytesOf("Words.");
/** One file of every format, all with the same words. */
const formats: Record<string, Uint8Array> = {
  "a.pdf": makePdf([[{ text: "Words." }]]),
  "a.docx": makeDocx(paragraph("Words.")),
  "a.pptx": makePptx([{ shapes: shape(["Words."], "title") }]),
  "a.xlsx": makeXlsx([{ name: "S", rows: [["Words."]] }]),
  "a.odt": makeOdf("text", "<text:p>Words.</text:p>"),
  "a.ods": makeOdf("spreadsheet", sheet("S", [["Words."]])),
  "a.odp": makeOdf("presentation", slide("<draw:frame><text:p>Words.</text:p></draw:frame>")),
  "a.epub": makeEpub([{ file: "1.xhtml", html: "<p>Words.</p>" }]),
  "a.eml": bytesOf("From: a@x.test\r\n\r\nWords."),
  "a.html": bytesOf("<p>Words.</p>"),
  "a.md": words,
  "a.csv": bytesOf("a,b\nWords.,1"),
  "a.json": bytesOf('["Words."]'),
  "a.js": words,
  "a.txt": words,
  // Shift-JIS, undeclared.
  "b.txt": latin1("\x82\xb7\x82\xd7\x82\xc4\x82\xcc\x8e\xd0\x88\xf5\x82\xcd Words."),
};
const read: Record<string, unknown> = {};
for (const [name, bytes] of Object.entries(formats)) {
  const text = await outcome(name, bytes);
  read[name] = typeof text === "string" && text.includes("Words.");
}
/** A page's object has no number: pdf.js then rejects a promise that nobody awaits. The file's offsets stay right. */
const damaged = new TextDecoder("latin1")
  .decode(makePdf([[{ text: "Words." }], [{ text: "Words." }]]))
  .replace("4 0 obj", "4 obj")
  .replace(/Words\.(?=[^W]*$)/, "Words.  ");
const outcomes = {
  formats: read,
  damaged: await outcome("damaged.pdf", latin1(damaged)),
  behind: await outcome("behind.pdf", makePdf([[{ text: "Words." }]])),
  slow: await outcome("slow.csv", large, { milliseconds: 200, memoryMib: 512 }),
  hungry: await outcome("hungry.csv", large, { milliseconds: 8_000, memoryMib: 48 }),
  after: await outcome("after.txt", words),
  again: await outcome("again.txt", words),
};
await endParsers();
// Hosted functions parse in place: a promise that is rejected later may not end them.
await parseFile({ name: "damaged.pdf", bytes: latin1(damaged) }).catch(() => {});
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(JSON.stringify(outcomes));
