// Writes dist/client/islands.json while the browser files are built: the chunks that each island needs, React included.
// The server reads it to preload them (modulepreload), so hydration does not load one file after another.
import { basename, sep } from "node:path";
import type { Plugin } from "vite";

const ISLANDS_MANIFEST = "islands.json";
const RUNTIME = `client${sep}every-page${sep}hydrate.tsx`;

interface Chunk {
  type: "chunk" | "asset";
  fileName: string;
  imports?: string[];
  facadeModuleId?: string | null;
  moduleIds?: string[];
}

/** Addresses of a chunk and of everything that it imports. */
function closure(bundle: Record<string, Chunk>, fileName: string, into: Set<string>): Set<string> {
  if (into.has(`/${fileName}`)) return into;
  into.add(`/${fileName}`);
  for (const imported of bundle[fileName]?.imports ?? []) closure(bundle, imported, into);
  return into;
}

export function islandsManifest(): Plugin {
  return {
    name: "parley:islands-manifest",
    applyToEnvironment: (environment) => environment.name === "client",
    generateBundle(_options, bundle) {
      const chunks = bundle as unknown as Record<string, Chunk>; // rolldown's own type, narrowed to the fields read here
      const all = Object.values(chunks);
      const runtime = all.find((chunk) => chunk.facadeModuleId?.endsWith(RUNTIME));
      const islands: Record<string, string[]> = {};
      // An island that another one imports is no entry, so its module is looked up.
      for (const { moduleIds = [], fileName } of all)
        for (const module of moduleIds) {
          if (!runtime || !module.includes(`${sep}islands${sep}`)) continue;
          const files = closure(chunks, fileName, closure(chunks, runtime.fileName, new Set()));
          islands[basename(module, ".tsx")] = [...files];
        }
      this.emitFile({ type: "asset", fileName: ISLANDS_MANIFEST, source: JSON.stringify(islands) });
    },
  };
}
