// What services answer beside what was asked for: errors next to data, objects that they refuse to give out, lists without an end, an empty
// list where there was one. A failure of one object is no failure of the source, and no failure deletes anything.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type GithubFake, startGithubFake, threadOf } from "../support/fakes/github.ts";
import {
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
let github: GithubFake;
let stand: IndexingStand;
let source: ConnectedSource;

beforeAll(async () => {
  notion = await startNotionFake();
  github = await startGithubFake();
  const places = [notion, github].map(({ url }) => new URL(url).host);
  process.env.PARLEY_OUTBOUND_ALLOW = places.join(",");
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  for (const fake of [notion, github]) await fake?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

/** Reads the documents of a knowledge base again, as a new embedding model would have them indexed: without a listing. */
async function readAgain() {
  await stand.sql`update public.documents set content_hash = null where source_id = ${source.id}`;
  const task = await stand.enqueue("index", { knowledge: source.knowledge });
  await stand.settle();
  return await stand.task(task);
}

describe("Notion", () => {
  const page = (n: number, title: string, blocks = [paragraph(`Text of ${title}.`)]): FakePage => ({
    id: notionId(n),
    title,
    edited: `2026-03-0${n}T10:00:00.000Z`,
    blocks,
  });
  beforeEach(async () => {
    Object.assign(notion, { endless: undefined, sources: [], refusals: [], comments: {} });
    for (const set of [notion.unsupported, notion.lost]) set.clear();
    notion.pages = [page(1, "Leave"), page(2, "Rules"), page(3, "Travel")];
    const config = { content: ["pages", "databases"], withComments: true, apiUrl: notion.url };
    source = await connectSource(stand, "notion", config, { accessToken: notion.accessToken });
    await source.sync({ whole: true });
    notion.calls.length = 0;
  });
  const edit = (title: string, change: Partial<FakePage>) =>
    Object.assign(notion.pages.find((one) => one.title === title) ?? {}, {
      edited: "2026-03-05T10:00:00.000Z",
      ...change,
    });

  it("refuses the children of a block: the page is read without them, and says so", async () => {
    const more = { type: "toggle", toggle: { rich_text: rich("More") }, has: [paragraph("Refused.")] };
    const meeting = { type: "unsupported", unsupported: { block_type: "transcription" }, has: more.has };
    edit("Rules", {
      blocks: [{ ...more, id: notionId(70) }, { ...meeting, id: notionId(71) }, paragraph("Be kind.")],
    });
    notion.unsupported.add(notionId(70)).add(notionId(71));
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed", error: null });
    expect(await source.document("Rules")).toMatchObject({
      content: expect.stringMatching(/More\n\nBe kind\.$/),
      note: say("problems:sentences.notionUnsupported"),
    });
    expect(notion.calls).not.toContain(`blocks ${notionId(71)}`);
  });

  it("refuses a page: it fails alone and keeps its text, others are read", async () => {
    notion.unsupported.add(notionId(2));
    for (const title of ["Leave", "Rules", "Travel"]) edit(title, { blocks: [paragraph(`New ${title}.`)] });
    const task = await source.sync({ whole: true, attempts: 4 });
    expect(task).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    expect((await source.row())?.error).toBeNull();
    expect(await source.document("Rules")).toMatchObject({
      error: expect.stringContaining(
        say("problems:sentences.misunderstoodStatus", { service: "Notion", status: "400" }),
      ),
      content: expect.stringContaining("Text of Rules."),
    });
    for (const title of ["Leave", "Travel"]) expect(await source.contentOf(title)).toContain(`New ${title}.`);
  });

  it("turned a page into a database: its document becomes the database's", async () => {
    notion.pages = notion.pages.filter((one) => one.title !== "Rules");
    notion.sources = [{ id: notionId(2), title: "Rules", edited: "2026-03-06T10:00:00.000Z", columns: [] }];
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    const rows =
      await stand.sql`select external_id from public.documents where source_id = ${source.id} and title = 'Rules'`;
    expect(rows).toEqual([{ external_id: `databases/${notionId(2)}` }]);
  });

  it("loses the place in a page that is edited while it is read: the page is read again", async () => {
    const blocks = [1, 2, 3].map((n) => ({ ...paragraph(`Part ${n}.`), id: notionId(80 + n) }));
    edit("Rules", { blocks });
    notion.lost.add(notionId(83));
    expect(await source.sync({ attempts: 2 })).toMatchObject({
      status: "succeeded",
      message_code: "indexed",
    });
    expect(await source.contentOf("Rules")).toMatch(/Part 3\.$/);
    notion.comments[notionId(2)] = [1, 2, 3].map((n) => ({
      id: notionId(90 + n),
      rich_text: rich(`Said ${n}.`),
    }));
    notion.lost.add(notionId(93));
    await source.sync({ whole: true });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(await source.contentOf("Comments: Rules")).toContain("Said 3.");
  });

  it.each(["/query", "/children", "/comments"])(
    "gives lists at %s without an end: the sync ends, and names it",
    async (path) => {
      notion.sources = [
        { id: notionId(9), title: "Prices", edited: "2026-03-06T10:00:00.000Z", columns: [] },
      ];
      edit("Rules", {});
      notion.endless = path;
      expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
      expect(notion.calls.filter((call) => call === "endless").length).toBeLessThanOrEqual(600);
      const expected = ["Leave", "Prices", "Rules", "Travel"];
      expect(await source.titles()).toEqual(expect.arrayContaining(expected));
    },
  );

  it("searches without an end: the sync ends with that, and deletes nothing", async () => {
    notion.endless = "/search";
    const error = say("problems:sentences.endless");
    expect(await source.sync({ whole: true })).toMatchObject({ status: "failed", error });
    expect(await source.titles()).toEqual(["Leave", "Rules", "Travel"]);
  });
});

describe("GitHub", () => {
  const everything = ["handbook#1 Bug", "handbook/README.md"];
  beforeEach(async () => {
    github.denied.clear();
    github.refusals = [];
    github.repositories = {
      "acme/handbook": {
        branch: "main",
        files: { "README.md": "Welcome." },
        issues: [threadOf(1, "Bug", "Case.", "2026-03-01T10:00:00Z")],
        discussions: [],
      },
    };
    const config = { repositories: ["acme/handbook"], content: ["files", "issues"], apiUrl: github.url };
    source = await connectSource(stand, "github", config, { accessToken: github.accessToken });
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });

  it.each(["files", "issues"])("no longer lets the token read %s: nothing is deleted", async (what) => {
    github.denied.add(what);
    const error = say("problems:sentences.githubPermission", { what, repository: "acme/handbook" });
    for (const whole of [true, false])
      expect(await source.sync({ whole })).toMatchObject({ status: "failed", error });
    await readAgain();
    expect(await source.titles()).toEqual(everything);
    expect((await source.documents()).some((one) => one.error?.includes(error))).toBe(true);
  });

  it("cannot give out a branch right now: nothing is deleted", async () => {
    const repository = {
      url: "https://github.example/acme/handbook",
      nameWithOwner: "acme/handbook",
      defaultBranchRef: null,
    };
    const body = {
      data: { repository },
      errors: [{ type: "SERVICE_UNAVAILABLE", path: ["repository", "defaultBranchRef"] }],
    };
    github.refusals = Array.from({ length: 3 }, () => ({
      status: 200,
      body,
      path: "defaultBranchRef { name",
    }));
    expect(await source.sync({ whole: true })).toMatchObject({ status: "waiting" });
    expect(await source.titles()).toEqual(everything);
  });

  it("shows repositories without anything: nothing is deleted until a person confirms it", async () => {
    Object.assign(github.repositories["acme/handbook"] ?? {}, { files: {}, issues: [] });
    const error = say("problems:sentences.listedNothing", { service: "GitHub" });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "failed", error });
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true, acceptsEmpty: true })).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual([]);
  });
});
