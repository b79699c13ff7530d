// API tokens of Atlassian's cloud, used by the worker through the real queue: classic ones at the site, scoped ones at the gateway, missing
// scopes, tokens answered as anonymous, and sites without a gateway id.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectors } from "../../edge-functions/indexing/connectors/connectors.ts";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type ConfluenceFake, placesOf, startConfluenceFake } from "../support/fakes/confluence.ts";
import { issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

const day = "2026-03-01T10:00:00.000Z";
const confluenceScopes = [
  "read:space:confluence",
  "read:page:confluence",
  "read:attachment:confluence",
  "read:user:confluence",
];
const jiraScopes = ["read:jira-work", "read:jira-user"];
const unaccepted = "does not accept these credentials";

let stand: IndexingStand;
let confluence: ConfluenceFake;
let jira: JiraFake;
let source: ConnectedSource;
/** The gateway's choice is cached per token, so each test has its own. */
let tokens = 0;

beforeAll(async () => {
  confluence = await startConfluenceFake();
  jira = await startJiraFake();
  process.env.PARLEY_OUTBOUND_ALLOW = `${placesOf(confluence)},${new URL(jira.url).host}`;
  stand = await startIndexingStand();
  confluence.spaces = [{ id: "10", key: "DOCS", name: "Docs" }];
  confluence.people = { "5b10": "Ada Lovelace" };
  confluence.pages = ["Leave", "Prices", "Rules"].map((title, at) => ({
    id: String(at + 1),
    title,
    space: "10",
    changed: day,
    storage: `<p>Text of ${title}, by <ac:link><ri:user ri:account-id="5b10" /></ac:link>.</p>`,
  }));
  confluence.attachments = [{ id: "att1", title: "plan.txt", on: "1", changed: day, bytes: "The plan." }];
  jira.issues = [1, 2, 3, 4].map((n) => issueOf(n, `Summary ${n}`, `Words of ${n}.`, day));
});
afterAll(async () => {
  await stand?.stop();
  await confluence?.close();
  await jira?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  for (const [fake, scopes] of [
    [confluence, confluenceScopes],
    [jira, jiraScopes],
  ] as const)
    Object.assign(fake, {
      scopedToken: `token-with-scopes-${tokens++}`,
      scopes: new Set(scopes),
      isOpen: false,
      tenantInfo: undefined,
      callers: [],
      calls: [],
      media: [],
      refusals: [],
    });
});
afterEach(async () => {
  await stand.sql`delete from public.sources where id = ${source.id}`;
});

async function connect(type: "confluence" | "jira", apiToken: string) {
  const config =
    type === "jira"
      ? { site: jira.url, projects: ["OPS"] }
      : { site: confluence.url, spaces: ["DOCS"], content: ["pages", "attachments"] };
  source = await connectSource(stand, type, config, loginOf(type, apiToken));
}
const loginOf = (type: "confluence" | "jira", apiToken: string) => ({
  email: (type === "jira" ? jira : confluence).email,
  apiToken,
});
const urls = async () =>
  (await stand.sql`select url from public.documents where source_id = ${source.id} order by url`).map(
    ({ url }) => url,
  );
const wiki = ["Leave", "Prices", "Rules", "plan.txt"];
const issues = [1, 2, 3, 4].map((n) => `OPS-${n} Summary ${n}`);

describe("a scoped token", () => {
  it("reads Confluence through the gateway: paged lists, files and names, with the site's URLs", async () => {
    await connect("confluence", confluence.scopedToken);
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
    expect(await source.titles()).toEqual(wiki);
    const [leave, , , plan] = await source.documents();
    expect(leave?.content).toContain("by Ada Lovelace");
    expect(plan?.content).toContain("The plan.");
    for (const url of await urls())
      expect(url).toMatch(new RegExp(`^${confluence.url}/wiki/(?:spaces|pages)/`));
    // The site is asked once, its cloudId without a token; files are downloaded without it too.
    expect(confluence.callers.slice(0, 3)).toEqual(["site scoped", "tenant none", "gateway scoped"]);
    expect(new Set(confluence.callers.slice(3))).toEqual(new Set(["gateway scoped"]));
    expect(confluence.media).toEqual([undefined]);
  });

  it("follows lists with the next page in a header, at the site's URL", async () => {
    confluence.linksByHeader = true;
    await connect("confluence", confluence.scopedToken);
    await source.sync();
    confluence.linksByHeader = false;
    expect(await source.titles()).toEqual(wiki);
  });

  it("reads Jira through the gateway, in full and then changes", async () => {
    await connect("jira", jira.scopedToken);
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(issues);
    expect(await urls()).toEqual([1, 2, 3, 4].map((n) => `${jira.url}/browse/OPS-${n}`));
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(jira.calls).toContain("GET /rest/api/3/myself");
    expect(jira.callers.filter((one) => one !== "gateway scoped")).toEqual(["site scoped", "tenant none"]);
  });

  it.each([
    ["confluence", "read:space:confluence"],
    ["confluence", "read:page:confluence"],
    ["confluence", "read:attachment:confluence"],
    ["jira", "read:jira-work"],
  ] as const)("of %s without %s gets a sentence, and nothing is removed", async (type, lacking) => {
    const [fake, scopes] = type === "jira" ? [jira, jiraScopes] : [confluence, confluenceScopes];
    await connect(type, fake.scopedToken);
    await source.sync();
    const before = await source.titles();
    fake.scopes.delete(lacking);
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused" });
    expect(task.error).toContain(`lacks the scope ${lacking},`);
    expect(task.error).toContain(`with the scopes ${scopes.join(", ")},`);
    expect(await source.titles()).toEqual(before);
  });

  it("omits names when it may not read people, and the test of Jira reports a missing scope for the time zone", async () => {
    confluence.scopes.delete("read:user:confluence");
    await connect("confluence", confluence.scopedToken);
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect((await source.documents())[0]?.content).not.toContain("Ada");
    jira.scopes.delete("read:jira-user");
    const config = { site: jira.url, projects: ["OPS"] };
    const credentials = { email: jira.email, apiToken: jira.scopedToken };
    const preview = connectors.find(({ declaration }) => declaration.type === "jira")?.preview;
    const context = {
      source: { id: source.id, teamId: stand.team, type: "jira", config, credentials },
      signal: new AbortController().signal,
      read: () => Promise.reject(new Error("no database")),
    };
    await expect(preview?.(context)).rejects.toThrow("lacks the scope read:jira-user,");
  });

  it("is detected when the site answers it as anonymous, with empty lists", async () => {
    confluence.isOpen = true;
    jira.isOpen = true;
    await connect("confluence", confluence.scopedToken);
    await source.sync();
    expect(await source.titles()).toEqual(wiki);
    await stand.sql`delete from public.sources where id = ${source.id}`;
    await connect("jira", jira.scopedToken);
    await source.sync();
    expect(await source.titles()).toEqual(issues);
  });

  it("gives instructions when revoked, loses nothing, and accepts a new one", async () => {
    await connect("jira", jira.scopedToken);
    await source.sync();
    jira.scopedToken = `another-${tokens++}`;
    expect((await source.sync({ whole: true })).error).toContain(unaccepted);
    expect(await source.titles()).toEqual(issues);
    await source.logIn(loginOf("jira", jira.scopedToken));
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    expect(await source.titles()).toEqual(issues);
  });

  it("waits when the site fails to return its cloudId", async () => {
    jira.refusals = Array.from({ length: 3 }, () => ({ status: 503, path: "/_edge/tenant_info" }));
    await connect("jira", jira.scopedToken);
    const task = await source.sync();
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(issues);
  });

  it.each([
    ["no cloudId", {}],
    ["what is none", { cloudId: "../../../ex/jira/0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d" }],
  ])("calls no other host when the site returns %s", async (_, tenantInfo) => {
    jira.tenantInfo = tenantInfo;
    await connect("jira", jira.scopedToken);
    expect((await source.sync()).error).toContain(unaccepted);
    expect(jira.callers).toEqual(["site scoped", "tenant none"]);
  });
});

describe("a classic token", () => {
  it.each(["confluence", "jira"] as const)("of %s calls the site only", async (type) => {
    const fake = type === "jira" ? jira : confluence;
    await connect(type, fake.apiToken);
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(type === "jira" ? issues : wiki);
    expect(new Set(fake.callers)).toEqual(new Set(["site classic"]));
  });

  it.each(["confluence", "jira"] as const)("of %s answered as anonymous removes nothing", async (type) => {
    const fake = type === "jira" ? jira : confluence;
    await connect(type, fake.apiToken);
    await source.sync();
    const before = await source.titles();
    await source.logIn(loginOf(type, "revoked"));
    fake.isOpen = true;
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused" });
    expect(task.error).toContain(unaccepted);
    expect(await source.titles()).toEqual(before);
  });
});
