// Follow-up questions in every protocol: each answer reports the rewritten query.
import OpenAI from "openai";
import { beforeAll, expect, test } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, openStream } from "../support/content.ts";
import { allEvents } from "../support/event-stream.ts";
import { findStack } from "../support/stack.ts";

const leave = "How many days of paid leave do employees get?";
const followUp = "And in France?";
const searchedFor = `${leave} ${followUp}`;
const history = [
  { role: "user" as const, content: leave },
  { role: "assistant" as const, content: "New employees get 27 days of paid leave." },
];

let team: Team;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "leave.md": "New employees get 27 days of paid leave per calendar year.",
    "abroad.md": "In France, employees get 25 days of paid leave and nine days of rest.",
    "offices.md": "Our office in France is in Lyon. The office in France opened in 2004.",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
});

test("a chat's reply reports the rewritten query, now, later and in its explanation", async () => {
  const { body: chat } = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  const path = `/v1/chats/${chat.id}/messages`;
  const first = await team.owner.post(path, { content: leave });
  expect(first.body.reply.searchedFor).toBeNull();
  const second = await team.owner.post(path, { content: followUp });
  expect(second.body).toMatchObject({
    message: { searchedFor: null },
    reply: { searchedFor, content: expect.stringContaining("25 days") },
  });
  const { body } = await team.owner.get(path);
  expect(body.data.map((message: { searchedFor: string | null }) => message.searchedFor)).toEqual([
    null,
    null,
    null,
    searchedFor,
  ]);
  const why = await team.owner.get(`${path}/${second.body.reply.id}/passages`);
  expect(why.body).toMatchObject({ searchedFor, data: [{ title: "abroad.md" }, {}, {}] });

  const { body: another } = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  const alone = await team.owner.post(`/v1/chats/${another.id}/messages`, { content: followUp });
  expect(alone.body.reply.searchedFor).toBeNull();
});

test("a stream and OpenAI's protocol report it too", async () => {
  const messages = [...history, { role: "user" as const, content: followUp }];
  const events = await allEvents(await openStream(team.owner, "/v1/streams", { agentId, messages }));
  expect(events.at(-1)).toMatchObject({ event: "done", data: { searchedFor } });

  const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
  const { apiUrl } = await findStack();
  const openai = new OpenAI({
    apiKey: body.key,
    baseURL: `${apiUrl}/v1/streams/openai`,
  });
  expect(await openai.chat.completions.create({ model: agentId, messages })).toMatchObject({ searchedFor });
  const chunks = [];
  for await (const chunk of await openai.chat.completions.create({ model: agentId, messages, stream: true }))
    chunks.push(chunk);
  expect(chunks.at(-1)).toMatchObject({ searchedFor });
});

test("MCP reports it as data and as text", async () => {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "ask_agent", arguments: { agentId, question: followUp, history } },
  };
  const { body } = await team.owner.post("/v1/mcp", call, {
    headers: { Accept: "application/json, text/event-stream" },
  });
  expect(body.result.structuredContent).toMatchObject({ searchedFor });
  expect(body.result.content[0].text).toContain(`Searched for: ${searchedFor}`);
});

test("a change of subject is answered like a first question, whatever was asked before", async () => {
  const { body: chat } = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  const ask = async (content: string) =>
    (await team.owner.post(`/v1/chats/${chat.id}/messages`, { content })).body.reply;
  await ask("how many days of paid leave do employees get");
  expect(await ask("who is the chairman")).toMatchObject({
    searchedFor: null,
    citations: [],
    support: { state: "notFound" },
  });
  expect((await ask("when was the office opened")).content).toContain("2004");
  expect((await ask("is there a rule about paid leave")).content).toContain("27 days");
});
