// The metrics of a real exchange, per process.
import { beforeAll, expect, test } from "vitest";
import { basePorts, type PortName } from "../../supabase/local/settings.ts";
import { newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

const token = process.env.METRICS_TOKEN ?? "";
const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const address = (process: PortName) => `http://127.0.0.1:${basePorts[process] + offset}/metrics`;

let team: Team;
beforeAll(async () => {
  if (!token) throw new Error("Start the stack with METRICS_TOKEN, and tell the tests.");
  team = await newTeam();
});

async function scrape(process: PortName): Promise<string> {
  const answer = await fetch(address(process), { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return await answer.text();
}

/** The sum of a metric's series with these labels. */
function sumOf(text: string, name: string, labels: Record<string, string | number> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split("\n")
    .filter((line) => /^[\w]+/.exec(line)?.[0] === name && wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test.each(["web", "v1", "indexing"] as const)("%s requires the token", async (process) => {
  for (const authorization of ["", "Bearer ", `Bearer ${token}x`, token]) {
    const answer = await fetch(address(process), { headers: { authorization } });
    expect([answer.status, await answer.text()]).toEqual([401, "Show METRICS_TOKEN as a bearer token."]);
  }
});

test("indexing counts documents, passages, embeddings and tasks; the API counts requests, replies and tokens", async () => {
  const { webUrl } = await findStack();
  const before = { v1: await scrape("v1"), indexing: await scrape("indexing"), web: await scrape("web") };
  const files = { "leave.md": "# Leave\n\nEveryone has 27 days of paid leave per calendar year.\n" };
  const knowledge = await newKnowledge(team, files);
  const agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
  const chat = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  const question = { content: "How many days of paid leave does everyone have?" };
  expect((await team.owner.post(`/v1/chats/${chat.body.id}/messages`, question)).status).toBe(200);
  expect((await team.owner.get(`${team.path}/agents/not-an-id`)).status).toBe(400);
  await (await fetch(`${webUrl}/login`)).text();
  const after = { v1: await scrape("v1"), indexing: await scrape("indexing"), web: await scrape("web") };
  const growthOf = (
    process: keyof typeof after,
    name: string,
    labels: Record<string, string | number> = {},
  ) => sumOf(after[process], name, labels) - sumOf(before[process], name, labels);

  // Other files may run beside this one: at least this many.
  const least: [number, number][] = [
    [growthOf("indexing", "parley_indexing_documents_total", { outcome: "done" }), 1],
    [growthOf("indexing", "parley_indexing_chunks_total"), 1],
    [growthOf("indexing", "parley_indexing_tasks_total", { outcome: "succeeded" }), 1],
    [growthOf("indexing", "parley_model_calls_total", { kind: "embedding", outcome: "ok" }), 1],
    [growthOf("indexing", "parley_model_tokens_total", { kind: "embedding" }), 1],
    [growthOf("v1", "parley_model_calls_total", { kind: "chat", outcome: "ok" }), 1],
    [growthOf("v1", "parley_model_call_duration_seconds_count", { kind: "chat" }), 1],
    [growthOf("v1", "parley_model_tokens_total", { kind: "completion" }), 3],
    [growthOf("v1", "parley_http_requests_total", { route: "/v1/chats/:chatId/messages", status: 200 }), 1],
    [growthOf("v1", "parley_http_requests_total", { route: "/v1/teams/:teamId/agents/:id", status: 400 }), 1],
    [
      growthOf("v1", "parley_http_request_duration_seconds_count", { route: "/v1/chats/:chatId/messages" }),
      1,
    ],
    [growthOf("web", "parley_http_requests_total", { process: "web", route: "/login", status: 200 }), 1],
  ];
  expect(least.map(([found, wanted]) => (found >= wanted ? "counted" : `${found} of ${wanted}`))).toEqual(
    least.map(() => "counted"),
  );
  for (const text of Object.values(after)) {
    // A label with an id would create a series per id.
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(text).not.toContain(team.codename);
  }
  expect(sumOf(after.v1, "parley_database_pool_size")).toBeGreaterThanOrEqual(1);
  expect(after.indexing).toMatch(/^parley_database_transactions\{state="waiting"\} \d/m);
  expect(after.indexing).toMatch(/^parley_queue_depth\{queue="tasks"\} \d/m);
  expect(after.indexing).toMatch(/^parley_queue_depth\{queue="handovers"\} \d/m);
  expect(after.v1).toMatch(/^parley_queue_oldest_seconds\{queue="slack"\} \d/m);
});

test("every process reports liveness and readiness, and never its version", async () => {
  const { apiUrl } = await findStack();
  const local = (process: PortName) => address(process).replace("/metrics", "");
  const ready = {
    [local("web")]: { api: "ok" },
    [local("gateway")]: { database: "ok" },
    [local("mailbox")]: {},
    [local("models")]: {},
    [local("v1")]: { database: "ok", storage: "ok" },
    [local("indexing")]: { database: "ok", storage: "ok" },
    [`${apiUrl}/slack`]: { database: "ok", storage: "ok" },
  };
  for (const [process, checks] of Object.entries(ready)) {
    const answers = await Promise.all(["live", "ready"].map((what) => fetch(`${process}/health/${what}`)));
    expect(await Promise.all(answers.map((answer) => answer.json())), process).toEqual([
      { status: "live" },
      { status: "ready", checks },
    ]);
  }
});
