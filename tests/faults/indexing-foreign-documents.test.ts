// Documents that a client inserts into a source can claim any id: nothing outside the source's settings is read.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealCredentials } from "../../edge-functions/indexing/connectors/credentials.ts";
import { issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let stand: IndexingStand;
let jira: JiraFake;
beforeAll(async () => {
  jira = await startJiraFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(jira.url).host;
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  await jira?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

/** Inserts a document as an editor may and indexes it alone, without a listing before. */
async function read(source: string, type: string, externalId: string) {
  const [row] = await stand.sql`insert into public.documents (team_id, source_id, external_id, type, title)
    select team_id, id, ${externalId}, ${type}, ${externalId} from public.sources where id = ${source} returning id`;
  await stand.enqueue("index", { document: row?.id, source });
  await stand.settle();
  const [document] =
    await stand.sql`select status, content, error from public.documents where id = ${row?.id}`;
  return document;
}
const nothing = { status: "failed", content: null, error: expect.stringMatching(/^“.*\.$/) };

it("a source of files reads no chat, whatever a document's id claims", async () => {
  const { sql, team } = stand;
  const [agent] =
    await sql`insert into public.agents (team_id, name) values (${team}, 'Concierge') returning id`;
  const [chat] = await sql`insert into public.chats (team_id, agent_id, channel, visitor_id, title)
    values (${team}, ${agent?.id}, 'web', ${randomUUID()}, '') returning id`;
  for (const role of ["user", "assistant"])
    await sql`insert into public.messages (team_id, chat_id, role, content) values (${team}, ${chat?.id}, ${role}, 'Secret.')`;
  // Another type's settings beside its own, as release 1.0.0 accepted them; today the table rejects them.
  await sql`alter table public.sources drop constraint sources_config_of_type`;
  const [source] = await sql`insert into public.sources (team_id, type, name, config)
    values (${team}, 'file', 'Files', ${sql.json({ fileIds: [], agentId: agent?.id })}) returning id`;
  await stand.addKnowledge([source?.id]);
  expect(await read(source?.id, "agentChat", chat?.id)).toMatchObject(nothing);
});

it("a source of files reads the files it lists, and no others of any team", async () => {
  const [listed, unlisted] = [
    await stand.addFile("a.txt", "Ours."),
    await stand.addFile("b.txt", "Not listed."),
  ];
  const theirs = await stand.addFile("c.txt", "Theirs.", await stand.addTeam());
  const source = await stand.addSource([listed]);
  await stand.addKnowledge([source]);
  for (const id of [unlisted, theirs, `../${listed}`, "'; drop table files; --"])
    expect(await read(source, "file", id)).toMatchObject(nothing);
  expect(await read(source, "file", listed)).toMatchObject({ status: "ready", content: "Ours." });
});

it("a source of issues reads those of its projects, and sends no other id to the service", async () => {
  const salaries = issueOf(2, "Salaries", "Secret.", "2026-03-01T10:00:00.000+0000");
  jira.issues = [issueOf(1, "Ours", "Words.", "2026-03-01T10:00:00.000+0000")];
  jira.issues[1] = {
    ...salaries,
    key: "HR-2",
    fields: { ...salaries.fields, project: { key: "HR", name: "People" } },
  };
  const config = stand.sql.json({ site: jira.url, projects: ["OPS"] });
  const [source] = await stand.sql`insert into public.sources (team_id, type, name, config)
    values (${stand.team}, 'jira', 'Tracker', ${config}) returning id`;
  const login = { email: jira.email, apiToken: jira.apiToken };
  await stand.sql`insert into private.source_credentials (source_id, team_id, ciphertext)
    values (${source?.id}, ${stand.team}, ${Buffer.from(sealCredentials(login, source?.id))})`;
  await stand.addKnowledge([source?.id]);
  for (const id of ["..", "../../../3/myself", "10001/../10002", "HR-2", "%2e%2e", "10002?x=", "10002"])
    expect(await read(source?.id, "jira", id)).toMatchObject(nothing);
  expect(jira.calls).toEqual(["GET /rest/api/3/issue/10002"]);
  expect(await read(source?.id, "jira", "10001")).toMatchObject({ status: "ready" });
});
