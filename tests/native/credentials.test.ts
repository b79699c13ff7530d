// A source's address that changes while its credentials are stored: they are never stored for the other address, to which a sync would send
// them.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closeDatabase } from "../../edge-functions/_shared/database/db.ts";
import { stubSettings } from "../support/function-settings.ts";
import { jwtSecret, signToken } from "../support/gateway.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";
import { makeSmallTeams, type SmallTeam } from "./teams.ts";

const site = "https://192.0.2.10";
const elsewhere = "https://192.0.2.11";
const login = { email: "a@example.com", apiToken: "abc" };

let database: TestPostgres;
let sql: Sql;
let functions: Upstream;
let app: typeof import("../../edge-functions/v1/app.ts")["app"];
let team: SmallTeam;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 4 });
  functions = await startUpstream();
  stubSettings({
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: functions.url,
    JWT_SECRET: jwtSecret,
  });
  ({ app } = await import("../../edge-functions/v1/app.ts"));
  [team] = (await makeSmallTeams(sql, 1)) as [SmallTeam];
});
afterAll(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
  await functions?.close();
  await database?.stop();
});

async function call(method: string, path: string, body: object) {
  const token = await signToken({ role: "authenticated", aud: "authenticated", sub: team.owners[0] });
  const answer = await app.request(`/v1/teams/${team.id}/sources${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const newSource = (name: string) =>
  call("POST", "", { type: "jira", name, config: { site }, credentials: login });

/** What a teammate does past /v1. */
const moveAway = (tx: TransactionSql, name: string) =>
  tx`update public.sources set config = config || ${tx.json({ site: elsewhere })} where name = ${name} returning id`;

const readSource = (name: string) => sql`
  select s.config ->> 'site' as site, c.source_id is not null as has_credentials
    from public.sources s left join private.source_credentials c on c.source_id = s.id where s.name = ${name}`;

/** Resolves once another connection waits for a lock of this transaction. */
async function somebodyWaits(tx: TransactionSql): Promise<void> {
  for (;;) {
    const [row] = await tx`
      select exists (select from pg_stat_activity a where pg_backend_pid() = any (pg_blocking_pids(a.pid))) as waits`;
    if (row?.waits) return;
  }
}

test("credentials that are changed in part are not stored for another address", async () => {
  const { body } = await newSource("Changed");
  let answer: ReturnType<typeof call> | undefined;
  await sql.begin(async (tx) => {
    await tx`select from public.sources where id = ${body.id} for update`;
    answer = call("PUT", `/${body.id}`, { credentials: { email: "b@example.com" } });
    await somebodyWaits(tx);
    await moveAway(tx, "Changed");
  });
  expect((await answer)?.status).toBe(409);
  expect(await readSource("Changed")).toEqual([{ site: elsewhere, has_credentials: false }]);
});

test("credentials of a new source are stored with it", async () => {
  let answer: ReturnType<typeof call> | undefined;
  const moved = await sql.begin(async (tx) => {
    await tx`lock table private.source_credentials in share mode`;
    answer = newSource("Created");
    await somebodyWaits(tx);
    return await moveAway(tx, "Created");
  });
  // Nobody can change a source between its row and its credentials.
  expect(moved).toHaveLength(0);
  expect((await answer)?.status).toBe(201);
  expect(await readSource("Created")).toEqual([{ site, has_credentials: true }]);
  await sql.begin((tx) => moveAway(tx, "Created"));
  expect(await readSource("Created")).toEqual([{ site: elsewhere, has_credentials: false }]);
});
