// Owns the process of the offline model server: its port, its log lines and its exit. The models are in hash.ts and extract.ts.
import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { byWords } from "./pacing.ts";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const port = 54330 + (Number.isInteger(offset) ? offset : 0);
const parent = process.ppid;
/** For tests that watch a reply while it streams: milliseconds between two groups of words. */
const wordPauseMs = Number(process.env.OFFLINE_WORD_PAUSE_MS || 0);
const app = createApp(wordPauseMs > 0 ? { pace: (reply) => byWords(reply, wordPauseMs) } : {});

const log = (level: "info" | "error", message: string, fields: object = {}) =>
  console.log(JSON.stringify({ time: new Date().toISOString(), level, name: "models", message, ...fields }));

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, () => log("info", "ready", { port }));

server.on("error", (error: NodeJS.ErrnoException) => {
  log("error", error.code === "EADDRINUSE" ? `port ${port} is taken` : String(error));
  process.exit(1);
});

function stop() {
  log("info", "stopping");
  server.close(() => process.exit(0));
  if ("closeAllConnections" in server) setTimeout(() => server.closeAllConnections(), 2_000).unref();
  setTimeout(() => process.exit(0), 4_000).unref();
}

process.once("SIGTERM", stop);
process.once("SIGINT", stop);
// When the supervisor is killed, its children get another parent: the process then exits.
setInterval(() => process.ppid !== parent && process.exit(0), 1_000).unref();
