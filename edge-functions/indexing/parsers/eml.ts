// Reads stored emails (RFC 5322, MIME): sender, recipients, date, text and attachments, each attachment as a chapter under its file
// name.
import PostalMime, { type Address, type Attachment } from "postal-mime";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  listPages,
  type ParsedDocument,
  ParseError,
  type Parser,
  type ParserInput,
  quoteName,
  type ReadPart,
} from "./document.ts";
import { readMarkup } from "./html.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

export const eml: Parser = {
  name: "eml",
  label: "an email (EML)",
  extensions: ["eml"],
  contentTypes: ["message/rfc822"],
  parse: parseEml,
};

/** Far more than mail programs nest: a forward inside a forward counts as two. */
const deepest = 50;

async function parseEml({ bytes, name }: ParserInput, readPart: ReadPart): Promise<ParsedDocument> {
  // Old Macs end lines with CR alone, which mail parsers do not expect.
  const mail = await PostalMime.parse(
    bytes.includes(0x0a) ? bytes : bytes.map((byte) => (byte === 0x0d ? 0x0a : byte)),
    {
      maxNestingDepth: deepest,
      attachmentEncoding: "arraybuffer",
    },
  );
  const out = new TextBuilder(name);
  const subject = oneLine(mail.subject ?? "");
  if (subject) out.block(subject, { kind: "heading", level: 1, label: subject });
  out.block(
    [
      ["From", mail.from ? person(mail.from) : ""],
      ["To", (mail.to ?? []).map(person).join(", ")],
      ["Cc", (mail.cc ?? []).map(person).join(", ")],
      ["Date", dateOf(mail.date)],
    ]
      .filter(([, value]) => value !== "")
      .map(([field, value]) => `${field}: ${value}`)
      .join("\n"),
  );
  if (mail.text?.trim()) out.block(mail.text);
  else if (mail.html) readMarkup(mail.html, out);
  await writeAttached(mail.attachments, readPart, out);
  return out.finish(subject);
}

async function writeAttached(all: Attachment[], readPart: ReadPart, out: TextBuilder): Promise<void> {
  const named = all.flatMap((one) => (one.filename ? [{ ...one, filename: oneLine(one.filename) }] : []));
  if (named.length === 0) return;
  const names = named.map(({ filename }) => filename);
  out.block(`Attachments: ${names.slice(0, 100).join(", ")}`);
  const unread: string[] = [];
  for (const { filename, mimeType, content } of named) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    const parsed = await readPart({ bytes, name: filename, contentType: mimeType }).catch(ignoreParseError);
    if (!parsed || !out.append(parsed, 2, filename)) unread.push(filename);
    else
      for (const problem of warningsOf(parsed))
        out.warn(sentenceOf("attachedProblem", { document: quoteName(filename), problem }));
  }
  if (unread.length > 0) {
    out.warn(sentenceOf("attachedUnread", { files: unread.slice(0, 20).map(quoteName).join(", ") }));
  }
}

/** Nobody reads the pictures of an attachment, so its unread pages are a warning too. */
const warningsOf = ({ warnings, unreadPages: pages = [] }: ParsedDocument): string[] =>
  pages.length === 0 ? warnings : [...warnings, sentenceOf("attachedPages", { pages: listPages(pages) })];

/** An unreadable attachment does not fail the email. */
function ignoreParseError(error: unknown): undefined {
  if (!(error instanceof ParseError)) throw error;
}

function person(address: Address): string {
  const { name, address: at = "", group = [] } = address;
  if (group.length > 0) return `${oneLine(name)}: ${group.map(person).join(", ")}`;
  return oneLine(name && at ? `${name} <${at}>` : name || at);
}

/** "2026-07-31 14:05 UTC" for a valid date, otherwise the original text. */
function dateOf(stated: string | undefined): string {
  if (!stated) return "";
  const moment = new Date(stated);
  return Number.isNaN(moment.getTime())
    ? oneLine(stated)
    : `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
