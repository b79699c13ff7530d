// The life of a gap, with the API's handlers, the indexing tick and the built-in models in this process: questions are grouped, an answer
// is written, indexed and tested, and contradicting documents are named.
import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Gap, GapAnswered } from "../../edge-functions/v1/gaps/schema.ts";
import { type OfflineModels, startOfflineModels } from "../support/offline-models.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let database: TestPostgres;
let models: OfflineModels;
let kicked: Upstream;
let sql: Sql;
let app: typeof import("../../edge-functions/v1/app.ts").app;
let ticker: import("../../edge-functions/indexing/tick.ts").Ticker;
let agentId: string;
let knowledgeId: string;
const [team, owner] = [randomUUID(), randomUUID()];
const key = { prefix: "gapsloop", secret: "s".repeat(43) };
const home = `/teams/${team}`;

beforeAll(async () => {
  [database, models, kicked] = await Promise.all([
    startTestPostgres(),
    startOfflineModels(),
    startUpstream(),
  ]);
  sql = database.connect("postgres", { max: 1 });
  kicked.handle((_request, response) => void response.writeHead(200).end("{}"));
  Object.assign(process.env, {
    DATABASE_URL: database.url("authenticator"),
    SUPABASE_URL: kicked.url,
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    JWT_SECRET: "x".repeat(40),
    WEB_URL: "http://127.0.0.1:3000",
    SECRETS_KEY: "x".repeat(32),
    OPENAI_API_KEY: "offline",
    OPENAI_BASE_URL: models.baseUrl,
    OPENAI_MODEL: "offline-extract",
    OPENAI_EMBEDDING_MODEL: "offline-hash-2",
    // The model that a team connects.
    PARLEY_OUTBOUND_ALLOW: new URL(kicked.url).host,
  });
  ({ app } = await import("../../edge-functions/v1/app.ts"));
  const { Ticker } = await import("../../edge-functions/indexing/tick.ts");
  const { embedderOf } = await import("../../edge-functions/indexing/embedding.ts");
  const { readTeamModels } = await import("../../edge-functions/_shared/models/team-models.ts");
  const spender = (teamId: string) => ({ teamId, agentId: null, channel: "indexing" });
  ticker = new Ticker(
    async (teamId) => embedderOf(await readTeamModels(spender(teamId))),
    { wallMs: 60_000, cpuMs: Number.POSITIVE_INFINITY, turnMs: 15_000 },
    1,
  );
  await sql`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
            values (${owner}, 'owner@loop.test', now(), '{"name":"Owner"}')`;
  await sql`insert into public.teams (id, name, codename) values (${team}, 'Team', 'loop')`;
  await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
            values (${team}, ${owner}, 'owner@loop.test', ${systemRoleIds.owner}, 'accepted')`;
  await sql`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash, created_by, makers)
            values (${team}, 'Key', ${systemRoleIds.owner}, ${key.prefix},
                    ${createHash("sha256").update(key.secret).digest()}, ${owner}, ${[owner]})`;
  knowledgeId = await knowledgeOf("leave.md", "Everyone has 27 days of paid leave per calendar year.");
  await knowledgeOf("garage.md", "The barrier of the garage opens with the code 4711.");
  agentId = (
    await call<{ id: string }>("POST", `${home}/agents`, { name: "Agent", knowledgeIds: [knowledgeId] })
  ).id;
  await settle();
});
afterAll(async () => {
  await (await import("../../edge-functions/_shared/database/db.ts")).closeDatabase();
  await Promise.all([database?.stop(), models?.stop(), kicked?.close()]);
});

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await app.request(`/v1${path}`, {
    method,
    headers: { Authorization: `Bearer prl_${key.prefix}_${key.secret}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
async function knowledgeOf(title: string, content: string): Promise<string> {
  const source = await call<{ id: string }>("POST", `${home}/sources`, { type: "file", name: title });
  await call("POST", `${home}/sources/${source.id}/documents`, { externalId: "1", title, content });
  const made = await call<{ id: string }>("POST", `${home}/knowledges`, {
    name: title,
    sourceIds: [source.id],
  });
  return made.id;
}
const ask = async (content: string) => {
  const chat = await call<{ id: string }>("POST", `/agents/${agentId}/chats`, {});
  await call("POST", `/chats/${chat.id}/messages`, { content });
};
/** Runs until no work is left; the chores run once a second. */
async function settle() {
  for (let quiet = 0; quiet < 2; ) {
    const { claimed } = await ticker.tick();
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    const [open] = await sql`select 1 from public.tasks where status in ('queued', 'waiting', 'running')`;
    quiet = claimed === 0 && !open ? quiet + 1 : 0;
  }
}
const gapOf = async (question: string) => {
  const { data } = await call<{ data: Gap[] }>("GET", `${home}/gaps?perPage=100`);
  const gap = data.find((one) => one.examples.some((example) => example.question === question));
  if (!gap) throw new Error(`no gap has ${question}`);
  return gap;
};

test("questions are grouped by meaning, each gap with its reason", async () => {
  for (const question of [
    "Where can I park my bicycle?",
    "where can I park my bicycle",
    "Can I park my bicycle somewhere?",
    "Which elephant wears a raincoat?",
    "What code opens the barrier of the garage?",
    "How many days of paid leave does everyone have?",
  ])
    await ask(question);
  await settle();
  const bicycles = await gapOf("Can I park my bicycle somewhere?");
  expect(bicycles).toMatchObject({
    question: "Where can I park my bicycle?",
    questions: 3,
    people: 1,
    reason: "missing",
    state: "open",
  });
  expect((await gapOf("Which elephant wears a raincoat?")).id).not.toBe(bicycles.id);
  expect(await gapOf("What code opens the barrier of the garage?")).toMatchObject({
    reason: "notFound",
    found: { title: "garage.md" },
  });
  await expect(gapOf("How many days of paid leave does everyone have?")).rejects.toThrow("no gap");
});

test("a question finds its gap after the team has changed its embedding model", async () => {
  const [other] =
    await sql`insert into public.vectors (name, model, dimensions) values ('Earlier', 'earlier', 3) returning id`;
  await sql`update public.gap_questions set vector_id = ${other?.id}, embedding = '[1,0,0]' where team_id = ${team}`;
  const question = "Is there a place where I can park my bicycle?";
  await ask(question);
  await settle();
  expect(await gapOf(question)).toMatchObject({ question: "Where can I park my bicycle?", questions: 4 });
  const leaders = await sql`
    select distinct v.model from public.gap_questions q join public.vectors v on v.id = q.vector_id where q.team_id = ${team} and q.is_leader`;
  expect(leaders).toEqual([{ model: "offline-hash-2" }]);
});

test("an answer is indexed, tested and the question asked again", async () => {
  const questions = ["Is there a canteen for lunch?", "Is there a canteen where I can have lunch?"] as const;
  for (const question of questions) await ask(question);
  await settle();
  const gap = await gapOf(questions[1]);
  const made = await call<GapAnswered>("POST", `${home}/gaps/${gap.id}/answer`, {
    answer: "There is a canteen for lunch on the third floor.",
    knowledgeId,
  });
  expect(made).toMatchObject({
    entry: { question: questions[0] },
    source: { name: "Written answers: leave.md" },
    document: { title: questions[0] },
    test: { question: questions[0], expectedDocumentId: made.document.id },
    contradictions: [],
  });
  await settle();
  const after = await call<Gap>("GET", `${home}/gaps/${gap.id}`);
  expect(after).toMatchObject({
    state: "answered",
    questions: 2,
    again: { taskId: made.taskId, status: "succeeded", total: 2, done: 2, answered: 2 },
  });
  // The question comes again after the answer was deleted.
  await call("DELETE", `${home}/sources/${made.source.id}/entries/${made.entry.id}`).catch(() => {});
  await ask(questions[0]);
  await settle();
  expect(await gapOf(questions[0])).toMatchObject({ id: gap.id, state: "open", questions: 1, entry: null });
});

test("a question that is grouped only after the answer was written is asked again, too", async () => {
  const question = "Which colour is the fire extinguisher of the lobby?";
  await ask(question);
  await settle();
  const gap = await gapOf(question);
  // The second person's question waits until the first one's has been asked again.
  await ask(question);
  await sql`update public.gap_questions set retry_at = now() + interval '1 hour' where gap_id is null`;
  const answer = "The fire extinguisher of the lobby has the colour turquoise.";
  const made = await call<GapAnswered>("POST", `${home}/gaps/${gap.id}/answer`, { answer, addTest: false });
  await settle();
  const first = await call<Gap>("GET", `${home}/gaps/${gap.id}`);
  expect(first).toMatchObject({ state: "answered", again: { taskId: made.taskId, total: 1, answered: 1 } });
  await sql`update public.gap_questions set retry_at = now() where gap_id is null`;
  await settle();
  expect(await call<Gap>("GET", `${home}/gaps/${gap.id}`)).toMatchObject({
    state: "answered",
    questions: 2,
    again: { status: "succeeded", total: 2, done: 2, answered: 2 },
  });
});

test("an unhelpful answer leaves the gap open, and names the document that it contradicts", async () => {
  const gap = await gapOf("Which elephant wears a raincoat?");
  const made = await call<GapAnswered>("POST", `${home}/gaps/${gap.id}/answer`, {
    question: "How much leave is there?",
    answer: "Everyone has 25 days of paid leave per calendar year.",
    addTest: false,
  });
  const told = [{ title: "leave.md", quote: "Everyone has 27 days of paid leave per calendar year." }];
  expect(made).toMatchObject({ test: null, contradictions: told });
  await settle();
  expect(await call<Gap>("GET", `${home}/gaps/${gap.id}`)).toMatchObject({
    state: "open",
    again: { status: "succeeded", total: 1, answered: 0 },
    contradictions: told,
  });
});

/** Groups by their words, one run each, questions whose model does not answer. */
async function groupWithoutModel(questions: string[]) {
  const { groupWaitingQuestions } = await import("../../edge-functions/indexing/gaps/group-waiting.ts");
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const silence = AbortSignal.abort(new DOMException("silent", "TimeoutError"));
  for (const question of questions) {
    await ask(question);
    await sql`update public.gap_questions set attempts = 2, retry_at = now() where gap_id is null`;
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(silence);
    await groupWaitingQuestions().finally(() => timeout.mockRestore());
  }
  expect(said.mock.calls.flat().join()).toContain("questions were not embedded");
  said.mockRestore();
}

test("gaps of one meaning that began while the model was silent become one when it answers again", async () => {
  const questions = [
    "Is there a shower beside the gym?",
    "Is there a shower beside the old gym?",
    "Is a shower beside the gym?",
  ] as const;
  const [first, second, dismissed] = questions;
  await groupWithoutModel([...questions]);
  const gap = await gapOf(first);
  expect((await gapOf(second)).id).not.toBe(gap.id);
  await sql`update public.gaps set is_dismissed = true where id = ${(await gapOf(dismissed)).id}`;
  await ask("Which paint covers the fence?");
  await settle();
  expect(await gapOf(second)).toMatchObject({ id: gap.id, question: first, questions: 2 });
  // What a person has decided about stays.
  expect(await gapOf(dismissed)).toMatchObject({ state: "dismissed", questions: 1 });
});

test("a question is grouped by its words when its team's model was silent three times", async () => {
  const question = "Who waters the plants?";
  await groupWithoutModel([question]);
  const [row] =
    await sql`select attempts from public.gap_questions where gap_id = ${(await gapOf(question)).id}`;
  expect(row).toEqual({ attempts: 3 });
});

test("a team whose model is silent does not have the questions of another team wait", async () => {
  const question = "Which flag is on the roof?";
  await ask(question);
  const [quick, agent, chat] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`insert into public.teams (id, name, codename) values (${quick}, 'Quick', 'quick')`;
  await sql`insert into public.agents (id, team_id, name) values (${agent}, ${quick}, 'Agent')`;
  await sql`insert into public.chats (id, team_id, agent_id) values (${chat}, ${quick}, ${agent})`;
  await sql`insert into public.messages (chat_id, content) values (${chat}, ${question})`;
  await sql`insert into public.messages (chat_id, role, unanswered) values (${chat}, 'assistant', true)`;
  await sql`update public.gap_questions set retry_at = now() - interval '1 hour' where gap_id is null and team_id = ${team}`;
  await sql`update public.vectors set model = 'silent'`;
  await sql`insert into private.models (team_id, role, provider, base_url, model, dimensions)
            select ${team}, 'embedding', 'custom', ${`${kicked.url}/v1`}, v.model, v.dimensions from public.vectors v limit 1`;
  const silent = new Promise<ServerResponse>((resolve) => {
    kicked.handle(({ url }, response) =>
      url?.endsWith("/embeddings") ? resolve(response) : void response.writeHead(200).end("{}"),
    );
  });
  const { groupWaitingQuestions } = await import("../../edge-functions/indexing/gaps/group-waiting.ts");
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const run = groupWaitingQuestions();
  const held = await silent;
  const gapsOfOther = () => sql`select 1 from public.gaps where team_id = ${quick}`;
  await expect.poll(gapsOfOther, { timeout: 60_000 }).toHaveLength(1);
  await run;
  // Its model is still being asked: the other team did not get its turn by a time-out.
  expect(held.destroyed).toBe(false);
  held.writeHead(400).end("{}");
  await expect.poll(() => said.mock.calls.flat().join()).toContain("questions were not embedded");
  said.mockRestore();
});
