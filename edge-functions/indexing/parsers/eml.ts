// Reads stored emails (RFC 5322, MIME): sender, recipients, date, text and attachments, each attachment as a chapter under its file
// name.
import PostalMime, { type Address, type Attachment } from "postal-mime";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { utf16Text } from "./decode.ts";
import {
  listPages,
  type ParsedDocument,
  ParseError,
  type Parser,
  type ParserInput,
  quoteName,
  type ReadPart,
} from "./document.ts";
import { parseMarkup, readMarkup } from "./html.ts";
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

async function parseEml({ bytes: stored, name }: ParserInput, readPart: ReadPart): Promise<ParsedDocument> {
  const bytes = asSent(stored);
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
  if (mail.html && saysMore(mail.html, mail.text ?? "", name)) readMarkup(mail.html, out);
  else out.block(mail.text ?? "");
  await writeAttached(mail.attachments, readPart, out);
  return out.finish(subject);
}

/** The bytes of a mail that a program has saved as text in UTF-16, as it was sent. */
function asSent(stored: Uint8Array): Uint8Array {
  const text = utf16Text(stored);
  return text === undefined ? stored : new TextEncoder().encode(text);
}

/**
 * True when a mail's page has words that its plain text lacks: some programs write only "This mail needs an HTML viewer" there, or leave
 * out tables. Otherwise the plain text says the same.
 */
function saysMore(html: string, text: string, name: string): boolean {
  if (text.trim() === "") return true;
  const page = wordsOf(parseMarkup(html, { name }).text);
  const plain = wordsOf(text);
  const onlyInPage = countMissing(page, plain);
  return onlyInPage > page.size / 4 && onlyInPage >= countMissing(plain, page);
}

/** The number of words that another text lacks. */
const countMissing = (words: Set<string>, others: Set<string>) =>
  [...words].filter((word) => !others.has(word)).length;

/** Without addresses, which a page does not show. */
const wordsOf = (text: string) =>
  new Set(
    text
      .replace(/\bhttps?:\/\/\S+/g, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

async function writeAttached(all: Attachment[], readPart: ReadPart, out: TextBuilder): Promise<void> {
  const files: { name: string; heading: string; parsed: ParsedDocument | undefined }[] = [];
  for (const { filename, mimeType, content } of all) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    const stated = oneLine(filename ?? "");
    const part = { bytes, name: stated || mimeType, contentType: mimeType };
    const parsed = await readPart(part).catch(ignoreParseError);
    // A forwarded mail has no file name, and its text begins with its subject.
    const subject = mimeType === "message/rfc822" ? parsed?.title : undefined;
    const called = stated || subject || mimeType;
    files.push({ name: called, heading: stated || !subject ? called : "", parsed });
  }
  if (files.length === 0) return;
  const names = files.map(({ name }) => name);
  out.block(`Attachments: ${names.slice(0, 100).join(", ")}`);
  const unread: string[] = [];
  for (const { name, heading, parsed } of files) {
    if (!parsed || !out.append(parsed, 2, heading)) unread.push(name);
    else
      for (const problem of warningsOf(parsed))
        out.warn(sentenceOf("attachedProblem", { document: quoteName(name), problem }));
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
