// An interrupted upgrade of the embedded database, and the copy that is made before it.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Migration, migrate, readStanding } from "../../supabase/local/migrate.ts";
import { startPostgres } from "../../supabase/local/postgres/server.ts";
import { SafetyCopy } from "../../supabase/local/safety-copy.ts";
import { eventually } from "../support/eventually.ts";
import { copyTemplate } from "../support/postgres.ts";
import { PostgresProcess, reservePostgres } from "../support/postgres-process.ts";

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const cp = async (...folders: Parameters<typeof real.cp>) => {
    await real.cp(...folders);
    if (disk.isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  return { ...real, cp };
});

const { offset, port } = await reservePostgres();
const first: Migration = {
  version: "20260101000000",
  name: "first",
  sql: "create table public.notes (id int primary key, text text); insert into public.notes select n, 'note ' || n from generate_series(1, 500) n;",
};
const second: Migration = {
  version: "20260102000000",
  name: "second",
  sql: "alter table public.notes add column seen boolean not null default false;",
};
/** Runs as long as the gate exists. */
const third: Migration = {
  version: "20260103000000",
  name: "third",
  sql: `
    update public.notes set seen = true;
    select pg_sleep(case when exists (select from public.gate) then 20 else 0 end);
    alter table public.notes drop column text;`,
};

let dir: string;
let processes: PostgresProcess[] = [];
beforeEach(async () => {
  ({ folder: dir } = await copyTemplate("bare"));
});
afterEach(async () => {
  for (const { child } of processes) child.kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  processes = [];
  rmSync(dir, { recursive: true, force: true });
});

function startProcess(): Promise<PostgresProcess> {
  const started = new PostgresProcess(dir, offset);
  processes.push(started);
  return started.ready();
}

test("kill -9 during a migration loses nothing, and the next start resumes", async () => {
  const killed = await startProcess();
  const sql = killed.connect();
  await migrate(sql, [first]);
  await sql`create table public.gate as select 1`;
  // As migrate() runs it, with a client that survives its server's death.
  const client = await killed.connectThatSurvives();
  await client.query("begin");
  await client.query("update public.notes set text = null");
  const lost = client.query(third.sql).then(
    () => "finished",
    () => "lost",
  );
  await killed.kill("SIGKILL");
  expect(await lost).toBe("lost");

  const again = await startProcess();
  const owner = again.connect();
  expect(await owner`select count(*)::int from public.notes where text is not null`).toEqual([
    { count: 500 },
  ]);
  await owner`delete from public.gate`;
  expect(await migrate(owner, [first, second, third])).toBe(2);
  expect(await owner`select count(*)::int from public.notes where seen`).toEqual([{ count: 500 }]);
  expect((await readStanding(owner, [first, second, third])).pending).toEqual([]);
  await again.kill("SIGTERM");
});

test("a copy made while others write has everything committed until then, and opens", async () => {
  const folder = join(dir, "postgres");
  const passwords = { postgres: "test-postgres", authenticator: "test-authenticator" };
  const live = await startProcess();
  const url = `postgres://postgres:${passwords.postgres}@127.0.0.1:${port}/postgres`;
  const owner = live.connect();
  await migrate(owner, [first]);
  let writes = 0;
  let writing = true;
  const writer = (async () => {
    const other = live.connect();
    while (writing) {
      await other`insert into public.notes values (${1000 + writes}, 'late')`;
      writes += 1;
    }
  })();
  await eventually(() => expect(writes).toBeGreaterThan(5));
  const before = writes;
  const copy = new SafetyCopy(folder);
  await copy.take(url, first.version);
  writing = false;
  await writer;
  await live.kill("SIGKILL");

  const opened = await startPostgres({ dataDir: copy.path, port: 0, passwords, durable: false });
  const sql = postgres(`postgres://postgres:${passwords.postgres}@127.0.0.1:${opened.port}/postgres`, {
    max: 1,
  });
  const [row] = await sql`
    select count(*) filter (where id <= 500)::int as old, count(*) filter (where id >= 1000)::int as late,
           max(id) - 999 as last from public.notes where id <= 500 or id >= 1000`;
  await sql.end();
  await opened.stop();
  expect(row?.old).toBe(500);
  expect(row?.late).toBe(row?.last);
  expect(row?.late).toBeGreaterThanOrEqual(before);
  expect(row?.late).toBeLessThanOrEqual(writes);
});

test("the copy of a half-finished upgrade is kept; that of one without progress is renewed", async () => {
  const folder = join(dir, "postgres");
  const live = await startProcess();
  const url = `postgres://postgres:test-postgres@127.0.0.1:${port}/postgres`;
  const owner = live.connect();
  await migrate(owner, [first]);
  const copy = new SafetyCopy(folder);
  const inode = () => statSync(copy.path).ino;
  await copy.take(url, first.version);
  const taken = inode();
  await copy.take(url, second.version);
  expect(inode()).toBe(taken);
  await copy.take(url, first.version);
  expect(inode()).not.toBe(taken);
  expect(
    readdirSync(dir)
      .filter((name) => name.startsWith("postgres-before"))
      .sort(),
  ).toEqual(["postgres-before-upgrade", "postgres-before-upgrade.version"]);
  await copy.remove();
  expect(existsSync(copy.path)).toBe(false);
  await live.kill("SIGTERM");
});

test("a disk that fills while the database is copied is named, and no half of a copy is left", async () => {
  const live = await startProcess();
  await migrate(live.connect(), [first]);
  const copy = new SafetyCopy(join(dir, "postgres"));
  disk.isFull = true;
  const taken = copy.take(`postgres://postgres:test-postgres@127.0.0.1:${port}/postgres`, "1");
  await expect(taken).rejects.toThrow(
    /^The disk that holds .* is full: free at least 200 MB and start again\.$/,
  );
  disk.isFull = false;
  expect(readdirSync(dir).filter((name) => name.startsWith("postgres-before"))).toEqual([]);
  await live.kill("SIGTERM");
});

test("a disk that fills during a migration is named, and the next start resumes", async () => {
  const live = await startProcess();
  const owner = live.connect();
  const full = {
    ...second,
    sql: `${second.sql} do $$ begin raise 'no space left' using errcode = '53100'; end $$`,
  };
  await expect(migrate(owner, [first, full])).rejects.toThrow(
    /20260102000000_second\.sql failed \(no space left\); .* Free space on the database's disk and start again: /,
  );
  expect(await migrate(owner, [first, second])).toBe(1);
  await live.kill("SIGTERM");
});
