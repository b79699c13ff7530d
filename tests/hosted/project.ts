// Owns a stand-in project: a database, keys, a gateway, a shell for the guide's commands, and the deployed functions. `stands` lists the
// differences from a real one.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyReleaseFiles } from "../support/releases.ts";
import { reservePort } from "../support/runner/port-offset.mjs";
import { type Running, Shell } from "./cli.ts";
import { createDatabase, type DatabaseOptions, databasePassword, directUrl, withLogin } from "./databases.ts";
import { type Functions, startFunctions } from "./functions.ts";
import { commandsIn, stepsOf } from "./guide.ts";
import type { ManagementApi, ProjectSettings } from "./management-api.ts";
import { callersAddress, type Platform, startPlatform } from "./platform.ts";
import { untilListens } from "./ports.ts";
import { makeKeys, type ProjectKeys } from "./project-keys.ts";
import { runJobs } from "./scheduled-jobs.ts";

export interface World {
  /** A superuser's address, from before prepareServer() took its name. */
  server: string;
  management: ManagementApi;
  poolerHost: string;
  smtpUrl: string;
  modelsUrl: string;
  slackUrl: string;
  folder: string;
}

export interface ProjectOptions extends DatabaseOptions {
  ref: string;
  keys: "legacy" | "new";
}

const functionsPassword = "a-long-password";

export class Project {
  readonly shell: Shell;
  readonly settings: ProjectSettings;
  #functions: Functions | undefined;
  #web: Running | undefined;

  private constructor(
    readonly ref: string,
    readonly keys: ProjectKeys,
    readonly world: World,
    readonly webUrl: string,
    readonly platform: Platform,
    readonly folder: string,
  ) {
    this.settings = world.management.addProject(ref, keys.list);
    const given = { SUPABASE_DB_PASSWORD: databasePassword };
    this.shell = new Shell(folder, { apiUrl: world.management.url, poolerHost: world.poolerHost }, given);
  }

  static async create(world: World, { ref, keys: kind, ...database }: ProjectOptions): Promise<Project> {
    const folder = join(world.folder, ref);
    mkdirSync(folder, { recursive: true });
    if (database.release !== undefined) copyReleaseFiles(database.release, folder);
    const [keys, webPort] = await Promise.all([
      makeKeys(kind, ref),
      reservePort(),
      createDatabase(world.server, ref, database),
    ]);
    const webUrl = `http://127.0.0.1:${webPort}`;
    let project: Project | undefined;
    const platform = await startPlatform({
      ...{ server: world.server, ref, keys, folder, smtpUrl: world.smtpUrl, webUrl },
      functionPort: (name) => project?.portOf(name),
    });
    platform.closed.add("indexing");
    project = new Project(ref, keys, world, webUrl, platform, folder);
    return project;
  }

  /** The guide's placeholders, and their values here. */
  get stands(): [inGuide: string, here: string][] {
    return [
      // No TLS, and a port per project instead of a host name.
      ["https://YOUR-PROJECT.supabase.co", this.platform.url],
      ["https://app.example.com", this.webUrl],
      ["YOUR-PROJECT", this.ref],
      ["A-LONG-PASSWORD", functionsPassword],
      ["sb_secret_…", this.keys.secret],
      ["COOKIE_SECRET=…", "COOKIE_SECRET=a-secret-of-the-web-server"],
      ["you@example.com", "owner@parley.test"],
    ];
  }

  asHere(text: string): string {
    return this.stands.reduce((words, [inGuide, here]) => words.replaceAll(inGuide, here), text);
  }

  /** Runs one of the guide's shell blocks. @returns each command's output @throws when one fails */
  async type(heading: string, block = 0): Promise<string[]> {
    const said: string[] = [];
    for (const command of commandsIn(this.asHere(stepsOf(heading, "sh")[block] ?? ""))) {
      const { code, output } = await this.shell.run(command);
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
      said.push(output);
    }
    return said;
  }

  /** Runs one of the guide's SQL blocks, as the SQL editor does. */
  async query(heading: string, block = 0): Promise<void> {
    const text = this.asHere(stepsOf(heading, "sql")[block] ?? "");
    await withLogin(this.databaseUrl, (sql) => sql.unsafe(text));
  }

  get databaseUrl(): string {
    return directUrl(this.world.server, this.ref);
  }

  /** Fills in .env, as section 1 of the guide says. */
  fillInSettings(more: Record<string, string> = {}): void {
    const { modelsUrl, smtpUrl, slackUrl, poolerHost } = this.world;
    const values: Record<string, string> = {
      WEB_URL: this.webUrl,
      SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      OPENAI_API_KEY: "offline",
      OPENAI_BASE_URL: modelsUrl,
      OPENAI_MODEL: "offline-extract",
      OPENAI_EMBEDDING_MODEL: "offline-hash",
      SMTP_URL: smtpUrl,
      DATABASE_URL: `postgres://parley_functions.${this.ref}:${functionsPassword}@${poolerHost}:6543/postgres`,
      DATABASE_POOL_SIZE: "2",
      TRUSTED_PROXIES: callersAddress,
      SLACK_CLIENT_ID: "1.2",
      SLACK_CLIENT_SECRET: "client-secret",
      SLACK_SIGNING_SECRET: "signing-secret",
      SLACK_API_URL: slackUrl,
      ...more,
    };
    const example = readFileSync(join(this.shell.folder, ".env.example"), "utf8");
    const missing = Object.keys(values).filter((name) => !new RegExp(`^${name}=`, "m").test(example));
    if (missing.length > 0) throw new Error(`.env.example does not name ${missing.join(", ")}`);
    const filled = example.replace(/^([A-Z_]+)=$/gm, (line, name) => `${line}${values[name] ?? ""}`);
    writeFileSync(join(this.shell.folder, ".env"), filled);
  }

  /** Starts the deployed functions, after ending earlier ones. */
  async boot(): Promise<void> {
    await this.#functions?.stop();
    this.#functions = await startFunctions(this.settings, join(this.folder, "functions"), () => ({
      SUPABASE_URL: this.platform.url,
      SUPABASE_DB_URL: this.databaseUrl,
      ...this.keys.environment,
    }));
  }

  portOf(name: string): number | undefined {
    return this.#functions?.port(name);
  }

  get functions(): Functions {
    if (!this.#functions) throw new Error("Nothing was deployed yet");
    return this.#functions;
  }

  /** Starts the web server as the guide says. `npm ci` and the build ran once for all tests. */
  async serveWeb(): Promise<void> {
    const [, command = ""] = commandsIn(this.asHere(stepsOf("The web server", "sh")[0] ?? ""));
    const [port, sdkPort] = [new URL(this.webUrl).port, String(await reservePort())];
    this.#web = this.shell.start(command, { PORT: port, SDK_PORT: sdkPort });
    await untilListens(Number(port), this.#web.child).catch((error) => {
      throw new Error(`The web server did not start: ${error.message}\n${this.#web?.output()}`);
    });
  }

  /**
   * Runs a minute of pg_cron and pg_net. Nothing else reaches the worker: a direct call is refused.
   * @returns the status of each call's answer, by function
   */
  async tick(): Promise<Record<string, number>> {
    this.platform.closed.delete("indexing");
    const answers = await runJobs(this.world.server, this.ref);
    this.platform.closed.add("indexing");
    const prefix = `${this.platform.url}/functions/v1/`;
    return Object.fromEntries([...answers].map(([url, status]) => [url.replace(prefix, ""), status]));
  }

  async stop(): Promise<void> {
    await this.#web?.stop();
    await this.#functions?.stop();
    await this.platform.stop();
  }
}
