// Owns the supabase CLI in a test: the one version that docs/deploy.md names, in a machine that knows the stand-in platform by the
// names that a real one has. Commands run as they are typed.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const accessToken = `sbp_${"0123456789".repeat(4)}`;
export const poolerName = "aws-0-eu-central-1.pooler.parley.test";

export interface Outcome {
  code: number | null;
  /** What it said, on both streams. */
  output: string;
}

/** A person's shell: a copy of Parley, an environment, and the CLI. */
export class Shell {
  readonly folder: string;
  readonly #home: string;
  readonly #given: Record<string, string>;

  /**
   * @param root a folder for it
   * @param place where the Management API answers, and the address of the pooler
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
      cpSync(name, join(this.folder, name), { recursive: true });
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

  /** Runs a command to its end. */
  run(command: string): Promise<Outcome> {
    const script = 'mount --bind "$HOME/hosts" /etc/hosts && exec sh -c "$COMMAND"';
    const namespace = machine("HOSTED_NAMESPACE").split(" ");
    const child = spawn("unshare", [...namespace, "sh", "-c", script], {
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: `${machine("HOSTED_CLI_FOLDER")}:${process.env.PATH}`,
        HOME: this.#home,
        COMMAND: command,
        SUPABASE_PROFILE: join(this.#home, "profile.yaml"),
        SUPABASE_ACCESS_TOKEN: accessToken,
        SUPABASE_TELEMETRY_DISABLED: "1",
        DO_NOT_TRACK: "1",
        // Whoever types the commands answers their questions with yes.
        SUPABASE_YES: "1",
        ...this.#given,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, output }));
    });
  }
}

/** What tests/support/runner/hosted.mjs found. */
export function machine(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm test -- hosted`);
  return value;
}
