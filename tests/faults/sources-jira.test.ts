// Jira, synced by the worker through the real queue: pages, comments, changes, deletions, damage, rate limits, lost tokens.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedSource, connectJira } from "../support/connected-source.ts";
import { commentOf, issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { type IndexingStand, startIndexingStand, texts } from "../support/indexing-stand.ts";
import { say } from "../support/words.ts";

let jira: JiraFake;
let stand: IndexingStand;
let source: ConnectedSource;

beforeAll(async () => {
  jira = await startJiraFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(jira.url).host;
  stand = await startIndexingStand();
  jira.issues = [1, 2, 3, 4, 5, 6, 7].map((n) =>
    issueOf(n, `Summary ${n}`, `Words about case ${n}.`, `2026-03-0${n}T10:00:00.000+0000`),
  );
  source = await connectJira(stand, jira);
});
afterAll(async () => {
  await stand?.stop();
  await jira?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

const listSkipped = () => stand.sql`
  select address, title, problem from private.source_pages where source_id = ${source.id} and problem is not null`;
const issue = (n: number) => {
  const found = jira.issues.find(({ id }) => id === String(10_000 + n));
  if (!found || !("fields" in found)) throw new Error(`no issue ${n}`);
  return found as ReturnType<typeof issueOf>;
};

describe("a source of issues", () => {
  it("reads every page, and every page of comments, into documents with URLs", async () => {
    issue(2).comments = [1, 2, 3, 4, 5].map((n) => commentOf(String(n), "Grace", `Remark number ${n}.`));
    issue(3).fields.attachment = [{ id: "1", filename: "a.pdf" }, { id: "2" }];
    const task = await source.sync();
    expect(task).toMatchObject({ status: "succeeded", message_code: "indexed", done: 7, total: 7 });
    expect(await source.titles()).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `OPS-${n} Summary ${n}`));
    const [, second] =
      await stand.sql`select * from public.documents where source_id = ${source.id} order by title`;
    expect(second).toMatchObject({ external_id: "10002", url: `${jira.url}/browse/OPS-2`, status: "ready" });
    expect(second?.content).toContain("# OPS-2 Summary 2");
    expect(second?.content).toContain("Status: In Progress");
    for (const n of [1, 2, 3, 4, 5]) expect(second?.content).toContain(`Remark number ${n}.`);
    expect(jira.jqls).toEqual(['project in ("OPS") ORDER BY id ASC']);
    expect(await source.row()).toMatchObject({ status: "ready", documents_count: 7, error: null });
    const problem = say("problems:sentences.jiraAttached", { count: "2" });
    expect(await listSkipped()).toEqual([
      { address: `${jira.url}/browse/OPS-3`, title: "OPS-3 Summary 3", problem },
    ]);
    await stand.expectWhole();
  });

  it("requests changes in the account's own time zone, and embeds only those", async () => {
    jira.jqls.length = 0;
    const before = texts(stand).length;
    issue(3).fields.description = {
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "text", text: "Now different." }] }],
    };
    issue(3).fields.attachment = [];
    issue(3).fields.updated = "2026-03-08T06:30:00.000+0000";
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    // 70 minutes before the last change that was seen, 10:00 UTC, as a clock in New York showed it.
    expect(jira.jqls).toEqual(['project in ("OPS") AND updated >= "2026-03-07 03:50" ORDER BY id ASC']);
    expect(texts(stand).slice(before)).toEqual([expect.stringContaining("Now different.")]);
    expect(await listSkipped()).toEqual([]);
    jira.jqls.length = 0;
    await source.sync();
    expect(jira.jqls).toEqual(['project in ("OPS") AND updated >= "2026-03-08 00:20" ORDER BY id ASC']);
    expect(texts(stand).length).toBe(before + 1);
  });

  it("finds a change in the hour that a clock shows twice", async () => {
    // 1 November 2026, 05:30 and 06:30 UTC: both are 01:30 in New York.
    issue(4).fields.updated = "2026-11-01T06:30:00.000+0000";
    await source.sync();
    issue(5).fields.summary = "Late";
    issue(5).fields.updated = "2026-11-01T05:35:00.000+0000";
    await source.sync();
    expect(await source.titles()).toContain("OPS-5 Late");
  });

  it("removes deleted issues from answers after a full listing, and only then", async () => {
    jira.issues = jira.issues.filter(({ id }) => id !== "10001");
    await source.sync();
    expect(await source.titles()).toContain("OPS-1 Summary 1");
    await source.sync({ whole: true });
    expect(await source.titles()).not.toContain("OPS-1 Summary 1");
    expect(await stand.sql`select 1 from public.chunks where content like '%case 1.%'`).toEqual([]);
    await stand.expectWhole();
  });

  it("keeps an issue with a new key as the same document", async () => {
    const [was] = await stand.sql`select id from public.documents where external_id = '10006'`;
    issue(6).key = "OPS-66";
    await source.sync({ whole: true });
    expect(await stand.sql`select id, title from public.documents where external_id = '10006'`).toEqual([
      { id: was?.id, title: "OPS-66 Summary 6" },
    ]);
  });

  it("fails damaged issues alone, and removes nothing when it cannot identify them", async () => {
    const whole = jira.issues;
    // It is the one without an id.
    jira.unsearchable.add("10007");
    jira.broken.set("issue/10007", 500);
    jira.issues = [...whole, { id: "666", key: "OPS-666", fields: null }, { nothing: true }];
    expect(await source.sync({ whole: true })).toMatchObject({
      status: "succeeded",
      message_code: "indexedWithFailures",
    });
    const damaged = (await source.documents()).find(({ title }) => title === "OPS-666");
    expect(damaged).toMatchObject({
      status: "failed",
      error: expect.stringContaining("form that cannot be read"),
    });
    expect(await source.titles()).toContain("OPS-7 Summary 7");
    jira.unsearchable.clear();
    jira.broken.clear();
    jira.issues = whole.filter(({ id }) => id !== "10007");
    await source.sync({ whole: true });
    expect(await source.titles()).not.toContain("OPS-7 Summary 7");
    expect(await source.titles()).not.toContain("OPS-666");
  });
});

describe("when Jira refuses", () => {
  it("waits as long as Jira requests, with the reason, then resumes", async () => {
    jira.calls.length = 0;
    jira.refusals = [{ status: 429, headers: { "retry-after": "120" } }];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
    const [row] =
      await stand.sql`select extract(epoch from run_after - now()) as seconds from public.tasks where id = ${task.id}`;
    expect(Number(row?.seconds)).toBeGreaterThan(60);
    expect((await source.row())?.error).toBe("Jira asks to be called less often.");
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect((await source.row())?.error).toBeNull();
  });

  it("retries after a short rate limit or error on its own", async () => {
    jira.refusals = [{ status: 503 }, { status: 429, headers: { "retry-after": "0" } }];
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", attempts: 1 });
  });

  it("fails at once, with instructions, when the token was revoked; nothing is lost", async () => {
    await source.logIn({ email: jira.email, apiToken: "no-longer-good" });
    const documents = await source.titles();
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused", attempts: 1 });
    expect(task.error).toContain("Create a new API token");
    // A refused token is a secret all the same.
    expect(task.error).not.toContain("no-longer-good");
    expect(await source.row()).toMatchObject({ status: "failed", error: task.error });
    expect(await source.titles()).toEqual(documents);
    // A knowledge base of several sources is still indexed from what was read before.
    const id = await stand.enqueue("index", { knowledge: source.knowledge });
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
    await source.logIn({ email: jira.email, apiToken: jira.apiToken });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect((await source.row())?.error).toBeNull();
  });

  it("reports missing credentials and an unknown project", async () => {
    await stand.sql`delete from private.source_credentials where source_id = ${source.id}`;
    expect((await source.sync({ whole: true })).error).toContain("no credentials");
    await source.logIn({ email: jira.email, apiToken: jira.apiToken });
    await stand.sql`update public.sources set config = config || '{"projects": ["NOPE"]}' where id = ${source.id}`;
    expect((await source.sync()).error).toContain("'NOPE' does not exist");
    await stand.sql`update public.sources set config = config || '{"projects": ["OPS"]}' where id = ${source.id}`;
  });

  it.each([
    ["a page instead of JSON", "<html>Log in</html>"],
    ["JSON that ends in the middle", '{"issues": [{"id": "10001", "fi'],
    ["JSON of another shape", '{"issues": "none", "isLast": true}'],
    ["nothing at all", ""],
  ])("waits when it gets %s, says so, loses nothing, and resumes", async (_, body) => {
    const documents = await source.titles();
    jira.refusals = Array.from({ length: 3 }, () => ({ status: 200, body }));
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
    expect((await source.row())?.error).toBe("Jira sent an answer that cannot be read.");
    expect(await source.titles()).toEqual(documents);
    jira.refusals = [];
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect((await source.row())?.error).toBeNull();
    expect(await source.titles()).toEqual(documents);
  });

  it("fails with a reason when every answer is nonsense, and starts anew when queued", async () => {
    jira.refusals = Array.from({ length: 6 }, () => ({ status: 200, body: "{]" }));
    const task = await source.sync({ whole: true });
    // Sets the attempts so that the next one is the last.
    await stand.sql`update public.tasks set attempts_without_progress = 4 where id = ${task.id}`;
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({
      status: "failed",
      attempts_without_progress: 5,
      error: "Jira sent an answer that cannot be read.",
    });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
  });

  it("gives up on endless pages, says so, removes nothing, and starts anew when queued", async () => {
    const documents = await source.titles();
    jira.isEndless = true;
    jira.calls.length = 0;
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({
      status: "failed",
      message_code: "sourceRefused",
      error: expect.stringContaining("without end"),
    });
    expect(jira.calls.filter((call) => call.endsWith("/search/jql")).length).toBeLessThan(60);
    expect((await source.row())?.error).toBe(task.error);
    expect(await source.titles()).toEqual(documents);
    jira.isEndless = false;
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    expect(await source.titles()).toEqual(documents);
    expect(await stand.sql`select 1 from private.listed_items`).toEqual([]);
  });

  it("follows no redirect, so that credentials stay with their host", async () => {
    jira.calls.length = 0;
    jira.refusals = [{ status: 302, headers: { location: `${jira.url}/elsewhere` } }];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", error: expect.stringContaining("another address") });
    expect(jira.calls).toHaveLength(1);
  });
});

it("a source lists over many slices, each a page, and lists no page twice", async () => {
  jira.calls.length = 0;
  await source.queue();
  await stand.settle(stand.ticker({ turnMs: 0 }));
  const pages = Math.ceil(jira.issues.length / 3);
  expect(jira.calls.filter((call) => call.endsWith("/search/jql"))).toHaveLength(pages);
  expect(await source.titles()).toHaveLength(jira.issues.length);
  expect(await stand.sql`select 1 from private.listed_items`).toEqual([]);
});

it("a source syncs on schedule, once each time", async () => {
  await stand.sql`update public.sources set schedule = 'hourly' where id = ${source.id}`;
  expect((await source.row())?.next_sync_at.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  const tasks = () => stand.sql`select id from public.tasks where type = 'sync'`;
  const before = (await tasks()).length;
  await stand.settle();
  expect(await tasks()).toHaveLength(before);
  await stand.sql`update public.sources set next_sync_at = now() - interval '1 s' where id = ${source.id}`;
  jira.jqls.length = 0;
  await stand.settle();
  await stand.settle();
  expect(await tasks()).toHaveLength(before + 1);
  expect(jira.jqls).toEqual([expect.stringContaining("AND updated >=")]);
  // A day after a full listing, a full one follows, which detects deletions.
  await stand.sql`update public.sources set next_sync_at = now() - interval '1 s', listed_at = now() - interval '25 hours' where id = ${source.id}`;
  jira.jqls.length = 0;
  await stand.settle();
  expect(jira.jqls).toEqual(['project in ("OPS") ORDER BY id ASC']);
});

it("a source deletes the credentials when the URL changes, through PostgREST and the API", async () => {
  await stand.sql`update public.sources set config = config || '{"projects": []}' where id = ${source.id}`;
  expect(
    await stand.sql`select 1 from private.source_credentials where source_id = ${source.id}`,
  ).toHaveLength(1);
  await stand.sql`update public.sources set config = config || '{"site": "https://evil.example"}' where id = ${source.id}`;
  expect(await stand.sql`select 1 from private.source_credentials where source_id = ${source.id}`).toEqual(
    [],
  );
});
