// Files of Notion's pages, through the worker and the real queue: in blocks and in properties, hosted by Notion and elsewhere, changes and
// deletions, skipped files with the reason, and forbidden URLs.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type FakeBlock,
  type FakePage,
  type NotionFake,
  notionId,
  paragraph,
  placesOf,
  rich,
  startNotionFake,
} from "../support/fakes/notion.ts";
import { makePdf } from "../support/files/pdf.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let notion: NotionFake;
let stand: IndexingStand;
let source: ConnectedSource;

const time = "2026-03-01T10:00:00.000Z";
const bytes = (text: string) => new TextEncoder().encode(text);
const pdf = (text: string) => makePdf([[{ text }]]);
/** A block with a file; a hosted one by default. */
const fileBlock = (n: number, type: string, url: string, more: object = {}): FakeBlock => ({
  id: notionId(n),
  type,
  last_edited_time: time,
  [type]: {
    caption: [],
    ...(url.startsWith("hosted:")
      ? { type: "file", file: { url } }
      : { type: "external", external: { url } }),
    ...more,
  },
});
const usual = (): FakeBlock[] => [
  paragraph("Thirty days."),
  fileBlock(101, "pdf", "hosted:leave.pdf"),
  {
    type: "toggle",
    toggle: { rich_text: rich("More") },
    has: [fileBlock(102, "file", "elsewhere:days.csv")],
  },
  fileBlock(103, "image", "hosted:photo.png"),
  fileBlock(104, "video", "hosted:film.mp4"),
];
const everything = ["Leave", "contract.pdf", "days.csv", "leave.pdf"];

beforeAll(async () => {
  notion = await startNotionFake();
  process.env.PARLEY_OUTBOUND_ALLOW = placesOf(notion);
  stand = await startIndexingStand();
  notion.files = {
    "leave.pdf": pdf("Leave in a PDF."),
    "days.csv": bytes("Name,Days\nAda,30\n"),
    "contract.pdf": pdf("A contract."),
  };
  notion.pages = [
    {
      id: notionId(1),
      title: "Leave",
      edited: time,
      properties: {
        Papers: {
          id: "p",
          type: "files",
          files: [{ name: "contract.pdf", type: "file", file: { url: "hosted:contract.pdf" } }],
        },
      },
      blocks: usual(),
    },
  ];
  const config = { content: ["pages", "databases"], apiUrl: notion.url };
  source = await connectSource(stand, "notion", config, { accessToken: notion.accessToken });
});
afterAll(async () => {
  await stand?.stop();
  await notion?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  notion.calls.length = notion.media.length = 0;
});

const listSkipped = () => stand.sql`
  select address, problem from private.source_pages where source_id = ${source.id} and problem is not null order by address`;
const leave = () => notion.pages[0] as FakePage;
const edit = (blocks: FakeBlock[], minute: number) =>
  Object.assign(leave(), {
    blocks,
    edited: time.replace("10:00:", `10:${String(minute).padStart(2, "0")}:`),
  });
const pageAddress = `https://www.notion.so/${notionId(1).replaceAll("-", "")}`;
const usuallySkipped = [
  { address: pageAddress, problem: expect.stringContaining("Pictures on this page are not read: 1.") },
  {
    address: `${pageAddress}#${notionId(104).replaceAll("-", "")}`,
    problem: expect.stringContaining("Audio and video are not read."),
  },
];

it("a sync reads files of unchanged pages once turned on, and sends the token to no host", async () => {
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect(await source.titles()).toEqual(["Leave"]);
  await stand.sql`update public.sources set config = config || '{"content": ["pages", "attachments"]}' where id = ${source.id}`;
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect(await source.titles()).toEqual(everything);
  expect((await source.document("leave.pdf"))?.content).toContain("Leave in a PDF.");
  expect((await source.document("contract.pdf"))?.content).toContain("A contract.");
  expect((await source.document("days.csv"))?.content).toContain("Ada");
  expect(await listSkipped()).toEqual(usuallySkipped);
  expect(notion.media).toHaveLength(3);
  expect(notion.media.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined]);
  const [row] = await stand.sql`
    select external_id, url from public.documents where source_id = ${source.id} and title = 'leave.pdf'`;
  expect(row).toEqual({
    external_id: `attachments/${notionId(1)}/${notionId(101)}`,
    url: `${pageAddress}#${notionId(101).replaceAll("-", "")}`,
  });
  await stand.expectWhole();
});

it("a sync reads nothing again when nothing changed, and keeps its documents and notes", async () => {
  await source.sync();
  await source.sync({ whole: true });
  expect(notion.calls.filter((call) => !call.startsWith("search"))).toEqual([]);
  expect(notion.media).toEqual([]);
  expect(await source.titles()).toEqual(everything);
  expect(await listSkipped()).toEqual(usuallySkipped);
});

it("a sync reads a replaced file, and removes a deleted one, at the next sync", async () => {
  notion.files["new.pdf"] = pdf("Leave anew.");
  edit([fileBlock(101, "pdf", "hosted:new.pdf", { name: "leave.pdf" }), ...usual().slice(3)], 5);
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect(await source.titles()).toEqual(["Leave", "contract.pdf", "leave.pdf"]);
  expect((await source.document("leave.pdf"))?.content).toContain("Leave anew.");
  expect(notion.media).toHaveLength(1);
  edit([], 6);
  await source.sync();
  expect(await source.titles()).toEqual(["Leave", "contract.pdf"]);
  expect(await listSkipped()).toEqual([]);
  edit(usual(), 7);
  await source.sync();
  expect(await source.titles()).toEqual(everything);
});

it("a sync keeps files of a page that the search omits, and removes them with it", async () => {
  leave().isUnsearched = true;
  notion.pages.push({ id: notionId(2), title: "Rules", edited: time, blocks: [paragraph("Be kind.")] });
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await source.titles()).toEqual(["Leave", "Rules", ...everything.slice(1)]);
  leave().isTrashed = true;
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(["Rules"]);
  expect(await listSkipped()).toEqual([]);
  Object.assign(leave(), { isTrashed: false, isUnsearched: false });
  notion.pages.pop();
  await source.sync({ whole: true });
  expect(await source.titles()).toEqual(everything);
});

it("a sync fails a file alone that is too large, damaged, deleted, or at a forbidden URL", async () => {
  notion.files["large.pdf"] = new Uint8Array(26 * 1024 * 1024);
  notion.files["away.pdf"] = { redirect: "http://169.254.169.254/latest/meta-data" };
  notion.files["../../etc/passwd.pdf"] = pdf("A name with slashes.");
  edit(
    [
      ...usual(),
      fileBlock(111, "file", "http://127.0.0.1:9/secret.pdf"),
      fileBlock(112, "file", "elsewhere:away.pdf"),
      fileBlock(113, "file", "hosted:large.pdf"),
      fileBlock(114, "file", "hosted:missing.pdf"),
      fileBlock(115, "file", "elsewhere:..%2F..%2Fetc%2Fpasswd.pdf", { name: "../../etc/passwd.pdf" }),
      fileBlock(116, "file", "nowhere", { name: "nowhere.pdf" }),
      fileBlock(101, "pdf", "hosted:leave.pdf"),
    ],
    8,
  );
  expect(await source.sync()).toMatchObject({ message_code: "indexedWithFailures" });
  const errors = Object.fromEntries((await source.documents()).map(({ title, error }) => [title, error]));
  expect(errors).toEqual({
    ...Object.fromEntries(everything.map((title) => [title, null])),
    "../../etc/passwd.pdf": null,
    "secret.pdf": expect.stringContaining("127.0.0.1 does not provide this file"),
    "away.pdf": expect.stringContaining("does not provide this file"),
    "large.pdf": expect.stringContaining("larger than"),
    "missing.pdf": expect.stringContaining("does not provide this file"),
  });
  expect(await listSkipped()).toEqual([
    ...usuallySkipped,
    expect.objectContaining({ problem: expect.stringContaining("form that cannot be read") }),
  ]);
  edit(usual(), 9);
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect(await source.titles()).toEqual(everything);
});

it("a sync keeps a failing page with its files, and reads the others", async () => {
  notion.pages.push({ id: notionId(2), title: "Rules", edited: time, blocks: [paragraph("Be kind.")] });
  edit(usual().slice(1), 10);
  notion.failing.add(notionId(1));
  let task = await source.sync({ whole: true });
  expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
  expect((await source.document("Rules"))?.content).toContain("Be kind.");
  for (let attempt = 0; attempt < 3; attempt++) {
    await stand.passTime();
    await stand.settle();
  }
  task = await stand.task(task.id);
  expect(task).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
  expect(await source.titles()).toEqual(["Leave", "Rules", ...everything.slice(1)]);
  expect(await source.document("Leave")).toMatchObject({
    content: expect.stringContaining("Thirty days."),
    error: expect.stringContaining("The next sync tries again."),
  });
  notion.failing.clear();
  notion.pages.pop();
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
  expect((await source.document("Leave"))?.content).not.toContain("Thirty days.");
  expect(await source.titles()).toEqual(everything);
});
