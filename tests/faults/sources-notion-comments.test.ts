// Comments on Notion's pages, through the worker and the real queue: off by default, page by page, changes and deletions, and a connection
// without the capability.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  commentOf,
  type FakePage,
  type NotionFake,
  notionId,
  paragraph,
  placesOf,
  startNotionFake,
} from "../support/fakes/notion.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { say } from "../support/words.ts";

let notion: NotionFake;
let stand: IndexingStand;
let source: ConnectedSource;

const pageOf = (n: number, title: string): FakePage => ({
  id: notionId(n),
  title,
  edited: `2026-03-0${n}T10:00:00.000Z`,
  blocks: [paragraph(`Text of ${title}.`)],
});
const pages = ["Leave", "Rules", "Travel"];
const withComments = ["Comments: Leave", "Comments: Rules", ...pages];

beforeAll(async () => {
  notion = await startNotionFake();
  process.env.PARLEY_OUTBOUND_ALLOW = placesOf(notion);
  stand = await startIndexingStand();
  notion.pages = pages.map((title, at) => pageOf(at + 1, title));
  notion.comments = {
    [notionId(1)]: [
      commentOf(1, "Is it thirty days?"),
      commentOf(2, "Yes, since May.", { display_name: { type: "user", resolved_name: "Ada" } }),
      commentOf(3, "Thanks."),
    ],
    [notionId(2)]: [commentOf(4, "Kind to whom?"), { object: "comment", id: notionId(9005) }],
  };
  source = await connectSource(stand, "notion", { apiUrl: notion.url }, { accessToken: notion.accessToken });
});
afterAll(async () => {
  await stand?.stop();
  await notion?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  notion.calls.length = 0;
});

const turn = (isOn: boolean) => source.configure({ withComments: isOn });
const listSkipped = async () => {
  const rows = await stand.sql`
    select problem from private.source_pages where source_id = ${source.id} and problem is not null`;
  return rows.map(({ problem }) => problem);
};
const commentCalls = () => notion.calls.filter((call) => call.startsWith("comments "));

it("comments are requested only when turned on, and then all are read, with author and time", async () => {
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect(await source.titles()).toEqual(pages);
  expect(commentCalls()).toEqual([]);
  notion.calls.length = 0;
  await turn(true);
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect(await source.titles()).toEqual(withComments);
  expect(await source.contentOf("Comments: Leave")).toBe(
    "# Comments: Leave\n\n2026-03-02:\n\nIs it thirty days?\n\nAda, 2026-03-02:\n\nYes, since May.\n\n2026-03-02:\n\nThanks.",
  );
  const [row] = await stand.sql`
    select note, url, external_id from public.documents where source_id = ${source.id} and title = 'Comments: Rules'`;
  expect(row).toEqual({
    note: say("problems:sentences.notionCommentsForm"),
    url: `https://www.notion.so/${notionId(2).replaceAll("-", "")}#comments`,
    external_id: `comments/${notionId(2)}`,
  });
  expect(notion.calls.filter((call) => call.startsWith("blocks"))).toEqual([]);
  await stand.expectWhole();
});

it("comments that are new or resolved are found by a full sync, without reading the page again", async () => {
  notion.comments[notionId(1)] = [commentOf(1, "Is it forty days?")];
  notion.comments[notionId(2)] = [];
  // Between two full syncs only edited pages' comments are read.
  await source.sync();
  expect(commentCalls()).toEqual([`comments ${notionId(3)}`]);
  notion.calls.length = 0;
  await source.sync({ whole: true });
  expect(commentCalls()).toHaveLength(pages.length);
  expect(notion.calls.filter((call) => call.startsWith("blocks"))).toEqual([]);
  expect(await source.titles()).toEqual(["Comments: Leave", ...pages]);
  expect(await source.contentOf("Comments: Leave")).toContain("forty days");
});

it("comments stay when Notion fails to return them or the search omits their page, and are removed with it", async () => {
  notion.failing.add(notionId(1));
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await source.titles()).toEqual(["Comments: Leave", ...pages]);
  notion.failing.clear();
  const [leave] = notion.pages as FakePage[];
  Object.assign(leave ?? {}, { isUnsearched: true });
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(["Comments: Leave", ...pages]);
  Object.assign(leave ?? {}, { isTrashed: true });
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(["Rules", "Travel"]);
  Object.assign(leave ?? {}, { isTrashed: false, isUnsearched: false });
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(["Comments: Leave", ...pages]);
});

it("without the capability are reported once, everything else is read, and none is stored", async () => {
  notion.mayReadComments = false;
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
  expect(commentCalls()).toHaveLength(1);
  expect(await source.titles()).toEqual(pages);
  expect(await listSkipped()).toEqual([say("problems:sentences.notionComments")]);
  notion.mayReadComments = true;
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(["Comments: Leave", ...pages]);
  expect(await listSkipped()).toEqual([]);
  await turn(false);
  await source.sync();
  expect(commentCalls()).toHaveLength(1 + pages.length);
  expect(await source.titles()).toEqual(pages);
});
