// Owns sending mail over SMTP: one layout, as HTML and text. Must not know what a mail is about.
// Hosted functions cannot reach ports 25 and 587: there SMTP_URL names another port (465, 2465, 2587).
import { createTransport, type Transporter } from "nodemailer";
import type { LanguageCode } from "../../../locales/registry.ts";
import { sayIn } from "../../../locales/say.ts";
import { env } from "../env.ts";
import { log } from "../operation/log.ts";
import { escapeHtml, markdownHtml, markdownText } from "./markdown.ts";
import { isSuppressed } from "./suppressions.ts";

export type Mail = {
  /** Of a mail that may be sent again when the server's answer was lost: by the same Message-ID mailboxes know it. */
  id?: string;
  to: string;
  /** Address for replies, if it is not the sender. */
  replyTo?: string;
  language: LanguageCode;
  subject: string;
  paragraphs: (string | { markdown: string })[];
  /** A single button. */
  action?: { label: string; url: string };
  /** Small print below. */
  note?: string;
};

/** For a whole mail. */
const sendTimeoutMs = 60_000;

let transport: Transporter | undefined;

/**
 * Sends a mail. Returns false, and logs it, when SMTP_URL is not set or the address is suppressed.
 * @throws Error when the mail server refuses or cannot be reached
 */
export async function sendMail(mail: Mail): Promise<boolean> {
  const server = connection();
  if (!server) {
    log("warn", "a mail was not sent: SMTP_URL is not set", { subject: mail.subject });
    return false;
  }
  if (await isSuppressed(mail.to)) {
    log("info", "a mail was not sent: its address is suppressed", { subject: mail.subject });
    return false;
  }
  const sent = server.sendMail({
    messageId: messageIdOf(mail.id),
    from: env().MAIL_FROM,
    to: { name: "", address: mail.to },
    replyTo: mail.replyTo && { name: "", address: mail.replyTo },
    subject: mail.subject,
    text: textOf(mail),
    html: htmlOf(mail),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error("The mail server did not take the mail in time")),
      sendTimeoutMs,
    );
  });
  await Promise.race([sent, late]).finally(() => clearTimeout(timer));
  return true;
}

/** As nodemailer makes one: at the sender's domain. */
function messageIdOf(id: string | undefined): string | undefined {
  const [, domain] = /@([^\s@>]+)>?$/.exec(env().MAIL_FROM) ?? [];
  return id && domain && `<${id}@${domain}>`;
}

function textOf({ language, paragraphs, action, note }: Mail): string {
  return [
    ...paragraphs.map((part) => (typeof part === "string" ? part : markdownText(part.markdown))),
    ...(action ? [sayIn(language)("mails:link", action)] : []),
    ...(note ? [note] : []),
  ].join("\n\n");
}

/** Same layout as supabase/templates/, which the auth server's mails use. */
function htmlOf({ language, subject, paragraphs, action, note }: Mail): string {
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#18181b;color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>`
    : "";
  const small = note ? `<p style="margin:24px 0 0;color:#71717a;font-size:14px">${escapeHtml(note)}</p>` : "";
  const body = paragraphs
    .map((part) =>
      typeof part === "string"
        ? `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(part)}</p>`
        : markdownHtml(part.markdown),
    )
    .join("\n");
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#18181b;font:16px/1.5 -apple-system,Segoe UI,Helvetica,Arial,sans-serif">
<div style="max-width:480px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>
${body}
${button}${small}
</div>
</body>
</html>
`;
}

/** Logs in to the mail server without sending. @throws Error when the server cannot be used or SMTP_URL is not set */
export async function checkMailServer(): Promise<void> {
  const server = connection();
  if (!server) throw new Error("SMTP_URL is not set");
  await server.verify();
}

function connection(): Transporter | undefined {
  const { SMTP_URL } = env();
  if (SMTP_URL)
    transport ??= createTransport({
      url: SMTP_URL,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      // Silence timeout. A server that keeps sending slowly is cut off after sendTimeoutMs.
      socketTimeout: 20_000,
    });
  return transport;
}
