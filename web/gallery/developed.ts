// Owns the gallery during development: each module is built on request, and again when it changes.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "vite";
import { bundling } from "./bundling.ts";

type Pages = typeof import("./gallery.tsx");

export interface Gallery {
  load(): Promise<Pages>;
  transform(path: string, html: string): Promise<string>;
  sendFile(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void;
  close(): Promise<void>;
}

const FONT = "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";

export async function createDevGallery(): Promise<Gallery> {
  const server = await createServer({
    ...bundling({
      style: "/ui/styles.css",
      font: `/@fs/${import.meta.resolve(FONT).slice("file:///".length)}`,
      script: "/+client.ts",
      imports: [],
    }),
    appType: "custom",
    cacheDir: "../node_modules/.vite/gallery",
    optimizeDeps: { entries: ["+client.ts", "client/every-page/*.tsx", "islands/*.tsx"] },
    server: { middlewareMode: true, fs: { allow: [".."] } },
  });
  return {
    load: async () => (await server.ssrLoadModule("/gallery/gallery.tsx")) as Pages,
    transform: (path, html) => server.transformIndexHtml(path, html),
    sendFile: (request, response, otherwise) => server.middlewares(request, response, otherwise),
    close: () => server.close(),
  };
}
