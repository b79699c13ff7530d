// The embedded Postgres where its process may open few files: it closes some to open others.
import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { copyTemplate } from "../support/postgres.ts";
import { PostgresProcess, reservePostgres } from "../support/postgres-process.ts";

const { offset } = await reservePostgres();

// Elsewhere Node raises the limit.
test.runIf(existsSync("/proc/self/limits"))("of 256 files, a migration creates 200 tables", async () => {
  const { folder } = await copyTemplate("bare");
  const running = new PostgresProcess(folder, offset, {}, 256);
  try {
    await running.ready();
    const sql = running.connect();
    await sql.begin(async (tx) => {
      for (let number = 0; number < 200; number++)
        await tx.unsafe(
          `create table t${number} (n int primary key, text text); insert into t${number} values (1, repeat('x', 9000))`,
        );
    });
    const made =
      await sql`select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    expect(made).toHaveLength(200);
    await running.kill("SIGTERM");
  } finally {
    running.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
