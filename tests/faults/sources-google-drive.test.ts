// Google Drive, synced by the worker through the real queue: exports, files, folders, shared drives, change feeds and their expiry, the
// trash, keys and tokens, blocked downloads, rate limits, an interrupted worker.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { configSchema, credentialsSchema } from "../../edge-functions/indexing/connectors/declaration.ts";
import { declaration } from "../../edge-functions/indexing/connectors/google-drive/declaration.ts";
import { pictureOff, tooLargeFile, unreadFile } from "../../edge-functions/indexing/connectors/readable.ts";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type FakeFile,
  folderType,
  type GoogleDriveFake,
  googleError,
  startGoogleDriveFake,
} from "../support/fakes/google-drive.ts";
import { makePptx, makeXlsx, shape } from "../support/files/office.ts";
import { makeDocx, paragraph } from "../support/files/zip.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let drive: GoogleDriveFake;
let stand: IndexingStand;
let source: ConnectedSource;

const google = (kind: string) => `application/vnd.google-apps.${kind}`;
const office = "application/vnd.openxmlformats-officedocument";
const types = {
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
};
const fileOf = (id: string, name: string, more: Partial<FakeFile> = {}): FakeFile => ({
  id: `file-of-${id}`,
  name,
  mimeType: "text/plain",
  content: `Text of ${name}.`,
  modified: "2026-03-01T10:00:00.000Z",
  ...more,
});
const shared = "drive-of-team";
const everything = ["Deck", "Leave", "Prices", "Untitled", "a.txt", "deep.txt", "notes", "team.txt"];

beforeAll(async () => {
  drive = await startGoogleDriveFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(drive.url).host;
  stand = await startIndexingStand();
  drive.drives = [{ id: shared, name: "Team" }];
  drive.files = [
    fileOf("leave", "Leave", {
      mimeType: google("document"),
      content: { [types.docx]: makeDocx(paragraph("Thirty days.")), "text/plain": "Thirty days, in words." },
    }),
    fileOf("prices", "Prices", {
      mimeType: google("spreadsheet"),
      content: {
        [types.xlsx]: makeXlsx([
          {
            name: "Prices",
            rows: [
              ["Name", "Price"],
              ["Lamp", 10],
              ["Chair", 20],
            ],
          },
        ]),
      },
    }),
    fileOf("deck", "Deck", {
      mimeType: google("presentation"),
      content: { [types.pptx]: makePptx([{ shapes: shape(["We grow."]) }]) },
    }),
    fileOf("a", "a.txt"),
    fileOf("notes", "notes", { mimeType: "text/markdown", content: "# Notes\n\nBe kind." }),
    fileOf("empty", "", { content: "Nameless." }),
    fileOf("form", "Survey", { mimeType: google("form") }),
    fileOf("zip", "dump.zip", { mimeType: "application/zip" }),
    fileOf("photo", "photo.png", { mimeType: "image/png" }),
    fileOf("huge", "huge.pdf", { mimeType: "application/pdf", size: 90_000_000 }),
    fileOf("locked", "locked.txt", { isLocked: true }),
    fileOf("link", "link", { mimeType: google("shortcut") }),
    fileOf("trash", "trash.txt", { isTrashed: true }),
    fileOf("folder", "Docs", { mimeType: folderType }),
    fileOf("deep", "deep.txt", { parent: "file-of-folder" }),
    fileOf("team", "team.txt", { drive: shared }),
  ];
  const config = { folders: [], apiUrl: drive.url };
  source = await connectSource(stand, "googleDrive", config, { key: drive.key });
});
afterAll(async () => {
  await stand?.stop();
  await drive?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  drive.calls.length = 0;
});

const cursor = async () => (await source.row())?.sync_cursor;
const listSkipped = async () =>
  stand.sql`select title, problem from private.source_pages where source_id = ${source.id} order by title`;
const fileNamed = (name: string) => {
  const found = drive.files.find((one) => one.name === name);
  if (!found) throw new Error(`no file ${name}`);
  return found as FakeFile;
};

describe("a source of files", () => {
  it("reads Google documents by export, other files as they are, in shared drives too, and lists the skipped ones", async () => {
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
    expect(await source.contentOf("Leave")).toContain("Thirty days.");
    expect(await source.contentOf("Deck")).toContain("We grow.");
    expect(await source.contentOf("notes")).toContain("Be kind.");
    expect(await listSkipped()).toEqual([
      { title: "Survey", problem: unreadFile },
      { title: "dump.zip", problem: unreadFile },
      { title: "huge.pdf", problem: tooLargeFile },
      { title: "link", problem: expect.stringContaining("Shortcuts are not followed. Share") },
      { title: "locked.txt", problem: expect.stringContaining("not allow this file to be downloaded. Ask") },
      { title: "photo.png", problem: pictureOff },
    ]);
    const [row] = await stand.sql`
      select external_id, url from public.documents where source_id = ${source.id} and title = 'Leave'`;
    expect(row).toEqual({
      external_id: "file-of-leave",
      url: "https://docs.google.com/file/d/file-of-leave/view",
    });
    const tables = await stand.sql`
      select d.title from public.document_tables t join public.documents d on d.id = t.document_id where d.source_id = ${source.id}`;
    expect(tables.map(({ title }) => title)).toEqual(["Prices"]);
    // One token for everything, read-only, from Google's own URL.
    expect(drive.calls.filter((call) => call === "token")).toHaveLength(1);
    expect(drive.assertions[0]).toMatchObject({
      iss: "reader@acme.iam.gserviceaccount.com",
      scope: "https://www.googleapis.com/auth/drive.readonly",
    });
    expect(drive.assertions[0]?.sub).toBeUndefined();
    await stand.expectWhole();
  });

  it("requests only changes when nothing changed", async () => {
    await source.sync();
    expect(drive.calls).toEqual(["drives", "changes own", `changes ${shared}`]);
    expect(await source.titles()).toEqual(everything);
  });

  it("reads changes, removes deleted and trashed files, keeps files that moved to another feed", async () => {
    Object.assign(fileNamed("a.txt"), { content: "Newer.", modified: "2026-03-05T10:00:00.000Z" });
    fileNamed("notes").isTrashed = true;
    drive.hidden.add("file-of-deck");
    for (const id of ["file-of-a", "file-of-notes", "file-of-deck"]) drive.change(id);
    // It left the shared drive, whose feed reports it as removed.
    delete fileNamed("team.txt").drive;
    drive.change("file-of-team", shared);
    await source.sync();
    expect(await source.contentOf("a.txt")).toBe("Newer.");
    expect(await source.titles()).toEqual(everything.filter((one) => !["Deck", "notes"].includes(one)));
    expect(await stand.sql`select 1 from public.chunks where content like '%Text of a.txt%'`).toEqual([]);
    expect(await listSkipped()).toHaveLength(6);
    drive.hidden.clear();
    fileNamed("notes").isTrashed = false;
    fileNamed("team.txt").drive = shared;
    for (const id of ["file-of-notes", "file-of-deck"]) drive.change(id);
    await source.sync();
    expect(await source.titles()).toEqual(everything);
  });

  it("lists everything after a feed has expired, or a folder was trashed", async () => {
    expect(await cursor()).not.toBeNull();
    drive.lost.add("changes");
    expect(await source.sync()).toMatchObject({ status: "succeeded" });
    expect(await cursor()).toBeNull();
    drive.lost.clear();
    await source.sync();
    expect(drive.calls).toContain("files user");
    expect(await cursor()).not.toBeNull();
    fileNamed("Docs").isTrashed = true;
    fileNamed("deep.txt").isTrashed = true;
    drive.change("file-of-folder");
    await source.sync();
    expect(await source.titles()).toEqual(everything);
    await source.sync();
    expect(await source.titles()).toEqual(everything.filter((one) => one !== "deep.txt"));
    fileNamed("Docs").isTrashed = false;
    fileNamed("deep.txt").isTrashed = false;
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });

  it("reads a document that is too large to export as text, and fails failing ones alone", async () => {
    drive.mostExported = 100;
    for (const name of ["Leave", "Prices"]) fileNamed(name).modified = "2026-03-06T10:00:00.000Z";
    drive.files.push({ id: "file-of-broken", name: "Broken" });
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
    expect(await source.contentOf("Leave")).toBe("Thirty days, in words.");
    const documents = await source.documents();
    const errorOf = (title: string) => documents.find((one) => one.title === title)?.error;
    expect(errorOf("Prices")).toContain("does not export documents of this size");
    expect(errorOf("Broken")).toContain("form that cannot be read");
    drive.mostExported = 10_000_000;
    drive.files.pop();
    for (const name of ["Leave", "Prices"]) fileNamed(name).modified = "2026-03-07T10:00:00.000Z";
    expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexed" });
    expect(await source.titles()).toEqual(everything);
  });

  it("keeps items that a list omits, and removes missing ones", async () => {
    // In no list, and still found individually.
    drive.files = drive.files.map((one) =>
      one.name === "a.txt" ? { ...one, drive: "drive-of-others" } : one,
    );
    fileNamed("Leave").isTrashed = true;
    await source.sync({ whole: true });
    expect(drive.calls).toContain("file file-of-a");
    expect(await source.titles()).toEqual(everything.filter((one) => one !== "Leave"));
    delete fileNamed("a.txt").drive;
    fileNamed("Leave").isTrashed = false;
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(everything);
  });
});

describe("a source of folders", () => {
  it("reads the contents of its folders, whatever a document's id claims, and names a missing folder", async () => {
    await source.configure({ folders: ["file-of-folder", shared, "file-of-nothing"] });
    drive.files.push(
      fileOf("below", "Below", { mimeType: folderType, parent: "file-of-folder" }),
      fileOf("deeper", "deeper.txt", { parent: "file-of-below" }),
    );
    await source.sync();
    expect(await source.titles()).toEqual(["deep.txt", "deeper.txt", "team.txt"]);
    expect((await listSkipped()).map(({ problem }) => problem)).toEqual([
      "Google Drive shows no folder file-of-nothing: it does not exist, or is not shared with the account. Share it with the account's address, or remove it from the list.",
    ]);
    fileNamed("deeper.txt").content = "Newer.";
    Object.assign(fileNamed("deeper.txt"), { modified: "2026-03-08T10:00:00.000Z" });
    Object.assign(fileNamed("a.txt"), { modified: "2026-03-08T10:00:00.000Z" });
    fileNamed("deep.txt").parent = "elsewhere";
    for (const id of ["deeper", "a", "deep"]) drive.change(`file-of-${id}`);
    await source.sync();
    expect(await source.contentOf("deeper.txt")).toBe("Newer.");
    expect(await source.titles()).toEqual(["deeper.txt", "team.txt"]);
    fileNamed("deep.txt").parent = "file-of-folder";
    drive.files.splice(-2);
    await source.configure({ folders: ["file-of-nothing"] });
    expect((await source.sync()).error).toContain("Google Drive shows no folder file-of-nothing");
    expect(await source.titles()).toEqual(["deeper.txt", "team.txt"]);
    await source.configure({ folders: [] });
    await source.sync();
    expect(await source.titles()).toEqual(everything);
  });
});

describe("when Google refuses", () => {
  it.each([
    ["a limit of a person", { status: 403, body: googleError(403, "userRateLimitExceeded") }, 30],
    [
      "a limit with a time",
      { status: 429, headers: { "retry-after": "300" }, body: googleError(429, "rateLimitExceeded") },
      200,
    ],
    ["the day's limit", { status: 403, body: googleError(403, "dailyLimitExceeded") }, 1500],
  ])("waits as long as requested: %s", async (_, refusal, least) => {
    drive.refusals = [{ ...refusal, path: "/drive/v3/files?" }];
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

  it("resumes after a rate limit, restarts a list with an expired position, over many slices", async () => {
    drive.refusals = [{ status: 429, headers: { "retry-after": "60" }, path: "pageToken=p-4" }];
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "waiting" });
    expect(drive.calls.filter((call) => call === "files user")).toHaveLength(2);
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(task.id)).toMatchObject({ status: "succeeded" });
    drive.lost.add("p-6");
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    drive.lost.clear();
    await source.queue();
    await stand.settle(stand.ticker({ turnMs: 0 }));
    expect(await source.titles()).toEqual(everything);
  });

  it("replaces a revoked token, accepts a person's key, gives instructions for a bad one, loses nothing", async () => {
    for (let n = 1; n < 50; n++) drive.revoked.add(`ya29.${n}`);
    drive.revoked.delete("ya29.2");
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    await source.logIn({ key: drive.personKey });
    drive.revoked.clear();
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    const { private_key: _, ...rest } = JSON.parse(drive.key);
    await source.logIn({
      key: JSON.stringify({
        ...rest,
        private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      }),
    });
    const task = await source.sync({ whole: true });
    expect(task).toMatchObject({ status: "failed", message_code: "sourceRefused", attempts: 1 });
    expect(task.error).toContain("Google Drive does not accept these credentials");
    await source.logIn({ key: drive.key });
    drive.refusals = [{ status: 403, body: googleError(403, "accessNotConfigured"), path: "/drive/v3/" }];
    expect((await source.sync({ whole: true })).error).toContain("Drive API is not enabled");
    const { files, drives } = drive;
    Object.assign(drive, { files: [], drives: [] });
    expect((await source.sync({ whole: true })).error).toContain(
      "Google Drive shows this account nothing to read",
    );
    expect(await source.titles()).toEqual(everything);
    expect(await source.sync({ whole: true, acceptsEmpty: true })).toMatchObject({
      status: "succeeded",
      error: null,
    });
    expect(await source.titles()).toEqual([]);
    Object.assign(drive, { files, drives });
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded", error: null });
    expect(await source.titles()).toEqual(everything);
  });
});

it("a source accepts folders as copied URLs, keys as Google issues them, and Google's own host only", () => {
  const config = (value: object) => configSchema(declaration).safeParse(value);
  expect(
    config({ folders: ["https://drive.google.com/drive/u/0/folders/1a2B3c_4-5678?usp=sharing"] }).data,
  ).toMatchObject({
    folders: ["1a2B3c_4-5678"],
    apiUrl: "https://www.googleapis.com",
  });
  for (const wrong of [{ folders: ["a' or name contains 'x"] }, { apiUrl: "https://evil.example" }])
    expect(config(wrong).success, JSON.stringify(wrong)).toBe(false);
  const key = (value: string) => credentialsSchema(declaration).safeParse({ key: value });
  const kept = key(drive.key).data?.key ?? "";
  expect(JSON.parse(kept)).not.toHaveProperty("token_uri");
  expect(key(kept).data?.key).toBe(kept);
  for (const wrong of [
    "",
    "x",
    "{}",
    JSON.stringify({ type: "service_account", client_email: "a@b.example", private_key: "x" }),
  ])
    expect(key(wrong).success, wrong).toBe(false);
});
