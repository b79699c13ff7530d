// Search over everything of a team: each kind is found, each caller finds what they may see, and no input breaks it.
import { beforeAll, describe, expect, test } from "vitest";
import {
  anyone,
  as,
  type Client,
  newMember,
  newPerson,
  newTeam,
  owner,
  type Person,
  type Team,
} from "../support/api.ts";
import { newAgent, newKnowledge } from "../support/content.ts";

let team: Team;
let viewer: Person;
let editor: Person;
let agentId: string;
let knowledge: { id: string; sourceIds: string[] };

const search = (who: Client, query: string, more = "") =>
  who.get(`${team.path}/search?query=${encodeURIComponent(query)}${more}`);
type Hit = { type: string; id: string; title: string; excerpt: string | null; messageId?: string };
const hits = async (who: Client, query: string): Promise<Hit[]> => {
  const { status, body } = await search(who, query);
  expect(status).toBe(200);
  expect(body.total).toBe(body.data.length);
  return body.data;
};
const kinds = async (who: Client, query: string) => (await hits(who, query)).map(({ type }) => type);

/** Stores a person's chat with one question, as the API does. */
async function chatOf(
  person: Person,
  content: string,
  title = "",
): Promise<{ id: string; messageId: string }> {
  const { body } = await person.post(`/v1/agents/${agentId}/chats`, title ? { title } : {});
  const sql = await owner();
  const [message] = await sql<{ id: string }[]>`
    insert into public.messages (chat_id, content) values (${body.id}, ${content}) returning id`;
  return { id: body.id, messageId: message?.id ?? "" };
}

beforeAll(async () => {
  team = await newTeam("Searching");
  [viewer, editor] = [await newMember(team, "viewer"), await newMember(team, "editor")];
  agentId = await newAgent(team, { name: "Wombat helper", description: "Answers about wombats." });
  knowledge = await newKnowledge(team, {
    "wombat-care.md": "# Care\n\nA wombat digs burrows and eats grass at night. Its pouch opens backwards.",
  });
});

describe("what is found", () => {
  test("an agent, a knowledge base, a source, a document, a passage and a chat, each with its link", async () => {
    await team.owner.put(`${team.path}/knowledges/${knowledge.id}`, { name: "Wombat facts" });
    const [sourceId] = knowledge.sourceIds;
    await team.owner.put(`${team.path}/sources/${sourceId}`, { name: "Wombat files" });
    const chat = await chatOf(team.owner, "Where does the wombat sleep in winter?", "Sleep");

    const found = await hits(team.owner, "wombat");
    expect(found.map(({ type }) => type)).toEqual([
      "agent",
      "knowledge",
      "source",
      "document",
      "passage",
      "chat",
    ]);
    const of = (type: string) => found.find((hit) => hit.type === type);
    expect(of("agent")).toEqual({
      type: "agent",
      id: agentId,
      title: "Wombat helper",
      excerpt: "Answers about wombats.",
      url: null,
    });
    expect(of("knowledge")).toMatchObject({ id: knowledge.id, title: "Wombat facts" });
    expect(of("source")).toMatchObject({ id: sourceId, title: "Wombat files" });
    expect(of("document")).toMatchObject({ title: "wombat-care.md", sourceId });
    expect(of("passage")).toMatchObject({
      knowledgeId: knowledge.id,
      sourceId,
      documentId: of("document")?.id,
      excerpt: expect.stringContaining("digs burrows"),
    });
    expect(of("chat")).toEqual({
      type: "chat",
      id: chat.id,
      title: "Sleep",
      excerpt: "Where does the wombat sleep in winter?",
      url: null,
      agentId,
      messageId: chat.messageId,
    });
    expect(await kinds(team.owner, "helper wombat")).toEqual(["agent"]);
    expect(await kinds(team.owner, "wombat nowhere")).toEqual([]);
  });

  test("by the team's codename too, and no more of a type than requested", async () => {
    for (let at = 1; at <= 3; at += 1) await chatOf(team.owner, "Do quokkas smile?", `Quokka ${at}`);
    const { body } = await team.owner.get(`/v1/teams/${team.codename}/search?query=quokka&count=2`);
    expect(body.data.map(({ title }: Hit) => title)).toEqual(["Quokka 3", "Quokka 2"]);
  });

  test("an excerpt of a long message around the match", async () => {
    await chatOf(
      team.owner,
      `${"Before it. ".repeat(400)}The numbat eats termites. ${"After it. ".repeat(400)}`,
    );
    const [hit] = await hits(team.owner, "numbat");
    expect(hit?.excerpt).toMatch(/^… .*The numbat eats termites\..* …$/);
    expect(hit?.excerpt?.length).toBeLessThan(260);
  });
});

describe("who finds what", () => {
  test("a chat is found by its person and by readers of everyone's, by no other member", async () => {
    const own = await chatOf(viewer, "A secret bilby lives here.", "Bilby");
    for (const who of [viewer, editor, team.owner])
      expect((await hits(who, "bilby")).map(({ id }) => id)).toEqual([own.id]);
    const other = await newMember(team, "viewer");
    expect(await hits(other, "bilby")).toEqual([]);
    expect(await hits(other, "secret")).toEqual([]);
    // The member finds what they may read.
    expect(await kinds(other, "burrows")).toEqual(["passage"]);
  });

  test("a role finds the kinds that it may read", async () => {
    const { body: role } = await team.owner.post("/v1/roles", {
      name: "Agents alone",
      teamId: team.id,
      permissions: ["team.read", "agents.read"],
    });
    const person = await newMember(team, role.id);
    expect(await kinds(person, "wombat")).toEqual(["agent"]);
  });

  test("an API key finds as its role does", async () => {
    const { body } = await team.owner.post(`${team.path}/apiKeys`, { name: "Finder" });
    expect(await kinds(as(body.key), "wombat")).toContain("passage");
  });

  test("an outsider, an anonymous caller and a member of another team find nothing", async () => {
    const [stranger, other] = await Promise.all([newPerson(), newTeam("Other")]);
    expect((await search(stranger, "wombat")).status).toBe(404);
    expect((await search(other.owner, "wombat")).status).toBe(404);
    expect((await search(anyone, "wombat")).status).toBe(401);
    expect((await other.owner.get(`${other.path}/search?query=wombat`)).body).toEqual({ data: [], total: 0 });
  });
});

describe("a query", () => {
  test.each([
    ["nothing", ""],
    ["spaces", "   "],
    ["more than 200 characters", "a".repeat(201)],
    ["a NUL", "wombat\0"],
  ])("%s is rejected with the field", async (_what, query) => {
    const { status, body } = await search(team.owner, query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION_FAILED", details: [{ path: "query" }] });
  });

  test("that is missing, or has an invalid count, is rejected", async () => {
    expect((await team.owner.get(`${team.path}/search`)).status).toBe(400);
    for (const count of ["0", "21", "x", "-1", "1.5"])
      expect((await search(team.owner, "wombat", `&count=${count}`)).status).toBe(400);
  });

  test.each([
    "'",
    '"',
    "\\",
    "%",
    "_",
    "' or 1=1 --",
    ":*",
    "a & !b | (c",
    "((",
    "wombat'); drop table x",
    "💥",
    "e\u0301",
    "ﷺ".repeat(200),
    "-",
    "*",
  ])("%s is read as plain words", async (query) => {
    const { status, body } = await search(team.owner, query);
    expect(status).toBe(200);
    expect(Array.isArray(body.data)).toBe(true);
    // Its own % and _ are literal.
    if (query === "%" || query === "_") expect(body.data).toEqual([]);
  });
});
