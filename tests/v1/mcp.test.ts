// MCP through the SDK's own client: the tools, their rights, and what the endpoint refuses.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, type Team } from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let other: Team;
let agentId: string;
let knowledgeId: string;
let otherKnowledgeId: string;
let key: string;

beforeAll(async () => {
  [team, other] = await Promise.all([newTeam(), newTeam()]);
  const leave = { "leave.md": "# Leave\n\nEveryone has 27 days of paid leave per calendar year." };
  knowledgeId = (await newKnowledge(team, leave)).id;
  otherKnowledgeId = (await newKnowledge(other, { "secret.md": "# Secret\n\nThe vault opens at noon." })).id;
  agentId = await newAgent(team, { name: "Leave", knowledgeIds: [knowledgeId] });
  await newAgent(other, { name: "Vault", visibility: "public" });
  key = (await team.owner.post(`${team.path}/apiKeys`, { name: "MCP" })).body.key;
});

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function connect(token: string): Promise<Client> {
  const { apiUrl } = await findStack();
  const client = new Client({ name: "tests", version: "1" });
  open.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${apiUrl}/v1/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

const call = async (client: Client, name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: input });
  const [first] = result.content as { text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: what a tool gives is for the tests to find out
  const data = result.structuredContent as Record<string, any>;
  return { ...result, data, text: first?.text ?? "" };
};

describe("an MCP client with an API key", () => {
  test("lists the tools, searches the team's knowledge bases, reads on and asks an agent", async () => {
    const client = await connect(key);
    expect(client.getServerVersion()).toMatchObject({ name: "parley" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "ask_agent",
      "list_agents",
      "list_knowledges",
      "read_document",
      "search_knowledge",
    ]);
    expect((await call(client, "list_agents")).data.agents).toEqual([
      { id: agentId, name: "Leave", description: "" },
    ]);
    expect((await call(client, "list_knowledges")).data.knowledges).toMatchObject([
      { id: knowledgeId, status: "ready", documentsCount: 1 },
    ]);

    const { data } = await call(client, "search_knowledge", { query: "days of paid leave" });
    expect(data.passages[0]).toMatchObject({
      title: "leave.md",
      content: expect.stringContaining("27 days"),
    });
    const document = await call(client, "read_document", {
      documentId: data.passages[0].documentId,
      from: 2,
    });
    expect(document.data).toMatchObject({ title: "leave.md", content: expect.stringMatching(/^Leave/) });

    const asked = await call(client, "ask_agent", {
      agentId,
      question: "How many days of paid leave does everyone have?",
    });
    expect(asked.data.answer).toContain("27 days");
    expect(asked.data.citations).toMatchObject([{ index: 1, title: "leave.md" }]);
    expect(asked.text).toContain("[1] leave.md");
  });

  test("reaches nothing of another team", async () => {
    const client = await connect(key);
    const search = { query: "When does the vault open?", knowledgeId: otherKnowledgeId };
    expect((await call(client, "search_knowledge", search)).data.passages).toEqual([]);
    const everywhere = await call(client, "search_knowledge", { query: search.query });
    expect(everywhere.text).not.toContain("vault opens");
    const theirs = await connect(other.owner.token);
    const [found] = (await call(theirs, "search_knowledge", { query: search.query })).data.passages;
    expect(found.content).toContain("noon");
    expect(await call(client, "read_document", { documentId: found.documentId })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^NOT_FOUND/),
    });
    const [vault] = (await call(theirs, "list_agents")).data.agents;
    // An API key works with its own team's agents, even where anyone else may ask.
    expect(await call(client, "ask_agent", { agentId: vault.id, question: "When?" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^FORBIDDEN/),
    });
  });

  test("is told about invalid input and unknown tools", async () => {
    const client = await connect(key);
    for (const input of [{}, { query: "" }, { query: "x", count: 0 }, { query: "x", knowledgeId: "1" }])
      expect(await call(client, "search_knowledge", input)).toMatchObject({ isError: true });
    expect(await call(client, "drop_everything")).toMatchObject({ isError: true });
    await expect(client.listResources()).rejects.toThrow(/not support|Method not found/);
  });
});

test("a person's own token works with their rights, until they are removed", async () => {
  const viewer = await newMember(team, "viewer");
  const client = await connect(viewer.token);
  expect((await call(client, "list_agents")).data.agents).toHaveLength(1);
  await team.owner.delete(`/v1/teamUsers/${team.id}/users/${viewer.id}`);
  expect((await call(client, "list_agents")).data.agents).toEqual([]);
  const stranger = await connect((await newPerson()).token);
  expect((await call(stranger, "list_knowledges")).data.knowledges).toEqual([]);
});

describe("the endpoint", () => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const accept = { Accept: "application/json, text/event-stream" };

  test("refuses anonymous callers, other methods and foreign pages", async () => {
    const stranger = await anyone.post("/v1/mcp", list, { headers: accept });
    expect(stranger).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    expect(stranger.headers.get("www-authenticate")).toBe("Bearer");
    const forged = await anyone.post("/v1/mcp", list, {
      headers: { ...accept, Authorization: `Bearer prl_${"a".repeat(8)}_${"b".repeat(43)}` },
    });
    expect(forged.status).toBe(401);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await team.owner.call(method, "/v1/mcp");
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    const from = (origin: string) =>
      team.owner.post("/v1/mcp", list, { headers: { ...accept, Origin: origin } });
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"])
      expect([origin, (await from(origin)).status]).toEqual([origin, 403]);
    const { webUrl } = await findStack();
    expect((await from(webUrl)).status).toBe(200);
  });

  test("answers malformed messages with a 4xx, and unknown methods with a protocol error", async () => {
    for (const body of [{}, [], "x", 1, null, { jsonrpc: "1.0" }, [{ jsonrpc: "2.0" }, 5]]) {
      const { status } = await team.owner.post("/v1/mcp", body, { headers: accept });
      expect([JSON.stringify(body), status]).toEqual([JSON.stringify(body), 400]);
    }
    const unknown = await team.owner.post(
      "/v1/mcp",
      { ...list, method: "nothing/here" },
      { headers: accept },
    );
    expect(unknown.body).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code: -32601 } });
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await team.owner.post("/v1/mcp", note, { headers: accept })).status).toBe(202);
  });

  test("answers a batch that cancels its own messages, and at most ten messages", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const answered = await team.owner.post("/v1/mcp", [list, cancel], { headers: accept });
    expect(answered.status).toBe(200);
    expect([answered.body].flat()).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
    expect((await team.owner.post("/v1/mcp", cancel, { headers: accept })).status).toBe(202);
    const many = (count: number) => Array.from({ length: count }, (_, id) => ({ ...list, id }));
    expect((await team.owner.post("/v1/mcp", many(10), { headers: accept })).body).toHaveLength(10);
    expect((await team.owner.post("/v1/mcp", many(11), { headers: accept })).status).toBe(400);
  });

  test("answers with JSON, whatever a client says that it accepts", async () => {
    for (const value of ["*/*", "application/json", "text/event-stream", "text/html"]) {
      const { status, body } = await team.owner.post("/v1/mcp", list, { headers: { Accept: value } });
      expect([value, status]).toEqual([value, 200]);
      expect(body.result.tools.length).toBeGreaterThan(0);
    }
  });
});
