// The edge function "v1": serves the application. The only file of it that knows Deno.
import { env } from "../_shared/env.ts";
import { app } from "./app.ts";
import { endRunning } from "./messages/replies.ts";

const { PORT } = env();
const server = Deno.serve(PORT ? { port: PORT, hostname: "127.0.0.1", onListen: () => {} } : {}, (request) =>
  new URL(request.url).pathname === "/health" ? new Response("ok") : app.fetch(request),
);
Deno.addSignalListener("SIGTERM", async () => {
  // Their readers hold connections open, which shutdown() would wait for.
  await endRunning();
  await server.shutdown();
  Deno.exit(0);
});
