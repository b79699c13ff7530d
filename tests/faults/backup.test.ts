// Backups of an installation of release 1.0.0: contents, refusals and restores.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Sealing } from "../../edge-functions/_shared/secrets/sealing.ts";
import { verifyArchive } from "../../supabase/local/backup/archive.ts";
import { backUp } from "../../supabase/local/backup/backup.ts";
import { restore } from "../../supabase/local/backup/restore.ts";
import { noteUnfinished } from "../../supabase/local/backup/unfinished.ts";
import { checkBackups } from "../../supabase/local/doctor/machine.ts";
import { readMigrations, readStanding } from "../../supabase/local/migrate.ts";
import { defaultLimits } from "../../supabase/local/postgres/limits.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import { makeReleaseFolder, readEverything, withFolder } from "../support/releases.ts";

const disk = vi.hoisted(() => ({ isFull: false, isReadOnly: false, copies: 0 }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const statfs = async (path: string) => ({
    ...(await real.statfs(path)),
    ...(disk.isFull && { bavail: 0 }),
  });
  const open = async (...file: Parameters<typeof real.open>) => {
    if (disk.isReadOnly) throw Object.assign(new Error("read-only"), { code: "EROFS" });
    return await real.open(...file);
  };
  const cp = (...folders: Parameters<typeof real.cp>) => {
    disk.copies += 1;
    return real.cp(...folders);
  };
  return { ...real, cp, open, statfs };
});

const dir = mkdtempSync(join(tmpdir(), "parley-backup-"));
const place = (name: string) => join(dir, name);
const settingsOf = (dataDir: string, env: NodeJS.ProcessEnv = {}) =>
  readSettings({ PARLEY_DATA_DIR: dataDir, ...env });
const run = promisify(execFile);

beforeAll(async () => {
  await makeReleaseFolder("1.0.0", place("old"));
  await backUp(settingsOf(place("old")), { SECRETS_KEY: "k".repeat(44) }, place("old.backup"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("a backup is readable by its owner only, and contains the current key", async () => {
  expect(statSync(place("old.backup")).mode & 0o777).toBe(0o600);
  const text = gunzipSync(readFileSync(place("old.backup"))).toString("latin1");
  expect(text).toContain(`"secretsKey": "${"k".repeat(44)}"`);
  expect(readdirSync(place("old")).sort()).toEqual(["postgres", "secrets.json", "storage"]);
});

// macOS has no such device.
test.runIf(existsSync("/dev/full"))(
  "a full disk under the backup is named, and what killed backups left is deleted, and nothing else",
  async () => {
    symlinkSync("/dev/full", place("full.backup.unfinished"));
    // A person's own folder.
    const own = "backup-20261128";
    for (const name of [`backup-${randomUUID()}`, own]) mkdirSync(join(place("old"), name));
    await expect(backUp(settingsOf(place("old")), {}, place("full.backup"))).rejects.toThrow(
      /^The disk that holds .*full\.backup is full: free space there, .*\.$/,
    );
    expect(readdirSync(place("old")).sort()).toEqual([own, "postgres", "secrets.json", "storage"]);
    rmSync(join(place("old"), own), { recursive: true });
    expect(existsSync(place("full.backup"))).toBe(false);
  },
);

test("what a killed backup of another name left is named by the doctor, and deleted by the next backup", async () => {
  const [left, other] = [place("killed.backup"), place("next.backup")];
  writeFileSync(`${left}.unfinished`, "secrets");
  noteUnfinished(place("old"), left);
  expect([...checkBackups(place("old"))]).toMatchObject([
    { level: "notice", says: expect.stringContaining(`${left}.unfinished`) },
  ]);
  await backUp(settingsOf(place("old")), {}, other);
  expect(existsSync(`${left}.unfinished`)).toBe(false);
  expect(existsSync(other)).toBe(true);
  expect([...checkBackups(place("old"))]).toEqual([]);
});

test("of two backups at once one is made, and the other is refused", async () => {
  const both = ["same.backup", "same.backup"].map((name) =>
    backUp(settingsOf(place("old")), {}, place(name)),
  );
  const ends = await Promise.allSettled(both);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = ends.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason.message).toMatch(/^Another backup of .* is running: wait .*\.$/);
  await verifyArchive(place("same.backup"), () => undefined);
});

test("a folder that cannot be written is named before the database is copied", async () => {
  // Not by its rights, which do not hold for root.
  Object.assign(disk, { isReadOnly: true, copies: 0 });
  const made = backUp(settingsOf(place("old")), {}, place("refused.backup"));
  await expect(made).rejects.toThrow(/refused\.backup cannot be written: give this user .*\.$/);
  disk.isReadOnly = false;
  expect(disk.copies).toBe(0);
});

test("a disk without room for the copy is named before it is filled", async () => {
  disk.isFull = true;
  const made = backUp(settingsOf(place("old")), {}, place("no-room.backup"));
  await expect(made).rejects.toThrow(/^The backup needs a copy of the database .*: free \d{3,} MB .*\.$/);
  disk.isFull = false;
  expect(readdirSync(place("old")).sort()).toEqual(["postgres", "secrets.json", "storage"]);
});

test("secrets that no key in the backup opens are named", async () => {
  const key = "k".repeat(44);
  const sealed = new Sealing([key]).seal("tokens", "slack:T2");
  await withFolder(
    place("old"),
    (_url, sql) => sql`
      insert into private.slack_installations (workspace_id, bot_user_id, tokens) values ('T2', 'U2', ${sealed})`,
  );
  const name = "private.slack_installations T2";
  const settings = settingsOf(place("old"));
  expect((await backUp(settings, {}, place("without-key.backup"))).unreadable).toContain(name);
  const { unreadable } = await backUp(settings, { SECRETS_KEY: key }, place("with-key.backup"));
  expect(unreadable).not.toContain(name);
});

test("an occupied target is refused, and moved aside with --force", async () => {
  cpSync(place("old"), place("first"), { recursive: true });
  const settings = settingsOf(place("first"));
  const secrets = join(place("first"), "secrets.json");
  const before = readFileSync(secrets, "utf8");
  expect(before).not.toContain("k".repeat(44));
  await expect(restore(settings, place("old.backup"))).rejects.toThrow(
    /holds an installation \(secrets\.json, storage, postgres\): .*\.$/,
  );
  expect(readFileSync(secrets, "utf8")).toBe(before);
  // The guide's command (docs/operate.md).
  const env = { ...process.env, PARLEY_DATA_DIR: place("first"), DATABASE_URL: "", NODE_ENV: "" };
  const command = ["run", "restore", "--", place("old.backup"), "--force"];
  const { stdout, stderr } = await run("npm", command, { env });
  expect(stderr).toBe("");
  const [, replaced = ""] = /^What was there before is in (.*)\.$/m.exec(stdout) ?? [];
  expect(readFileSync(secrets, "utf8")).toContain("k".repeat(44));
  expect(readFileSync(join(replaced, "secrets.json"), "utf8")).toBe(before);
  expect(existsSync(join(replaced, "postgres", "PG_VERSION"))).toBe(true);
});

test("a backup of an older release is restored and upgraded, and its new backup has the same content", async () => {
  // Restored by the test above.
  const first = await withFolder(place("first"), async (_url, sql) => {
    const ours = await readMigrations("supabase/migrations");
    expect((await readStanding(sql, ours)).pending).toEqual([]);
    return readEverything(sql);
  });
  const old = await withFolder(place("old"), (_url, sql) => readEverything(sql));
  for (const table of [
    "public.files",
    "public.messages",
    "public.chunk_embeddings",
    "auth.users",
    "private.staged_chunks",
  ])
    expect(Object.keys(first[table] ?? {}).sort(), table).toEqual(Object.keys(old[table] ?? {}).sort());

  await backUp(settingsOf(place("first")), {}, place("backups/first.backup"));
  await restore(settingsOf(place("second")), place("backups/first.backup"));
  expect(await withFolder(place("second"), (_url, sql) => readEverything(sql))).toEqual(first);
  const storedFiles = (of: string) =>
    readdirSync(join(place(of), "storage"), { recursive: true })
      .filter((name) => /[0-9a-f]{64}$/.test(String(name)))
      .sort();
  expect(storedFiles("second")).toEqual(storedFiles("old"));
  expect(readFileSync(join(place("second"), "secrets.json"), "utf8")).toContain("k".repeat(44));
});

test("large rows go to pieces of their own, however long the pauses in between are", async () => {
  const usual = defaultLimits.idleInTransactionMs;
  await withFolder(place("second"), async (_url, sql) => {
    await sql`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      select s.team_id, s.id, n::text, 'note', 'A long note', repeat('a long line' || chr(10), 400000)
        from (select team_id, id from public.sources limit 1) s, generate_series(1, 4) n`;
  });
  defaultLimits.idleInTransactionMs = 1;
  try {
    await backUp(settingsOf(place("second")), {}, place("large.backup"));
  } finally {
    defaultLimits.idleInTransactionMs = usual;
  }
  const { tables } = await verifyArchive(place("large.backup"), () => undefined);
  expect(tables.find(({ name }) => name === "documents")?.pieces).toBeGreaterThanOrEqual(4);
});

test.each(["cut short", "changed", "not one", "newer"])(
  "a file that is %s is refused, and nothing is written",
  async (how) => {
    const whole = gunzipSync(readFileSync(place("old.backup")));
    const damaged = {
      "cut short": () => gzipSync(whole.subarray(0, whole.length - 20_000)),
      changed: () =>
        gzipSync(
          Buffer.from(whole.toString("latin1").replace("Assistante", "Assistentin"), "latin1").subarray(
            0,
            whole.length,
          ),
        ),
      "not one": () => Buffer.from("hello"),
      newer: () =>
        gzipSync(
          Buffer.from(whole.toString("latin1").replaceAll("20261121000000", "20991121000000"), "latin1"),
        ),
    }[how];
    writeFileSync(place("damaged.backup"), damaged?.() ?? "");
    const target = place(`refused-${how}`);
    await expect(restore(settingsOf(target), place("damaged.backup"))).rejects.toThrow(
      how === "newer"
        ? /made by a newer Parley|not as it was written/
        : /is not a whole backup of Parley \(.*\)/,
    );
    expect(readdirSync(target)).toEqual([]);
  },
);

test("what can be neither backed up nor restored is refused in one sentence, by the commands too", async () => {
  const nothing = settingsOf(place("nothing"));
  await expect(backUp(nothing, {}, place("x.backup"))).rejects.toThrow(/^There is no installation in .*\.$/);
  const taken = backUp(nothing, {}, place("old.backup"));
  await expect(taken).rejects.toThrow(/^.* already exists: name another file\.$/);
  await expect(restore(nothing, place("old"))).rejects.toThrow(/^There is no file .*\.$/);
  const main = "supabase/local/backup/main.ts";
  const fails = async (...args: string[]) => {
    const env = { ...process.env, PARLEY_DATA_DIR: place("nothing"), DATABASE_URL: "" };
    const { stderr } = await run(process.execPath, ["--import", "tsx", main, ...args], { env }).then(
      () => ({ stderr: "it did not fail" }),
      (error: { stderr: string }) => error,
    );
    return stderr.trim();
  };
  expect(await fails("backup")).toMatch(/^Name one file: npm run backup -- FILE, or .*\.$/);
  expect(await fails("restore", place("none.backup"))).toMatch(/^There is no file .*\.$/);
});
