// Owns all ports and paths, from PARLEY_PORT_OFFSET and PARLEY_DATA_DIR. Must not start anything; services.ts decides
// which process receives which secret.
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Fatal } from "./fatal.ts";
import { isBlocked, sayBlocked } from "./free-port.mjs";

export const projectDir = fileURLToPath(new URL("../..", import.meta.url));

/** The folder in which bundle.mjs puts the local processes. */
export const builtDir = join(projectDir, "node_modules/.cache/parley");

/** Ports before the offset, as listed in docs/architecture.md. */
export const basePorts = {
  web: 3000,
  sdk: 3001,
  gateway: 54321,
  postgres: 54322,
  mailbox: 54324,
  smtp: 54325,
  models: 54330,
  v1: 54331,
  indexing: 54332,
} as const;

export type PortName = keyof typeof basePorts;

export interface Settings {
  ports: Record<PortName, number>;
  dataDir: string;
  supabaseUrl: string;
  webUrl: string;
  /** Address of the widget's host. */
  sdkUrl: string;
  mailboxUrl: string;
  modelsUrl: string;
  smtpUrl: string;
  /** Whether to create the demo team and its two accounts, whose passwords are public. */
  demo: boolean;
  /** Superuser login of an external Postgres 15+; without it PGlite is started. */
  externalDatabaseUrl?: string;
}

/**
 * @param env the environment of the process: PARLEY_PORT_OFFSET, PARLEY_DATA_DIR, DATABASE_URL, SUPABASE_URL, WEB_URL,
 * SMTP_URL, PARLEY_DEMO.
 * @throws Fatal when a value is invalid.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const offset = readOffset(env.PARLEY_PORT_OFFSET);
  const ports = Object.fromEntries(
    Object.entries(basePorts).map(([name, port]) => [name, port + offset]),
  ) as Record<PortName, number>;
  const blocked = Object.values(ports).find(isBlocked);
  if (blocked) throw new Fatal(sayBlocked(blocked));
  const local = (port: number) => `http://127.0.0.1:${port}`;
  const dataDir = env.PARLEY_DATA_DIR || ".parley";
  return {
    ports,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(projectDir, dataDir),
    supabaseUrl: env.SUPABASE_URL || local(ports.gateway),
    webUrl: env.WEB_URL || local(ports.web),
    sdkUrl: env.SDK_URL || local(ports.sdk),
    mailboxUrl: local(ports.mailbox),
    modelsUrl: local(ports.models),
    smtpUrl: env.SMTP_URL || `smtp://127.0.0.1:${ports.smtp}`,
    demo: readDemo(env.PARLEY_DEMO, env.WEB_URL),
    externalDatabaseUrl: env.DATABASE_URL || undefined,
  };
}

/** No demo by default when others can reach the app, because its passwords are published. */
function readDemo(wanted: string | undefined, webUrl: string | undefined): boolean {
  if (wanted === "true" || wanted === "false") return wanted === "true";
  if (wanted) throw new Fatal(`PARLEY_DEMO is "${wanted}": set it to true or false, or leave it out.`);
  return !webUrl || isOnThisMachine(webUrl);
}

/** True when an address points to this machine. */
export function isOnThisMachine(address: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(URL.canParse(address) ? new URL(address).hostname : "");
}

/** The folder of the embedded database. */
export function databaseDir({ dataDir }: Pick<Settings, "dataDir">): string {
  return join(dataDir, "postgres");
}

function readOffset(text: string | undefined): number {
  if (!text) return 0;
  const highest = Math.max(...Object.values(basePorts));
  const offset = Number(text);
  if (Number.isInteger(offset) && offset >= 0 && highest + offset <= 65535) return offset;
  throw new Fatal(
    `PARLEY_PORT_OFFSET is "${text}": set it to a whole number from 0 to ${65535 - highest}, or leave it out.`,
  );
}
