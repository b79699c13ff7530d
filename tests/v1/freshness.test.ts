// The age of answers: on citations, in warnings of knowledge bases, and in a source's skipped items.
import { beforeAll, describe, expect, test } from "vitest";
import { newMember, newPerson, newTeam, owner, type Person, type Team } from "../support/api.ts";
import { asVisitor, atRest, newAgent, newKnowledge, waitUntilIndexed } from "../support/content.ts";
import { exportTeam, importTeam } from "../support/team-archive.ts";

let team: Team;
let viewer: Person;
let knowledge: { id: string; sourceIds: string[] };
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  viewer = await newMember(team, "viewer");
  knowledge = await newKnowledge(team, {
    "leave.md": "# Leave\n\nParents have sixteen weeks of parental leave.",
  });
  agentId = await newAgent(team, { knowledgeIds: [knowledge.id], visibility: "public" });
});

const path = () => `${team.path}/knowledges/${knowledge.id}`;

async function citation() {
  const { body: chat } = await team.owner.post(`/v1/agents/${agentId}/chats`, {});
  const client = chat.visitorToken ? asVisitor(chat.visitorToken) : team.owner;
  const content = "How many weeks of parental leave do parents have?";
  const { body } = await client.post(`/v1/chats/${chat.id}/messages`, { content });
  return body.reply.citations[0];
}

/** Makes the files' source one of a service, last synced this many days ago. */
async function setLastSync(days: number): Promise<void> {
  const sql = await owner();
  await sql.begin(async (tx) => {
    await tx`update public.sources
                set type = 'website', config = '{}', synced_at = now() - make_interval(days => ${days})
              where id = ${knowledge.sourceIds[0] ?? ""}`;
    await tx`update public.documents set type = 'website', changed_at = '2024-03-05T10:00:00Z'
              where source_id = ${knowledge.sourceIds[0] ?? ""}`;
  });
}

describe("a reply's citation", () => {
  test("says when a file was uploaded, or when a service was synced and changed", async () => {
    const file = await citation();
    expect(file).toMatchObject({ title: "leave.md", syncedAt: null });
    expect(Date.now() - Date.parse(file.changedAt)).toBeLessThan(10 * 60_000);
    await setLastSync(2);
    const page = await citation();
    expect(page.changedAt).toBe("2024-03-05T10:00:00.000Z");
    expect(Math.round((Date.now() - Date.parse(page.syncedAt)) / 86_400_000)).toBe(2);
  });
});

test("a written answer is as old as its last review, also when its owner leaves and where the team is imported", async () => {
  const [theirs, author] = [await newTeam(), await newPerson()];
  const source = (await theirs.owner.post(`${theirs.path}/sources`, { type: "qa", name: "Answers" })).body.id;
  const sql = await owner();
  const reviewed = "2025-02-03T04:05:06.000Z";
  // At once: a sync between two statements would read the first date.
  await sql`
    insert into public.qa_entries (team_id, source_id, question, answer, reviewed_at, owner_id)
    values (${theirs.id}, ${source}, 'Who waters the plants?', 'The office.', ${reviewed}, ${author.id})`;
  await sql`delete from auth.users where id = ${author.id}`;
  const isDated = async ({ path: at }: Team) => {
    const { body: sources } = await theirs.owner.get(`${at}/sources`);
    const place = `${at}/sources/${sources.data[0].id}`;
    expect((await theirs.owner.post(`${place}/loadDocuments`)).status).toBe(202);
    await atRest({ ...theirs, path: at });
    expect((await theirs.owner.get(`${place}/documents`)).body.data).toMatchObject([{ changedAt: reviewed }]);
  };
  await isDated(theirs);
  await isDated(await importTeam(theirs.owner, await exportTeam(theirs)));
});

describe("a knowledge base", () => {
  test("warns of a source that was not synced for the configured number of days", async () => {
    await setLastSync(9);
    expect((await viewer.get(path())).body).toMatchObject({ warnAfterDays: null, overdueSources: [] });
    const put = await team.owner.put(path(), { warnAfterDays: 7 });
    expect(put).toMatchObject({ status: 200, body: { warnAfterDays: 7 } });
    const overdue = [{ id: knowledge.sourceIds[0], syncedAt: expect.any(String) }];
    expect((await viewer.get(path())).body.overdueSources).toMatchObject(overdue);
    const { body: list } = await viewer.get(`${team.path}/knowledges`);
    expect(list.data[0].overdueSources).toMatchObject(overdue);
    const { body: dashboard } = await viewer.get(`/v1/dashboard?team=${team.id}`);
    expect(dashboard.attention.overdueKnowledges).toMatchObject({ total: 1, data: [{ id: knowledge.id }] });
    await team.owner.put(path(), { warnAfterDays: 30 });
    expect((await viewer.get(path())).body.overdueSources).toEqual([]);
    expect((await team.owner.put(path(), { warnAfterDays: null })).body.warnAfterDays).toBeNull();
    for (const warnAfterDays of [0, 3651, 1.5, "7"])
      expect((await team.owner.put(path(), { warnAfterDays })).status).toBe(400);
  });
});

test("a source's unreadable files are listed with the reason", async () => {
  const broken = await team.owner.upload(
    `${team.path}/files/upload`,
    "broken.pdf",
    "%PDF-1.4 no more",
    "application/pdf",
  );
  const made = await team.owner.post(`${team.path}/knowledges`, {
    name: "Broken",
    fileIds: [broken.body.id],
  });
  await atRest(team);
  const { body: one } = await waitUntilIndexed(team, made.body.id);
  const skipped = await viewer.get(`${team.path}/sources/${one.sourceIds[0]}/skipped`);
  expect(skipped.body).toMatchObject({
    total: 1,
    data: [
      {
        address: "broken.pdf",
        title: "broken.pdf",
        documentId: expect.any(String),
        problem: expect.stringContaining("broken.pdf"),
      },
    ],
  });
  expect((await (await newPerson()).get(`${team.path}/sources/${one.sourceIds[0]}/skipped`)).status).toBe(
    404,
  );
});
