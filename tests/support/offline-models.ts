// Owns the real offline model server for a test, in this process and on a free port.
import { type ServerType, serve } from "@hono/node-server";
import { createApp } from "../../supabase/local/models/app.ts";

export interface OfflineModels {
  baseUrl: string;
  stop(): Promise<void>;
}

export function startOfflineModels(): Promise<OfflineModels> {
  return new Promise((resolve) => {
    const fetch = createApp({ pace: (reply) => ({ pieces: [reply], pauseMs: 0 }) }).fetch;
    const server: ServerType = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve({
        baseUrl: `http://127.0.0.1:${port}/v1`,
        stop: () => new Promise((stopped) => server.close(() => stopped())),
      }),
    );
  });
}
