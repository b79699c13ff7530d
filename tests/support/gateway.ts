// Owns a gateway for a test: the real one on the embedded Postgres, over HTTP, with a real mailbox.
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import type { Sql } from "postgres";
import { createLite } from "../../supabase/local/gateway/lite.ts";
import { createGateway, createGatewayServer } from "../../supabase/local/gateway/server.ts";
import { createSmtpServer } from "../../supabase/local/mailbox/smtp.ts";
import { MailStore } from "../../supabase/local/mailbox/store.ts";
import { startTestPostgres } from "./postgres.ts";

export interface TestGateway {
  url: string;
  anonKey: string;
  serviceKey: string;
  jwtSecret: string;
  storageDir: string;
  /** As the owner of the database. */
  sql: Sql;
  mails: MailStore;
  /** Calls with the service key; `init.headers` win. */
  asService(path: string, init?: RequestInit): Promise<Response>;
  stopDatabase(): Promise<void>;
  stop(): Promise<void>;
}

export const jwtSecret = "a-secret-of-the-tests-that-is-long-enough";

/** Signs claims as this gateway's auth server does. @param key another key makes a forgery. */
export function signToken(claims: Record<string, unknown>, expires = "1h", key = jwtSecret): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(key));
}

/** @param functions URLs of edge functions by name. */
export async function startTestGateway(functions: Record<string, string> = {}): Promise<TestGateway> {
  const database = await startTestPostgres();
  const dir = mkdtempSync(join(tmpdir(), "parley-gateway-"));
  const mails = await MailStore.open(join(dir, "mailbox"));
  const smtp = createSmtpServer(mails);
  const smtpPort = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, "127.0.0.1", () => resolve((listening.address() as AddressInfo).port));
  });
  const anonKey = await signToken({ role: "anon", iss: "supabase-local" });
  const serviceKey = await signToken({ role: "service_role", iss: "supabase-local" });
  const settings = {
    port: 0,
    databaseUrl: database.url("postgres"),
    jwtSecret,
    anonKey,
    serviceKey,
    supabaseUrl: "http://127.0.0.1",
    webUrl: "http://127.0.0.1:3000",
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    storageDir: join(dir, "storage"),
    mailFrom: "Parley <no-reply@parley.test>",
    functions,
  };
  const lite = await createLite(settings);
  const server = createGatewayServer(settings, createGateway(settings, lite));
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const url = `http://127.0.0.1:${port}`;
  let stopping: Promise<void> | undefined;
  const stopDatabase = () => {
    stopping ??= database.stop();
    return stopping;
  };
  return {
    url,
    anonKey,
    serviceKey,
    jwtSecret,
    storageDir: settings.storageDir,
    sql: database.connect("postgres"),
    mails,
    asService: (path, init) =>
      fetch(url + path, {
        ...init,
        headers: { apikey: serviceKey, "content-type": "application/json", ...init?.headers },
      }),
    stopDatabase,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await lite.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      await stopDatabase();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
