// Owns the real offline model server for a test, in this process and on a free port.
import { type ServerType, serve } from "@hono/node-server";
import { createApp } from "../../supabase/local/models/app.ts";

export interface OfflineModels {
  baseUrl: string;
  stop(): Promise<void>;
}

/** @param before runs before each request is answered */
export function startOfflineModels(before = async () => {}): Promise<OfflineModels> {
  return new Promise((resolve) => {
    const app = createApp({ pace: (reply) => ({ pieces: [reply], pauseMs: 0 }) });
    const fetch = async (request: Request) => {
      await before();
      return await app.fetch(request);
    };
    const server: ServerType = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
      resolve({
        baseUrl: `http://127.0.0.1:${port}/v1`,
        stop: () => new Promise((stopped) => server.close(() => stopped())),
      }),
    );
  });
}
