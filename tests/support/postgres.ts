// Owns a database for a test: the real embedded Postgres with Supabase's schemas and our migrations. The first start builds a template in
// the system's temporary folder; later ones copy it. With TEST_DATABASE_URL, SQL tests run on a native Postgres.
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres, { type Options, type Sql } from "postgres";
import { takeLock } from "../../supabase/local/lock.ts";
import { migrate, readMigrations } from "../../supabase/local/migrate.ts";
import type { PostgresOptions } from "../../supabase/local/postgres/server.ts";
import { copyOwnDatabase, inDatabase } from "./own-postgres.ts";

export type TestLogin = "postgres" | "authenticator";

export interface TestPostgres {
  port: number;
  passwords: Record<TestLogin, string>;
  /** A connection string, for users of DATABASE_URL. */
  url(login: TestLogin): string;
  /** A postgres.js client; ended by stop(). */
  connect(login: TestLogin, options?: Options<Record<string, never>>): Sql;
  stop(): Promise<void>;
}

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
const name = `parley-test-postgres-${userInfo().uid}`;
/** Of the templates, which the next run of the tests finds. Those of its copies are temporary. */
const cacheDir = join(process.env.LASTING_TMPDIR ?? tmpdir(), name);
const copiesDir = join(tmpdir(), name);
const migrationMs = 24 * 3_600_000;
const passwords = { postgres: "test-postgres", authenticator: "test-authenticator" };

/** Far above production's limits, which a busy machine reaches: they are tested in tests/faults/postgres-limits.test.ts. */
const patient: PostgresOptions["limits"] = {
  statementMs: 20 * 60_000,
  turnMs: 20 * 60_000,
  idleInTransactionMs: 60_000,
  loginMs: 60_000,
};

/**
 * Starts a fresh database on a free port. Call stop() at the end of the test file.
 * @param options `bare`: no auth and storage tables, no migrations; `limits`: limits other than these patient ones, on the embedded engine.
 */
export async function startTestPostgres(
  options: { bare?: boolean; limits?: PostgresOptions["limits"] } = {},
): Promise<TestPostgres> {
  const kind = options.bare ? "bare" : "migrated";
  const own = process.env.TEST_DATABASE_URL;
  if (own && !options.limits) return startOnOwnPostgres(own, kind);
  const { folder, dataDir } = await copyTemplate(kind);
  const running = await startEmbedded({ dataDir, limits: { ...patient, ...options.limits } });
  return serve(running.port, localUrl(running.port), async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Imports the engine here: with TEST_DATABASE_URL no test needs it. */
async function startEmbedded(options: Pick<PostgresOptions, "dataDir" | "limits">) {
  const { startPostgres } = await import("../../supabase/local/postgres/server.ts");
  return startPostgres({ ...options, port: 0, passwords, durable: false });
}

const localUrl = (port: number) => `postgres://postgres:${passwords.postgres}@127.0.0.1:${port}/postgres`;

async function startOnOwnPostgres(server: string, kind: Kind): Promise<TestPostgres> {
  const migrations = kind === "bare" ? [] : await readMigrations(join(projectDir, "supabase/migrations"));
  const template = `parley_${kind}_${hashOf(migrations)}`;
  const { name, drop } = await copyOwnDatabase(server, template, passwords.authenticator, async (url) => {
    if (kind === "migrated") await prepare(url);
  });
  return serve(Number(new URL(server).port || 5432), inDatabase(server, name), drop);
}

/** A folder with a migrated database, for a test that runs the process itself. */
export async function copyTemplate(kind: Kind = "migrated"): Promise<{ folder: string; dataDir: string }> {
  const template = await findTemplate(kind);
  mkdirSync(copiesDir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(copiesDir, `run-${process.pid}-`));
  const dataDir = join(folder, "postgres");
  cpSync(template, dataDir, { recursive: true });
  return { folder, dataDir };
}

function serve(port: number, ownerUrl: string, end: () => Promise<void>): TestPostgres {
  const clients: Sql[] = [];
  const url = (login: TestLogin) => {
    if (login === "postgres") return ownerUrl;
    const theirs = new URL(ownerUrl);
    theirs.username = login;
    theirs.password = passwords[login];
    return theirs.href;
  };
  return {
    port,
    passwords,
    url,
    connect: (login, options = {}) => {
      const sql = postgres(url(login), { onnotice: () => {}, ...options });
      clients.push(sql);
      return sql;
    },
    stop: async () => {
      await Promise.all(clients.map((sql) => sql.end({ timeout: 1 })));
      await end();
    },
  };
}

/** The files that determine a template's content. */
const ingredients = [
  "supabase/local/postgres/init.sql",
  "supabase/local/gateway/system-schema.ts",
  "node_modules/@supabase/lite/package.json",
  "node_modules/@electric-sql/pglite/package.json",
  "supabase/local/postgres/engine-worker.ts",
];

type Kind = "bare" | "migrated";

function hashOf(migrations: Awaited<ReturnType<typeof readMigrations>>): string {
  const hash = createHash("sha256").update(JSON.stringify(migrations));
  for (const path of ingredients) hash.update(readFileSync(join(projectDir, path)));
  return hash.digest("hex").slice(0, 16);
}

/** The template to copy; built on first use. */
async function findTemplate(kind: Kind): Promise<string> {
  const migrations = kind === "bare" ? [] : await readMigrations(join(projectDir, "supabase/migrations"));
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  removeLeftovers();
  const template = join(cacheDir, `${kind}-${hashOf(migrations)}`);
  while (!existsSync(template)) {
    // One of several test files builds it, and the others wait.
    const lock = takeLock(`${template}.lock`);
    if ("release" in lock) {
      try {
        if (!existsSync(template)) await buildTemplate(kind, template);
      } finally {
        lock.release();
      }
    } else {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return template;
}

/** Deletes databases of killed test runs, and templates unused for a week. */
function removeLeftovers(): void {
  for (const name of readdirSync(cacheDir)) {
    const path = join(cacheDir, name);
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const killed = pid && existsSync("/proc/self") && !existsSync(`/proc/${pid}`);
    if (killed || age > 7 * 24 * 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

async function buildTemplate(kind: Kind, template: string): Promise<void> {
  const unfinished = mkdtempSync(join(cacheDir, `run-${process.pid}-`));
  const dataDir = join(unfinished, "postgres");
  try {
    const running = await startEmbedded({ dataDir });
    try {
      if (kind === "migrated") await prepare(localUrl(running.port));
    } finally {
      await running.stop();
    }
    // Renamed into place, so that concurrent test files see no template or a complete one.
    renameSync(dataDir, template);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function prepare(databaseUrl: string): Promise<void> {
  // Imported here: loading the package takes half a second of CPU, and a template is built once.
  const [{ createLite }, { ensureSystemSchema }] = await Promise.all([
    import("../../supabase/local/gateway/lite.ts"),
    import("../../supabase/local/gateway/system-schema.ts"),
  ]);
  const storageDir = mkdtempSync(join(tmpdir(), "parley-storage-"));
  const nowhere = "http://127.0.0.1:9";
  const lite = await createLite({
    port: 0,
    databaseUrl,
    jwtSecret: "x".repeat(32),
    anonKey: "none",
    serviceKey: "none",
    supabaseUrl: nowhere,
    webUrl: nowhere,
    smtpUrl: "smtp://127.0.0.1:9",
    storageDir,
    mailFrom: "Parley <no-reply@parley.test>",
    functions: {},
  });
  // As `npm start` does it: lite's own connection cancels a statement after 8 s, and a migration takes longer on a busy machine.
  const sql = postgres(databaseUrl, {
    max: 1,
    onnotice: () => {},
    connection: { statement_timeout: migrationMs },
  });
  try {
    await ensureSystemSchema(lite);
    await migrate(sql, await readMigrations(join(projectDir, "supabase/migrations")));
  } finally {
    await sql.end({ timeout: 1 });
    await lite.close();
    rmSync(storageDir, { recursive: true, force: true });
  }
}
