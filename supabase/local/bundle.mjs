// Bundles the local processes whenever their sources change (about 0.3 s). Plain Node then runs them without a
// TypeScript loader, which would cost each process 60 MB and half a second. Packages are not bundled.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** The output folder: a cache next to the packages, since every build of the pages empties dist/. */
export const outdir = join(here, "../../node_modules/.cache/parley");

/** Writes <outdir>/<name>.js for each process; skips one whose source is absent. */
export async function bundle() {
  const entries = {
    supervisor: "supervisor.ts",
    prepare: "prepare.ts",
    postgres: "postgres/main.ts",
    "engine-worker": "postgres/engine-worker.ts",
    gateway: "gateway/main.ts",
    mailbox: "mailbox/main.ts",
    models: "models/main.ts",
  };
  const entryPoints = Object.fromEntries(
    Object.entries(entries)
      .map(([name, path]) => [name, join(here, path)])
      .filter(([, path]) => existsSync(path)),
  );
  if (existsSync(join(here, "seed.ts"))) entryPoints.seed = "run-seed";
  mkdirSync(outdir, { recursive: true });
  // Below node_modules, Node treats .js as CommonJS unless a package.json says otherwise.
  writeFileSync(join(outdir, "package.json"), '{ "type": "module" }\n');
  const { outputFiles } = await build({
    entryPoints,
    outdir,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "inline",
    logLevel: "silent",
    plugins: [keepPlaces, runSeed],
    write: false,
  });
  await stop();
  // Renamed into place, since a running copy may be starting one of them again.
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
}

/**
 * A module finds the files next to it by import.meta.url, which must stay that of the source. A .js file, such as a
 * worker, is the exception: the build writes it next to the bundle.
 */
const keepPlaces = {
  name: "keep-places",
  setup(context) {
    context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = JSON.stringify(pathToFileURL(path).href);
      const contents = readFileSync(path, "utf8").replace(
        /(new URL\("\.\/[\w-]+\.js", )?import\.meta\.url/g,
        (all, built) => (built ? all : source),
      );
      return { contents, loader: "ts" };
    });
  },
};

/** seed.ts exports seed(); this program calls it. */
const runSeed = {
  name: "run-seed",
  setup(context) {
    context.onResolve({ filter: /^run-seed$/ }, ({ path }) => ({ path, namespace: "run-seed" }));
    context.onLoad({ filter: /.*/, namespace: "run-seed" }, () => ({
      contents: 'import { seed } from "./seed.ts"; await seed();',
      resolveDir: here,
    }));
  },
};
