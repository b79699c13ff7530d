// Owns the embedded Postgres as a whole: the folder, the engine, the port and its connections. Must not read the
// environment: main.ts does.

import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Connection, type Shop } from "./connection.ts";
import { DataFolder } from "./data-folder.ts";
import { Engine, type Log } from "./engine.ts";
import { PostgresExit } from "./exit-codes.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { Passwords } from "./login.ts";
import { Turns } from "./turns.ts";

export interface PostgresOptions {
  /** A folder that only this database uses, or "memory". */
  dataDir: string;
  /** 0 picks a free port. */
  port: number;
  passwords: Passwords;
  limits?: Partial<Limits>;
  /** Default true: a commit is on disk before it is confirmed. False for tests, which lose nothing in a power failure. */
  durable?: boolean;
  log?: Log;
  /** The database ended and cannot be restarted. Default: throws. */
  onEnd?(exit: PostgresExit): void;
}

export interface RunningPostgres {
  port: number;
  /** Waits for running batches, then closes every connection and the folder. */
  stop(): Promise<void>;
}

/** Starts the embedded Postgres on 127.0.0.1. @throws PostgresExit */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const log: Log = options.log ?? (() => {});
  const limits = { ...defaultLimits, ...options.limits };
  const initSql = readFileSync(new URL("./init.sql", import.meta.url), "utf8");
  const { durable = true } = options;
  const folder = options.dataDir === "memory" ? null : await DataFolder.claim(options.dataDir);
  const server = createServer({ allowHalfOpen: true });
  try {
    const port = await listen(server, options.port);
    const settings = { initSql, durable, statements: limits.statements, log };
    const engine = new Engine({
      ...settings,
      folder: options.dataDir,
      before: async () => {
        if (folder?.isNew) await folder.make((path) => Engine.make({ ...settings, folder: path }));
      },
      onEnd: (exit) => {
        folder?.release();
        if (!options.onEnd) throw exit;
        options.onEnd(exit);
      },
    });
    const shop = open(server, engine, limits, options.passwords);
    await engine.ready();
    return {
      port,
      stop: async () => {
        server.close();
        for (const connection of shop.connections.values()) connection.dismiss();
        await engine.stop();
        folder?.release();
      },
    };
  } catch (error) {
    server.close();
    folder?.release();
    throw error;
  }
}

/** Accepts connections from now on. */
function open(server: Server, engine: Engine, limits: Limits, passwords: Passwords): Shop {
  const turns = new Turns(limits.turnMs);
  const shop: Shop = { engine, turns, passwords, limits, connections: new Map() };
  let lastProcessId = 0;
  server.on("connection", (socket) => {
    lastProcessId += 1;
    const connection = new Connection(socket, lastProcessId, shop);
    shop.connections.set(connection.processId, connection);
    void connection.serve().finally(() => shop.connections.delete(connection.processId));
  });
  return shop;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new PostgresExit("portTaken", { port }) : error);
    });
    server.listen(port, "127.0.0.1", 511, () => resolve((server.address() as AddressInfo).port));
  });
}
