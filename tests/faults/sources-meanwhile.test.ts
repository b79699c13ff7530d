// What changes while a source is listed, at the source and here: nothing of it is lost, and nothing deleted goes on answering.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { makeSmallTeams, user } from "../native/teams.ts";
import { asCaller } from "../sql/acting.ts";
import { type ConnectedSource, connectJira } from "../support/connected-source.ts";
import { type FakeIssue, issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { type IndexingStand, startIndexingStand, words } from "../support/indexing-stand.ts";

let jira: JiraFake;
let stand: IndexingStand;
let source: ConnectedSource;
let owner: string;

beforeAll(async () => {
  jira = await startJiraFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(jira.url).host;
  stand = await startIndexingStand();
  const [team] = await makeSmallTeams(stand.sql, 1);
  if (!team) throw new Error("There is no team");
  stand.team = team.id;
  [owner] = team.owners;
});
afterAll(async () => {
  await stand?.stop();
  await jira?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(async () => {
  jira.meanwhile = undefined;
  jira.issues = [1, 2, 3, 4, 5, 6, 7].map((n) =>
    issueOf(n, `Summary ${n}`, `Words about case ${n}.`, `2026-03-0${n}T10:00:00.000+0000`),
  );
  jira.projects = [
    { key: "OPS", name: "Operations" },
    { key: "DEV", name: "Development" },
  ];
  source = await connectJira(stand, jira);
});

const ofDev = (n: number): FakeIssue => {
  const issue = issueOf(n, `Of DEV ${n}`, "Older words.", "2026-01-10T10:00:00.000+0000");
  issue.fields.project = { key: "DEV", name: "Development" };
  return { ...issue, key: `DEV-${n}` };
};
const titleOf = (n: number) => `OPS-${n} Summary ${n}`;

/** Runs something once, before Jira answers the call for a page of the search. */
function beforePage(page: number, work: () => Promise<unknown>): void {
  let pages = 0;
  jira.meanwhile = async (path) => {
    if (path !== "search/jql" || ++pages !== page) return;
    jira.meanwhile = undefined;
    await work();
  };
}

it("settings that change while a source is listed apply to all of it, however many turns that takes", async () => {
  jira.issues.push(ofDev(21));
  beforePage(2, () => source.configure({ projects: ["OPS", "DEV"] }));
  await source.queue();
  await stand.settle(stand.ticker({ turnMs: 0 }));
  await source.sync();
  expect(await source.titles()).toContain("DEV-21 Of DEV 21");
  await stand.expectWhole();
});

it("a listing under former settings deletes nothing that belongs to the new ones", async () => {
  jira.issues.push(ofDev(21));
  await source.configure({ projects: ["OPS", "DEV"] });
  await source.sync({ whole: true });
  await source.configure({ projects: ["OPS"] });
  beforePage(3, () => source.configure({ projects: ["OPS", "DEV"] }));
  await source.sync({ whole: true });
  expect(await source.titles()).toContain("DEV-21 Of DEV 21");
  // It did not list what the settings name: the next one lists everything, and is no incremental one.
  expect(await source.row()).toMatchObject({ sync_cursor: null });
});

it("a full sync that somebody requests while one runs is a full one too", async () => {
  await source.sync({ whole: true });
  beforePage(3, async () => {
    // The listing has passed it.
    jira.issues = jira.issues.filter(({ id }) => id !== "10001");
    await asCaller(stand.sql, user(owner), (tx) => tx`select public.sync_source(${source.id})`);
  });
  await source.sync({ whole: true });
  await stand.settle();
  expect(await source.titles()).not.toContain(titleOf(1));
});

it("what a listing of another task found since is not deleted", async () => {
  const late = { ...issueOf(8, "Summary 8", "Late words.", "2026-03-08T10:00:00.000+0000"), id: "9999" };
  beforePage(3, async () => {
    jira.issues.unshift(late);
    const other = await stand.enqueue("index", { knowledge: source.knowledge });
    await stand.settle();
    expect(await stand.task(other)).toMatchObject({ status: "succeeded" });
  });
  await source.sync({ whole: true });
  expect(await source.titles()).toContain(titleOf(8));
  await stand.expectWhole();
});

/** The account of the tests may see the first issues only, another one the others only. */
const switchAccounts = (to: "first" | "other") => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
    issueOf(n, `Summary ${n}`, `Words about case ${n}.`, `2026-03-0${n}T10:00:00.000+0000`),
  );
  jira.issues = to === "first" ? all.slice(0, 7) : all.filter(({ key }) => key !== "OPS-2");
  // The other account's issue is older than all changes that the first has seen.
  if (to === "other")
    jira.issues[0] = issueOf(9, "Summary 9", "Older words.", "2026-01-01T10:00:00.000+0000");
};

it("the sync after new credentials lists everything: they may be another account's", async () => {
  switchAccounts("first");
  await source.sync({ whole: true });
  expect(await source.row()).toMatchObject({ sync_cursor: expect.any(String) });
  switchAccounts("other");
  await source.logIn({ email: jira.email, apiToken: jira.apiToken });
  await source.sync();
  expect((await source.titles()).toSorted()).toEqual([3, 4, 5, 6, 7, 8, 9].map(titleOf));
  await stand.expectWhole();
});

it("credentials that change while a source is listed apply to all of it, however many turns that takes", async () => {
  switchAccounts("first");
  beforePage(2, async () => {
    switchAccounts("other");
    await source.logIn({ email: jira.email, apiToken: jira.apiToken });
  });
  const id = await source.queue();
  await stand.settle(stand.ticker({ turnMs: 0 }));
  expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
  expect((await source.titles()).toSorted()).toEqual([3, 4, 5, 6, 7, 8, 9].map(titleOf));
});

it("a listing by another account deletes nothing, and the next one lists everything", async () => {
  switchAccounts("first");
  await source.sync({ whole: true });
  beforePage(3, async () => {
    jira.issues = jira.issues.filter(({ id }) => id !== "10007");
    await source.logIn({ email: jira.email, apiToken: jira.apiToken });
  });
  await source.sync({ whole: true });
  expect(await source.titles()).toContain(titleOf(7));
  expect(await source.row()).toMatchObject({ sync_cursor: null });
});

it("a person confirms that a service is empty, for one sync and one account", async () => {
  const confirm = async () => {
    const [row] = await asCaller(
      stand.sql,
      user(owner),
      (tx) => tx<{ id: string }[]>`select public.sync_source(${source.id}, true) as id`,
    );
    await stand.settle();
    return await stand.task(row?.id ?? "");
  };
  await source.sync({ whole: true });
  const { issues } = jira;
  jira.issues = [];
  expect(await source.sync({ whole: true })).toMatchObject({ status: "failed" });
  // Meanwhile the credentials become another account's: nobody has confirmed that it sees nothing.
  beforePage(1, () => source.logIn({ email: jira.email, apiToken: jira.scopedToken }));
  const [row] = await asCaller(
    stand.sql,
    user(owner),
    (tx) => tx<{ id: string }[]>`select public.sync_source(${source.id}, true) as id`,
  );
  await stand.settle(stand.ticker({ turnMs: 0 }));
  expect(await stand.task(row?.id ?? "")).toMatchObject({ status: "failed" });
  expect(await source.titles()).toHaveLength(7);
  await source.logIn({ email: jira.email, apiToken: jira.apiToken });
  // It still has one issue that its lists leave out.
  jira.issues = issues.slice(0, 1);
  jira.unsearchable.add("10001");
  expect(await confirm()).toMatchObject({ status: "succeeded" });
  jira.unsearchable.clear();
  expect(await source.titles()).toEqual([titleOf(1)]);
  expect(await source.row()).toMatchObject({ error: null, documents_count: 1 });
  jira.issues = [];
  expect(await source.sync({ whole: true })).toMatchObject({ status: "failed" });
  expect(await confirm()).toMatchObject({ status: "succeeded" });
  expect(await source.titles()).toEqual([]);
  await stand.expectWhole();
});

it.each([1, 2])(
  "a source that is deleted at page %i of its listing does not fail the index of its knowledge base",
  async (page) => {
    const { source: other } = await stand.knowledgeOf({ "rules.md": words(20) });
    await stand.sql`
    insert into public.knowledge_sources (team_id, knowledge_id, source_id)
    values (${stand.team}, ${source.knowledge}, ${other})`;
    beforePage(page, () => stand.sql`delete from public.sources where id = ${source.id}`);
    const task = await stand.enqueue("index", { knowledge: source.knowledge });
    await stand.settle();
    expect(await stand.task(task)).toMatchObject({ status: "succeeded", error: null });
    expect(await stand.documents(other)).toMatchObject([{ status: "ready" }]);
    expect(await source.documents()).toEqual([]);
    await stand.expectWhole();
  },
);
