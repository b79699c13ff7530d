// Owns the tree of processes: starts every process, reports progress, ends all of them together. Must not know what a
// process does: services.ts lists them, child.ts keeps each one running.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isLoss } from "../../edge-functions/_shared/database/line.ts";
import { defaultLocalModels, findLocalModels } from "../../edge-functions/v1/models/local.ts";
import { Child, Stopped } from "./child.ts";
import {
  authenticatorUrl,
  type Context,
  demoAgentFile,
  jobEnv,
  ownerUrl,
  usesOfflineModels,
} from "./environments.ts";
import { requireUsableDatabase } from "./external-database.ts";
import { explainFileError, Fatal } from "./fatal.ts";
import { type Job, startJob } from "./job.ts";
import { lockDataDir } from "./lock.ts";
import { requireFreePorts, requireRoom } from "./machine.ts";
import { requireOwner } from "./postgres/data-folder.ts";
import { databaseEnded, isPrepared, isSeeded, recordSeed } from "./preparation.ts";
import { Progress } from "./progress.mjs";
import { clearUnfinished } from "./restored-parts.ts";
import { loadSecrets } from "./secrets.ts";
import { listServices, nodeArgs, type Service } from "./services.ts";
import { builtDir, databaseDir, readSettings } from "./settings.ts";
import { startTicking } from "./ticker.ts";
import { startUpkeep } from "./upkeep.ts";

/** Time for the children of a killed supervisor to notice and exit. */
const ORPHANS_END_MS = 10_000;

/**
 * Runs the stack until it is asked to end.
 * @param progress continues after the steps of set-up.mjs.
 */
export async function supervise(env: NodeJS.ProcessEnv, progress = new Progress()): Promise<void> {
  const stack = new Stack(progress);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stack.end());
  process.on("uncaughtException", (error) => void stack.end(describeUnexpected(error)));
  // The terminal may be gone; a write error must not stop the shutdown.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  let dataDir = "";
  try {
    const settings = readSettings(env);
    dataDir = settings.dataDir;
    await stack.start({ settings, env });
  } catch (error) {
    if (error instanceof Stopped) return;
    const known = error instanceof Fatal ? error.message : explainFileError(error, dataDir);
    await stack.end(known ?? describeUnexpected(error));
  }
}

class Stack {
  readonly #progress: Progress;
  readonly #children: Child[] = [];
  readonly #cleanUp: (() => void)[] = [];
  #job: Job | undefined;
  #ending = false;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** @throws Fatal with the sentence to show. */
  async start({ settings, env }: Omit<Context, "secrets">): Promise<void> {
    // Before the lock and the logs, which are files too.
    requireOwner(databaseDir(settings));
    const lock = lockDataDir(settings.dataDir);
    this.#cleanUp.push(lock.release);
    requireRoom(settings.dataDir);
    if (clearUnfinished(settings.dataDir)) {
      this.#progress.begin("Data", "a restore was interrupted: the installation is as it was before");
    }
    const context: Context = { settings, env, secrets: await loadSecrets(settings.dataDir) };
    const services = choose(await listServices(context), env.PARLEY_ONLY);
    const ports = services.flatMap((service) => service.ports);
    await requireFreePorts(ports, lock.tookOver ? ORPHANS_END_MS : 0, (port) => this.#waitForPort(port));
    if (settings.externalDatabaseUrl) await requireUsableDatabase(settings.externalDatabaseUrl);
    const logDir = join(settings.dataDir, "logs");
    const seeds = !env.PARLEY_ONLY && settings.demo && existsSync(join(builtDir, "seed.js"));
    const database = services.findIndex(({ name }) => name === "postgres");
    const prepares = database >= 0 || settings.externalDatabaseUrl !== undefined;
    this.#progress.expect(services.length + Number(prepares) + Number(seeds));
    // All in parallel: each process waits for the database and its schema itself, and an upgrade may take long.
    let markUpgraded = () => {};
    const schema = new Promise<void>((resolve) => {
      markUpgraded = resolve;
    });
    const started = services.map((service) =>
      this.#startService(service, logDir, service.name === "postgres" || !prepares ? undefined : schema),
    );
    const ready = started[database] ?? Promise.resolve();
    if (prepares) started.push(ready.then(() => this.#prepare(context, logDir)).then(markUpgraded));
    await Promise.all(started);
    const schedule = {
      "functions-indexing": `http://127.0.0.1:${settings.ports.indexing}/`,
      "functions-v1": `http://127.0.0.1:${settings.ports.v1}/slack/tick`,
    };
    for (const [name, url] of Object.entries(schedule)) {
      if (services.some((service) => service.name === name))
        this.#cleanUp.push(startTicking(url, context.secrets.serviceKey));
    }
    if (database >= 0) {
      const onRefusal = (table: string, code: string) =>
        this.#children[database]?.report("a table could not be vacuumed", { table, code });
      this.#cleanUp.push(startUpkeep(ownerUrl(context), onRefusal));
    }
    if (seeds) await this.#progress.step("Demo data", () => this.#seed(context, logDir));
    if (this.#ending) return;
    this.#progress.ready({
      web: settings.webUrl,
      hasDemo: settings.demo,
      mailbox: env.SMTP_URL ? undefined : settings.mailboxUrl,
      model: await modelSentence(env, settings.webUrl),
      ready: `http://127.0.0.1:${settings.ports.web}`,
    });
  }

  /** Ends every process, the database last, and then this one. */
  async end(sentence?: string): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    if (sentence) this.#progress.fail(sentence);
    this.#job?.stop();
    const [database, others] = split(this.#children, ({ spec }) => spec.name === "postgres");
    await Promise.all(others.map((child) => child.stop()));
    await Promise.all(database.map((child) => child.stop()));
    for (const undo of this.#cleanUp) undo();
    process.exit(sentence ? 1 : 0);
  }

  /** @param after resolves when the service's dependency is ready: its start limit counts from then. */
  async #startService(service: Service, logDir: string, after?: Promise<void>): Promise<void> {
    const child = new Child(service, logDir, {
      onFatal: (error) => void this.end(error.message),
      onOccupied: (port) => this.#waitForPort(port),
    });
    this.#children.push(child);
    await this.#progress.step(service.title, () => child.start(after));
  }

  #waitForPort(port: number): void {
    this.#progress.begin("Ports", `waiting for the end of a connection that occupies port ${port}`);
  }

  async #prepare(context: Context, logDir: string): Promise<void> {
    await this.#progress.step("Schema", async () => {
      const isDone = isPrepared(ownerUrl(context), authenticatorUrl(context));
      if (await isDone.catch((error) => Promise.reject(isLoss(error) ? new Fatal(databaseEnded) : error)))
        return;
      await this.#run("prepare", context, logDir, (note) => this.#progress.begin("Schema", note));
    });
  }

  async #seed(context: Context, logDir: string): Promise<void> {
    const isNoted = existsSync(demoAgentFile(context.settings));
    if (isNoted && (await isSeeded(ownerUrl(context)))) return;
    try {
      await this.#run("seed", context, logDir);
      await recordSeed(ownerUrl(context));
    } catch (error) {
      if (!(error instanceof Fatal)) throw error;
      // Parley works without its demo; the next start tries again.
      this.#progress.fail(`The demo data could not be created: ${error.message}`);
    }
  }

  async #run(
    name: string,
    context: Context,
    logDir: string,
    onNotice: (message: string) => void = () => {},
  ): Promise<void> {
    if (this.#ending) throw new Stopped();
    this.#job = startJob(name, nodeArgs(join(builtDir, `${name}.js`)), jobEnv(context), logDir, onNotice);
    await this.#job.done.catch((error: Error) => {
      throw this.#ending ? new Stopped() : error;
    });
  }
}

/** PARLEY_ONLY=postgres,gateway starts only those, for tests and work on one part. */
function choose(services: Service[], only: string | undefined): Service[] {
  if (!only) return services;
  const names = only.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !services.some((service) => service.name === name));
  if (wrong) {
    throw new Fatal(
      `PARLEY_ONLY names "${wrong}", which is none of ${services.map(({ name }) => name).join(", ")}.`,
    );
  }
  return services.filter(({ name }) => names.includes(name));
}

function split<T>(list: T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}

function describeUnexpected(error: unknown): string {
  return `Parley stopped because of an unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}

/** A sentence about the model that answers, and where to connect a local one instead. */
async function modelSentence(env: NodeJS.ProcessEnv, webUrl: string): Promise<string> {
  if (!usesOfflineModels(env)) return env.OPENAI_MODEL ?? "the one behind your OPENAI settings";
  const [found] = await findLocalModels(env.LOCAL_MODELS || defaultLocalModels);
  const [model] = found?.chatModels ?? [];
  return model
    ? `offline, which quotes your documents; ${model} was found at ${found?.baseUrl}: connect it at ${webUrl}/admin/models`
    : "offline: it quotes your documents and needs no key (connect another in the app, or set OPENAI_API_KEY)";
}
