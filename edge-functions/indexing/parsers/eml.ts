// E-mails as they are stored (RFC 5322, MIME): who wrote to whom and when, the text, and the names of what was attached.
import PostalMime, { type Address } from "postal-mime";
import type { ParsedDocument, Parser, ParserInput } from "./document.ts";
import { readMarkup } from "./html.ts";
import { oneLine, TextBuilder } from "./text-builder.ts";

export const eml: Parser = {
  name: "eml",
  label: "an e-mail (EML)",
  extensions: ["eml"],
  contentTypes: ["message/rfc822"],
  parse: parseEml,
};

/** Far more than mail programs nest: a forward inside a forward counts two. */
const deepest = 50;

async function parseEml({ bytes, name }: ParserInput): Promise<ParsedDocument> {
  // Old Macs end lines with CR alone, which no reader of mail expects.
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
  const attached = mail.attachments.flatMap(({ filename }) => (filename ? [oneLine(filename)] : []));
  if (attached.length > 0) {
    out.block(`Attachments: ${attached.slice(0, 100).join(", ")}`);
    out.warn("Files attached to the e-mail were not read. Upload them by themselves.");
  }
  return out.finish(subject);
}

function person(address: Address): string {
  const { name, address: at = "", group = [] } = address;
  if (group.length > 0) return `${oneLine(name)}: ${group.map(person).join(", ")}`;
  return oneLine(name && at ? `${name} <${at}>` : name || at);
}

/** ISO 8601 where the stated date is one, else as it is stated. */
function dateOf(stated: string | undefined): string {
  if (!stated) return "";
  const moment = new Date(stated);
  return Number.isNaN(moment.getTime())
    ? oneLine(stated)
    : `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
