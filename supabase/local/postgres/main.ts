// Owns the process of the embedded Postgres: settings from the environment, one JSON object per log line, exit codes.

import { join } from "node:path";
import type { Log } from "./engine.ts";
import { ExitCode, PostgresExit } from "./exit-codes.ts";
import { startPostgres } from "./server.ts";

const basePort = 54_322;

const log: Log = (level, message, facts) => {
  console.log(
    JSON.stringify({ time: new Date().toISOString(), level, process: "postgres", message, ...facts }),
  );
};

function end(error: unknown): never {
  const exit =
    error instanceof PostgresExit ? error : new PostgresExit("unexpected", { detail: String(error) });
  process.stderr.write(`${exit.message}\n`);
  process.exit(exit.code);
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new PostgresExit("badSettings", { detail: `${name} is not set` });
  return value;
}

function portOffset(): number {
  const offset = Number(process.env.PARLEY_PORT_OFFSET || "0");
  if (Number.isInteger(offset) && offset >= 0 && basePort + offset <= 65_535) return offset;
  throw new PostgresExit("badSettings", {
    detail: "PARLEY_PORT_OFFSET must be a whole number from 0 to 11213",
  });
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
    running.stop().then(() => process.exit(ExitCode.ok), end);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  end(error);
}
