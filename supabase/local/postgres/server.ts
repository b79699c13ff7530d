// Owns the embedded Postgres as a whole: the folder, the engine, the port and its connections. Must not read the
// environment: main.ts does.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { codeOf } from "../error-code.ts";
import { requireFreePorts } from "../machine.ts";
import { Connection, type ServerContext } from "./connection.ts";
import { claimFolder, createFolder, isNew } from "./data-folder.ts";
import { Engine, type Log } from "./engine.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { Passwords } from "./login.ts";
import { Turns } from "./turns.ts";

export interface PostgresOptions {
  /** A folder that only this database uses. */
  dataDir: string;
  /** 0 picks a free port. */
  port: number;
  passwords: Passwords;
  limits?: Partial<Limits>;
  /** Default true: a commit is on disk before it is confirmed. False for tests, which lose nothing in a power failure. */
  durable?: boolean;
  log?: Log;
  /** The database ended and cannot be restarted. Default: throws. */
  onEnd?(error: unknown): void;
}

export interface RunningPostgres {
  port: number;
  /** Waits for running batches, then closes every connection and the folder. */
  stop(): Promise<void>;
}

/** Starts the embedded Postgres on 127.0.0.1. @throws Fatal when a person has to act first */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, passwords, durable = true, log = () => {} } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const initSql = readFileSync(new URL("./init.sql", import.meta.url), "utf8");
  const lock = await claimFolder(dataDir);
  const onEnd = (error: unknown) => {
    lock.release();
    if (!options.onEnd) throw error;
    options.onEnd(error);
  };
  const settings = { initSql, durable, statements: limits.statements, log, onEnd };
  let engine: Engine | undefined;
  try {
    // A separate engine creates the folder, so that the memory it used is freed with its thread.
    if (isNew(dataDir))
      await createFolder(dataDir, durable, (folder) => createCluster({ ...settings, folder }));
    engine = await Engine.start({ ...settings, folder: dataDir });
    const context: ServerContext = {
      engine,
      turns: new Turns(limits.turnMs),
      passwords,
      limits,
      connections: new Map(),
    };
    const server = createServer({ allowHalfOpen: true });
    serve(server, context);
    const port = await listen(server, options.port, log);
    return {
      port,
      stop: async () => {
        server.close();
        for (const connection of context.connections.values()) connection.dismiss();
        await context.engine.stop();
        lock.release();
      },
    };
  } catch (error) {
    await engine?.stop();
    lock.release();
    throw error;
  }
}

async function createCluster(settings: Parameters<typeof Engine.start>[0]): Promise<void> {
  const engine = await Engine.start(settings);
  await engine.stop();
}

function serve(server: Server, context: ServerContext): void {
  let lastProcessId = 0;
  server.on("connection", (socket) => {
    lastProcessId += 1;
    const connection = new Connection(socket, lastProcessId, context);
    context.connections.set(connection.processId, connection);
    void connection.serve().finally(() => context.connections.delete(connection.processId));
  });
}

/** Waits while only a connection of another program occupies the port. */
async function listen(server: Server, port: number, log: Log): Promise<number> {
  const onConnection = () =>
    log("warn", "waits for the end of a connection that occupies the port", { port });
  for (;;) {
    if (port !== 0) await requireFreePorts([port], 0, onConnection);
    const listening = once(server, "listening");
    server.listen(port, "127.0.0.1", 511);
    try {
      await listening;
      return (server.address() as AddressInfo).port;
    } catch (error) {
      // A connection has got the port since it was free.
      if (codeOf(error) !== "EADDRINUSE") throw error;
    }
  }
}
