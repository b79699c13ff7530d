// kill -9 of the embedded Postgres at any moment: committed rows survive the next start, others do not, and no repair is needed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { copyTemplate } from "../support/postgres.ts";
import { PostgresProcess, reservePostgres } from "../support/postgres-process.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-kill-"));
const folders = [folder];
const { offset } = await reservePostgres();
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("kill -9", () => {
  it("during the first start leaves a folder that the next start can use", async () => {
    for (const after of [400, 1500, 3000]) {
      const running = new PostgresProcess(join(folder, "first"), offset);
      await sleep(after);
      await running.kill("SIGKILL");
    }
    const running = await new PostgresProcess(join(folder, "first"), offset).ready();
    expect(await running.connect()`select 1 as one`).toEqual([{ one: 1 }]);
    expect((await running.kill("SIGTERM")).code).toBe(0);
  });

  it("loses no committed row and keeps no other, at any moment", async () => {
    const { folder: dataDir } = await copyTemplate("bare");
    folders.push(dataDir);
    let running = await new PostgresProcess(dataDir, offset).ready();
    await running.connect()`
      create table entries (id serial primary key, writer int, n int, filler text, unique (writer, n))`;
    /** Confirmed commits; a commit without an answer may be there or not. */
    const confirmed: [number, number][] = [];
    const attempted = new Set<string>();
    const rolledBack: [number, number][] = [];
    let n = 0;
    for (const after of [50, 180, 420, 700, 1100]) {
      const clients = await Promise.all([0, 1, 2, 3].map(() => running.connectThatSurvives()));
      const writers = clients.map(async (client, writer) => {
        try {
          for (;;) {
            n += 1;
            const mine = n;
            const keep = mine % 3 !== 0;
            if (keep) attempted.add(`${writer}/${mine}`);
            else rolledBack.push([writer, mine]);
            const filler = "x".repeat((mine % 7) * 1500);
            await client.query("begin");
            await client.query("insert into entries (writer, n, filler) values ($1, $2, $3)", [
              writer,
              mine,
              filler,
            ]);
            await client.query("update entries set filler = filler || 'y' where writer = $1 and n < $2", [
              writer,
              mine - 40,
            ]);
            await client.query(keep ? "commit" : "rollback");
            if (keep) confirmed.push([writer, mine]);
          }
        } catch {
          // The kill.
        }
      });
      if (after % 100 === 0) await running.connect()`checkpoint`;
      await sleep(after);
      await running.kill("SIGKILL");
      await Promise.all(writers);
      running = await new PostgresProcess(dataDir, offset).ready();
      const rows = await running.connect()<{ writer: number; n: number }[]>`select writer, n from entries`;
      const there = new Set(rows.map((row) => `${row.writer}/${row.n}`));
      expect(confirmed.filter(([writer, one]) => !there.has(`${writer}/${one}`))).toEqual([]);
      expect(rolledBack.filter(([writer, one]) => there.has(`${writer}/${one}`))).toEqual([]);
      expect([...there].filter((key) => !attempted.has(key))).toEqual([]);
      const sql = running.connect();
      // The index and the table agree.
      const [counts] = await sql`
        select (select count(*)::int from entries) as scanned,
               (select count(*)::int from (select writer, n from entries order by writer, n) as by_index) as indexed`;
      expect(counts?.scanned).toBe(rows.length);
      expect(counts?.indexed).toBe(rows.length);
    }
    expect(confirmed.length).toBeGreaterThan(20);
    expect((await running.kill("SIGTERM")).code).toBe(0);
  });
});
