// An installation moves from the embedded database to a native one and back without loss.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backUp } from "../../supabase/local/backup/backup.ts";
import { restore } from "../../supabase/local/backup/restore.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import { inDatabase } from "../support/own-postgres.ts";
import { copyReleaseFiles, loadRelease, readEverything, withFolder } from "../support/releases.ts";

const server = process.env.TEST_DATABASE_URL ?? "";
const dir = mkdtempSync(join(tmpdir(), "parley-move-"));
const place = (name: string) => join(dir, name);
const databases = ["parley_move_old", "parley_move_new", "parley_move_busy"].map(
  (name) => `${name}_${process.pid}`,
);
const [oldUrl = "", newUrl = "", busyUrl = ""] = databases.map((name) => inDatabase(server, name));
const settingsOf = (dataDir: string, url = "") =>
  readSettings({ PARLEY_DATA_DIR: dataDir, DATABASE_URL: url });

beforeAll(async () => {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  for (const name of databases) await sql.unsafe(`create database ${name}`);
  await sql.end();
  await loadRelease(oldUrl, "1.0.0");
  copyReleaseFiles("1.0.0", place("old"));
});
afterAll(async () => {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  for (const name of databases) await sql.unsafe(`drop database if exists ${name} with (force)`);
  await sql.end();
  rmSync(dir, { recursive: true, force: true });
});

async function everythingOf(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await readEverything(sql);
  } finally {
    await sql.end();
  }
}

test("native, to embedded, to native", async () => {
  await backUp(settingsOf(place("old"), oldUrl), {}, place("native.backup"));
  await restore(settingsOf(place("embedded")), place("native.backup"));
  const embedded = await withFolder(place("embedded"), (_url, sql) => readEverything(sql));
  expect(Object.keys(embedded["public.files"] ?? {}).length).toBeGreaterThan(15);

  await backUp(settingsOf(place("embedded")), {}, place("embedded.backup"));
  await restore(settingsOf(place("new"), newUrl), place("embedded.backup"));
  expect(await everythingOf(newUrl)).toEqual(embedded);
});

test("a restore into an occupied database is refused, and a backup of one in use is of one moment", async () => {
  await expect(restore(settingsOf(place("other"), newUrl), place("native.backup"))).rejects.toThrow(
    /^The database of DATABASE_URL holds an installation already: .*\.$/,
  );
  const sql = postgres(newUrl, { max: 1, onnotice: () => {} });
  let writing = true;
  let committed = 0;
  const writer = (async () => {
    for (; writing; committed += 1)
      await sql.begin(async (tx) => {
        const [team] =
          await tx`insert into public.teams (name, codename) values ('t', 't-' || gen_random_uuid()) returning id`;
        await tx`insert into public.support_tickets (email, subject, message) values ('a@b.c', ${String(team?.id)}, 'x')`;
      });
  })();
  await backUp(settingsOf(place("new"), newUrl), {}, place("busy.backup"));
  writing = false;
  await writer;
  await sql.end();
  await restore(settingsOf(place("busy"), busyUrl), place("busy.backup"));
  const busy = await everythingOf(busyUrl);
  const teams = Object.values(busy["public.teams"] ?? {}).filter((row) => Object(row).name === "t");
  const tickets = Object.values(busy["public.support_tickets"] ?? {}).filter(
    (row) => Object(row).message === "x",
  );
  // Each team was committed with its ticket: a backup of two moments would have one without the other.
  expect(tickets.map((row) => Object(row).subject).sort()).toEqual(teams.map((row) => Object(row).id).sort());
  expect(committed).toBeGreaterThan(teams.length);
});
