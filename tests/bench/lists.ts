// Times every list of the API over 100,000 chats and 100,000 documents of 200 teams: as a member under row-level security
// against the same statements without it, and a call with an API key against one with a session. Prints; gates nothing.
import { createHash, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import type { Sql } from "postgres";
import { asCaller } from "../sql/acting.ts";
import { type Crowd, makeCrowd } from "../sql/crowd.ts";
import { lists } from "../sql/lists.ts";
import type { Claims } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

const ROUNDS = 40;
const TARGET = 1.5;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Medians of two ways to do a thing, taken in turns so that a slow moment of the machine hits both. */
async function inTurns(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -3; round < ROUNDS; round++) {
    const [a, b] = [await timed(one), await timed(other)];
    // The first rounds only warm up.
    if (round >= 0) {
      times[0].push(a);
      times[1].push(b);
    }
  }
  return [median(times[0]), median(times[1])];
}

function report(name: string, secured: number, open: number) {
  const ratio = secured / open;
  console.log(
    `${name.padEnd(30)} ${secured.toFixed(2).padStart(9)} ${open.toFixed(2).padStart(9)} ${ratio.toFixed(2).padStart(7)}${ratio > TARGET ? "  above the target" : ""}`,
  );
}

/** The lists themselves, in one transaction each, with the same claims; only who judges differs. */
async function timeLists(login: Sql, crowd: Crowd) {
  console.log(
    `\n${"list".padEnd(30)} ${"RLS ms".padStart(9)} ${"none ms".padStart(9)}   ratio (target ${TARGET})`,
  );
  const member: Claims = { role: "authenticated", sub: crowd.owner };
  for (const [name, list] of Object.entries(lists)) {
    const secured = () => asCaller(login, member, (tx) => list(tx, crowd));
    const open = () =>
      asCaller(login, member, async (tx) => {
        await tx`select set_config('role', 'service_role', true)`;
        return await list(tx, crowd);
      });
    // The open way has one statement more: it is timed by itself and taken off.
    const [pair, extra] = [await inTurns(secured, open), await timeExtra(login, member)];
    report(name, pair[0], Math.max(0.01, pair[1] - extra));
  }
}

async function timeExtra(login: Sql, member: Claims): Promise<number> {
  const [without, withIt] = await inTurns(
    () => asCaller(login, member, async () => undefined),
    () => asCaller(login, member, (tx) => tx`select set_config('role', 'service_role', true)`),
  );
  return withIt - without;
}

/** Whole calls through the API's own application: authentication, transaction, list, answer. */
async function timeCalls(database: TestPostgres, sql: Sql, crowd: Crowd) {
  const secret = randomBytes(32).toString("base64url");
  Object.assign(process.env, {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: randomBytes(32).toString("hex"),
    JWT_SECRET: randomBytes(32).toString("hex"),
    SECRETS_KEY: randomBytes(32).toString("hex"),
    WEB_URL: "http://127.0.0.1:2",
  });
  const { app } = await import("../../edge-functions/v1/app.ts");
  const { closeDatabase } = await import("../../edge-functions/_shared/db.ts");
  const token = await new SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(crowd.owner)
    .setAudience("authenticated")
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(process.env.JWT_SECRET));
  await sql`update public.api_keys set prefix = 'benchkey', secret_hash = ${createHash("sha256").update(secret).digest()}
             where id = ${crowd.apiKey}`;
  const call = (path: string, bearer: string) => async () => {
    const answer = await app.request(path, { headers: { Authorization: `Bearer ${bearer}` } });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    await answer.text();
  };
  console.log(`\n${"call".padEnd(30)} ${"key ms".padStart(9)} ${"user ms".padStart(9)}   ratio`);
  for (const path of ["agents", "chats", "knowledges", `sources/${crowd.source}/documents`, "tasks"]) {
    const whole = `/v1/teams/${crowd.team}/${path}`;
    report(
      path.replace(crowd.source, "…"),
      ...(await inTurns(call(whole, `prl_benchkey_${secret}`), call(whole, token))),
    );
  }
  await closeDatabase();
}

// The crowd is made in statements that are longer than a client's may be.
const database = await startTestPostgres({ limits: { statementMs: 600_000, turnMs: 600_000 } });
try {
  const sql = database.connect("postgres", { max: 1 });
  const began = performance.now();
  const crowd = await makeCrowd(sql, { teams: 200, membersPerTeam: 8, rowsPerTeam: 500 });
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `100,000 chats, messages and documents over 200 teams, made in ${seconds.toFixed(0)} s; medians of ${ROUNDS}`,
  );
  await timeLists(database.connect("authenticator", { max: 1, prepare: false }), crowd);
  await timeCalls(database, sql, crowd);
} finally {
  await database.stop();
}
