// What `npm start` builds anew after an update: a file that a build contains, and that its list of sources lacks, would stay as it was.
import { readdirSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { PAGE_SOURCES, PROCESS_SOURCES } from "../../supabase/local/set-up.mjs";

const without = (sources: string[], files: string[]) =>
  files.filter((file) => !sources.some((source) => file === source || file.startsWith(`${source}/`)));

test("the local processes are built again when any of their files changes", async () => {
  const main = ["postgres", "gateway", "mailbox", "models"].map((name) => `${name}/main.ts`);
  const entryPoints = ["supervisor.ts", "prepare.ts", "seed.ts", ...main].map(
    (name) => `supabase/local/${name}`,
  );
  const { metafile } = await build({
    entryPoints,
    outdir: "unwritten",
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const files = Object.keys(metafile.inputs);
  expect(files.length).toBeGreaterThan(100);
  expect(without(PROCESS_SOURCES, files)).toEqual([]);
});

test("the pages are built again when any of their files changes", () => {
  const named = /^(?:import|export) (?!type )[^;]*? from "[^"]*\/?(edge-functions\/[^"]+)"/gm;
  // The gallery is a program of the tests.
  const pages = readdirSync("web", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("gallery/"),
  );
  const files = pages.flatMap((file) =>
    [...readFileSync(`web/${file}`, "utf8").matchAll(named)].map(([, path = ""]) => path),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(without(PAGE_SOURCES, files)).toEqual([]);
  expect(readFileSync("edge-functions/v1/agents/launcher-icons.ts", "utf8")).not.toMatch(/^import /m);
});
