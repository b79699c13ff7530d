// A project that is moved, or copied beside the first, with what it has built.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { formerDataDir, PROCESS_SOURCES } from "../../supabase/local/set-up.mjs";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-moved-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the local processes are built from, with packages of its own, in which the builds are put. */
function copyProject(to: string): void {
  for (const path of [...PROCESS_SOURCES, "package.json", "package-lock.json"])
    cpSync(path, join(to, path), { recursive: true });
  mkdirSync(join(to, "node_modules"));
  for (const name of readdirSync("node_modules").filter((one) => !one.startsWith(".")))
    symlinkSync(resolve("node_modules", name), join(to, "node_modules", name));
}

function buildSupervisor(project: string): string {
  const setUp = pathToFileURL(join(project, "supabase/local/set-up.mjs")).href;
  // Without the pages, which take long to build.
  const program = `await (await import(${JSON.stringify(setUp)})).build({ PARLEY_ONLY: "postgres" })`;
  const told = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  expect(told.stderr).toBe("");
  return readFileSync(join(project, "node_modules/.cache/parley/supervisor.js"), "utf8");
}

test("its processes use the data of the folder that it is in now", () => {
  const [first, second] = [join(folder, "first"), join(folder, "second one")];
  copyProject(first);
  expect(buildSupervisor(first)).toContain(pathToFileURL(`${first}/`).href);
  renameSync(first, second);
  const cache = join(second, "node_modules/.cache/parley");
  const data = join(first, ".parley");
  expect(formerDataDir(cache, {})).toBeUndefined();
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "secrets.json"), "{}");
  expect(formerDataDir(cache, {})).toBe(data);
  expect(formerDataDir(cache, { PARLEY_DATA_DIR: "/srv/parley" })).toBeUndefined();
  const built = buildSupervisor(second);
  expect(built).toContain(pathToFileURL(`${second}/`).href);
  expect(built).not.toContain(pathToFileURL(`${first}/`).href);
});
