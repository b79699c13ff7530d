// Written answers: a source of type qa, its entries, and agents' answers from them.
import { beforeAll, describe, expect, test } from "vitest";
import { newMember, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent, until, waitUntilIndexed } from "../support/content.ts";

let team: Team;
let knowledgeId: string;
let sourceId: string;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  sourceId = (await team.owner.post(`${team.path}/sources`, { type: "qa", name: "Answers" })).body.id;
  const made = await team.owner.post(`${team.path}/knowledges`, { name: "K", sourceIds: [sourceId] });
  knowledgeId = made.body.id;
  agentId = await newAgent(team, { knowledgeIds: [knowledgeId] });
});
const path = (rest = "", source = sourceId) => `${team.path}/sources/${source}/entries${rest}`;
const write = async (values: object) => await team.owner.post(path(), values);
const parking = { question: "Where do bicycles go?", answer: "Into the courtyard; the gate code is 4711." };

const ask = async (content: string) => {
  const chat = (await team.owner.post(`/v1/agents/${agentId}/chats`, {})).body.id;
  return (await team.owner.post(`/v1/chats/${chat}/messages`, { content })).body.reply;
};

describe("an entry", () => {
  test("is written, answers once it is indexed, is changed, reviewed and deleted", async () => {
    const made = await write(parking);
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...parking,
        teamId: team.id,
        sourceId,
        owner: { id: team.owner.id },
        reviewer: { id: team.owner.id },
        expiresAt: null,
        isExpired: false,
        documentId: expect.any(String),
      },
    });
    const { id, documentId, version, reviewedAt } = made.body;
    await waitUntilIndexed(team, knowledgeId);
    const reply = await ask("Where do bicycles go?");
    expect(reply.content).toContain("4711");
    expect(reply.citations[0]).toMatchObject({ documentId, title: parking.question });

    expect((await team.owner.get(path(`/${id}`))).body).toMatchObject({ ...parking, id });
    expect((await team.owner.get(path("?question=GATE"))).body).toMatchObject({ total: 1, data: [{ id }] });
    expect((await team.owner.get(path("?question=elephant"))).body).toMatchObject({ total: 0, data: [] });

    const changed = await team.owner.put(path(`/${id}`), { answer: "Into the cellar; the code is 1234." });
    expect(changed).toMatchObject({
      status: 200,
      body: { documentId, answer: "Into the cellar; the code is 1234." },
    });
    const late = { headers: { "If-Match": `"${version}"` } };
    expect((await team.owner.put(path(`/${id}`), { answer: "Late" }, late)).body.code).toBe(
      "CHANGED_MEANWHILE",
    );
    const reviewed = await team.owner.put(path(`/${id}`), {});
    expect(reviewed.body.version).toBe(changed.body.version);
    expect(reviewed.body.reviewedAt > reviewedAt).toBe(true);
    await waitUntilIndexed(team, knowledgeId);
    expect((await ask("Where do bicycles go?")).content).toContain("1234");

    expect((await team.owner.delete(path(`/${id}`))).status).toBe(204);
    expect((await team.owner.delete(path(`/${id}`))).status).toBe(404);
    expect((await ask("Where do bicycles go?")).unanswered ?? true).toBe(true);
    expect((await ask("Where do bicycles go?")).citations).toEqual([]);
  });

  test("stops answering when it expires, says so, and answers again with a new date", async () => {
    const { body } = await write({ ...parking, expiresAt: new Date(Date.now() + 86_400_000).toISOString() });
    await waitUntilIndexed(team, knowledgeId);
    expect((await ask("Where do bicycles go?")).content).toContain("4711");
    // Expires it, as time would.
    const sql = await owner();
    await sql`alter table public.qa_entries disable trigger follow_changed_qa_entries`;
    await sql`update public.qa_entries set expires_at = now() - interval '1 second' where id = ${body.id}`;
    await sql`alter table public.qa_entries enable trigger follow_changed_qa_entries`;
    const ended = await until(
      async () => (await team.owner.get(path(`/${body.id}`))).body,
      ({ documentId }) => documentId === null,
      90,
    );
    expect(ended.isExpired).toBe(true);
    expect((await ask("Where do bicycles go?")).citations).toEqual([]);
    const again = await team.owner.put(path(`/${body.id}`), { expiresAt: null });
    expect(again.body).toMatchObject({ isExpired: false, documentId: expect.any(String) });
    await waitUntilIndexed(team, knowledgeId);
    expect((await ask("Where do bicycles go?")).content).toContain("4711");
    await team.owner.delete(path(`/${body.id}`));
  });

  test.each([
    ["no answer", { question: "Q?" }, "answer"],
    ["an empty question", { question: " ", answer: "A" }, "question"],
    ["a long answer", { question: "Q?", answer: "x".repeat(20_001) }, "answer"],
    ["no date", { ...parking, expiresAt: "soon" }, "expiresAt"],
    ["a date beyond all", { ...parking, expiresAt: "9999-12-31T00:00:00Z" }, "expiresAt"],
    ["an unknown field", { ...parking, reviewedAt: "2026-01-01T00:00:00Z" }, "reviewedAt"],
  ])("with %s is refused", async (_what, values, field) => {
    const { status, body } = await write(values);
    expect({ status, path: body.details[0].path }).toEqual({ status: 400, path: field });
  });

  test("has an owner in its team, in a source of written answers", async () => {
    const stranger = await newTeam();
    expect((await write({ ...parking, ownerId: stranger.owner.id })).status).toBe(400);
    const files = (await team.owner.post(`${team.path}/sources`, { type: "file", name: "F" })).body.id;
    expect((await team.owner.post(path("", files), parking)).status).toBe(400);
    expect((await team.owner.get(path("", files))).body).toMatchObject({ data: [], total: 0 });
  });

  test("is read by viewers, written by editors, and hidden from others", async () => {
    const { body } = await write(parking);
    const [viewer, editor] = await Promise.all([newMember(team, "viewer"), newMember(team, "editor")]);
    expect((await viewer.get(path())).body.total).toBeGreaterThan(0);
    expect((await viewer.post(path(), parking)).status).toBe(403);
    expect((await viewer.put(path(`/${body.id}`), { answer: "x" })).status).toBe(403);
    expect((await viewer.delete(path(`/${body.id}`))).status).toBe(403);
    const given = await editor.put(path(`/${body.id}`), { ownerId: editor.id });
    expect(given.body).toMatchObject({ owner: { id: editor.id }, reviewer: { id: editor.id } });
    const { owner: outsider } = await newTeam();
    const one = path(`/${body.id}`);
    const refused = [
      await outsider.get(path()),
      await outsider.post(path(), parking),
      await outsider.get(one),
      await outsider.put(one, parking),
      await outsider.delete(one),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
