// Entry point of the web process: validates the settings, loads the built pages, listens, and exits within 5 s of SIGTERM.
import { serve } from "@hono/node-server";
import { startMetrics } from "../../edge-functions/_shared/operation/metrics.ts";
import { answerUnread } from "../../edge-functions/_shared/requests/unread-requests.ts";
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

const server = serve({ fetch: app.fetch, port: env.PORT, hostname: env.HOST }, ({ port }) =>
  log("info", "listening", { port, build: __BUILD_ID__ }),
);
const sdkServer = serve({ fetch: sdkApp.fetch, port: env.SDK_PORT, hostname: env.HOST }, ({ port }) =>
  log("info", "the widget's host is listening", { port }),
);
answerUnread(server);
answerUnread(sdkServer);

function stop(): void {
  server.close(() => sdkServer.close(() => void endTracing().then(() => process.exit(0))));
  // Open streams would keep the process alive, so it exits after 3 s anyway.
  setTimeout(() => process.exit(0), 3_000).unref();
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
