// What is on the disk when a new installation's files are used: their bytes and their names, or a power failure would take them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** What was renamed or put on the disk, in this order. */
const done = vi.hoisted(() => [] as string[]);
vi.mock("node:fs", async (actual) => {
  const real = await actual<typeof import("node:fs")>();
  const opened = new Map<number, string>();
  return {
    ...real,
    openSync: (...values: Parameters<typeof real.openSync>) => {
      const descriptor = real.openSync(...values);
      opened.set(descriptor, String(values[0]));
      return descriptor;
    },
    fsyncSync: (descriptor: number) => void done.push(`sync ${opened.get(descriptor)}`),
    renameSync: (from: string, to: string) => {
      real.renameSync(from, to);
      done.push(`rename ${to}`);
    },
  };
});
vi.mock("node:fs/promises", async (actual) => {
  const real = await actual<typeof import("node:fs/promises")>();
  const open = async (path: string, flags?: string) => {
    const file = await real.open(path, flags);
    file.sync = async () => void done.push(`sync ${path}`);
    file.datasync = file.sync;
    return file;
  };
  return { ...real, open };
});
const { createFolder } = await import("../../supabase/local/postgres/data-folder.ts");
const { writeSecrets } = await import("../../supabase/local/secrets.ts");

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-power-"));
  done.length = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const doneInside = () => done.map((one) => one.replace(/\S+$/, (path) => relative(dir, path) || "."));

function fill(folder: string): void {
  mkdirSync(join(folder, "base"));
  writeFileSync(join(folder, "PG_VERSION"), "18\n");
  writeFileSync(join(folder, "base", "1"), "");
}

it("a new database folder: everything in it, before its name", async () => {
  await createFolder(join(dir, "postgres"), true, async (folder) => fill(folder));
  const [renamed, parent] = [doneInside().indexOf("rename postgres"), doneInside().lastIndexOf("sync .")];
  expect(doneInside().slice(0, renamed).sort()).toEqual([
    "sync postgres.new",
    "sync postgres.new/PG_VERSION",
    "sync postgres.new/base",
    "sync postgres.new/base/1",
  ]);
  expect(parent).toBe(renamed + 1);
});

it("a folder of a test, which loses nothing in a power failure: nothing", async () => {
  await createFolder(join(dir, "postgres"), false, async (folder) => fill(folder));
  expect(doneInside()).toEqual(["rename postgres"]);
});

it("new secrets: their bytes, their name, and its folder", () => {
  writeSecrets(dir, {
    jwtSecret: "j",
    anonKey: "a",
    serviceKey: "s",
    secretsKey: "k",
    cookieSecret: "c",
    postgresPassword: "p",
    authenticatorPassword: "a",
  });
  expect(doneInside()).toEqual([
    expect.stringMatching(/^sync secrets\.json\.\d+\.tmp$/),
    "rename secrets.json",
    "sync .",
  ]);
});
