// Owns one child process: start, health check, restart after a crash, end. Must not know what the process does.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { lineOf } from "../../edge-functions/_shared/operation/log.ts";
import { Fatal } from "./fatal.ts";
import { LogFile } from "./log-file.ts";
import { requireFreePorts } from "./machine.ts";

export interface ChildSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Resolves to true once the process serves. Called every 50 ms until then; may throw. */
  healthy: () => Promise<boolean>;
  /** Resolves to true while the process answers at all, whatever it depends on. Without it, a silent process is left alone. */
  live?: () => Promise<boolean>;
  /** What it listens on. */
  ports?: number[];
  /** From this exit code on, a restart cannot help: the last line of the process's output gives the reason. */
  fatalFrom?: number;
}

/** Long enough for the first start on a slow machine, which creates and migrates a database. */
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 5_000;
const HEALTH_MS = 50;
/** A process that misses all of these checks is restarted: a blocked one never exits. They take two minutes; a sleeping machine has none. */
const LIVENESS = { everyMs: 15_000, misses: 8 };
/** After this many failed starts in a row, restarting will not help. */
const FAILED_STARTS = 5;
/** The delay before a restart grows with each exit in the last minute. */
const RECENT_MS = 60_000;
const LONGEST_PAUSE_MS = 5_000;

/** What the supervisor wants to know of a process. */
export interface Watcher {
  onFatal: (error: Fatal) => void;
  /** A restart waits for the end of a connection that occupies a port. */
  onOccupied: (port: number) => void;
}

/** Thrown when a start was aborted on purpose. There is nothing to report. */
export class Stopped extends Error {
  override name = "Stopped";
}

export class Child {
  readonly spec: ChildSpec;
  readonly log: LogFile;
  #process: ChildProcess | undefined;
  #stopping = false;
  #failed: Fatal | undefined;
  /** The running process has answered. */
  #served = false;
  #failedStarts = 0;
  #recentEnds: number[] = [];
  readonly #watcher: Watcher;
  readonly #liveness: typeof LIVENESS;

  constructor(spec: ChildSpec, logDir: string, watcher: Watcher, liveness = LIVENESS) {
    this.spec = spec;
    this.#liveness = liveness;
    this.log = new LogFile(`${logDir}/${spec.name}.log`);
    this.#watcher = watcher;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** True when the running process has answered. */
  get serves(): boolean {
    return this.#served;
  }

  /**
   * Starts the process and waits until it serves.
   * @param after resolves when the process's dependency is ready: its start limit counts from then.
   * @throws Fatal when it exits for good or does not serve in time; Stopped when it was asked to end.
   */
  async start(after: Promise<void> = Promise.resolve()): Promise<void> {
    this.#spawn();
    let deadline = Number.POSITIVE_INFINITY;
    void after.then(() => {
      deadline = Date.now() + START_LIMIT_MS;
    });
    for (;;) {
      if (this.#stopping) throw new Stopped();
      if (this.#failed) throw this.#failed;
      if (this.#served) return;
      if (Date.now() > deadline) throw new Fatal(this.#explain("did not answer within two minutes"));
      await sleep(HEALTH_MS);
    }
  }

  /** Asks the process to end, and kills it after 5 s. */
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
    // Its own process group, so Ctrl-C in a terminal reaches only the supervisor. An open stdin tells the child that
    // the supervisor is alive.
    const child = spawn(this.spec.command, this.spec.args, {
      env: this.spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#process = child;
    this.#served = false;
    void this.#awaitService(child);
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => this.log.write(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.log.write(chunk));
    child.once("error", (error) =>
      this.#fail(new Fatal(this.#explain(`could not be started: ${error.message}`))),
    );
    child.once("exit", (code, signal) => void this.#handleExit(code, signal));
  }

  async #awaitService(child: ChildProcess): Promise<void> {
    const runs = () => child === this.#process && child.exitCode === null && child.signalCode === null;
    while (runs() && !this.#stopping && !this.#failed) {
      if (await this.spec.healthy().catch(() => false)) {
        this.#served = runs();
        if (this.spec.live) await this.#awaitSilence(child, runs, this.spec.live);
        return;
      }
      await sleep(HEALTH_MS);
    }
  }

  /** Kills the process once it no longer answers. */
  async #awaitSilence(child: ChildProcess, runs: () => boolean, live: () => Promise<boolean>): Promise<void> {
    const { everyMs, misses } = this.#liveness;
    for (let missed = 0; missed < misses; ) {
      await sleep(everyMs, undefined, { ref: false });
      if (!runs() || this.#stopping) return;
      missed = (await live().catch(() => false)) ? 0 : missed + 1;
    }
    if (!runs() || this.#stopping) return;
    this.report(`${this.spec.name} does not answer and is restarted`);
    child.kill("SIGKILL");
  }

  async #handleExit(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#stopping) return;
    if (this.spec.fatalFrom !== undefined && code !== null && code >= this.spec.fatalFrom) {
      this.#fail(new Fatal(this.log.lastMessage()));
      return;
    }
    const now = Date.now();
    this.#recentEnds = [...this.#recentEnds.filter((at) => now - at < RECENT_MS), now];
    this.#failedStarts = this.#served ? 0 : this.#failedStarts + 1;
    this.report(`${this.spec.name} ended with ${signal ?? `code ${code}`}`);
    if (this.#failedStarts > FAILED_STARTS) {
      this.#fail(new Fatal(this.#explain("keeps ending")));
      return;
    }
    await sleep(Math.min(100 * 2 ** (this.#recentEnds.length - 1), LONGEST_PAUSE_MS));
    // Another program's connection may have got a port meanwhile. If a program listens there, the process says so itself.
    await requireFreePorts(this.spec.ports ?? [], 0, (port) => this.#waitForPort(port)).catch(() => {});
    if (!this.#stopping) this.#spawn();
  }

  #waitForPort(port: number): void {
    this.report(`${this.spec.name} waits for the end of a connection that occupies port ${port}`);
    this.#watcher.onOccupied(port);
  }

  /** Adds a line of the supervisor's to the log of the process. */
  report(message: string, fields: Record<string, string> = {}): void {
    this.log.write(`${lineOf("error", message, { process: "supervisor", ...fields })}\n`);
  }

  #fail(error: Fatal): void {
    this.#failed = error;
    this.#watcher.onFatal(error);
  }

  #explain(what: string): string {
    const words = this.log.lastMessage();
    return `${this.spec.name} ${what}${words ? ` (${words})` : ""}; its log is ${this.log.path}.`;
  }
}
