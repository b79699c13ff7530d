// Owns the machine of the project "hosted": a Postgres server of its own, pgbouncer, the supabase CLI and a way to set host names. Plain
// Node: tests/run.mjs checks it before starting anything.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildOutdated } from "./build.mjs";
import { installFromDebian } from "./machine.mjs";
import { startNativePostgres } from "./native-postgres.mjs";

/** The one tested version: docs/decisions/0071-hosted-test.md. */
export const CLI = "supabase@3.1.0";

/**
 * Finds everything, builds outdated pages, and starts the server.
 * @returns {Promise<{ env: Record<string, string>, stop: () => void } | { missing: string }>} the tests' environment, or a sentence that
 * says what is missing.
 */
export async function startHosted(timeoutMs) {
  const pgbouncer = findPgbouncer() ?? ((await installFromDebian("pgbouncer")) ? findPgbouncer() : undefined);
  if (!pgbouncer) return { missing: "pgbouncer was not found: install it (Debian and Homebrew: pgbouncer)." };
  const namespace = findNamespace();
  if (!namespace)
    return {
      missing: "The supabase CLI could not be given names of its own: this needs Linux with unshare.",
    };
  const cli = findCli(timeoutMs);
  if (!cli) return { missing: `The supabase CLI could not be had from npm (npx ${CLI}).` };
  buildOutdated();
  await ensurePlpgsqlCheck();
  const server = await startNativePostgres(timeoutMs, { ofItsOwn: true });
  if (server.missing) return server;
  return {
    env: {
      HOSTED_SERVER_URL: server.url,
      HOSTED_PGBOUNCER: pgbouncer,
      HOSTED_NAMESPACE: namespace.join(" "),
      HOSTED_CLI: CLI,
      HOSTED_CLI_FOLDER: cli,
    },
    stop: server.stop,
  };
}

function findPgbouncer() {
  const folders = [
    ...(process.env.PATH ?? "").split(":"),
    "/usr/sbin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
  ];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path));
}

/** Installs what `supabase db lint` needs beside Debian's Postgres, where it can. */
async function ensurePlpgsqlCheck() {
  const shared = "/usr/share/postgresql";
  for (const major of existsSync(shared) ? readdirSync(shared).filter((name) => /^\d+$/.test(name)) : []) {
    if (!existsSync(join(shared, major, "extension/plpgsql_check.control")))
      await installFromDebian(`postgresql-${major}-plpgsql-check`);
  }
}

/** The flags of unshare that give a command its own /etc/hosts: root needs no more, everybody else a user namespace. */
function findNamespace() {
  return [["--mount"], ["--mount", "--map-root-user"]].find((flags) => {
    const tried = spawnSync("unshare", [...flags, "mount", "--bind", "/etc/hosts", "/etc/hosts"], {
      stdio: "ignore",
    });
    return tried.status === 0;
  });
}

/** The folder of the command `supabase`: npx downloads it the first time. */
function findCli(timeout) {
  const found = spawnSync(
    "npx",
    ["--yes", `--package=${CLI}`, "-c", "supabase --version && command -v supabase"],
    {
      encoding: "utf8",
      timeout,
    },
  );
  const path = found.stdout?.trim().split("\n").at(-1) ?? "";
  return found.status === 0 && path.startsWith("/") ? dirname(path) : undefined;
}
