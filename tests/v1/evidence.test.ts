// A citation in its document: the page, section or rows around the quote, for readers of the knowledge base.
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, as, type Client, newPerson, newTeam, owner, type Team } from "../support/api.ts";
import { asVisitor, newAgent, newKnowledge, waitUntilIndexed } from "../support/content.ts";
import { makePdf } from "../support/files/pdf.ts";
import { rolePermissions, systemRoleIds } from "../support/permissions.ts";

const handbook = `# Leave

Everybody has leave.

## Parental leave

Parents have sixteen weeks of parental leave.

## Sick leave

Tell your manager before nine.
`;
const hotels = `# Limits

| City | Hotel per night |
| --- | --- |
| Paris | 180 euros |
| Lyon | 120 euros |
`;
const question = "How many weeks of parental leave do parents have?";

let team: Team;
let agentId: string;
let knowledgeId: string;
beforeAll(async () => {
  team = await newTeam();
  const knowledge = await newKnowledge(team, { "handbook.md": handbook, "hotels.md": hotels });
  knowledgeId = knowledge.id;
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
});

async function ask(content: string, as: Client = team.owner) {
  const { body: chat } = await as.post(`/v1/agents/${agentId}/chats`, {});
  const client = chat.visitorToken ? asVisitor(chat.visitorToken) : as;
  const { status, body } = await client.post(`/v1/chats/${chat.id}/messages`, { content });
  expect(status).toBe(200);
  return {
    client,
    reply: body.reply,
    path: `/v1/chats/${chat.id}/messages/${body.reply.id}/citations`,
  };
}

describe("a citation", () => {
  test("names its section, and is shown in it", async () => {
    const { reply, path } = await ask(question);
    const [citation] = reply.citations;
    expect(citation).toMatchObject({
      title: "handbook.md",
      heading: expect.stringContaining("Parental leave"),
      page: null,
    });
    const { status, body } = await team.owner.get(`${path}/${citation.index}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "found",
      title: "handbook.md",
      excerpt: {
        headings: ["Leave", "Parental leave"],
        page: null,
        hasMoreBefore: false,
        hasMoreAfter: false,
      },
    });
    const { text, quote } = body.excerpt;
    expect(text.slice(quote.start, quote.end)).toBe(citation.quote);
  });

  test("of a row has its cells and header, in the reply and in the document", async () => {
    const { reply, path } = await ask("What may a hotel in Lyon cost per night?");
    const [citation] = reply.citations;
    expect(citation.table.columns).toEqual(["City", "Hotel per night"]);
    expect(citation.table.rows).toContainEqual(["Lyon", "120 euros"]);
    const { body } = await team.owner.get(`${path}/${citation.index}`);
    expect(body.excerpt.tables).toMatchObject([{ columns: ["City", "Hotel per night"] }]);
    expect(body.excerpt.tables[0].rows.map((row: { cells: string[] }) => row.cells)).toContainEqual([
      "Lyon",
      "120 euros",
    ]);
  });

  test("is shown only to readers of the knowledge base", async () => {
    const { client, reply, path } = await ask(question, anyone);
    const index = reply.citations[0].index;
    expect((await client.get(`${path}/${index}`)).status).toBe(401);
    expect((await team.owner.get(`${path}/${index}`)).status).toBe(200);
    const outsider = await newPerson();
    expect((await outsider.get(`${path}/${index}`)).status).toBe(404);
    const own = await ask(question, outsider);
    expect((await outsider.get(`${own.path}/${own.reply.citations[0].index}`)).status).toBe(403);
    expect((await team.owner.get(`${path}/999`)).status).toBe(404);
    expect((await team.owner.get(`${path}/first`)).status).toBe(400);
  });

  test("is found in its document without the knowledge base, and says when the document is deleted", async () => {
    const { reply, path } = await ask(question);
    const { sourceId, documentId, index } = reply.citations[0];
    await team.owner.delete(`${team.path}/knowledges/${knowledgeId}`);
    const found = await team.owner.get(`${path}/${index}`);
    // The passage is deleted with its knowledge base; the document still has the words.
    expect(found.body.state).toBe("found");
    await team.owner.delete(`${team.path}/sources/${sourceId}/documents/${documentId}`);
    const gone = await team.owner.get(`${path}/${index}`);
    expect(gone.body).toEqual({ state: "gone", title: "handbook.md", url: null, excerpt: null, file: null });
  });
});

describe("the file of a citation", () => {
  const rules = "Parents have sixteen weeks of parental leave.";
  let pdf: { id: string; size: number };
  let documented: string;

  async function newPdf(of: Team) {
    const bytes = new Uint8Array(makePdf([[{ text: "The canteen opens at eleven." }], [{ text: rules }]]));
    const made = await of.owner.upload(`${of.path}/files/upload`, "rules.pdf", bytes, "application/pdf");
    expect(made.status).toBe(201);
    return made.body;
  }
  beforeAll(async () => {
    pdf = await newPdf(team);
    const made = await team.owner.post(`${team.path}/knowledges`, { name: "Rules", fileIds: [pdf.id] });
    const knowledge = (await waitUntilIndexed(team, made.body.id)).body;
    documented = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
  });

  async function askAs(client: Client) {
    const { body: chat } = await client.post(`/v1/agents/${documented}/chats`, {});
    const reader = chat.visitorToken ? asVisitor(chat.visitorToken) : client;
    const { body } = await reader.post(`/v1/chats/${chat.id}/messages`, { content: question });
    const [citation] = body.reply.citations;
    const path = `/v1/chats/${chat.id}/messages/${body.reply.id}/citations/${citation.index}`;
    return { reader, citation, path };
  }
  async function keyWith(permissions: readonly string[]): Promise<Client> {
    const name = `Role ${permissions.length}`;
    const { body: role } = await team.owner.post("/v1/roles", { teamId: team.id, name, permissions });
    const { body: key } = await team.owner.post(`${team.path}/apiKeys`, { name, roleId: role.id });
    return as(key.key);
  }

  test("is offered to those who may read it, at the quote's page", async () => {
    const key = await keyWith(rolePermissions.viewer);
    for (const client of [team.owner, key]) {
      const { path, citation } = await askAs(client);
      const { status, body } = await client.get(path);
      expect(status).toBe(200);
      // The passage starts on page 1; the quote does not.
      expect(citation.page).toBe(2);
      expect(body.file).toEqual({ id: pdf.id, teamId: team.id, size: pdf.size });
      expect(body.excerpt).toMatchObject({ page: 2, lastPage: 2 });
      expect((await client.get(`${team.path}/files/${pdf.id}`)).status).toBe(200);
    }
  });

  test("is offered to nobody else", async () => {
    const key = await keyWith(rolePermissions.viewer.filter((name) => name !== "files.read"));
    const own = await askAs(key);
    const { status, body } = await key.get(own.path);
    expect({ status, state: body.state, file: body.file }).toEqual({
      status: 200,
      state: "found",
      file: null,
    });
    expect((await key.get(`${team.path}/files/${pdf.id}`)).status).toBe(403);
    for (const client of [anyone, await newPerson(), (await newTeam()).owner]) {
      const { reader, path } = await askAs(client);
      const refused = await reader.get(path);
      expect([401, 403]).toContain(refused.status);
      expect(refused.text).not.toContain(pdf.id);
    }
  });

  test("belongs to the document's own team, whatever the document says", async () => {
    const other = await newTeam();
    const { path, citation } = await askAs(team.owner);
    const theirs = await newPdf(other);
    // A member of both teams may read both files, but the document is not the other team's.
    const users = `/v1/teamUsers/${other.id}/users`;
    await other.owner.post(users, { email: team.owner.email, roleId: systemRoleIds.viewer });
    await team.owner.put(`${users}/${team.owner.id}/invites`, { status: "accepted", roleId: "" });
    expect((await team.owner.get(`${other.path}/files/${theirs.id}`)).status).toBe(200);
    const sql = await owner();
    for (const id of [theirs.id, "not-an-id"]) {
      await sql`update public.documents set external_id = ${id} where id = ${citation.documentId}`;
      const { status, body } = await team.owner.get(path);
      expect({ status, file: body.file }).toEqual({ status: 200, file: null });
    }
  });
});
