// Times every list of the API over 100,000 chats and 100,000 documents of 200 teams: as a member under row-level security against the same
// statements without it, and a call with an API key against one with a session. Prints; gates nothing.
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

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Medians of two variants, alternating which comes first: a slow moment of the machine affects both. */
async function inTurns(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -3; round < ROUNDS; round++) {
    const ways = [
      { work: one, took: times[0] },
      { work: other, took: times[1] },
    ];
    for (const { work, took } of round % 2 === 0 ? ways : ways.toReversed()) {
      const ms = await time(work);
      // The first rounds are warm-up.
      if (round >= 0) took.push(ms);
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

/** Both the lists and the calls read the functions' settings. */
function setEnvironment(database: TestPostgres) {
  Object.assign(process.env, {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: randomBytes(32).toString("hex"),
    JWT_SECRET: randomBytes(32).toString("hex"),
    SECRETS_KEY: randomBytes(32).toString("hex"),
    WEB_URL: "http://127.0.0.1:2",
  });
}

/** The lists themselves, each in a transaction for the same person; only the role differs, and with it row-level security. */
async function timeLists(login: Sql, crowd: Crowd) {
  console.log(
    `\n${"list".padEnd(30)} ${"RLS ms".padStart(9)} ${"none ms".padStart(9)}   ratio (target ${TARGET})`,
  );
  const member: Claims = { role: "authenticated", sub: crowd.owner };
  const platform: Claims = { ...member, role: "service_role" };
  for (const [name, list] of Object.entries(lists)) {
    const as = (claims: Claims) => () => asCaller(login, claims, (tx) => list(tx, crowd));
    report(name, ...(await inTurns(as(member), as(platform))));
  }
}

/** Whole calls through the API's own application: authentication, transaction, list, answer. */
async function timeCalls(sql: Sql, crowd: Crowd) {
  const secret = randomBytes(32).toString("base64url");
  const { app } = await import("../../edge-functions/v1/app.ts");
  const { closeDatabase } = await import("../../edge-functions/_shared/database/db.ts");
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

// The crowd's statements take longer than a client's may.
const database = await startTestPostgres({ limits: { statementMs: 600_000, turnMs: 600_000 } });
try {
  setEnvironment(database);
  const sql = database.connect("postgres", { max: 1 });
  const began = performance.now();
  const crowd = await makeCrowd(sql, { teams: 200, membersPerTeam: 8, rowsPerTeam: 500 });
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `100,000 chats, messages and documents over 200 teams, made in ${seconds.toFixed(0)} s; medians of ${ROUNDS}`,
  );
  await timeLists(database.connect("authenticator", { max: 1, prepare: false }), crowd);
  await timeCalls(sql, crowd);
} finally {
  await database.stop();
}
