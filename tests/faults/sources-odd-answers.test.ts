// What services answer beside what was asked for: errors next to data, objects that they refuse to give out, lists without an end, an empty
// list where there was one. A failure of one object is no failure of the source, and no failure deletes anything.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type ConfluenceFake,
  placesOf as placesOfConfluence,
  startConfluenceFake,
} from "../support/fakes/confluence.ts";
import { type GithubFake, startGithubFake, threadOf } from "../support/fakes/github.ts";
import { folderType, type GoogleDriveFake, startGoogleDriveFake } from "../support/fakes/google-drive.ts";
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
let confluence: ConfluenceFake;
let drive: GoogleDriveFake;
let stand: IndexingStand;
let source: ConnectedSource;

beforeAll(async () => {
  notion = await startNotionFake();
  github = await startGithubFake();
  confluence = await startConfluenceFake();
  drive = await startGoogleDriveFake();
  const places = [notion, github, drive].map(({ url }) => new URL(url).host);
  process.env.PARLEY_OUTBOUND_ALLOW = [...places, placesOfConfluence(confluence)].join(",");
  stand = await startIndexingStand();
});
afterAll(async () => {
  await stand?.stop();
  for (const fake of [notion, github, confluence, drive]) await fake?.close();
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

  const addFiles = (files: Record<string, string>) =>
    Object.assign(github.repositories["acme/handbook"]?.files ?? {}, files);

  it("has files with odd names: the others are read", async () => {
    const names = [
      "a\u0000b",
      "line\nbreak",
      "half\ud83d",
      "tab\tand\u0007bell",
      `${"deep/".repeat(98)}long`,
    ];
    addFiles(Object.fromEntries(names.map((name) => [`${name}.md`, "Odd."])));
    addFiles({ "empty.md": "" });
    for (let day = 0; day < 2; day++) {
      expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
      expect(await source.titles()).toEqual([
        ...everything,
        "handbook/empty.md",
        "handbook/line break.md",
        "handbook/tab andbell.md",
      ]);
    }
    const skipped = await stand.sql`select problem from private.source_pages where source_id = ${source.id}`;
    expect(skipped).toEqual([{ problem: say("problems:sentences.githubPath") }]);
  });

  it("has folders without a document, listed one by one: each is progress, so that hundreds are no endless list", async () => {
    addFiles(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`data/${n + 10}/rows.bin`, `${n}`])));
    addFiles({ "data/11/notes.md": "Here." });
    await source.configure({ content: ["files"] });
    github.mostEntries = 10;
    const task = await source.sync({ whole: true });
    github.mostEntries = 1000;
    expect(task).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toContain("handbook/data/11/notes.md");
    const [listing] = await stand.sql`select pages, barren from private.listings where task_id = ${task.id}`;
    expect(listing?.pages).toBeGreaterThan(3);
    expect(listing?.barren).toBe(0);
  });

  it("lists a folder in part whose address is cut inside a character: the sync says so", async () => {
    const cutAt = 500 - `https://github.example/acme/handbook/tree/${"0".repeat(40)}/`.length;
    const folder = `${"d".repeat(cutAt - 1)}\u{1f600}`;
    addFiles({ [`${folder}/a.md`]: "A.", [`${folder}/b.md`]: "B." });
    Object.assign(github, { mostEntries: 1, mostInFolder: 1 });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    Object.assign(github, { mostEntries: 1000, mostInFolder: 1000 });
    const problem = say("problems:sentences.githubFolder");
    const rows = await stand.sql`
      select address from private.source_pages where source_id = ${source.id} and problem = ${problem} order by address desc`;
    expect(rows[0]?.address).toMatch(/d\ufffd$/);
    expect(await source.titles()).toEqual(expect.arrayContaining(everything));
  });
});

describe("Confluence", () => {
  const everything = ["Leave", "plan.txt"];
  beforeEach(async () => {
    const changed = "2026-03-01T10:00:00.000Z";
    confluence.refusals = [];
    confluence.spaces = [{ id: "10", key: "DOCS", name: "Docs" }];
    confluence.pages = [{ id: "1", title: "Leave", space: "10", changed, storage: "<p>Thirty days.</p>" }];
    confluence.attachments = [{ id: "att1", title: "plan.txt", on: "1", changed, bytes: "The plan." }];
    const config = { site: confluence.url, spaces: ["DOCS"], content: ["pages", "attachments"] };
    const login = { email: confluence.email, apiToken: confluence.apiToken };
    source = await connectSource(stand, "confluence", config, login);
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });
  const answer = (path: string, results: unknown[], next?: string) => ({
    status: 200,
    body: { results, _links: next ? { next } : {} },
    path,
  });

  it("lists no space to who has been logged out: what is read meanwhile is not deleted", async () => {
    confluence.refusals = [1, 2].map(() => answer("/spaces?", []));
    await readAgain();
    expect(await source.titles()).toEqual(everything);
    const error = say("problems:sentences.confluenceMissing", { space: "DOCS" });
    expect((await source.row())?.error).toBe(error);
  });

  it("lists a space in another form: the sync waits", async () => {
    confluence.refusals = [1, 2, 3].map(() => answer("/spaces?", [{ id: "10" }]));
    expect(await source.sync({ whole: true })).toMatchObject({ status: "waiting" });
    expect(await source.titles()).toEqual(everything);
  });

  it.each([
    { what: "leaves out the page of a file", page: [] },
    { what: "lists the page of a file in another form", page: [{ id: "1" }] },
  ])("$what: the file stays", async ({ page }) => {
    confluence.refusals = [1, 2].map(() => answer("/pages?id=", page));
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(confluence.refusals).toEqual([]);
    expect(await source.titles()).toEqual(everything);
    confluence.refusals = [answer("/pages?id=", page)];
    await readAgain();
    expect(await source.titles()).toEqual(everything);
    confluence.pages = [{ id: "2", title: "Leave", space: "10", changed: "2026-03-01T10:00:00.000Z" }];
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(["Leave"]);
  });

  it("lists spaces without an end: the sync waits", async () => {
    confluence.refusals = Array.from({ length: 1000 }, (_, n) =>
      answer("/spaces?", [], `/wiki/api/v2/spaces?cursor=${n}`),
    );
    expect(await source.sync({ whole: true })).toMatchObject({ status: "waiting" });
    expect(await source.titles()).toEqual(everything);
  });
});

describe("Google Drive", () => {
  const fileOf = (id: string, name: string, more: object = {}) => ({
    id: `file-of-${id}`,
    name,
    mimeType: "text/plain",
    content: `Text of ${name}.`,
    modified: "2026-03-01T10:00:00.000Z",
    ...more,
  });
  const addSource = (folders: string[]) =>
    connectSource(stand, "googleDrive", { folders, apiUrl: drive.url }, { key: drive.key });
  beforeEach(() => {
    drive.refusals = [];
    drive.files = [
      fileOf("docs", "Docs", { id: "folder-of-documents", mimeType: folderType }),
      fileOf("sub", "Sub", { mimeType: folderType, parent: "folder-of-documents" }),
      fileOf("deep", "deep.txt", { parent: "file-of-sub" }),
      fileOf("top", "top.txt", { parent: "folder-of-documents" }),
    ];
  });

  it("names a folder without its parents: what is in it stays", async () => {
    source = await addSource(["folder-of-documents"]);
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(["deep.txt", "top.txt"]);
    drive.change("file-of-deep");
    drive.refusals = [{ status: 200, body: { id: "file-of-sub" }, path: "/files/file-of-sub?" }];
    const task = await source.sync();
    expect(drive.refusals).toEqual([]);
    expect(task).toMatchObject({ status: "waiting" });
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(["deep.txt", "top.txt"]);
  });

  it("lists shared drives without an end: the sync waits", async () => {
    source = await addSource([]);
    await source.sync({ whole: true });
    drive.refusals = Array.from({ length: 800 }, (_, n) => ({
      status: 200,
      body: { drives: [], nextPageToken: `d-${n}` },
      path: "/drives?",
    }));
    expect(await source.sync({ whole: true })).toMatchObject({ status: "waiting" });
    expect(await source.titles()).toEqual(["deep.txt", "top.txt"]);
  });
});
