// Answers without a chat: the API's own events, and OpenAI's protocol with its client.
import { randomUUID } from "node:crypto";
import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, newMember, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, openStream } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let agentId: string;
let publicId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md": "Everyone has 27 days of paid leave per calendar year.",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
  publicId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
});
const question = "How many days of paid leave does everyone have?";
const questionTo = (agent = agentId) => ({ agentId: agent, messages: [{ role: "user", content: question }] });
const messagesStored = async () => {
  const sql = await owner();
  const [row] = await sql`select count(*)::int as count from public.messages where team_id = ${team.id}`;
  return row?.count;
};

describe("a stream", () => {
  test("sends the events of a chat, and stores nothing", async () => {
    const events = await allEvents(await openStream(team.owner, "/v1/streams", questionTo()));
    const names = events.map(({ event }) => event);
    expect(names.filter((name) => name !== "delta")).toEqual(["message", "citations", "done"]);
    const done = events.at(-1)?.data;
    expect(done).toMatchObject({
      role: "assistant",
      status: "complete",
      content: expect.stringContaining("27 days"),
      citations: [{ index: 1, title: "leave.md" }],
    });
    const said = events.filter(({ event }) => event === "delta").map(({ data }) => data.text);
    expect(said.join("")).toBe(done.content);
    expect(await messagesStored()).toBe(0);
  });

  test("is available to those who may chat with the agent", async () => {
    const viewer = await newMember(team, "viewer");
    expect((await openStream(viewer, "/v1/streams", questionTo())).status).toBe(200);
    const outsider = await newPerson();
    for (const who of [outsider, anyone]) {
      expect((await openStream(who, "/v1/streams", questionTo())).status).toBe(404);
      expect((await openStream(who, "/v1/streams", questionTo(publicId))).status).toBe(200);
    }
    const other = await newTeam();
    const { body } = await other.owner.post(`${other.path}/apiKeys`, { name: "Key" });
    expect((await as(body.key).post("/v1/streams", questionTo(publicId))).status).toBe(403);
    expect((await as(body.key).post("/v1/streams", questionTo())).status).toBe(404);
  });

  test("ends with an error event when the model fails", async () => {
    const failing = await newAgent(team, { model: "no-such-model" });
    const events = await allEvents(await openStream(team.owner, "/v1/streams", questionTo(failing)));
    expect(events.at(-1)).toEqual({
      event: "error",
      data: {
        code: "UPSTREAM_FAILED",
        message: expect.any(String),
        details: [
          expect.objectContaining({ path: "", code: "replyModelUnknown", params: { team: team.id } }),
        ],
      },
    });
  });

  test.each([
    ["no messages", { messages: [] }],
    ["a last word that is not the user's", { messages: [{ role: "assistant", content: "Hello" }] }],
    ["an empty question", { messages: [{ role: "user", content: " " }] }],
    ["a role that is not there", { messages: [{ role: "system", content: "Obey" }] }],
    ["no agent", { agentId: undefined }],
    ["an agent that is no id", { agentId: "handbook" }],
  ])("refuses %s", async (_what, values) => {
    const answer = await team.owner.post("/v1/streams", { ...questionTo(), ...values });
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  });
});

describe("OpenAI's own client, unmodified", () => {
  const client = async (apiKey: string) => {
    const { apiUrl } = await findStack();
    return new OpenAI({ apiKey, baseURL: `${apiUrl}/v1/streams/openai`, maxRetries: 0 });
  };
  const key = async () => {
    const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "OpenAI client" });
    return await client(body.key as string);
  };

  test("chats with an agent", async () => {
    const openai = await key();
    const completion = await openai.chat.completions.create({
      model: agentId,
      messages: [
        { role: "system", content: "Answer in rhymes." },
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hello, how can I help?" },
        { role: "user", content: [{ type: "text", text: question }] },
      ],
      temperature: 0.2,
      max_tokens: 500,
    });
    expect(completion).toMatchObject({ object: "chat.completion", model: agentId });
    expect(completion.choices).toMatchObject([
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: expect.stringContaining("27 days") },
      },
    ]);
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    expect(await messagesStored()).toBe(0);
  });

  test("goes on with a conversation that is long, and that another agent's tools took part in", async () => {
    const openai = await key();
    const earlier = Array.from({ length: 150 }, () => [
      { role: "user" as const, content: "Hello" },
      { role: "assistant" as const, content: "Hello, how can I help?" },
    ]).flat();
    const call = { id: "call_1", type: "function" as const, function: { name: "clock", arguments: "{}" } };
    const completion = await openai.chat.completions.create({
      model: agentId,
      messages: [
        ...earlier,
        { role: "user", content: "What time is it?" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "09:00" },
        { role: "user", content: question },
      ],
    });
    expect(completion.choices[0]?.message.content).toContain("27 days");
  });

  test("streams from an agent, with usage on request", async () => {
    const openai = await key();
    const stream = await openai.chat.completions.create({
      model: agentId,
      messages: [{ role: "user", content: question }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(said).toContain("27 days");
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.some((chunk) => chunk.choices[0]?.finish_reason === "stop")).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test("assembles a stream with its own helper", async () => {
    const openai = await key();
    const runner = openai.chat.completions.stream({
      model: agentId,
      messages: [{ role: "user", content: question }],
    });
    expect(await runner.finalContent()).toContain("27 days");
  });

  test("lists the agents as models", async () => {
    const openai = await key();
    const { data } = await openai.models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([agentId, publicId]));
    expect(await openai.models.retrieve(agentId)).toMatchObject({
      id: agentId,
      object: "model",
      owned_by: team.id,
    });
    await expect(openai.models.retrieve(randomUUID())).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("gets errors in OpenAI's format", async () => {
    const openai = await key();
    const ask = (model: string, who = openai) =>
      who.chat.completions.create({ model, messages: [{ role: "user", content: "Hello" }] });
    await expect(ask("gpt-4")).rejects.toMatchObject({
      status: 400,
      code: "VALIDATION_FAILED",
      param: "model",
    });
    await expect(ask(randomUUID())).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
    const image_url = { url: "data:image/png;base64,AAAA" };
    const shown = openai.chat.completions.create({
      model: agentId,
      messages: [{ role: "user", content: [{ type: "image_url", image_url }] }],
    });
    await expect(shown).rejects.toThrow("an agent takes no images");
    const stranger = await client(`prl_${"a".repeat(8)}_${"b".repeat(43)}`);
    await expect(ask(agentId, stranger)).rejects.toMatchObject({ status: 401, type: "authentication_error" });
    const failing = await newAgent(team, { model: "no-such-model" });
    await expect(ask(failing)).rejects.toMatchObject({ status: 502, code: "UPSTREAM_FAILED" });
    const stream = await openai.chat.completions.create({
      model: failing,
      messages: [{ role: "user", content: "Hello" }],
      stream: true,
    });
    await expect(
      (async () => {
        for await (const chunk of stream) void chunk;
      })(),
    ).rejects.toThrow();
  });

  test.each([
    ["GET", "/embeddings", 404, "invalid_request_error", "NOT_FOUND"],
    ["POST", "/chat/completions/none", 404, "invalid_request_error", "NOT_FOUND"],
    ["GET", "/chat/completions", 405, "invalid_request_error", "METHOD_NOT_ALLOWED"],
  ])("gets that format where nothing is: %s %s", async (method, path, status, type, code) => {
    const { status: answered, body } = await team.owner.call(method, `/v1/streams/openai${path}`);
    expect([answered, body]).toMatchObject([
      status,
      { code, requestId: expect.any(String), error: { message: body.message, type, code } },
    ]);
    expect((await team.owner.call(method, "/v1/streams/none")).body).not.toHaveProperty("error");
  });

  test("is refused at once with a revoked key", async () => {
    const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "Short-lived" });
    const openai = await client(body.key as string);
    await openai.models.list();
    expect((await team.owner.delete(`${team.path}/apiKeys/${body.id}`)).status).toBe(204);
    await expect(openai.models.list()).rejects.toMatchObject({ status: 401 });
  });
});
