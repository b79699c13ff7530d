// The embedded Postgres is killed while a start migrates the database: the start says so. tests/faults/upgrade-interrupted.test.ts has the next one.
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withLogin } from "../../supabase/local/database-login.ts";
import { eventually } from "../support/eventually.ts";
import { launch, makePlace, type Place, type RunningStack, stop } from "../support/local-stack.ts";
import { copyTemplate } from "../support/postgres.ts";
import { childrenOf } from "../support/processes.ts";

const only = "postgres";
let place: Place;
beforeAll(async () => {
  place = await makePlace();
  const { folder, dataDir } = await copyTemplate("bare");
  cpSync(dataDir, join(place.dataDir, "postgres"), { recursive: true });
  rmSync(folder, { recursive: true });
});
afterAll(() => place.remove());

function countMigrations(): Promise<number> {
  const { postgresPassword } = JSON.parse(readFileSync(join(place.dataDir, "secrets.json"), "utf8"));
  const url = `postgres://postgres:${postgresPassword}@127.0.0.1:${place.port("postgres")}/postgres`;
  return withLogin(url, async (sql) => {
    const rows = await sql`select version from supabase_migrations.schema_migrations`;
    return rows.length;
  });
}

/** Kills the database amid its migrations. @returns the start's exit code, or "ready" when it went on after all */
async function killDatabase(stack: RunningStack): Promise<number | null | "ready"> {
  await eventually(() => expect(stack.output()).toMatch(/Database … ready/));
  await eventually(async () => expect(await countMigrations()).toBeGreaterThan(0));
  const database = childrenOf(stack.pid).get("parley/postgres.js");
  if (!database) throw new Error("The database's process was not found.");
  process.kill(database, "SIGKILL");
  const ready = eventually(() => expect(stack.output()).toMatch(/^ready http/m)).then(() => "ready" as const);
  return await Promise.race([stack.ended, ready]);
}

it("a start says that the database ended while it was being prepared", async () => {
  let killed = launch(place, { only });
  // Between two migrations the driver connects anew, and the start goes on.
  for (let outcome = await killDatabase(killed); outcome !== 1; outcome = await killDatabase(killed)) {
    expect(outcome).toBe("ready");
    await stop(killed);
    rmSync(place.dataDir, { recursive: true });
    killed = launch(place, { only });
  }
  expect(killed.errors()).toMatch(/^The database ended while it was being prepared: start Parley again, /m);
});
