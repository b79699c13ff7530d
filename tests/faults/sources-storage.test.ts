// A source that brings more than its team may store: what fits is kept, what was there stays, and what is gone at the source frees its room.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConnectedSource, connectJira } from "../support/connected-source.ts";
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
  source = await connectJira(stand, jira);
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

it("indexes smaller documents behind one that does not fit, and names that one", async () => {
  jira.issues.push(
    issueOf(4, "Summary 4", large.repeat(2), "2026-05-04T10:00:00.000+0000"),
    ...[5, 6].map((n) =>
      issueOf(n, `Summary ${n}`, `Words about case ${n}.`, `2026-05-0${n}T10:00:00.000+0000`),
    ),
  );
  await leave(40_000);
  const task = await source.sync({ whole: true });
  expect(task).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
  expect(task.message_params).toMatchObject({ failed: 1 });
  const unfit = await source.document("OPS-4 Summary 4");
  expect(unfit).toMatchObject({ status: "failed", chunks_count: 0 });
  expect(unfit?.error).toMatch(/^“OPS-4 Summary 4” does not fit: the team stores 0 of the 1 MiB that it may/);
  for (const n of [5, 6])
    expect(await source.document(`OPS-${n} Summary ${n}`)).toMatchObject({
      status: "ready",
      chunks_count: 1,
    });
  const readRowsOf = (table: string) =>
    stand.sql`select 1 from ${stand.sql(table)} where document_id = ${unfit?.id ?? ""}`;
  for (const table of ["public.chunks", "private.builds", "private.staged_chunks"])
    expect(await readRowsOf(table), table).toHaveLength(0);
  expect(await readUsed()).toBeLessThanOrEqual(mib);

  await stand.sql`delete from private.storage_changes where team_id = ${stand.team}`;
  await stand.sql`update private.team_storage set bytes = 0 where team_id = ${stand.team}`;
  expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
  expect(await source.document("OPS-4 Summary 4")).toMatchObject({ status: "ready", error: null });
});

it("asks the embedding model no more about what cannot fit", async () => {
  const long = (n: number) => issueOf(n, `Summary ${n}`, large.repeat(2), `2026-06-0${n}T10:00:00.000+0000`);
  jira.issues.push(long(7), long(8), long(9));
  await leave(90_000);
  const before = stand.openai.requests.length;
  await source.sync({ whole: true });
  const failed = (await source.documents()).filter(({ status }) => status === "failed");
  expect(failed.map(({ title }) => title)).toEqual(["OPS-7 Summary 7", "OPS-8 Summary 8", "OPS-9 Summary 9"]);
  expect(stand.openai.requests.length - before).toBeLessThanOrEqual(2);
});

it("keeps nothing staged of a long document that does not fit", async () => {
  jira.issues.splice(
    0,
    jira.issues.length,
    issueOf(10, "Summary 10", large.repeat(20), "2026-07-10T10:00:00.000+0000"),
    issueOf(11, "Summary 11", "Words about case 11.", "2026-07-11T10:00:00.000+0000"),
  );
  await source.sync({ whole: true });
  await stand.sql`delete from public.documents where source_id = ${source.id}`;
  await leave(450_000);
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
  const unfit = await source.document("OPS-10 Summary 10");
  expect(unfit).toMatchObject({ status: "failed", chunks_count: 0 });
  expect(unfit?.content?.length).toBeGreaterThan(200_000);
  for (const table of ["public.chunks", "private.builds", "private.staged_chunks"])
    expect(
      await stand.sql`select 1 from ${stand.sql(table)} where document_id = ${unfit?.id ?? ""}`,
      table,
    ).toHaveLength(0);
  expect(await source.document("OPS-11 Summary 11")).toMatchObject({ status: "ready" });
});
