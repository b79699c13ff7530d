// Confluence's unusual answers, through the worker and the real queue: failing pages, damaged and restricted ones, next pages in headers,
// rate limits with a reset time, thousands of images, and mentioned people.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { tooLargeFile } from "../../edge-functions/indexing/connectors/readable.ts";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type ConfluenceFake,
  type FakeAttachment,
  type FakeContent,
  placesOf,
  startConfluenceFake,
} from "../support/fakes/confluence.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let confluence: ConfluenceFake;
let stand: IndexingStand;
let source: ConnectedSource;

const day = "2026-03-01T10:00:00.000Z";
const pageOf = (
  id: string,
  title: string,
  storage = `<p>Text of ${title}.</p>`,
  space = "10",
): FakeContent => ({
  id,
  title,
  space,
  storage,
  changed: day,
});
const fileOf = (id: string, title: string, on: string): FakeAttachment => ({
  id,
  title,
  on,
  changed: day,
  bytes: `Text of ${title}.`,
});
const everything = ["Leave", "News", "Prices", "Rules", "plan.txt"];

beforeAll(async () => {
  confluence = await startConfluenceFake();
  process.env.PARLEY_OUTBOUND_ALLOW = placesOf(confluence);
  stand = await startIndexingStand();
  confluence.spaces = [
    { id: "10", key: "DOCS", name: "Docs" },
    { id: "20", key: "OTHER", name: "Others" },
  ];
  const config = { site: confluence.url, spaces: ["DOCS"], content: ["pages", "posts", "attachments"] };
  const login = { email: confluence.email, apiToken: confluence.apiToken };
  source = await connectSource(stand, "confluence", config, login);
});
afterAll(async () => {
  await stand?.stop();
  await confluence?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(async () => {
  for (const one of [confluence.hidden, confluence.forbidden, confluence.failing]) one.clear();
  Object.assign(confluence, { people: {}, linksByHeader: false, refusals: [] });
  confluence.pages = [
    pageOf("1", "Leave"),
    pageOf("2", "Prices"),
    pageOf("3", "Rules"),
    pageOf("4", "Foreign", "<p>Foreign.</p>", "20"),
  ];
  confluence.posts = [pageOf("50", "News")];
  confluence.attachments = [fileOf("att1", "plan.txt", "1")];
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(everything);
  confluence.calls.length = 0;
});

const without = (...names: string[]) => everything.filter((one) => !names.includes(one));
const pageNamed = (title: string) => {
  const found = confluence.pages.find((one) => one.title === title);
  if (!found) throw new Error(`no page ${title}`);
  return found as FakeContent;
};

it("a sync fails a page alone whose text fails to load, in a list and individually", async () => {
  confluence.pages.push(pageOf("7", "Heavy"));
  confluence.failing.add("7");
  Object.assign(pageNamed("Rules"), { storage: "<p>Newer.</p>", changed: "2026-03-02T10:00:00.000Z" });
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
  expect((await source.document("Heavy"))?.error).toContain("Open it there, save it again");
  expect((await source.document("Rules"))?.content).toContain("Newer.");
  confluence.failing.clear();
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
  expect((await source.document("Heavy"))?.content).toContain("Text of Heavy.");
});

it("a sync follows a list to its end when the next page is in a header only", async () => {
  confluence.linksByHeader = true;
  for (let n = 10; n < 20; n++) confluence.pages.push(pageOf(String(n), `More ${n}`));
  await source.sync({ whole: true });
  expect(await source.titles()).toContain("More 19");
});

it("a sync waits until a rate limit resets", async () => {
  const until = new Date(Date.now() + 300_000).toISOString();
  confluence.refusals = [{ status: 429, headers: { "x-ratelimit-reset": until }, path: "/pages?" }];
  const task = await source.sync({ whole: true });
  expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
  const [row] =
    await stand.sql`select extract(epoch from run_after - now()) as seconds from public.tasks where id = ${task.id}`;
  expect(Number(row?.seconds)).toBeGreaterThan(200);
  await stand.passTime();
  await stand.settle();
  expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
});

it("a sync removes newly restricted pages, and continues with the others", async () => {
  // In no list, and refused individually.
  pageNamed("Rules").status = "restricted";
  confluence.forbidden.add("3");
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
  expect(await source.titles()).toEqual(without("Rules"));
});

it("a sync removes nothing when the account loses access to Confluence", async () => {
  pageNamed("Rules").status = "restricted";
  const body = { statusCode: 403, message: "Current user not permitted to use Confluence" };
  confluence.refusals = [{ status: 403, body, path: "/pages/3" }];
  expect(await source.sync({ whole: true })).toMatchObject({
    status: "failed",
    message_code: "sourceRefused",
  });
  expect(await source.titles()).toEqual(everything);
});

it("a sync fails a damaged attachment alone, ignores one in another space, and still detects deletions", async () => {
  confluence.attachments = [
    { id: "att1", title: "plan.txt", pageId: "1", status: "current" },
    { id: "att8", title: "foreign.txt", pageId: "4", status: "current" },
    { id: "att9", title: "lost.txt", status: "current" },
  ];
  confluence.pages = confluence.pages.filter(({ title }) => title !== "Prices");
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
  expect((await source.document("plan.txt"))?.error).toContain("form that cannot be read");
  expect(await source.titles()).toEqual(without("Prices"));
});

it("a sync removes a file at once when its newer version is not read, and says so", async () => {
  Object.assign(confluence.attachments[0] ?? {}, { size: 90_000_000, changed: "2026-03-02T10:00:00.000Z" });
  await source.sync();
  expect(await source.titles()).toEqual(without("plan.txt"));
  const skipped =
    await stand.sql`select title, problem from private.source_pages where source_id = ${source.id} and problem is not null`;
  expect(skipped).toEqual([{ title: "plan.txt", problem: tooLargeFile }]);
});

it("a sync skips thousands of images and of files in other spaces", async () => {
  confluence.attachments.unshift(
    ...Array.from({ length: 1300 }, (_, n) => fileOf(`att${1000 + n}`, n % 2 ? "a.png" : "other.txt", "4")),
  );
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await source.titles()).toEqual(everything);
});

it("a sync names mentioned people, and when a file was changed", async () => {
  confluence.people = { "712020:ada": "Ada & Co" };
  const user = (id: string) => `<ac:link><ri:user ri:account-id="${id}" /></ac:link>`;
  Object.assign(pageNamed("Rules"), {
    storage: `<p>Ask ${user("712020:ada")} or ${user("712020:nobody")}.</p>`,
    changed: "2026-03-02T10:00:00.000Z",
  });
  await source.sync();
  expect((await source.document("Rules"))?.content).toContain("Ask Ada & Co or");
  const [row] = await stand.sql`
    select changed_at from public.documents where source_id = ${source.id} and title = 'plan.txt'`;
  expect(row?.changed_at.toISOString()).toBe(day);
});

it("a sync treats no space or page as deleted that Confluence lists on a later page", async () => {
  const files = ["2", "3"].map((on) => fileOf(`att5${on}`, `of-${on}.txt`, on));
  confluence.attachments.push(...files, fileOf("att54", "of-4.txt", "4"));
  confluence.spaces.push({ id: "30", key: "THIRD", name: "Third" });
  confluence.pages.push(pageOf("8", "Third", "<p>Third.</p>", "30"));
  const spaces = (keys: string[]) =>
    stand.sql`update public.sources set config = config || ${stand.sql.json({ spaces: keys })} where id = ${source.id}`;
  await spaces(["DOCS", "OTHER", "THIRD"]);
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(
    [...everything, "Foreign", "Third", "of-2.txt", "of-3.txt", "of-4.txt"].sort(),
  );
  expect(
    await stand.sql`select problem from private.source_pages where source_id = ${source.id} and problem is not null`,
  ).toEqual([]);
  await spaces(["DOCS"]);
  confluence.spaces.pop();
});
