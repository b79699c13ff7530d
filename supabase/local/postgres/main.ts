// Owns the process of the embedded Postgres: settings from the environment, one JSON object per log line, and its end.

import { join } from "node:path";
import { lineOf } from "../../../edge-functions/_shared/operation/log.ts";
import { Fatal } from "../fatal.ts";
import type { Log } from "./engine.ts";
import { startPostgres } from "./server.ts";

const basePort = 54_322;
/** The supervisor does not restart the process after the first, and tells the person the last line (child.ts). */
const exitCode = { fatal: 64, unexpected: 1 } as const;

const log: Log = (level, message, facts) =>
  console.log(lineOf(level, message, { process: "postgres", ...facts }));

function end(error: unknown): never {
  const isFatal = error instanceof Fatal;
  const words = isFatal ? error.message : `The database stopped because of an unexpected error: ${error}.`;
  process.stderr.write(`${words}\n`);
  process.exit(isFatal ? exitCode.fatal : exitCode.unexpected);
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Fatal(`The database cannot start: ${name} is not set.`);
  return value;
}

function portOffset(): number {
  const offset = Number(process.env.PARLEY_PORT_OFFSET || "0");
  if (Number.isInteger(offset) && offset >= 0 && basePort + offset <= 65_535) return offset;
  throw new Fatal("The database cannot start: PARLEY_PORT_OFFSET must be a whole number from 0 to 11213.");
}

try {
  const running = await startPostgres({
    dataDir: join(process.env.PARLEY_DATA_DIR || ".parley", "postgres"),
    port: basePort + portOffset(),
    passwords: { postgres: setting("POSTGRES_PASSWORD"), authenticator: setting("AUTHENTICATOR_PASSWORD") },
    log,
    onEnd: end,
  });
  log("info", "listening", { port: running.port });
  const stop = () => {
    running.stop().then(() => process.exit(0), end);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  end(error);
}
