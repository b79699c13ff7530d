// Entry point of the web process: validates the settings, loads the built pages, listens, and exits within 5 s of SIGTERM.
import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { startMetrics } from "../../edge-functions/_shared/operation/metrics.ts";
import { createHttpServer } from "../../edge-functions/_shared/requests/unread-requests.ts";
import { app } from "./app.ts";
import { serverEntry } from "./client-files.ts";
import { env } from "./env.ts";
import { captureConsole, log } from "./log.ts";
import { preparePages } from "./pages.ts";
import { sdkApp } from "./sdk-app.ts";
import { endTracing, startTracing } from "./tracing.ts";

captureConsole();
await Promise.all([startMetrics(env), startTracing()]);
// vike finds its pages through this file. The import is by path, so another build's entry is never picked up.
await import(/* @vite-ignore */ serverEntry.href);
await preparePages();

function listen(fetch: typeof sdkApp.fetch, port: number, message: string, fields: object): Server {
  const listener = getRequestListener(fetch, { hostname: env.HOST });
  const server = createHttpServer({}, listener);
  return server.listen(port, env.HOST, () => log("info", message, { port, ...fields }));
}
const server = listen(app.fetch, env.PORT, "listening", { build: __BUILD_ID__ });
const sdkServer = listen(sdkApp.fetch, env.SDK_PORT, "the widget's host is listening", {});

function stop(): void {
  server.close(() => sdkServer.close(() => void endTracing().then(() => process.exit(0))));
  // Open streams would keep the process alive, so it exits after 3 s anyway.
  setTimeout(() => process.exit(0), 3_000).unref();
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
