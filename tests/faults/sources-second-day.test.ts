// The second sync of a service that answers oddly: lists that leave items out, shift while they are read, or are empty; items that change
// meanwhile; single items that fail every time.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConnectedSource, connectJira, connectSource } from "../support/connected-source.ts";
import { type HubspotFake, startHubspotFake } from "../support/fakes/hubspot.ts";
import { commentOf, type FakeIssue, issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { productOf, type ShopifyFake, startShopifyFake } from "../support/fakes/shopify.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { say } from "../support/words.ts";

let jira: JiraFake;
let hubspot: HubspotFake;
let shopify: ShopifyFake;
let stand: IndexingStand;
let source: ConnectedSource;

beforeAll(async () => {
  jira = await startJiraFake();
  hubspot = await startHubspotFake();
  shopify = await startShopifyFake();
  process.env.PARLEY_OUTBOUND_ALLOW = [jira, hubspot, shopify].map(({ url }) => new URL(url).host).join(",");
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  for (const fake of [jira, hubspot, shopify]) await fake?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

const minuteMs = 60_000;
/** A time by the services' clock, which is this machine's. */
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString();

/** Runs something once, before the service answers the given call for the `count`th time. */
function onCall(call: string, count: number, work: () => void): (found: string) => void {
  let calls = 0;
  return (found) => {
    if (found === call && ++calls === count) work();
  };
}

describe("Jira", () => {
  beforeEach(async () => {
    Object.assign(jira, { meanwhile: undefined, unsearchable: new Set(), broken: new Map() });
    jira.issues = [1, 2, 3, 4, 5].map((n) =>
      issueOf(n, `Summary ${n}`, `Words about case ${n}.`, `2026-03-0${n}T10:00:00.000+0000`),
    );
    source = await connectJira(stand, jira);
  });
  const titles = [1, 2, 3, 4, 5].map((n) => `OPS-${n} Summary ${n}`);
  const change = (n: number, summary: string, updated: string) => {
    const issue = jira.issues.find(({ id }) => id === String(10_000 + n)) as FakeIssue;
    Object.assign(issue.fields, { summary, updated });
  };

  it("is asked again for what changed while it was listed, however long that took", async () => {
    const meanwhile = onCall("search/jql", 2, () => {
      change(1, "Changed behind the listing", inMinutes(5));
      change(5, "Changed before it", inMinutes(300));
    });
    jira.meanwhile = async (path) => meanwhile(path);
    await source.sync({ whole: true });
    expect(await source.titles()).toContain("OPS-5 Changed before it");
    await source.sync();
    expect(await source.titles()).toContain("OPS-1 Changed behind the listing");
  });

  it("loses no issue that its search leaves out, and every issue that is gone", async () => {
    await source.sync({ whole: true });
    jira.unsearchable.add("10002");
    jira.issues = jira.issues.filter(({ id }) => id !== "10004");
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(titles.filter((title) => !title.includes("4")));
    await stand.expectWhole();
  });

  it("names an issue whose ID a document has that the team wrote, until that is deleted", async () => {
    const { sql, team } = stand;
    await sql`insert into public.documents (team_id, source_id, external_id, type, title, content)
      values (${team}, ${source.id}, '10003', 'text', 'Written here', 'Our own words.')`;
    const listSkipped = () =>
      sql`select address, problem from private.source_pages where source_id = ${source.id} and problem is not null`;
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(await listSkipped()).toEqual([{ address: "10003", problem: say("problems:sentences.idTaken") }]);
    expect(await source.contentOf("Written here")).toBe("Our own words.");
    await sql`delete from public.documents where source_id = ${source.id} and type = 'text'`;
    await source.sync({ whole: true });
    expect(await listSkipped()).toEqual([]);
    expect(await source.titles()).toEqual(titles);
  });

  it("that shows nothing at all deletes nothing, and says so", async () => {
    await source.sync({ whole: true });
    const { issues } = jira;
    jira.issues = [];
    const error = say("problems:sentences.listedNothing", { service: "Jira" });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "failed", error });
    expect(await source.row()).toMatchObject({ error });
    expect(await source.titles()).toEqual(titles);
    jira.issues = issues;
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
  });

  it("fails one issue alone whose comments it never returns, and removes one that is deleted meanwhile", async () => {
    for (const n of [2, 3])
      (jira.issues[n - 1] as FakeIssue).comments = ["1", "2", "3"].map((id) =>
        commentOf(id, "Grace", `Remark ${id}.`),
      );
    await source.sync({ whole: true });
    jira.broken.set("issue/10002/comment", 500).set("issue/10003/comment", 404);
    const task = await source.sync({ whole: true, attempts: 4 });
    expect(task).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    const documents = await source.documents();
    expect(documents.map(({ title, status }) => [title, status])).toEqual([
      [titles[0], "ready"],
      [titles[1], "failed"],
      [titles[3], "ready"],
      [titles[4], "ready"],
    ]);
    // It answers from what was read before.
    expect(documents[1]?.content).toContain("Remark 3.");
  });
});

describe("HubSpot", () => {
  const contact = (id: number, name: string, lastmodifieddate: string) => ({
    id: String(id),
    properties: { firstname: name, lastname: "Doe", lastmodifieddate },
  });
  const names = async () => (await source.titles()).map((title) => title.replace(" Doe", ""));

  beforeEach(async () => {
    Object.assign(hubspot, { meanwhile: undefined, brokenArticles: new Set() });
    hubspot.records = {
      contacts: [1, 2, 3, 4, 5].map((n) => contact(n, `Ada${n}`, `2026-02-0${n}T00:00:00Z`)),
    };
    hubspot.articles = [1, 2, 3, 4, 5].map((id) => ({
      id,
      title: `Guide ${id}`,
      url: `https://help.example/${id}`,
      html: `<p>Text ${id}</p>`,
    }));
    const config = { objects: ["contacts", "articles"], apiUrl: hubspot.url };
    source = await connectSource(stand, "hubspot", config, { accessToken: hubspot.accessToken });
  });

  it("is asked again for what changed while it was listed", async () => {
    hubspot.meanwhile = onCall("GET contacts", 2, () => {
      hubspot.records.contacts?.splice(0, 1, contact(1, "Eva", inMinutes(5)));
      hubspot.records.contacts?.splice(4, 1, contact(5, "Zoe", inMinutes(300)));
    });
    await source.sync({ whole: true });
    expect(await names()).toEqual(expect.arrayContaining(["Ada1", "Zoe"]));
    await source.sync();
    expect(await names()).toEqual(expect.arrayContaining(["Eva", "Zoe"]));
  });

  it("is searched for changes in pages that do not shift when a record changes between them", async () => {
    // Neither the order of the records nor their ids as texts is that of the ids.
    const ids = [100, 9, 1, 11, 10];
    hubspot.records.contacts = ids.map((id) => contact(id, `Ada${id}`, "2026-02-01T00:00:00Z"));
    await source.sync({ whole: true });
    hubspot.records.contacts = ids.map((id) => contact(id, `Eva${id}`, "2026-03-01T00:00:00Z"));
    hubspot.meanwhile = onCall("SEARCH contacts", 2, () => {
      hubspot.records.contacts?.splice(2, 1, contact(1, "Eve1", "2026-03-06T00:00:00Z"));
    });
    await source.sync();
    hubspot.meanwhile = undefined;
    await source.sync();
    expect(await names()).toEqual(expect.arrayContaining(["Eve1", "Eva9", "Eva10", "Eva11", "Eva100"]));
  });

  it("loses no article when the list of articles shifts while it is read", async () => {
    await source.sync({ whole: true });
    hubspot.meanwhile = onCall("GET articles", 2, () => {
      hubspot.articles = hubspot.articles?.filter(({ id }) => id !== 1);
    });
    await source.sync({ whole: true });
    expect(await names()).toEqual(expect.arrayContaining(["Guide 2", "Guide 3", "Guide 4", "Guide 5"]));
    await source.sync({ whole: true });
    expect(await names()).not.toContain("Guide 1");
  });

  it("fails one article alone that it never returns", async () => {
    await source.sync({ whole: true });
    hubspot.brokenArticles.add(2);
    hubspot.articles?.push({ id: 6, title: "Guide 6", url: "https://help.example/6", html: "<p>New</p>" });
    const task = await source.sync({ whole: true, attempts: 4 });
    expect(task).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    expect(await source.document("Guide 6")).toMatchObject({ status: "ready" });
    expect(await source.document("Guide 2")).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Text 2"),
    });
  });

  it("that shows nothing at all deletes nothing, and says so", async () => {
    await source.sync({ whole: true });
    Object.assign(hubspot, { records: {}, articles: [] });
    const error = say("problems:sentences.listedNothing", { service: "HubSpot" });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "failed", error });
    expect(await names()).toHaveLength(10);
  });
});

describe("Shopify", () => {
  beforeEach(async () => {
    Object.assign(shopify, { meanwhile: undefined, losesCursors: false });
    shopify.products = [1, 2, 3, 4, 5].map((n) =>
      productOf(n, `Hammer ${n}`, "<p>Hits.</p>", `2026-02-0${n}T00:00:00Z`),
    );
    source = await connectSource(
      stand,
      "shopify",
      { shop: shopify.url },
      { accessToken: shopify.accessToken },
    );
  });
  const titles = [1, 2, 3, 4, 5].map((n) => `Hammer ${n}`);

  it("is asked again for what changed while it was listed", async () => {
    shopify.meanwhile = onCall("products", 2, () => {
      shopify.products[0] = productOf(1, "Mallet", "<p>Soft.</p>", inMinutes(5));
      shopify.products[4] = productOf(5, "Anvil", "<p>Hard.</p>", inMinutes(300));
    });
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(expect.arrayContaining(["Anvil", "Hammer 1"]));
    await source.sync();
    expect(await source.titles()).toEqual(expect.arrayContaining(["Anvil", "Mallet"]));
  });

  it.each([
    { what: "goes on without saying where", change: { losesCursors: true }, status: "waiting" },
    { what: "is empty", change: { products: [] }, status: "failed" },
  ])("loses nothing by a list that $what", async ({ change, status }) => {
    await source.sync({ whole: true });
    Object.assign(shopify, change);
    expect(await source.sync({ whole: true })).toMatchObject({ status });
    expect(await source.titles()).toEqual(titles);
  });
});
