// One process for the functions "v1" and "slack" on one machine: each deployed by itself, together they cost half the memory.
// The only file of it that knows Deno.
import { env } from "../_shared/env.ts";
import { slack } from "../slack/app.ts";
import { stopWorking } from "../slack/worker.ts";
import { app } from "../v1/app.ts";
import { endRunning } from "../v1/messages/replies.ts";

const { PORT } = env();
const server = Deno.serve({ port: PORT, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/health") return new Response("ok");
  return /^\/slack(\/|$)/.test(pathname) ? slack.fetch(request) : app.fetch(request);
});
Deno.addSignalListener("SIGTERM", async () => {
  // Their readers hold connections open, which shutdown() would wait for.
  await Promise.all([stopWorking(), endRunning()]);
  await server.shutdown();
  Deno.exit(0);
});
