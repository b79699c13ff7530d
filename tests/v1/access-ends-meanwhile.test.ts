// Access that ends while an answer is on its way: the rest of a reply, of a stream and of an export stays with the team.
import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newMember, newPerson, newTeam, type Person, type Team } from "../support/api.ts";
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
