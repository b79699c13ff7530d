// Owns the embedded Postgres as a separate process, for tests that kill it, fill its disk or damage its folder.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import postgres, { type Sql } from "postgres";
import { basePorts, builtDir } from "../../supabase/local/settings.ts";
import { reserveOffset } from "./runner/port-offset.mjs";

/** As `npm start` runs it: loading the sources instead takes as long again. Built by the project's set-up. */
const main = join(builtDir, "postgres.js");
const passwords = { postgres: "test-postgres", authenticator: "test-authenticator" };

/** A PARLEY_PORT_OFFSET, and Postgres's port there, that no stack and no other test uses while this process lives. */
export async function reservePostgres(): Promise<{ offset: number; port: number }> {
  const offset = await reserveOffset([basePorts.postgres, basePorts.postgres + 1]);
  return { offset, port: basePorts.postgres + offset };
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export class PostgresProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly #port: number;
  readonly #clients: Sql[] = [];
  #stdout = "";
  #stderr = "";

  /**
   * @param offset PARLEY_PORT_OFFSET, as reservePostgres() gives it
   * @param openFiles how many files it may open; without it, as many as the test.
   */
  constructor(dataDir: string, offset: number, env: Record<string, string> = {}, openFiles?: number) {
    this.#port = basePorts.postgres + offset;
    const limit = openFiles ? `ulimit -n ${openFiles}; ` : "";
    this.child = spawn("sh", ["-c", `${limit}exec "$@"`, "sh", process.execPath, main], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        PARLEY_DATA_DIR: dataDir,
        PARLEY_PORT_OFFSET: String(offset),
        POSTGRES_PASSWORD: passwords.postgres,
        AUTHENTICATOR_PASSWORD: passwords.authenticator,
        ...env,
      },
    });
    this.child.stdout?.on("data", (chunk) => {
      this.#stdout += chunk;
    });
    this.child.stderr?.on("data", (chunk) => {
      this.#stderr += chunk;
    });
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get log(): string {
    return this.#stdout;
  }

  /** Resolves when it accepts connections. @throws Error with its last output when it ends before. */
  async ready(): Promise<this> {
    let ended: Ended | undefined;
    void this.ended.then((how) => {
      ended = how;
    });
    while (!this.#stdout.includes('"listening"')) {
      if (ended) throw new Error(`Postgres ended with ${ended.code}: ${ended.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this;
  }

  connect(login: keyof typeof passwords = "postgres", max = 1): Sql {
    const sql = postgres(`postgres://${login}:${passwords[login]}@127.0.0.1:${this.#port}/postgres`, {
      max,
      onnotice: () => {},
      connect_timeout: 60,
    });
    this.#clients.push(sql);
    return sql;
  }

  /** Uses pg instead of postgres.js, which throws outside any promise when its server dies within a transaction. */
  async connectThatSurvives(login: keyof typeof passwords = "postgres"): Promise<pg.Client> {
    const client = new pg.Client({
      host: "127.0.0.1",
      port: this.#port,
      user: login,
      password: passwords[login],
      database: "postgres",
    });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  async kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    const ended = await this.ended;
    await Promise.all(this.#clients.map((sql) => sql.end({ timeout: 0 })));
    return ended;
  }
}
