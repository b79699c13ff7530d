// The edge function "slack": serves Slack's doors. The only file of it that knows Deno.
import { env } from "../_shared/env.ts";
import { endRunning } from "../v1/messages/replies.ts";
import { slack } from "./app.ts";
import { stopWorking } from "./worker.ts";

const { PORT } = env();
const server = Deno.serve(PORT ? { port: PORT, hostname: "127.0.0.1", onListen: () => {} } : {}, (request) =>
  new URL(request.url).pathname === "/health" ? new Response("ok") : slack.fetch(request),
);
Deno.addSignalListener("SIGTERM", async () => {
  await Promise.all([stopWorking(), endRunning()]);
  await server.shutdown();
  Deno.exit(0);
});
