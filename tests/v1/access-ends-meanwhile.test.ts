// Access that ends while an answer is on its way: the rest of a reply, of a stream and of an export stays with the team.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, newMember, newPerson, newTeam, type Person, type Team } from "../support/api.ts";
import { newAgent, newKnowledge, openStream } from "../support/content.ts";
import { serverEvents } from "../support/event-stream.ts";
import { findStack } from "../support/stack.ts";

/** Takes the offline model seconds: it sends a word every few milliseconds. */
const saga = `The lighthouse saga tells that ${Array.from({ length: 100 }, (_, i) => `keeper ${i} lit the lamp`).join(", then ")}.`;
const content = "What does the lighthouse saga tell about each keeper?";

let team: Team;
let knowledgeId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, { "saga.md": saga }, { chunking: { maxTokens: 2000 } });
  knowledgeId = knowledge.id;
});

const remove = async ({ id }: Person, from: Team = team) =>
  expect((await from.owner.delete(`/v1/teamUsers/${from.id}/users/${id}`)).status).toBe(204);

/** The names of a stream's events. @param meanwhile runs after the first part of the reply */
async function eventsOf(response: Response, meanwhile: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  for await (const { event } of serverEvents(response)) {
    names.push(event);
    if (event === "delta" && names.filter((name) => name === "delta").length === 1) await meanwhile();
  }
  return names;
}

test("a reply in a chat ends with an error for a member who is removed, and as failed in the chat", async () => {
  const member = await newMember(team, "viewer");
  const agent = await newAgent(team, { knowledgeIds: [knowledgeId] });
  const path = `/v1/chats/${(await member.post(`/v1/agents/${agent}/chats`, {})).body.id}/messages`;
  const names = await eventsOf(await openStream(member, path, { content }), () => remove(member));
  expect(names.at(-1)).toBe("error");
  expect(names).not.toContain("done");
  const { body } = await team.owner.get(path);
  expect(body.data.at(-1)).toMatchObject({ role: "assistant", status: "failed" });
  expect(body.data.at(-1).content).not.toContain("keeper 99");
});

test("a stream ends with an error for a stranger whose agent becomes private", async () => {
  const agentId = await newAgent(team, { knowledgeIds: [knowledgeId], visibility: "public" });
  const asked = { agentId, messages: [{ role: "user", content }] };
  const hide = async () => {
    const { status } = await team.owner.put(`${team.path}/agents/${agentId}`, { visibility: "private" });
    expect(status).toBe(200);
  };
  const names = await eventsOf(await openStream(await newPerson(), "/v1/streams", asked), hide);
  expect(names.at(-1)).toBe("error");
  expect(names).not.toContain("done");
});

const endings: Record<string, () => Promise<{ token: string; end: () => Promise<unknown> }>> = {
  "whose sessions are ended": async () => {
    const member = await newMember(team, "viewer");
    const { email, password } = member;
    const { body } = await anyone.post("/v1/auth/login", { email, password, deviceId: "app" });
    return { token: body.accessToken, end: () => as(body.accessToken).delete("/v1/auth/sessions") };
  },
  "whose account is deleted": async () => {
    const member = await newMember(team, "viewer");
    return { token: member.token, end: () => member.delete(`/v1/users/${member.id}`) };
  },
  "whose API key is deleted": async () => {
    const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "Key" });
    return { token: body.key, end: () => team.owner.delete(`${team.path}/apiKeys/${body.id}`) };
  },
};

describe.each(Object.keys(endings))("for a caller %s", (how) => {
  test("a stream and a completion end with an error", async () => {
    const agentId = await newAgent(team, { knowledgeIds: [knowledgeId] });
    const messages = [{ role: "user", content }];
    const { apiUrl } = await findStack();
    for (const [path, body] of [
      ["/v1/streams", { agentId, messages }],
      ["/v1/streams/openai/chat/completions", { model: agentId, messages, stream: true }],
    ] as const) {
      const { token, end } = (await endings[how]?.()) ?? { token: "", end: async () => {} };
      const response = await fetch(`${apiUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const parts: string[] = [];
      const decoder = new TextDecoder();
      for await (const part of response.body ?? []) {
        parts.push(decoder.decode(part, { stream: true }));
        if (parts.length === 2) await end();
      }
      const text = parts.join("");
      expect(text).toMatch(/^(?:event: error$|data: \{"error":)/m);
      expect(text).not.toMatch(/^event: done$|^data: \[DONE\]$/m);
    }
  });

  test("MCP answers with an error", async () => {
    const agentId = await newAgent(team, { knowledgeIds: [knowledgeId] });
    const { token, end } = (await endings[how]?.()) ?? { token: "", end: async () => {} };
    const asked = as(token).post("/v1/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "ask_agent", arguments: { agentId, question: content } },
    });
    // By then the reply is being written. On a slow machine the question is refused instead.
    await sleep(1_000);
    await end();
    const { body, status } = await asked;
    if (status === 200) expect(body.result).toMatchObject({ isError: true });
    else expect(status).toBe(401);
    expect(JSON.stringify(body)).not.toContain("lit the lamp");
  });
});

test("an export breaks off for an owner who is removed, and is not taken for a whole one", async () => {
  const at = await newTeam();
  // More than the connections between here and storage hold.
  for (const name of ["a.bin", "b.bin", "c.bin"])
    await at.owner.upload(`${at.path}/files/upload`, name, new Uint8Array(randomBytes(16 * 1024 * 1024)));
  const second = await newMember(at, "owner");
  const { apiUrl } = await findStack();
  const headers = { Authorization: `Bearer ${second.token}` };
  const reader = (await fetch(`${apiUrl}${at.path}/export`, { headers })).body?.getReader();
  await reader?.read();
  await remove(second, at);
  const readOn = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(readOn()).rejects.toThrow();
});

test("an export breaks off in the middle of a file", async () => {
  const at = await newTeam();
  const size = 48 * 1024 * 1024;
  await at.owner.upload(`${at.path}/files/upload`, "a.bin", new Uint8Array(randomBytes(size)));
  const second = await newMember(at, "owner");
  const { apiUrl } = await findStack();
  const headers = { Authorization: `Bearer ${second.token}` };
  const reader = (await fetch(`${apiUrl}${at.path}/export`, { headers })).body?.getReader();
  let received = 0;
  const readTo = async (most: number) => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      received += part.value.length;
      if (received > most) return;
    }
  };
  await readTo(size / 8);
  await remove(second, at);
  await sleep(1_200);
  await expect(readTo(size)).rejects.toThrow();
});
