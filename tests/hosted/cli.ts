// Owns the supabase CLI in a test: the version that docs/deploy.md names, on a machine where the stand-in platform has a real one's host
// names. Commands run as typed.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve as absolute, join } from "node:path";

export const accessToken = `sbp_${"0123456789".repeat(4)}`;
export const poolerName = "aws-0-eu-central-1.pooler.parley.test";

export interface Outcome {
  code: number | null;
  /** Its output, both streams. */
  output: string;
}

export interface Running {
  child: ChildProcess;
  output(): string;
  stop(): Promise<void>;
}

/** A person's shell: a copy of Parley, an environment, and the CLI. */
export class Shell {
  readonly folder: string;
  readonly #home: string;
  readonly #given: Record<string, string>;

  /**
   * @param root a folder for it
   * @param place addresses of the Management API and the pooler
   * @param given environment variables beside those of the CLI itself
   */
  constructor(
    root: string,
    { apiUrl, poolerHost }: { apiUrl: string; poolerHost: string },
    given: Record<string, string>,
  ) {
    this.folder = join(root, "parley");
    this.#home = join(root, "home");
    this.#given = given;
    mkdirSync(this.#home, { recursive: true });
    const left = ["node_modules", "dist", ".git", ".parley", "tests", ".env"];
    for (const name of readdirSync(".").filter((one) => !left.includes(one)))
      cpSync(name, join(this.folder, name), { recursive: true, filter: isOfTheProject });
    // Built before (tests/support/runner/hosted.mjs).
    symlinkSync(absolute("dist"), join(this.folder, "dist"));
    writeFileSync(join(this.#home, "hosts"), `127.0.0.1 localhost\n${poolerHost} ${poolerName}\n`);
    writeFileSync(
      join(this.#home, "profile.yaml"),
      Object.entries({
        ...{
          name: "stand-in",
          api_url: apiUrl,
          dashboard_url: `${apiUrl}/dashboard`,
          docs_url: `${apiUrl}/docs`,
        },
        ...{ project_host: "projects.parley.test", pooler_host: "parley.test" },
      })
        .map(([key, value]) => `${key}: ${value}\n`)
        .join(""),
    );
  }

  /** Runs a command until it exits. */
  run(command: string): Promise<Outcome> {
    const { child, output } = this.start(command);
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, output: output() }));
    });
  }

  /** Starts a background command. @param more of its environment */
  start(command: string, more: Record<string, string> = {}): Running {
    const child = this.#spawn(command, more);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    return {
      child,
      output: () => output,
      stop: async () => {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        process.kill(-child.pid, "SIGKILL");
        await ended;
      },
    };
  }

  #spawn(command: string, more: Record<string, string>) {
    const script = 'mount --bind "$HOME/hosts" /etc/hosts && exec sh -c "$COMMAND"';
    return spawn("unshare", [...machine("HOSTED_NAMESPACE").split(" "), "sh", "-c", script], {
      cwd: this.folder,
      // In a process group of its own: what a command starts ends with it.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: `${machine("HOSTED_CLI_FOLDER")}:${process.env.PATH}`,
        HOME: this.#home,
        COMMAND: command,
        SUPABASE_PROFILE: join(this.#home, "profile.yaml"),
        SUPABASE_ACCESS_TOKEN: accessToken,
        SUPABASE_TELEMETRY_DISABLED: "1",
        DO_NOT_TRACK: "1",
        // Answers the commands' questions with yes.
        SUPABASE_YES: "1",
        ...this.#given,
        ...more,
      },
    });
  }
}

/** Excludes the CLI's files about a person's own project. */
const isOfTheProject = (path: string) => !/(?:^|\/)supabase\/\.(?:temp|env|branches)/.test(path);

/** What tests/support/runner/hosted.mjs found. */
export function machine(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm test -- hosted`);
  return value;
}
