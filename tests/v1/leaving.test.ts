// A caller who leaves before their answer: nothing is generated for nobody, at any of the doors whose answers are not stored.
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { newAgent } from "../support/content.ts";
import { type OpenAiFake, startOpenAiFake } from "../support/fakes/openai.ts";
import { findStack } from "../support/stack.ts";

/** A port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54347 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

let fake: OpenAiFake;
let team: Team;
let agentId: string;
beforeAll(async () => {
  fake = await startOpenAiFake(servicePort);
  team = await newTeam();
  agentId = await newAgent(team, { visibility: "public" });
  const connection = {
    role: "chat",
    provider: "custom",
    baseUrl: fake.baseUrl,
    model: "a-model",
    apiKey: "x",
  };
  const made = await team.owner.post(`${team.path}/models`, connection);
  expect(made.status, made.text).toBe(201);
});
afterAll(async () => await fake?.stop());

const question = "Who keeps the lighthouse?";
const messages = [{ role: "user", content: question }];
const doors: Record<string, [path: string, body: () => object]> = {
  "a stream": ["/v1/streams", () => ({ agentId, messages })],
  "a completion": ["/v1/streams/openai/chat/completions", () => ({ model: agentId, messages })],
  "a streamed completion": [
    "/v1/streams/openai/chat/completions",
    () => ({ model: agentId, messages, stream: true }),
  ],
  "MCP's ask_agent": [
    "/v1/mcp",
    () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "ask_agent", arguments: { agentId, question } },
    }),
  ],
};

/** Asks at a door, and leaves once the model has said something. @returns what the caller gets */
async function askAndLeave(
  path: string,
  body: object,
  headers: Record<string, string> = { Authorization: `Bearer ${team.owner.token}` },
) {
  const { apiUrl } = await findStack();
  const leaving = new AbortController();
  const asked = fake.requests.length;
  const answer = fetch(`${apiUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: leaving.signal,
  }).then((response) => response.text());
  const outcome = answer.then(
    () => "answered",
    () => "left",
  );
  await expect.poll(() => fake.requests.length).toBe(asked + 1);
  leaving.abort();
  return await outcome;
}

test.each(Object.keys(doors))("the model is given up when the caller of %s leaves", async (door) => {
  const [path, body] = doors[door] ?? ["", () => ({})];
  const { aborted } = fake;
  fake.next({ how: "stall", after: 2 });
  expect(await askAndLeave(path, body())).toBe("left");
  await expect.poll(() => fake.aborted, { timeout: 10_000 }).toBe(aborted + 1);
});

test("a completion with an Idempotency-Key is completed for its repetition", async () => {
  const [path, body] = doors["a completion"] ?? ["", () => ({})];
  const headers = {
    Authorization: `Bearer ${team.owner.token}`,
    "Idempotency-Key": crypto.randomUUID(),
  };
  fake.reply = "A keeper keeps it.";
  // Called again after a second, when the caller has left.
  fake.next({ how: "status", status: 503, headers: { "retry-after": "1" } });
  await askAndLeave(path, body(), headers);
  const again = await team.owner.post(path, body(), { headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.text).toContain(fake.reply);
});

test("a stranger's Idempotency-Key, with which nothing is repeated, does not complete an answer for nobody", async () => {
  const [path, body] = doors["a completion"] ?? ["", () => ({})];
  const { aborted } = fake;
  fake.next({ how: "stall", after: 2 });
  expect(await askAndLeave(path, body(), { "Idempotency-Key": crypto.randomUUID() })).toBe("left");
  await expect.poll(() => fake.aborted, { timeout: 10_000 }).toBe(aborted + 1);
});
