// Measures the JavaScript of every page while the browser files are built: what the page itself loads and every island
// that it can show, compressed. Prints the table, and writes it to dist/client/scripts.json for the test of the limit.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "vite";

const SCRIPT_TABLE = "scripts.json";
const RUNTIME = `client${sep}every-page${sep}hydrate.tsx`;

interface Chunk {
  type: "chunk" | "asset";
  fileName: string;
  name?: string;
  code?: string;
  imports?: string[];
  facadeModuleId?: string | null;
  moduleIds?: string[];
}

/** Bytes as sent (precompress.ts): compressed by brotli, which every browser accepts. */
const compressedSize = (code: string): number =>
  brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
    .length;

/** The islands that a source file renders, directly or through its imports. */
function islandsOf(file: string, root: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(file) || !existsSync(file)) return found;
  seen.add(file);
  // A comment may show an island as an example.
  const code = readFileSync(file, "utf8").replace(/\/\*.*?\*\//gs, "");
  for (const [, name = ""] of code.matchAll(/<Island(?:<\w+>)?\s+name="(\w+)"/g)) found.add(name);
  for (const [, path = ""] of code.matchAll(
    /^import\s+(?!type\b)[^;]*?from\s+"((?:\.|#web\/)[^"]+\.tsx)"/gms,
  )) {
    const imported = path.startsWith("#web/")
      ? join(root, path.slice("#web/".length))
      : resolve(dirname(file), path);
    for (const name of islandsOf(imported, root, seen)) found.add(name);
  }
  return found;
}

export function scriptBudget(): Plugin {
  let root = "";
  return {
    name: "parley:script-budget",
    applyToEnvironment: (environment) => environment.name === "client",
    configResolved: (config) => {
      root = config.root;
    },
    // After Vite has added the lists of files to preload.
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const chunks = bundle as unknown as Record<string, Chunk>; // rolldown's own type, narrowed to the fields read here
        const all = Object.values(chunks);
        const closure = (start: Chunk | undefined, into: Set<string>) => {
          if (!start || into.has(start.fileName)) return into;
          into.add(start.fileName);
          for (const imported of start.imports ?? []) closure(chunks[imported], into);
          return into;
        };
        const chunkOf = (end: string) => all.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end));
        const chunkWith = (end: string) =>
          all.find(({ moduleIds }) => moduleIds?.some((module) => module.endsWith(end)));
        const sizes = new Map<string, number>();
        const sizeOf = (name: string) => {
          const size = sizes.get(name) ?? compressedSize(chunks[name]?.code ?? "");
          sizes.set(name, size);
          return size;
        };
        const weight = (files: Set<string>) => [...files].reduce((sum, name) => sum + sizeOf(name), 0);

        const table: Record<string, number> = {};
        const pages = readdirSync(join(root, "pages"), { recursive: true, encoding: "utf8" })
          .filter((path) => path.endsWith("+Page.tsx"))
          .sort();
        for (const path of pages) {
          const folder = dirname(path).split(sep);
          const files = new Set<string>();
          // vike names a page's entry after its folder.
          const entry = all.find(({ fileName }) =>
            relative("assets/entries", fileName).startsWith(
              `pages_${folder.join("_").replaceAll("@", "-")}.`,
            ),
          );
          closure(entry, files);
          closure(chunkOf("+client.ts"), files);
          const islands = islandsOf(join(root, "pages", path), root);
          if (islands.size > 0) closure(chunkOf(RUNTIME), files);
          // Another island may import it, so it is not always an entry.
          for (const island of islands) closure(chunkWith(`${sep}islands${sep}${island}.tsx`), files);
          table[`/${folder.filter((part) => part !== "index").join("/")}`] = weight(files);
        }
        this.emitFile({ type: "asset", fileName: SCRIPT_TABLE, source: JSON.stringify(table) });
        const lines = Object.entries(table).map(
          ([page, bytes]) => `${(bytes / 1000).toFixed(1).padStart(7)} kB  ${page}`,
        );
        console.log(
          `\nJavaScript of each page, compressed, with every island that it can show:\n${lines.join("\n")}\n`,
        );
      },
    },
  };
}
