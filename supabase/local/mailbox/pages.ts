// Owns the mailbox's web pages: a list and one mail, without a script. A mail's HTML is shown in a sandbox that can
// neither run nor load anything. Pure.
import type { StoredMail } from "./store.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .5rem; text-align: start; overflow-wrap: anywhere; }
iframe { background: #fff; border: 1px solid #8886; border-radius: .5rem; height: 28rem; width: 100%; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dt { float: left; clear: left; font-weight: 600; width: 5rem; } dd { margin: 0 0 .25rem 5.5rem; }
`;

/** Headers of our own pages: nothing runs, nothing loads, nothing frames them. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Headers of a mail's own HTML, which anyone may have written. */
export const MAIL_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export function listPage(mails: StoredMail[]): string {
  const rows = [...mails].reverse().map(
    (mail) => `<tr>
<td><a href="/mail/${mail.id}">${escapeHtml(mail.subject || "(no subject)")}</a></td>
<td>${escapeHtml(addresses(mail.to))}</td>
<td><time datetime="${mail.time}">${escapeHtml(readable(mail.time))}</time></td></tr>`,
  );
  return page(
    "Mailbox",
    rows.length === 0
      ? "<p>No mail yet. Every mail that Parley sends on this machine arrives here and nowhere else.</p>"
      : `<table><thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">Received</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`,
  );
}

export function mailPage(mail: StoredMail): string {
  const subject = mail.subject || "(no subject)";
  const body = mail.html
    ? `<iframe src="/mail/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="The mail"></iframe>
<details><summary>As text</summary><pre>${escapeHtml(mail.text)}</pre></details>`
    : `<pre>${escapeHtml(mail.text)}</pre>`;
  return page(
    subject,
    `<p><a href="/">All mails</a></p>
<dl><dt>From</dt><dd>${escapeHtml(addresses(mail.from))}</dd><dt>To</dt><dd>${escapeHtml(addresses(mail.to))}</dd>
<dt>Received</dt><dd><time datetime="${mail.time}">${escapeHtml(readable(mail.time))}</time></dd></dl>
${body}`,
  );
}

/** The mail's own HTML. Links open in a new tab, since a frame would keep the reader in the sandbox. */
export function mailBody(mail: StoredMail): string {
  return `<base target="_blank">${mail.html}`;
}

export function missingPage(): string {
  return page("No such mail", '<p>It was deleted, or the address is wrong. <a href="/">All mails</a></p>');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${content}
</main></body></html>`;
}

function addresses(list: { address: string; name: string }[]): string {
  return list.map(({ address, name }) => (name ? `${name} <${address}>` : address)).join(", ");
}

function readable(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
