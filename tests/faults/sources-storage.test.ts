// A source that brings more than its team may store: what fits is kept, what was there stays, and what is gone at the source frees its room.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

const mib = 1024 * 1024;
let jira: JiraFake;
let stand: IndexingStand;
let source: ConnectedSource;

beforeAll(async () => {
  jira = await startJiraFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(jira.url).host;
  process.env.TEAM_STORAGE_MIB = "1";
  stand = await startIndexingStand();
  jira.issues = [1, 2, 3].map((n) =>
    issueOf(n, `Summary ${n}`, `Words about case ${n}.`, `2026-03-0${n}T10:00:00.000+0000`),
  );
  source = await connectSource(
    stand,
    "jira",
    { site: jira.url, projects: ["OPS"] },
    { email: jira.email, apiToken: jira.apiToken },
  );
});
afterAll(async () => {
  await stand?.stop();
  await jira?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
  delete process.env.TEAM_STORAGE_MIB;
});

const readUsed = async () => {
  const [row] = await stand.sql<{ bytes: number }[]>`
    select ((select coalesce(sum(s.bytes), 0) from private.team_storage s where s.team_id = ${stand.team})
          + (select coalesce(sum(c.bytes), 0) from private.storage_changes c where c.team_id = ${stand.team}))::int as bytes`;
  return row?.bytes ?? 0;
};
const leave = async (bytes: number) =>
  stand.sql`insert into private.storage_changes (team_id, bytes, is_checked)
            values (${stand.team}, ${mib - bytes - (await readUsed())}, false)`;
const rewrite = (n: number, text: string) => {
  const at = jira.issues.findIndex((one) => "fields" in one && one.id === String(10_000 + n));
  jira.issues[at] = issueOf(n, `Summary ${n}`, text, `2026-04-0${n}T10:00:00.000+0000`);
};
const large = "Everything about this case, at length. ".repeat(300);

it("sets the limit that the function's settings have, and counts what a sync brings", async () => {
  expect(await source.sync()).toMatchObject({ status: "succeeded", done: 3 });
  expect(await stand.sql`select team_storage::int as bytes from private.operator_limits`).toEqual([
    { bytes: mib },
  ]);
  expect(await readUsed()).toBeGreaterThan(3 * 1024);
});

it("says on the source that no more fits, keeps every text, and deletes what is gone", async () => {
  const before = await source.contentOf("OPS-1 Summary 1");
  rewrite(1, large);
  jira.issues.splice(1, 1);
  await leave(1_000);
  const task = await source.sync({ whole: true });
  expect(task).toMatchObject({ status: "failed", message_code: "storageReached" });
  expect(task.error).toMatch(/^The team stores 0 of the 1 MiB that it may/);
  expect((await source.row())?.error).toBe(task.error);
  expect(await source.titles()).toEqual(["OPS-1 Summary 1", "OPS-3 Summary 3"]);
  expect(await source.contentOf("OPS-1 Summary 1")).toBe(before);
  const [indexed] = await stand.sql`
    select count(*)::int as chunks from public.chunks c join public.documents d on d.id = c.document_id
     where d.source_id = ${source.id}`;
  expect(indexed?.chunks).toBe(2);
});

it("reads the rest at the next sync once there is room", async () => {
  await stand.sql`delete from private.storage_changes where team_id = ${stand.team}`;
  await stand.sql`update private.team_storage set bytes = 0 where team_id = ${stand.team}`;
  expect(await source.sync()).toMatchObject({ status: "succeeded" });
  expect((await source.row())?.error).toBeNull();
  expect(await source.contentOf("OPS-1 Summary 1")).toContain(large.trim());
});
