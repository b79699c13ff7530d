// Owns the list of processes: command and health check. environments.ts decides the environment of each.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import postgres from "postgres";
import type { ChildSpec } from "./child.ts";
import {
  type Context,
  functionEnv,
  gatewayEnv,
  mailboxEnv,
  modelsEnv,
  ownerUrl,
  postgresEnv,
  webEnv,
} from "./environments.ts";
import { Fatal } from "./fatal.ts";
import { builtDir, projectDir } from "./settings.ts";

export type ServiceName =
  | "postgres"
  | "gateway"
  | "mailbox"
  | "models"
  | "functions-v1"
  | "functions-indexing"
  | "web";

export interface Service extends ChildSpec {
  name: ServiceName;
  /** Its name in the progress line. */
  title: string;
  ports: number[];
}

export const WEB_ENTRY = "dist/server/main.mjs";

export async function listServices(context: Context): Promise<Service[]> {
  const { settings } = context;
  const { ports } = settings;
  const services: Service[] = [
    {
      name: "postgres",
      title: "Database",
      ports: [ports.postgres],
      ...node(join(builtDir, "postgres.js")),
      env: postgresEnv(context),
      healthy: () => answersSelect(ownerUrl(context)),
      fatalFrom: 64,
    },
    {
      name: "gateway",
      title: "Auth, REST and storage",
      ports: [ports.gateway],
      ...node(join(builtDir, "gateway.js")),
      env: await gatewayEnv(context),
      ...answering(ports.gateway),
    },
    {
      name: "mailbox",
      title: "Mailbox",
      ports: [ports.mailbox, ports.smtp],
      ...node(join(builtDir, "mailbox.js")),
      env: mailboxEnv(context),
      ...answering(ports.mailbox),
    },
    {
      name: "models",
      title: "Offline models",
      ports: [ports.models],
      ...node(join(builtDir, "models.js")),
      env: modelsEnv(context),
      ...answering(ports.models),
    },
    ...(["v1", "indexing"] as const).map(
      (name): Service => ({
        name: `functions-${name}`,
        title: name === "v1" ? "API and Slack" : "Indexing",
        ports: [ports[name]],
        command: denoPath(),
        // One process serves the functions v1 and slack.
        args:
          name === "v1"
            ? denoArgs("edge-functions/local/index.ts")
            : // A separate process with fewer permissions parses documents.
              denoArgs("edge-functions/indexing/index.ts", `--allow-run=${realpathSync(denoPath())}`),
        // Of the embedded database it is the only one; on an external one there may be others, on other machines.
        env: {
          ...functionEnv(context, name),
          ...(name === "v1" && !settings.externalDatabaseUrl ? { ONLY_API_PROCESS: "true" } : {}),
        },
        ...answering(ports[name]),
      }),
    ),
    {
      name: "web",
      title: "Web",
      ports: [ports.web, ports.sdk],
      ...node(join(projectDir, WEB_ENTRY)),
      env: webEnv(context),
      ...answering(ports.web),
    },
  ];
  return settings.externalDatabaseUrl ? services.filter(({ name }) => name !== "postgres") : services;
}

/**
 * Node's arguments for a program of ours that ends with its parent.
 * @param entry an absolute path.
 */
export function nodeArgs(entry: string): string[] {
  const watcher = pathToFileURL(join(projectDir, "supabase/local/watch-parent.mjs")).href;
  return ["--import", watcher, entry];
}

function node(entry: string): Pick<ChildSpec, "command" | "args"> {
  return { command: process.execPath, args: nodeArgs(entry) };
}

const READABLE = ["edge-functions", "locales", "node_modules", "deno.json", "package.json"];

/**
 * The functions may read their code, use the network and read their environment. They may not write files, load native
 * libraries, or run any program that their permissions do not list.
 */
function denoArgs(entry: string, ...more: string[]): string[] {
  return [
    "run",
    "--no-prompt",
    "--no-check",
    "--no-lock",
    "--no-remote",
    `--config=${join(projectDir, "deno.json")}`,
    "--node-modules-dir=manual",
    `--preload=${join(projectDir, "supabase/local/watch-parent.deno.mjs")}`,
    `--allow-read=${READABLE.map((path) => join(projectDir, path)).join(",")}`,
    "--allow-net",
    // The environment of the functions contains only their own settings (environments.ts).
    "--allow-env",
    ...more,
    join(projectDir, entry),
  ];
}

/** npm may skip install scripts, so the wrapper in .bin may be missing; the binary itself is always there. */
function denoPath(): string {
  const scope = join(projectDir, "node_modules/@deno");
  const platforms = existsSync(scope) ? readdirSync(scope) : [];
  const binaries = platforms.flatMap((name) => ["deno", "deno.exe"].map((file) => join(scope, name, file)));
  const found = binaries.find((path) => existsSync(path));
  if (found) return found;
  throw new Fatal(
    `Deno, which npm installs with the project, has no build for ${process.platform}-${process.arch} here: run npm ci again without --omit=optional.`,
  );
}

/** The checks of a service over HTTP. Postgres has a watchdog of its own (postgres/engine.ts). */
function answering(port: number): Pick<ChildSpec, "healthy" | "live"> {
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  };
  return { healthy: () => ask("/health"), live: () => ask("/health/live") };
}

async function answersSelect(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false });
  try {
    await sql`select 1`;
    return true;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
