// Confluence, synced by the worker through the real queue: pages with macros and tables, posts, attachments by redirect, changes, the
// trash, moves between spaces, hidden content, rate limits, an interrupted worker.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { declaration } from "../../edge-functions/indexing/connectors/confluence/declaration.ts";
import { configSchema } from "../../edge-functions/indexing/connectors/declaration.ts";
import { pictureOff, tooLargeFile, unreadFile } from "../../edge-functions/indexing/connectors/readable.ts";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type ConfluenceFake,
  type FakeContent,
  placesOf,
  startConfluenceFake,
} from "../support/fakes/confluence.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let confluence: ConfluenceFake;
let stand: IndexingStand;
let source: ConnectedSource;

const pageOf = (id: string, title: string, storage: string, day: number, space = "10"): FakeContent => ({
  id,
  title,
  space,
  storage,
  changed: `2026-03-0${day}T10:00:00.000Z`,
});
const everything = ["Leave", "News", "Prices", "Rules", "Untitled", "plan.txt", "post.csv"];

beforeAll(async () => {
  confluence = await startConfluenceFake();
  process.env.PARLEY_OUTBOUND_ALLOW = placesOf(confluence);
  stand = await startIndexingStand();
  confluence.spaces = [
    { id: "10", key: "DOCS", name: "Docs" },
    { id: "20", key: "HR", name: "People" },
    { id: "30", key: "SECRET", name: "Secret" },
  ];
  confluence.pages = [
    pageOf("1", "Leave", "<h2>Days</h2><p>Thirty &nbsp;days.</p>", 1),
    pageOf(
      "2",
      "Prices",
      "<table><tbody><tr><th>Name</th><th>Price</th></tr><tr><td>Lamp</td><td>10</td></tr></tbody></table>",
      2,
    ),
    pageOf("3", "Rules", "<p>Be kind.</p>", 3, "20"),
    pageOf("4", "", "<p>Nameless.</p>", 3),
    pageOf("5", "Hush", "<p>Secret.</p>", 3, "30"),
    { ...pageOf("6", "Old", "<p>Archived.</p>", 3), status: "archived" },
  ];
  confluence.posts = [pageOf("50", "News", "<p>We moved.</p>", 2, "20")];
  confluence.attachments = [
    {
      id: "att1",
      title: "plan.txt",
      on: "1",
      changed: "2026-03-01T10:00:00.000Z",
      bytes: "The plan is simple.",
    },
    { id: "att2", title: "hush.txt", on: "5", changed: "2026-03-01T10:00:00.000Z", bytes: "Hush." },
    {
      id: "att3",
      title: "photo.png",
      on: "1",
      changed: "2026-03-01T10:00:00.000Z",
      bytes: "\x89PNG",
      mediaType: "image/png",
    },
    { id: "att4", title: "dump.zip", on: "1", changed: "2026-03-01T10:00:00.000Z", bytes: "PK" },
    {
      id: "att5",
      title: "huge.pdf",
      on: "3",
      changed: "2026-03-01T10:00:00.000Z",
      bytes: "%PDF",
      size: 90_000_000,
    },
    {
      id: "att6",
      title: "post.csv",
      on: "50",
      changed: "2026-03-01T10:00:00.000Z",
      bytes: "Name,Price\nLamp,10\nChair,20\n",
    },
  ];
  const config = { site: confluence.url, spaces: ["DOCS", "HR"], content: ["pages", "posts", "attachments"] };
  source = await connectSource(stand, "confluence", config, {
    email: confluence.email,
    apiToken: confluence.apiToken,
  });
});
afterAll(async () => {
  await stand?.stop();
  await confluence?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  confluence.calls.length = 0;
});

const listSkipped = async () =>
  stand.sql`select title, problem from private.source_pages where source_id = ${source.id} order by title`;
const pageNamed = (title: string) => {
  const found = [...confluence.pages, ...confluence.posts].find((one) => one.title === title);
  if (!found) throw new Error(`no page ${title}`);
  return found as FakeContent;
};

describe("a source of spaces", () => {
  it("reads pages, posts and attachments of its spaces, and lists the skipped files", async () => {
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
    expect(await source.contentOf("Leave")).toBe("# Leave\n\nChanged: 2026-03-01\n\n## Days\n\nThirty days.");
    expect(await source.contentOf("Prices")).toContain("| Name | Price |\n| --- | --- |\n| Lamp | 10 |");
    expect(await source.contentOf("plan.txt")).toBe("The plan is simple.");
    expect(await listSkipped()).toEqual([
      { title: "dump.zip", problem: unreadFile },
      { title: "huge.pdf", problem: tooLargeFile },
      { title: "photo.png", problem: pictureOff },
    ]);
    const rows = await stand.sql`
      select external_id, url from public.documents where source_id = ${source.id} and title in ('Leave', 'plan.txt') order by title`;
    expect(rows).toEqual([
      { external_id: "pages/1", url: `${confluence.url}/wiki/spaces/S10/pages/1/Leave` },
      {
        external_id: "attachments/att1",
        url: `${confluence.url}/wiki/pages/viewpageattachments.action?pageId=1&preview=att1`,
      },
    ]);
    // The token is sent to the site only.
    expect(confluence.media).toEqual([undefined, undefined]);
    const tables = await stand.sql`
      select d.title from public.document_tables t join public.documents d on d.id = t.document_id
       where d.source_id = ${source.id} order by 1`;
    expect(tables.map(({ title }) => title)).toEqual(["Prices", "post.csv"]);
    await stand.expectWhole();
  });

  it("requests only the latest changes when nothing changed, and downloads no file again", async () => {
    await source.sync();
    expect(confluence.calls.filter((call) => call.startsWith("pages -"))).toEqual([
      "pages -modified-date",
      "pages -modified-date",
    ]);
    expect(confluence.calls.filter((call) => call.startsWith("download"))).toEqual([]);
    expect(await source.titles()).toEqual(everything);
  });

  it("reads changes, a file's newer version included", async () => {
    Object.assign(pageNamed("Rules"), {
      storage: "<p>Be very kind.</p>",
      changed: "2026-03-05T10:00:00.000Z",
      version: 2,
    });
    Object.assign(confluence.attachments[0] ?? {}, {
      bytes: "The plan has changed.",
      changed: "2026-03-06T10:00:00.000Z",
    });
    await source.sync();
    expect(await source.contentOf("Rules")).toContain("Be very kind.");
    expect(await source.contentOf("plan.txt")).toBe("The plan has changed.");
    expect(confluence.calls).not.toContain("pages id");
    expect(await stand.sql`select 1 from public.chunks where content like '%Be kind.%'`).toEqual([]);
  });

  it("removes what was deleted, trashed or moved to another space after a full listing, with its files", async () => {
    const { pages } = confluence;
    confluence.pages = pages.filter(({ title }) => title !== "Prices");
    pageNamed("Leave").status = "trashed";
    pageNamed("Rules").space = "30";
    await source.sync();
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(confluence.calls).toContain("pages 2");
    expect(await source.titles()).toEqual(["News", "Untitled", "post.csv"]);
    confluence.pages = pages;
    delete pageNamed("Leave").status;
    pageNamed("Rules").space = "20";
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });

  it("fails damaged items alone, and keeps items that a list omits", async () => {
    confluence.pages.push({ id: "77", title: "Broken", status: "current" });
    const leave = pageNamed("Leave");
    // In no list, and still found individually.
    leave.status = "Current";
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
    const broken = (await source.documents()).find(({ title }) => title === "Broken");
    expect(broken?.error).toContain("form that cannot be read");
    confluence.pages.pop();
    delete leave.status;
    confluence.attachments.push({
      id: "att9",
      title: "locked.txt",
      on: "1",
      changed: "2026-03-01T10:00:00.000Z",
      bytes: "No.",
    });
    confluence.locked.add("att9");
    await source.sync({ whole: true });
    const locked = (await source.documents()).find(({ title }) => title === "locked.txt");
    expect(locked?.error).toContain("may not download this file");
    confluence.attachments.pop();
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
  });

  it("names a space that the account cannot see, and reads the others", async () => {
    for (const id of ["20", "3", "50", "att5", "att6"]) confluence.hidden.add(id);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect((await listSkipped()).map(({ problem }) => problem)).toContain(
      "Confluence shows no space HR: it does not exist, or the account may not see it. Check the key, and give the account access to the space.",
    );
    expect(await source.titles()).toEqual(["Leave", "Prices", "Untitled", "plan.txt"]);
    confluence.hidden.clear();
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });
});

describe("when Confluence refuses", () => {
  it.each([
    ["a limit", { status: 429, headers: { "retry-after": "120" } }, 60],
    ["a limit in a file", { status: 429, headers: { "retry-after": "120" }, path: "blogposts" }, 60],
    ["a failure that asks for time", { status: 503, headers: { "retry-after": "300" } }, 200],
  ])("waits as long as requested: %s", async (_, refusal, least) => {
    confluence.refusals = [refusal];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
    const [row] =
      await stand.sql`select extract(epoch from run_after - now()) as seconds from public.tasks where id = ${task.id}`;
    expect(Number(row?.seconds)).toBeGreaterThan(least);
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(everything);
  });

  it("resumes after a rate limit in the middle, and over many slices", async () => {
    confluence.refusals = [{ status: 429, headers: { "retry-after": "60" }, path: "cursor=c-2" }];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting" });
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(confluence.calls.filter((call) => call === "pages id")).toHaveLength(2);
    confluence.calls.length = 0;
    await source.queue();
    await stand.settle(stand.ticker({ turnMs: 0 }));
    expect(confluence.calls.filter((call) => call === "pages id")).toHaveLength(2);
    expect(await source.titles()).toEqual(everything);
  });

  it("gives instructions for a bad token, and loses nothing, even when answered as anonymous", async () => {
    await source.logIn({ email: confluence.email, apiToken: "no-longer-good" });
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused", attempts: 1 });
    expect(task.error).toContain("does not accept these credentials");
    expect(task.error).not.toContain("no-longer-good");
    await source.logIn({ email: confluence.email, apiToken: confluence.apiToken });
    confluence.isAnonymous = true;
    expect((await source.sync({ whole: true })).error).toContain("Confluence shows no space DOCS, HR");
    const config = (spaces: string[]) =>
      stand.sql`update public.sources set config = config || ${stand.sql.json({ spaces })} where id = ${source.id}`;
    await config([]);
    expect((await source.sync({ whole: true })).error).toContain(
      "Confluence shows this account nothing to read",
    );
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true, acceptsEmpty: true })).toMatchObject({
      status: "succeeded",
      error: null,
    });
    expect(await source.titles()).toEqual([]);
    confluence.isAnonymous = false;
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual([
      "Hush",
      "Leave",
      "News",
      "Prices",
      "Rules",
      "Untitled",
      "hush.txt",
      "plan.txt",
      "post.csv",
    ]);
    await config(["DOCS", "HR"]);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    expect(await source.titles()).toEqual(everything);
  });
});

it("a source accepts only a site of Atlassian's cloud, and follows no file to another host", async () => {
  const isTaken = (site: string) => configSchema(declaration).safeParse({ site }).success;
  expect(isTaken("acme.atlassian.net/wiki/spaces")).toBe(true);
  for (const wrong of [
    "https://evil.example",
    "https://acme.atlassian.net.evil.example",
    "http://acme.atlassian.net",
  ])
    expect([wrong, isTaken(wrong)]).toEqual([wrong, false]);
  confluence.refusals = [
    { status: 302, headers: { location: "https://id.atlassian.com/login" }, path: "/download" },
  ];
  Object.assign(confluence.attachments[0] ?? {}, { changed: "2026-03-09T10:00:00.000Z" });
  await source.sync();
  const plan = (await source.documents()).find(({ title }) => title === "plan.txt");
  expect(plan?.error).toContain("may not download this file");
  expect(await stand.sql`select 1 from public.chunks where content like '%plan has changed%'`).toHaveLength(
    1,
  );
});
