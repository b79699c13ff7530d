// A team's first files, with the API's handlers, the indexing tick and the built-in models in this process: one knowledge base and one
// agent for any number of uploads, and questions that the agent answers from them.
import { createHash, randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Onboarding } from "../../edge-functions/v1/onboardings/schema.ts";
import { type OfflineModels, startOfflineModels } from "../support/offline-models.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let database: TestPostgres;
let models: OfflineModels;
let upstream: Upstream;
let sql: Sql;
let app: typeof import("../../edge-functions/v1/app.ts").app;
let newTicker: () => import("../../edge-functions/indexing/tick.ts").Ticker;
let closeDatabase: () => Promise<void>;
const stored = new Map<string, string>();
/** Happens before the next request to the models. */
let meanwhile = async () => {};
const owner = randomUUID();
const secret = "s".repeat(43);

beforeAll(async () => {
  [database, models, upstream] = await Promise.all([
    startTestPostgres(),
    startOfflineModels(() => meanwhile()),
    startUpstream(),
  ]);
  sql = database.connect("postgres", { max: 1 });
  // Storage, as far as the file connector reads it, and the requested tick.
  upstream.handle(({ url = "" }, response) => {
    const name = decodeURIComponent(url.split("/").at(-1) ?? "");
    const text = stored.get(name);
    if (url.includes("/storage/")) return void response.writeHead(text ? 200 : 404).end(text ?? "{}");
    response.writeHead(200).end("{}");
  });
  Object.assign(process.env, {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: upstream.url,
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    JWT_SECRET: "x".repeat(40),
    WEB_URL: "http://127.0.0.1:3000",
    SECRETS_KEY: "x".repeat(32),
    OPENAI_API_KEY: "offline",
    OPENAI_BASE_URL: models.baseUrl,
    OPENAI_MODEL: "offline-extract",
    OPENAI_EMBEDDING_MODEL: "offline-hash-2",
  });
  ({ app } = await import("../../edge-functions/v1/app.ts"));
  ({ closeDatabase } = await import("../../edge-functions/_shared/database/db.ts"));
  const { Ticker } = await import("../../edge-functions/indexing/tick.ts");
  const { embedderOf } = await import("../../edge-functions/indexing/embedding.ts");
  const { readTeamModels } = await import("../../edge-functions/_shared/models/team-models.ts");
  const spender = (teamId: string) => ({ teamId, agentId: null, channel: "indexing" });
  newTicker = () =>
    new Ticker(
      async (teamId) => embedderOf(await readTeamModels(spender(teamId))),
      { wallMs: 60_000, cpuMs: Number.POSITIVE_INFINITY, turnMs: 15_000 },
      1,
    );
  await sql`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
            values (${owner}, 'owner@begin.test', now(), '{"name":"Owner"}')`;
});
afterAll(async () => {
  await closeDatabase();
  await Promise.all([database?.stop(), models?.stop(), upstream?.close()]);
});

async function newTeam(role: keyof typeof systemRoleIds = "editor") {
  const [team, prefix] = [randomUUID(), randomUUID().slice(0, 8)];
  await sql`insert into public.teams (id, name, codename) values (${team}, 'Bakery', ${`begin-${prefix}`})`;
  await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
            values (${team}, ${owner}, 'owner@begin.test', ${systemRoleIds.owner}, 'accepted')`;
  await sql`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash, created_by, makers)
            values (${team}, 'Key', ${systemRoleIds[role]}, ${prefix},
                    ${createHash("sha256").update(secret).digest()}, ${owner}, ${[owner]})`;
  const call = async (method: string, path: string, body?: unknown) =>
    await app.request(`/v1/teams/${team}${path}`, {
      method,
      headers: { Authorization: `Bearer prl_${prefix}_${secret}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    team,
    call,
    give: async (...files: string[]) =>
      (await (await call("POST", "/onboarding", { fileIds: files })).json()) as Onboarding,
    read: async () => (await (await call("GET", "/onboarding")).json()) as Onboarding,
    count: async (table: string) =>
      (await sql.unsafe(`select count(*)::int as n from public.${table} where team_id = $1`, [team]))[0]?.n,
  };
}

async function newFile(team: string, name: string, text: string): Promise<string> {
  const id = randomUUID();
  const key = randomUUID();
  stored.set(key, text);
  await sql`insert into public.files (id, team_id, name, type, content_type, size, path, sha256, created_by)
            values (${id}, ${team}, ${name}, 'document', 'text/markdown', ${Buffer.byteLength(text)},
                    ${`teams/${team}/${key}`}, ${createHash("sha256").update(text).digest("hex")}, ${owner})`;
  return id;
}

/** Runs until no work is left, with all delays expired. */
async function settle() {
  const ticker = newTicker();
  for (let open = true; open; ) {
    await sql`update public.tasks set run_after = now() where run_after > now()`;
    await ticker.tick();
    const rows =
      await sql`select 1 from public.tasks where status in ('queued', 'waiting', 'running') limit 1`;
    open = rows.length > 0;
  }
}

const prices = "# Deliveries\n\nAn express delivery costs 14 euros. The courier is paid in cash.\n";
const leave = "# Leave\n\nEvery baker has 27 days of paid leave. Doors are painted blue.\n";

test("files added at once create one knowledge base and one private agent", async () => {
  const { team, give, read, count, call } = await newTeam();
  expect(await read()).toEqual({ state: "none", knowledgeId: null, agentId: null, questions: [] });
  const files = await Promise.all([newFile(team, "prices.md", prices), newFile(team, "leave.md", leave)]);
  const begun = await Promise.all(files.map((file) => give(file)));
  expect(begun[0]).toMatchObject({
    state: "reading",
    knowledgeId: begun[1]?.knowledgeId,
    agentId: begun[1]?.agentId,
  });
  expect([await count("agents"), await count("knowledges"), await count("sources")]).toEqual([1, 1, 1]);
  const agent = await (await call("GET", `/agents/${begun[0]?.agentId}`)).json();
  expect(agent).toMatchObject({
    name: "Bakery",
    visibility: "private",
    knowledgeIds: [begun[0]?.knowledgeId],
  });

  await settle();
  const { state, questions } = await read();
  expect(state).toBe("ready");
  expect(questions.map(({ question }) => question).sort()).toEqual([
    "How many days of paid leave does every baker have?",
    "How much does an express delivery cost?",
  ]);
  for (const { answer, citations } of questions) {
    expect(answer).toMatch(/27 days|14 euros/);
    const quotes = citations.map(({ quote }) => quote).join(" ");
    expect(prices + leave).toContain(quotes);
  }
  const after = await (await call("GET", `/agents/${begun[0]?.agentId}`)).json();
  expect(after.suggestedPrompts).toEqual(questions.map(({ question }) => question));

  // More files add what is missing, and nothing is asked or created twice.
  await give(await newFile(team, "ovens.md", "# Ovens\n\nThe big oven takes 40 minutes. It is red.\n"));
  await settle();
  const more = await read();
  expect(more.questions.slice(0, 2)).toEqual(questions);
  expect(more.questions.map(({ question }) => question)).toContain("How long does the big oven take?");
  expect([await count("agents"), await count("knowledges")]).toEqual([1, 1]);
});

test("a file indexed while questions of earlier files are asked is among the next ones", async () => {
  const { team, give, read } = await newTeam();
  await give(await newFile(team, "prices.md", prices));
  meanwhile = async () => {
    const [asking] =
      await sql`select from public.onboardings where team_id = ${team} and candidates is not null`;
    if (!asking) return;
    meanwhile = async () => {};
    await give(await newFile(team, "leave.md", leave));
    const other = newTicker();
    for (let indexed = 0; indexed < 2; ) {
      await sql`update public.tasks set run_after = now() where run_after > now() and status <> 'running'`;
      await other.tick();
      const [row] = await sql`
        select count(*)::int as n from public.document_indexes where team_id = ${team} and chunks_count > 0`;
      indexed = row?.n;
    }
  };
  await settle();
  expect((await read()).questions.map(({ question }) => question)).toEqual([
    "How much does an express delivery cost?",
    "How many days of paid leave does every baker have?",
  ]);
});

test("a knowledge base that becomes ready again queues one search, for three seconds later", async () => {
  const { team, give } = await newTeam();
  const { knowledgeId } = await give(
    await newFile(team, "song.md", "# Song\n\nLa la la and la, said the lark.\n"),
  );
  await settle();
  const become = (status: string) =>
    sql`update public.knowledges set status = ${status} where id = ${knowledgeId}`;
  for (const file of ["first", "second"]) {
    await become("indexing");
    await become("ready");
    const queued = await sql`
      select run_after > now() + interval '2 seconds' as "isLater" from public.tasks
       where team_id = ${team} and type = 'questions' and status = 'queued'`;
    expect([file, ...queued]).toEqual([file, { isLater: true }]);
  }
  await settle();
});

test("files without a question yield none, and a deleted agent is recreated only with the next file", async () => {
  const { team, give, read, count, call } = await newTeam();
  const { agentId, knowledgeId } = await give(
    await newFile(team, "song.md", "# Song\n\nLa la la and la, said the lark.\n"),
  );
  await settle();
  expect(await read()).toMatchObject({ state: "ready", questions: [] });
  await call("DELETE", `/agents/${agentId}`);
  expect(await read()).toMatchObject({ state: "none", agentId: null });
  expect(await count("agents")).toBe(0);
  const again = await give(await newFile(team, "leave.md", leave));
  expect(again.knowledgeId).toBe(knowledgeId);
  expect(again.agentId).not.toBe(agentId);
  expect(await count("knowledges")).toBe(1);
});

test("a viewer reads a team's onboarding and starts none", async () => {
  const { team, call, count } = await newTeam("viewer");
  expect((await call("GET", "/onboarding")).status).toBe(200);
  const refused = await call("POST", "/onboarding", { fileIds: [await newFile(team, "leave.md", leave)] });
  expect(refused.status).toBe(403);
  expect([await count("agents"), await count("knowledges")]).toEqual([0, 0]);
  expect((await call("POST", "/onboarding", { fileIds: [] })).status).toBe(400);
});
