// An ambiguous question: its reply suggests each reading as a question, in every protocol, and each of these is answered directly.

import { beforeAll, expect, test } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { say } from "../support/words.ts";

let team: Team;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, {
    "bolts.csv": "Name,Price EUR\nLong bolt,3\nShort bolt,2\n",
    "screws.csv": "Name,Price EUR\nLong screw,5\nShort screw,4\n",
    "warranty-bicycles.md": "The warranty on the frame of a bicycle is five years.",
    "warranty-chargers.md": "The warranty on a charger is two years from delivery.",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id] });
});

async function ask(content: string) {
  const { body: chat } = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  const { status, body } = await team.owner.post(`/v1/chats/${chat.id}/messages`, { content });
  expect(status).toBe(200);
  return { chatId: chat.id, ...body };
}

test("of two possible tables, each is suggested, and stored with the reply", async () => {
  const { chatId, message, reply } = await ask("Which is the cheapest?");
  const suggestions = ["Which is the cheapest in “bolts.csv”?", "Which is the cheapest in “screws.csv”?"];
  expect(reply.suggestions.toSorted()).toEqual(suggestions);
  expect(message.suggestions).toEqual([]);
  const { body } = await team.owner.get(`/v1/chats/${chatId}/messages`);
  expect(body.data.map((one: { suggestions: string[] }) => one.suggestions.length)).toEqual([0, 2]);
  const { reply: plain } = await ask(suggestions[1] ?? "");
  expect(plain.content).toContain("is 4 EUR");
  expect(plain.suggestions).toEqual([]);
});

test("of two documents named by a one-word question, each is suggested", async () => {
  const { reply } = await ask("warranty?");
  expect(reply.content).toContain("warranty on");
  expect(reply.suggestions.toSorted()).toEqual([
    "What does “warranty-bicycles.md” say about warranty bicycles?",
    "What does “warranty-chargers.md” say about warranty chargers?",
  ]);
  const { reply: plain } = await ask("What does “warranty-chargers.md” say about warranty chargers?");
  expect(plain.content).toContain("two years");
  expect(plain.suggestions).toEqual([]);
});

test("a reply by OpenAI's protocol has suggestions too", async () => {
  const messages = [{ role: "user", content: "Which is the cheapest?" }];
  const { body } = await team.owner.post("/v1/streams/openai/chat/completions", { model: agentId, messages });
  expect(body.suggestions).toHaveLength(2);
  expect(body.choices[0].message.content).toContain(
    say("answers:tables.unclear.tables", { names: "“bolts.csv”, “screws.csv”" }),
  );
});

test("an unambiguous question has no suggestions", async () => {
  const { reply } = await ask("How long is the warranty on a charger?");
  expect(reply.content).toContain("two years");
  expect(reply.suggestions).toEqual([]);
});
