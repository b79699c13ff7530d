// Owns one child process: start, health, restart after a crash, end. Must not know what the process is for.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Fatal } from "./fatal.ts";
import { LogFile } from "./log-file.ts";

export interface ChildSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Answers true once the process serves. Called every 50 ms; may throw. */
  healthy: () => Promise<boolean>;
  /** From this exit code on, a restart cannot help: the process's last words say why. */
  fatalFrom?: number;
}

/** The first start of all makes a database and migrates it, on a slow machine too. */
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 5_000;
/** So many crashes within so long mean that it will not mend itself. */
const CRASHES = 5;
const CRASH_WINDOW_MS = 60_000;

/** The start was cut short on purpose: nothing to report. */
export class Stopped extends Error {
  override name = "Stopped";
}

export class Child {
  readonly spec: ChildSpec;
  readonly log: LogFile;
  #process: ChildProcess | undefined;
  #stopping = false;
  #failed: Fatal | undefined;
  #crashes: number[] = [];
  readonly #onFatal: (error: Fatal) => void;

  constructor(spec: ChildSpec, logDir: string, onFatal: (error: Fatal) => void) {
    this.spec = spec;
    this.log = new LogFile(`${logDir}/${spec.name}.log`);
    this.#onFatal = onFatal;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Starts the process and waits until it serves.
   * @throws Fatal when it ends for good before that or does not serve in time; Stopped when it was told to end.
   */
  async start(): Promise<void> {
    this.#spawn();
    const deadline = Date.now() + START_LIMIT_MS;
    for (;;) {
      if (this.#stopping) throw new Stopped();
      if (this.#failed) throw this.#failed;
      if (await this.spec.healthy().catch(() => false)) return;
      if (Date.now() > deadline) throw new Fatal(this.#explain("did not answer within two minutes"));
      await sleep(50);
    }
  }

  /** Asks the process to end, and ends it after 5 s. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  }

  #spawn(): void {
    // Its own group: Ctrl-C in a terminal reaches the supervisor alone. stdin tells the child that we are alive.
    const child = spawn(this.spec.command, this.spec.args, {
      env: this.spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#process = child;
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => this.log.write(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.log.write(chunk));
    child.once("error", (error) =>
      this.#fail(new Fatal(this.#explain(`could not be started: ${error.message}`))),
    );
    child.once("exit", (code, signal) => void this.#exited(code, signal));
  }

  async #exited(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#stopping) return;
    if (this.spec.fatalFrom !== undefined && code !== null && code >= this.spec.fatalFrom) {
      this.#fail(new Fatal(this.log.lastWords()));
      return;
    }
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    const words = `ended with ${signal ?? `code ${code}`}`;
    this.log.write(
      `${JSON.stringify({ level: "error", process: "supervisor", message: `${this.spec.name} ${words}` })}\n`,
    );
    if (this.#crashes.length > CRASHES) {
      this.#fail(new Fatal(this.#explain("keeps ending")));
      return;
    }
    await sleep(100 * 2 ** (this.#crashes.length - 1));
    if (!this.#stopping) this.#spawn();
  }

  #fail(error: Fatal): void {
    this.#failed = error;
    this.#onFatal(error);
  }

  #explain(what: string): string {
    const words = this.log.lastWords();
    return `${this.spec.name} ${what}${words ? ` (${words})` : ""}; its log is ${this.log.path}.`;
  }
}
