// Owns the auth mails: the template, the language, and delivery over SMTP. Must not decide when to send one: lite and
// auth-repairs.ts do.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresConnection } from "@supabase/lite/postgres";
import { createTransport, type Transporter } from "nodemailer";
import { projectDir } from "../settings.ts";
import { renderMail } from "./mail-template.ts";
import type { GatewaySettings } from "./settings.ts";

/** For each step of a delivery: the caller waits for it. */
const MOST_WAIT_MS = 5_000;

type TemplateName = "confirmation" | "recovery" | "reauthentication";

interface About {
  userId?: string;
}

/** Called by lite when it sends a mail. `hash` is the token in a link; `code` is the same for a person who types it. */
export class TemplateMailer {
  readonly #transport: Transporter;
  readonly #settings: GatewaySettings;
  readonly #connection: PostgresConnection;

  constructor(settings: GatewaySettings, connection: PostgresConnection) {
    this.#settings = settings;
    this.#connection = connection;
    this.#transport = createTransport({
      url: settings.smtpUrl,
      dnsTimeout: MOST_WAIT_MS,
      connectionTimeout: MOST_WAIT_MS,
      greetingTimeout: MOST_WAIT_MS,
      socketTimeout: MOST_WAIT_MS,
    });
  }

  sendConfirmation(email: string, hash: string, code: string, about?: About): Promise<void> {
    return this.#send("confirmation", email, hash, code, about);
  }

  sendRecovery(email: string, hash: string, code: string, about?: About): Promise<void> {
    return this.#send("recovery", email, hash, code, about);
  }

  async sendEmailChange(): Promise<void> {
    throw new Error("An address changes through /v1/auth/email: lite would ask only the old mailbox");
  }

  sendReauthentication(email: string, code: string, about?: About): Promise<void> {
    return this.#send("reauthentication", email, "", code, about);
  }

  async sendMagicLink(): Promise<void> {
    throw new Error("Parley has no login by link: lite would create a confirmed user for any address");
  }

  async #send(name: TemplateName, to: string, hash: string, code: string, about?: About): Promise<void> {
    const [template, data] = await Promise.all([
      readFile(join(projectDir, "supabase/templates", `${name}.html`), "utf8"),
      this.#metadata(about?.userId),
    ]);
    const mail = renderMail(template, {
      SiteURL: this.#settings.webUrl.replace(/\/+$/, ""),
      Token: code,
      TokenHash: hash,
      Email: to,
      NewEmail: to,
      Data: data,
    });
    await this.#transport.sendMail({ from: this.#settings.mailFrom, to, ...mail });
  }

  async #metadata(userId: string | undefined): Promise<Record<string, unknown>> {
    if (!userId) return {};
    const [row] = await this.#connection.driver`
      select raw_user_meta_data as data from auth.users where id = ${userId}`;
    // lite stores the metadata as a JSON string inside jsonb; hosted Supabase as an object.
    const data: unknown = typeof row?.data === "string" ? JSON.parse(row.data) : row?.data;
    return data && typeof data === "object" ? { ...data } : {};
  }
}
