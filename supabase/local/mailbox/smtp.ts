// Owns the SMTP side: accepts any mail from this machine and delivers none. Must not render anything.
import PostalMime, { type Address as ParsedAddress } from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Address, MailStore } from "./store.ts";

const MOST_BYTES = 10 * 1024 * 1024;

export function createSmtpServer(store: MailStore): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    // Any login is accepted.
    onAuth: (_auth, _session, done) => done(null, { user: "anyone" }),
    size: MOST_BYTES,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MOST_BYTES) chunks.push(chunk);
      });
      stream.on("end", () => {
        if (size > MOST_BYTES) {
          done(Object.assign(new Error("The mail is larger than 10 MB"), { responseCode: 552 }));
          return;
        }
        const envelope = {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
          to: session.envelope.rcptTo.map(({ address }) => address),
        };
        keep(store, Buffer.concat(chunks), envelope).then(
          () => done(),
          (error: Error) => done(error),
        );
      });
    },
  });
}

async function keep(store: MailStore, raw: Buffer, envelope: { from: string; to: string[] }): Promise<void> {
  const mail = await PostalMime.parse(raw);
  await store.add({
    subject: mail.subject ?? "",
    from: mail.from ? flatten([mail.from]) : [],
    to: flatten(mail.to ?? []),
    text: mail.text ?? "",
    html: mail.html ?? "",
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    envelope,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      fileName: filename ?? "attachment",
      contentType: mimeType,
      length: typeof content === "string" ? content.length : content.byteLength,
    })),
    size: raw.length,
  });
}

function flatten(addresses: ParsedAddress[]): Address[] {
  return addresses.flatMap(({ address, name, group }) =>
    group
      ? group.map((one) => ({ address: one.address ?? "", name: one.name }))
      : [{ address: address ?? "", name }],
  );
}
