// Notion, synced by the worker through the real queue: search, blocks, databases, edits, pages that the search omits, the trash, rate
// limits, lost cursors, an interrupted worker.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { configSchema } from "../../edge-functions/indexing/connectors/declaration.ts";
import { declaration } from "../../edge-functions/indexing/connectors/notion/declaration.ts";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type FakeBlock,
  type FakePage,
  type NotionFake,
  notionId,
  paragraph,
  rich,
  startNotionFake,
} from "../support/fakes/notion.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { say } from "../support/words.ts";

let notion: NotionFake;
let stand: IndexingStand;
let source: ConnectedSource;
const shop = notionId(90);

const pages = (): FakePage[] => [
  {
    id: notionId(1),
    title: "Leave",
    edited: "2026-03-01T10:00:00.000Z",
    blocks: [
      { type: "heading_2", heading_2: { rich_text: rich("Days") } },
      paragraph("Thirty days."),
      {
        type: "toggle",
        toggle: { rich_text: rich("More") },
        has: [paragraph("Ask your lead."), paragraph("Then rest.")],
      },
      { type: "child_page", child_page: { title: "Rules" }, has: [paragraph("not here")] },
    ],
  },
  { id: notionId(2), title: "Rules", edited: "2026-03-02T10:00:00.000Z", blocks: [paragraph("Be kind.")] },
  { id: notionId(3), title: "", edited: "2026-03-03T10:00:00.000Z", blocks: [paragraph("Nameless.")] },
  ...["Lamp", "Chair", "Table"].map((title, at) => ({
    id: notionId(10 + at),
    title,
    edited: `2026-02-0${at + 1}T10:00:00.000Z`,
    row: shop,
    properties: { Price: { id: "p", type: "number", number: 10 * (at + 1) } },
    blocks: [paragraph(`${title} text.`)],
  })),
];
const everything = ["Chair", "Lamp", "Leave", "Prices", "Rules", "Table", "Untitled"];

beforeAll(async () => {
  notion = await startNotionFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(notion.url).host;
  stand = await startIndexingStand();
  notion.pages = pages();
  notion.sources = [
    {
      id: shop,
      title: "Prices",
      edited: "2026-01-01T10:00:00.000Z",
      columns: ["Price", "Empty"],
      formats: { Price: "euro" },
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
  notion.calls.length = 0;
});

const noteOf = async (title: string) =>
  (await stand.sql`select note from public.documents where source_id = ${source.id} and title = ${title}`)[0]
    ?.note;
const pageNamed = (title: string) => {
  const found = notion.pages.find((one) => one.title === title);
  if (!found) throw new Error(`no page ${title}`);
  return found as FakePage;
};

describe("a source of pages and databases", () => {
  it("reads pages to their last block, rows as pages, and a database as one table, with their URLs", async () => {
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
    expect(await source.contentOf("Leave")).toBe(
      "# Leave\n\nChanged: 2026-03-01\n\n## Days\n\nThirty days.\n\nMore\n\nAsk your lead.\n\nThen rest.\n\nRules",
    );
    expect(await source.contentOf("Chair")).toBe("# Chair\n\nPrice: €20\nChanged: 2026-02-02\n\nChair text.");
    expect(await source.contentOf("Prices")).toBe(
      "# Prices\n\nWhat we sell.\n\n| Name | Price |\n| --- | --- |\n| Lamp | €10 |\n| Chair | €20 |\n| Table | €30 |",
    );
    const [row] = await stand.sql`
      select external_id, url from public.documents where source_id = ${source.id} and title = 'Leave'`;
    expect(row).toEqual({
      external_id: `pages/${notionId(1)}`,
      url: `https://www.notion.so/${notionId(1).replaceAll("-", "")}`,
    });
    const [table] = await stand.sql`
      select t.id from public.document_tables t join public.documents d on d.id = t.document_id
       where d.source_id = ${source.id} and d.title = 'Prices'`;
    expect(table).toBeDefined();
    await stand.expectWhole();
  });

  it("requests only the latest edits when nothing changed, and reads nothing again", async () => {
    await source.sync();
    expect(notion.calls).toEqual(["search page descending", "search data_source descending"]);
    expect(await source.titles()).toEqual(everything);
  });

  it("reads edited pages, and the table of an edited row", async () => {
    Object.assign(pageNamed("Rules"), {
      title: "House rules",
      edited: "2026-03-05T10:00:00.000Z",
      blocks: [paragraph("Be very kind.")],
    });
    Object.assign(pageNamed("Lamp"), {
      edited: "2026-03-05T11:00:00.000Z",
      properties: { Price: { type: "number", number: 11 } },
    });
    await source.sync();
    expect(await source.contentOf("House rules")).toContain("Be very kind.");
    expect(await source.contentOf("Prices")).toContain("| Lamp | €11 |");
    expect(await source.contentOf("Lamp")).toContain("Price: €11");
    expect(notion.calls).toContain(`rows ${shop}`);
    expect(notion.calls).not.toContain(`blocks ${notionId(1)}`);
    expect(await stand.sql`select 1 from public.chunks where content like '%Be kind.%'`).toEqual([]);
    Object.assign(pageNamed("House rules"), { title: "Rules", edited: "2026-03-06T10:00:00.000Z" });
    await source.sync();
    expect(await source.titles()).toEqual(everything);
  });

  it("reads a recently edited page once more, since a later edit may have the same minute", async () => {
    const now = new Date();
    const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000).toISOString();
    Object.assign(pageNamed("Rules"), { edited: minute, blocks: [paragraph("First.")] });
    await source.sync();
    expect(await source.contentOf("Rules")).toContain("First.");
    Object.assign(pageNamed("Rules"), { blocks: [paragraph("Second.")] });
    await source.sync();
    expect(await source.contentOf("Rules")).toContain("Second.");
    Object.assign(pageNamed("Rules"), { edited: "2026-03-06T10:00:00.000Z" });
    await source.sync({ whole: true });
  });

  it("keeps what the search omits, and removes what is deleted or trashed", async () => {
    // One page and one row: the query of the database names the row.
    for (const title of ["Leave", "Chair"]) pageNamed(title).isUnsearched = true;
    await source.sync({ whole: true });
    expect(notion.calls).toContain(`page ${notionId(1)}`);
    expect(await source.titles()).toEqual(everything);
    notion.hidden.add(notionId(1));
    pageNamed("Rules").isTrashed = true;
    await source.sync();
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(everything.filter((one) => !["Leave", "Rules"].includes(one)));
    notion.hidden.clear();
    pageNamed("Rules").isTrashed = false;
    for (const title of ["Leave", "Chair"]) pageNamed(title).isUnsearched = false;
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });

  it("names a database that is a view of a hidden one", async () => {
    const linked = { id: notionId(77), title: "View", edited: "2026-03-02T00:00:00.000Z", columns: [] };
    notion.sources.push({ ...linked, isLinked: true });
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect(await stand.sql`select problem from private.source_pages where source_id = ${source.id}`).toEqual([
      { problem: say("problems:sentences.notionHidden") },
    ]);
    notion.sources.pop();
    await source.sync({ whole: true });
    expect(await stand.sql`select problem from private.source_pages where source_id = ${source.id}`).toEqual(
      [],
    );
    expect(await source.titles()).toEqual(everything);
  });

  it("fails damaged pages alone, and reports what Notion leaves out", async () => {
    notion.pages.push({ object: "page", id: notionId(7), last_edited_time: "never" }, { object: "page" });
    notion.isIncomplete = true;
    const { isTrashed: _, ...first } = pageNamed("Leave");
    notion.pages = notion.pages.filter((one) => one.title !== "Leave");
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
    notion.isIncomplete = false;
    // Deleted when requested individually: an unreadable entry keeps nothing.
    expect(await source.titles()).not.toContain("Leave");
    const broken = (await source.documents()).find(({ error }) => error);
    expect(broken?.error).toContain("form that cannot be read");
    expect(await stand.sql`select problem from private.source_pages where source_id = ${source.id}`).toEqual([
      { problem: expect.stringContaining("lists only part") },
    ]);
    notion.pages = [...notion.pages.filter((one) => !("object" in one)), first];
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
    expect(await stand.sql`select 1 from private.source_pages where source_id = ${source.id}`).toEqual([]);
  });

  it("continues below a deleted block, and shows a synced block's original", async () => {
    const leave = pageNamed("Leave");
    const { blocks = [] } = leave;
    leave.blocks = [
      ...blocks,
      {
        type: "synced_block",
        synced_block: { synced_from: { type: "block_id", block_id: notionId(501) } },
        has: [paragraph("a copy")],
      },
      {
        type: "synced_block",
        synced_block: { synced_from: { type: "block_id", block_id: notionId(999) } },
        has: [paragraph("unseen")],
      },
      paragraph("The end."),
    ];
    leave.edited = "2026-03-07T10:00:00.000Z";
    pageNamed("Rules").blocks?.push({
      id: notionId(501),
      type: "synced_block",
      synced_block: { synced_from: null },
      has: [paragraph("The original.")],
    });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(await source.contentOf("Leave")).toMatch(/The original\.\n\nThe end\.$/);
    expect(await noteOf("Leave")).toContain("cannot see the page of its original");
    Object.assign(leave, { blocks, edited: "2026-03-08T10:00:00.000Z" });
    await source.sync({ whole: true });
  });
});

describe("an unusual page", () => {
  const nest = (depth: number): FakeBlock => ({
    ...paragraph(`Level ${depth}.`),
    ...(depth < 40 ? { has: [nest(depth + 1)] } : {}),
  });
  const readRules = async (blocks: FakeBlock[], edited: string) => {
    Object.assign(pageNamed("Rules"), { blocks, edited });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  };

  it("is read to its deepest block, and a cyclic tree ends", async () => {
    const { blocks = [] } = pageNamed("Rules");
    const itself = { type: "synced_block", synced_block: { synced_from: { block_id: notionId(502) } } };
    const circle = { id: notionId(502), type: "toggle", toggle: { rich_text: rich("Round") } };
    await readRules(
      [nest(1), { ...circle, has: [{ ...itself, has: [paragraph("a copy")] }, paragraph("Once.")] }],
      "2026-03-09T10:00:00.000Z",
    );
    expect(await source.contentOf("Rules")).toMatch(/Level 40\.\n\nRound\n\nOnce\.$/);
    expect(await noteOf("Rules")).toBeNull();
    await readRules(blocks, "2026-03-10T10:00:00.000Z");
  });

  it.each([
    [
      "blocks that are damaged",
      "blocks of this page could not be read",
      { ...paragraph("Odd."), has_children: "odd" },
    ],
    [
      "blocks that the API does not give out",
      "does not provide some blocks of this page",
      { type: "unsupported", unsupported: {} },
    ],
  ])("says that it is read without %s", async (_, words, block) => {
    const { blocks = [], edited } = pageNamed("Rules");
    await readRules([block, paragraph("Be kind.")], edited.replace(":00:00.", ":30:00."));
    expect(await source.contentOf("Rules")).toMatch(/Be kind\.$/);
    expect(await noteOf("Rules")).toContain(words);
    await readRules(blocks, edited);
    expect(await noteOf("Rules")).toBeNull();
  });

  it("says where it was truncated", async () => {
    const { blocks = [], edited } = pageNamed("Rules");
    const folded = Array.from({ length: 101 }, (_, at) => ({
      ...paragraph(`Fold ${at}.`),
      has: [paragraph("In.")],
    }));
    await readRules(folded, edited.replace(":00:00.", ":30:00."));
    expect(await source.contentOf("Rules")).toMatch(/The rest has not been read\.$/);
    expect(await noteOf("Rules")).toContain("too long to be read");
    await readRules(blocks, edited);
    expect(await source.titles()).toEqual(everything);
  });
});

describe("when Notion refuses", () => {
  it.each([
    [
      "a limit for a minute",
      { status: 429, headers: { "retry-after": "55" }, body: { code: "rate_limited" } },
      40,
      "Notion asks to be called less often.",
    ],
    [
      "a workspace's limit",
      { status: 429, headers: { "retry-after": "600" }, body: { code: "rate_limited" } },
      500,
      "Notion asks to be called less often.",
    ],
    [
      "too much to do",
      { status: 529, headers: { "retry-after": "120" }, body: { code: "service_overload" } },
      60,
      "Notion reports an internal error (529).",
    ],
  ])("waits as long as requested: %s", async (_, refusal, least, sentence) => {
    notion.refusals = [refusal];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
    const [row] =
      await stand.sql`select extract(epoch from run_after - now()) as seconds from public.tasks where id = ${task.id}`;
    expect(Number(row?.seconds)).toBeGreaterThan(least);
    expect((await source.row())?.error).toBe(sentence);
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(everything);
  });

  it("resumes after a rate limit, and restarts a search with a lost cursor", async () => {
    notion.refusals = [{ status: 429, headers: { "retry-after": "60" }, path: "start_cursor" }];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting" });
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(notion.calls.filter((call) => call === "search page ascending")).toHaveLength(3);
    notion.calls.length = 0;
    for (const id of [notionId(10), notionId(12), notionId(2), notionId(3)]) notion.lost.add(id);
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(notion.calls.filter((call) => call === "search page ascending").length).toBeGreaterThan(4);
    notion.lost.clear();
    expect(await source.titles()).toEqual(everything);
  });

  it("lists over many slices, each a page", async () => {
    await source.queue();
    await stand.settle(stand.ticker({ turnMs: 0 }));
    expect(notion.calls.filter((call) => call === "search page ascending")).toHaveLength(3);
    expect(await source.titles()).toEqual(everything);
  });

  it("gives instructions for a token, a capability and unshared pages, and loses nothing", async () => {
    await source.logIn({ accessToken: "no-longer-good" });
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused", attempts: 1 });
    expect(task.error).toContain("does not accept these credentials");
    expect(task.error).not.toContain("no-longer-good");
    await source.logIn({ accessToken: notion.accessToken });
    notion.refusals = [{ status: 403, body: { code: "restricted_resource" } }];
    expect((await source.sync({ whole: true })).error).toContain("check that it may read content");
    const { pages: kept, sources } = notion;
    Object.assign(notion, { pages: [], sources: [] });
    expect((await source.sync({ whole: true })).error).toContain(
      "Notion does not give this connection access to any page",
    );
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true, acceptsEmpty: true })).toMatchObject({
      status: "succeeded",
      error: null,
    });
    expect(await source.titles()).toEqual([]);
    Object.assign(notion, { pages: kept, sources });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    expect(await source.titles()).toEqual(everything);
  });
});

it("a sync reads only the kinds in the source's settings, whatever a document's id claims", async () => {
  await stand.sql`update public.sources set config = config || '{"content": ["databases"]}' where id = ${source.id}`;
  await source.sync();
  expect(await source.titles()).toEqual(["Prices"]);
});

it("the API is called at Notion's own host only", () => {
  const isTaken = (apiUrl: string) => configSchema(declaration).safeParse({ apiUrl }).success;
  expect(isTaken("https://api.notion.com")).toBe(true);
  for (const wrong of [
    "https://evil.example",
    "https://api.notion.com.evil.example",
    "http://api.notion.com",
  ])
    expect([wrong, isTaken(wrong)]).toEqual([wrong, false]);
});
