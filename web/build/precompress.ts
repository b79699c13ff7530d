// Owns the compressed copies of the built browser files: FILE.br and FILE.gz next to each. Does not decide who receives which.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { compressForCache } from "../../edge-functions/_shared/requests/compression.ts";

/** Fonts and images are already compressed. */
const COMPRESSIBLE = /\.(css|m?js|json|map|svg|txt|webmanifest)$/;
const FOLDERS = ["client", "sdk"].map((name) =>
  fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)),
);

export function precompress(): Plugin {
  return {
    name: "parley:precompress",
    // Runs after the server's build, which still adds browser files.
    buildApp: {
      order: "post",
      async handler() {
        const paths = FOLDERS.flatMap((folder) =>
          readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
        );
        await Promise.all(paths.filter((path) => COMPRESSIBLE.test(path)).map(writeCopies));
      },
    },
  };
}

async function writeCopies(path: string): Promise<void> {
  const { br, gzip } = await compressForCache(readFileSync(path), ["br", "gzip"]);
  if (br) writeFileSync(`${path}.br`, br);
  if (gzip) writeFileSync(`${path}.gz`, gzip);
}
