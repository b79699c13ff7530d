// The cost of a request, and the time to an answer's first words: starts the stack as a user would, on the embedded Postgres and, when
// TEST_DATABASE_URL names a server, on a native one; prints the tables of docs/scale.md for each. Gates nothing. Run:
// [TEST_DATABASE_URL=postgres://…] npx tsx tests/bench/requests.ts [costs|waits]
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { ownerUrl } from "../../supabase/local/environments.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import { vacuumDue } from "../../supabase/local/upkeep.ts";
import { serverEvents } from "../support/event-stream.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { startStack } from "../support/runner/one-stack.mjs";
import { hasProcessorTime, processorTimes } from "./processor-time.ts";

const CALLS = 300;
const AT_ONCE = 4;
const AGENTS = 50;
const MODEL_MS = 50;
const READERS = 200;
const STREAMS = 50;
const READ_EVERY_MS = 2000;
const ROUNDS = 7;
const question = "How many days of annual leave do I have?";

type Headers = Record<string, string>;
type Work = Record<string, () => Promise<unknown>>;
type Stand = Awaited<ReturnType<typeof furnish>>;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function call(method: string, url: string, headers: Headers, body?: object): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
}

const read = async (url: string, headers: Headers) => await (await call("GET", url, headers)).text();
const post = async (url: string, headers: Headers, body: object) =>
  await (await call("POST", url, headers, body)).json();

/** Milliseconds to an answer's first words, once it has streamed to its end. */
async function firstWords(url: string, headers: Headers, body: object): Promise<number> {
  const asked = performance.now();
  const answer = await call("POST", url, { ...headers, accept: "text/event-stream" }, body);
  let first = 0;
  for await (const { event } of serverEvents(answer)) {
    if (event === "error") throw new Error("An answer failed.");
    if (event === "delta") first ||= performance.now() - asked;
  }
  return first;
}

/** The callers, agents and chats. */
async function furnish({ WEB_URL, SUPABASE_URL }: Record<string, string>) {
  const api = `${SUPABASE_URL}/functions/v1/v1`;
  const account = { email: "demo@parley.test", password: "demo-parley-1" };
  const { accessToken } = await post(`${api}/auth/login`, {}, { ...account, deviceId: "app" });
  const session = { authorization: `Bearer ${accessToken}` };
  const team = `${api}/teams/demo`;
  const agents = JSON.parse(await read(`${team}/agents?perPage=100`, session));
  for (let number = agents.total; number < AGENTS; number++) {
    await post(`${team}/agents`, session, { name: `Agent ${number}`, instructions: "x".repeat(200) });
  }
  const { key } = await post(`${team}/apiKeys`, session, { name: "bench" });
  const form = new URLSearchParams(account);
  const entered = await fetch(`${WEB_URL}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: WEB_URL ?? "" },
    body: form,
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const knowledge = JSON.parse(await read(`${team}/knowledges`, session)).data[0].id;
  return {
    web: WEB_URL ?? "",
    api,
    team,
    agent: agents.data.find(({ name }: { name: string }) => name === "handbook").id,
    knowledge,
    session,
    key: { authorization: `Bearer ${key}` },
    page: { cookie },
  };
}

const stream = ({ api, key, agent }: Stand) =>
  firstWords(`${api}/streams`, key, { agentId: agent, messages: [{ role: "user", content: question }] });

async function askStored({ api, session, agent }: Stand): Promise<number> {
  const { id } = await post(`${api}/agents/${agent}/chats`, session, {});
  return await firstWords(`${api}/chats/${id}/messages`, session, { content: question });
}

function callsOf(stand: Stand): Work {
  const { web, api, team, knowledge, session, key, page } = stand;
  return {
    "GET /v1/health/public, the floor": () => read(`${api}/health/public`, {}),
    "GET /v1/auth/me": () => read(`${api}/auth/me`, session),
    "50 agents by session": () => read(`${team}/agents?perPage=50`, session),
    "50 agents by API key": () => read(`${team}/agents?perPage=50`, key),
    "chats of a team": () => read(`${team}/chats`, session),
    search: () => read(`${team}/knowledges/${knowledge}/records?query=annual+leave+days`, session),
    "streamed answer": () => stream(stand),
    "stored answer": () => askStored(stand),
    "page /": () => read(`${web}/`, {}),
    "page /login": () => read(`${web}/login`, {}),
    "page of 50 agents": () => read(`${web}/teams/demo/agents?perPage=50`, page),
    dashboard: () => read(`${web}/dashboard`, page),
  };
}

/** Runs work this many times, with limited concurrency. */
async function repeat(times: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  let begun = 0;
  const worker = async () => {
    while (begun++ < times) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** With the built-in models, whose time counts. */
async function printCosts(stand: Stand, env: Record<string, string>, database?: string): Promise<void> {
  const dataDir = env.PARLEY_DATA_DIR ?? "";
  const settings = readSettings(env);
  const owner = postgres(ownerUrl({ settings, secrets: await loadSecrets(dataDir), env }), {
    max: 1,
    onnotice: () => {},
  });
  const unit = hasProcessorTime ? "ms of CPU" : "ms of wall time";
  console.log(`| one call, ${unit} | all | of which |\n| --- | --- | --- |`);
  for (const [name, work] of Object.entries(callsOf(stand))) {
    const calls = name.endsWith("answer") ? CALLS / 5 : CALLS;
    // As happens every minute: a plan made while its tables were empty would be measured otherwise.
    await vacuumDue(owner);
    await repeat(20, AT_ONCE, work);
    const before = hasProcessorTime ? processorTimes(dataDir, database) : new Map();
    const began = performance.now();
    await repeat(calls, AT_ONCE, work);
    const wall = performance.now() - began;
    const after = hasProcessorTime ? processorTimes(dataDir, database) : new Map([["wall", wall]]);
    const each = [...after]
      .map(([process, ms]) => [process, (ms - (before.get(process) ?? 0)) / calls] as const)
      .filter(([, ms]) => ms >= 0.05)
      .toSorted(([, one], [, other]) => other - one);
    const total = each.reduce((sum, [, ms]) => sum + ms, 0);
    const parts = each.map(([process, ms]) => `${process} ${ms.toFixed(1)}`).join(", ");
    console.log(`| ${name} | ${total.toFixed(1)} | ${parts} |`);
  }
  await owner.end();
}

/** The results of many concurrent calls, and the number of failures. */
class Times {
  readonly ms: number[] = [];
  errors = 0;

  async add(work: () => Promise<number>): Promise<void> {
    try {
      this.ms.push(await work());
    } catch (error) {
      this.errors += 1;
      if (this.errors === 1) console.log(String(error));
    }
  }
}

/** The delay between the model's first word and the answer's, and the readers' delays with many answers. */
async function printWaits(stand: Stand, fake: OpenAiFake): Promise<void> {
  fake.latencyMs = MODEL_MS;
  console.log(
    `| first words, a model that takes ${MODEL_MS} ms | alone | 20 at once | 50 at once | errors |`,
  );
  console.log("| --- | --- | --- | --- | --- |");
  for (const [name, answer] of Object.entries({ streamed: stream, stored: askStored })) {
    fake.requests.length = 0;
    const began = Date.now();
    const first = await answer(stand);
    // For the words, and for the question's embedding unless cached.
    const asked = fake.requests.filter(({ at }) => at < began + first).length;
    const late = (ms: number) => `+${Math.round(ms - asked * MODEL_MS)} ms`;
    const alone = new Times();
    for (let round = 0; round < ROUNDS; round++) await alone.add(() => answer(stand));
    const cells = [late(median(alone.ms))];
    let { errors } = alone;
    for (const atOnce of [20, 50]) {
      const together = new Times();
      await Promise.all(Array.from({ length: atOnce }, () => together.add(() => answer(stand))));
      cells.push(late(median(together.ms)));
      errors += together.errors;
    }
    console.log(`| ${name} | ${cells.join(" | ")} | ${errors} |`);
  }
  const reads = new Times();
  const firsts = new Times();
  let isOver = false;
  const oneRead = async () => {
    const began = performance.now();
    await read(`${stand.team}/agents`, stand.session);
    return performance.now() - began;
  };
  const reader = async () => {
    await sleep(Math.random() * READ_EVERY_MS);
    while (!isOver) {
      await reads.add(oneRead);
      await sleep(READ_EVERY_MS);
    }
  };
  const readers = Array.from({ length: READERS }, reader);
  await sleep(2 * READ_EVERY_MS);
  reads.ms.length = 0;
  await Promise.all(Array.from({ length: STREAMS }, () => firsts.add(() => stream(stand))));
  await sleep(READ_EVERY_MS);
  isOver = true;
  await Promise.all(readers);
  console.log(
    `${READERS} readers, a call every ${READ_EVERY_MS / 1000} s each, with ${STREAMS} streams: a read takes ` +
      `${Math.round(median(reads.ms))} ms, first words ${Math.round(median(firsts.ms))} ms, ` +
      `${reads.errors + firsts.errors} errors`,
  );
}

const usual = {
  OFFLINE_WORD_PAUSE_MS: "",
  LIMIT_ANSWERS_PER_MEMBER: "100000",
  LIMIT_ANSWERS_PER_TEAM: "100000",
  LIMIT_REQUESTS_PER_CALLER: "1000000",
  LIMIT_REQUESTS_PER_ADDRESS: "1000000",
};

async function onStack(
  settings: Record<string, string>,
  work: (stand: Stand, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const stack = await startStack(300_000, { ...usual, ...settings });
  try {
    await work(await furnish(stack.env), stack.env);
  } finally {
    await stack.stop();
  }
}

async function measure(engine: string, databaseUrl?: string): Promise<void> {
  const [only] = process.argv.slice(2);
  const database = databaseUrl && new URL(databaseUrl).pathname.slice(1);
  const settings: Record<string, string> = databaseUrl
    ? { DATABASE_URL: databaseUrl, DATABASE_PREPARE: "true" }
    : {};
  console.log(`\n${engine}\n`);
  if (only !== "waits") {
    await onStack(settings, (stand, env) => printCosts(stand, env, database));
  }
  if (only === "costs") return;
  const fake = await startOpenAiFake();
  const model = {
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: fake.baseUrl,
    OPENAI_MODEL: "bench",
    OPENAI_EMBEDDING_MODEL: "bench",
  };
  try {
    await onStack({ ...settings, ...model }, (stand) => printWaits(stand, fake));
  } finally {
    await fake.stop();
  }
}

await measure("Embedded Postgres");
const server = process.env.TEST_DATABASE_URL;
if (server) {
  const name = `parley_bench_${randomUUID().slice(0, 8)}`;
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  await sql.unsafe(`create database ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  try {
    await measure("Native Postgres", address.href);
  } finally {
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.end();
  }
} else console.log("\nNo native Postgres: TEST_DATABASE_URL is not set.");
