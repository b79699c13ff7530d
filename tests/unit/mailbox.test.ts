// The local mailbox: stores mails from SMTP, and shows them without running or loading anything.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMailboxApp } from "../../supabase/local/mailbox/app.ts";
import { createSmtpServer } from "../../supabase/local/mailbox/smtp.ts";
import { MailStore, MOST_MAILS, type StoredMail } from "../../supabase/local/mailbox/store.ts";

let dir: string;
let store: MailStore;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "parley-mailbox-"));
  store = await MailStore.open(dir);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const mail = (subject: string, html = ""): Omit<StoredMail, "id" | "time" | "read"> => ({
  subject,
  from: [{ address: "a@x.test", name: "" }],
  to: [{ address: "b@x.test", name: "B <script>" }],
  text: "text",
  html,
  headers: {},
  envelope: { from: "a@x.test", to: ["b@x.test"] },
  attachments: [],
  size: 10,
});

function get(path: string, init: RequestInit = {}) {
  const headers = { host: "127.0.0.1:54324", ...init.headers };
  return createMailboxApp(store).request(`http://127.0.0.1:54324${path}`, { ...init, headers });
}

describe("the mailbox", () => {
  it("stores mails from SMTP and lists them as maildev does", async () => {
    const smtp = createSmtpServer(store);
    const port = await new Promise<number>((resolve) => {
      const listening = smtp.listen(0, "127.0.0.1", () => resolve((listening.address() as AddressInfo).port));
    });
    const transport = createTransport(`smtp://any:login@127.0.0.1:${port}`);
    await transport.sendMail({
      from: "Parley <no-reply@parley.test>",
      to: ["Zoë <zoe@x.test>", "other@x.test"],
      subject: "Ünïcode — 試験",
      text: "Bonjour",
      html: "<p>Bonjour</p>",
      attachments: [{ filename: "a.txt", content: "abc" }],
    });
    transport.close();
    smtp.close(() => {});
    const list = await (await get("/email")).json();
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({
      subject: "Ünïcode — 試験",
      from: [{ address: "no-reply@parley.test", name: "Parley" }],
      to: [
        { address: "zoe@x.test", name: "Zoë" },
        { address: "other@x.test", name: "" },
      ],
      html: "<p>Bonjour</p>\n",
      attachments: [{ fileName: "a.txt", contentType: "text/plain", length: 3 }],
    });
    expect(await (await get(`/email/${list[0].id}`)).json()).toEqual(list[0]);
  });

  it("survives a restart, and ignores a file that is not a mail", async () => {
    const kept = await store.add(mail("kept"));
    writeFileSync(join(dir, "torn.json"), '{"id": "x"');
    store = await MailStore.open(dir);
    expect(store.list()).toEqual([kept]);
  });

  it(`keeps the last ${MOST_MAILS}, on disk too`, async () => {
    for (let number = 0; number < MOST_MAILS + 3; number += 1) await store.add(mail(`mail ${number}`));
    expect(store.list()).toHaveLength(MOST_MAILS);
    expect(store.list()[0]?.subject).toBe("mail 3");
    expect(readdirSync(dir)).toHaveLength(MOST_MAILS);
  });

  it("deletes one or all", async () => {
    const { id } = await store.add(mail("one"));
    await store.add(mail("two"));
    expect((await get(`/email/${id}`, { method: "DELETE" })).status).toBe(200);
    expect((await get(`/email/${id}`, { method: "DELETE" })).status).toBe(404);
    expect((await get(`/email/${id}`)).status).toBe(404);
    expect((await get("/email/all", { method: "DELETE" })).status).toBe(200);
    expect(await (await get("/email")).json()).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("shows a mail without running, loading or posting anything", async () => {
    const evil = '<script>alert(1)</script><img src="http://tracker.test/x"><form action="http://evil.test">';
    const { id } = await store.add(mail("<script>alert(1)</script>", evil));
    for (const path of ["/", `/mail/${id}`]) {
      const page = await get(path);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await page.text()).not.toContain("<script>");
    }
    const body = await get(`/mail/${id}/html`);
    const policy = body.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("sandbox allow-popups");
    expect(policy).not.toMatch(/allow-scripts|allow-forms|allow-same-origin/);
    expect(policy).toContain("default-src 'none'");
    expect((await get("/mail/none")).status).toBe(404);
  });

  it("is readable by this machine's pages only", async () => {
    const stranger = await get("/email", { headers: { host: "evil.test:54324" } });
    expect(stranger.status).toBe(403);
    const other = await get("/email/all", { method: "DELETE", headers: { origin: "https://evil.test" } });
    expect(other.status).toBe(403);
    expect((await get("/email")).headers.get("access-control-allow-origin")).toBeNull();
    expect((await get("/health")).status).toBe(200);
    expect((await get("/healthz")).status).toBe(200);
  });
});
