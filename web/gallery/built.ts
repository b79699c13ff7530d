// Owns the gallery for tests: bundled once into a temporary folder, so that hundreds of views load quickly and none changes.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { bundling, type GalleryFiles, webFolder } from "./bundling.ts";
import type { Gallery } from "./developed.ts";

const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

type Manifest = Record<string, { file: string; imports?: string[]; assets?: string[] }>;

async function buildBrowserFiles(folder: string): Promise<GalleryFiles> {
  const none = { style: "", font: "", script: "", imports: [] };
  await build({
    ...bundling(none),
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      manifest: "manifest.json",
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ["/+client.ts", "/ui/styles.css"] },
    },
  });
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;
  const [entry, styles] = [manifest["+client.ts"], manifest["ui/styles.css"]];
  const font = styles?.assets?.find((file) => file.includes("geist-latin-wght"));
  if (!entry || !styles || !font)
    throw new Error("The gallery's build lacks its script, its styles or its font");
  return { style: `/${styles.file}`, font: `/${font}`, script: `/${entry.file}`, imports: [] };
}

export async function createBuiltGallery(): Promise<Gallery> {
  // Next to the packages, which the server bundle imports.
  const folder = mkdtempSync(
    join(fileURLToPath(new URL("../node_modules/", pathToFileURL(webFolder))), ".gallery-"),
  );
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const files = await buildBrowserFiles(join(folder, "client"));
  await build({
    ...bundling(files),
    build: { outDir: join(folder, "server"), emptyOutDir: false, minify: false, ssr: "/gallery/gallery.tsx" },
  });
  const pages = await import(pathToFileURL(join(folder, "server/gallery.js")).href);
  return {
    load: async () => pages,
    transform: async (_path, html) => html,
    sendFile: (request, response, otherwise) => {
      const { pathname } = new URL(request.url ?? "/", "http://gallery.invalid");
      const path = join(folder, "client", normalize(pathname));
      if (!existsSync(path) || !statSync(path).isFile()) return otherwise();
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      response.end(readFileSync(path));
    },
    close: async () => remove(),
  };
}
