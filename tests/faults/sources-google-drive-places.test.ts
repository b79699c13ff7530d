// Locations of Google Drive files, through the worker and the real queue: shared folders, folders of drives without membership, folders
// that are added, removed and moved, and files that Google returns to nobody.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type FakeFile,
  folderType,
  type GoogleDriveFake,
  googleError,
  placesOf,
  startGoogleDriveFake,
} from "../support/fakes/google-drive.ts";
import { makeXlsx } from "../support/files/office.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let drive: GoogleDriveFake;
let stand: IndexingStand;
let source: ConnectedSource;

const shared = "drive-of-team";
const foreign = "drive-of-others";
const fileOf = (id: string, more: Partial<FakeFile> = {}): FakeFile => ({
  id: `file-of-${id}`,
  name: `${id}.txt`,
  mimeType: "text/plain",
  content: `Text of ${id}.`,
  modified: "2026-03-01T10:00:00.000Z",
  ...more,
});
const folderOf = (id: string, more: Partial<FakeFile> = {}) =>
  fileOf(id, { name: id, mimeType: folderType, ...more });
const everything = ["chosen-file.txt", "inner.txt", "other.txt", "own.txt", "team.txt"];

beforeAll(async () => {
  drive = await startGoogleDriveFake();
  process.env.PARLEY_OUTBOUND_ALLOW = placesOf(drive);
  stand = await startIndexingStand();
  drive.drives = [{ id: shared, name: "Team" }];
  source = await connectSource(stand, "googleDrive", { folders: [], apiUrl: drive.url }, { key: drive.key });
});
afterAll(async () => {
  await stand?.stop();
  await drive?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(async () => {
  for (const one of [drive.hidden, drive.lost, drive.forbidden, drive.unopened, drive.failing]) one.clear();
  Object.assign(drive, { hasLinks: false, mostExported: 10_000_000, downloads: [] });
  drive.files = [
    fileOf("own"),
    folderOf("chosen"),
    fileOf("chosen-file", { parent: "file-of-chosen" }),
    folderOf("inner-folder", { parent: "file-of-chosen" }),
    fileOf("inner", { parent: "file-of-inner-folder" }),
    folderOf("other-folder"),
    fileOf("other", { parent: "file-of-other-folder" }),
    fileOf("team", { drive: shared }),
  ];
  await syncFrom([]);
  expect(await source.titles()).toEqual(everything);
  drive.calls.length = 0;
});

/** @param folders to read from now on, in a full sync */
/** A full sync of these folders, which stay chosen. */
async function syncFrom(folders: string[]) {
  await source.configure({ folders });
  return await source.sync({ whole: true });
}
const fileNamed = (name: string) => {
  const found = drive.files.find((one) => one.name === name);
  if (!found) throw new Error(`no file ${name}`);
  return found as FakeFile;
};
const without = (...names: string[]) => everything.filter((one) => !names.includes(one));

describe("another account's folders", () => {
  it("are read with all their contents when shared, opened or not", async () => {
    drive.files.push(
      folderOf("theirs", { isSharedIn: true }),
      folderOf("deeper", { parent: "file-of-theirs" }),
      fileOf("unopened", { parent: "file-of-deeper" }),
    );
    for (const id of ["deeper", "unopened"]) drive.unopened.add(`file-of-${id}`);
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual([...everything, "unopened.txt"]);
  });

  it("are read inside a shared drive without membership", async () => {
    drive.files.push(
      folderOf("lent-folder", { drive: foreign, isSharedIn: true }),
      folderOf("lent-inner", { drive: foreign, parent: "file-of-lent-folder" }),
      fileOf("lent-file", { drive: foreign, parent: "file-of-lent-inner" }),
    );
    expect(await syncFrom(["file-of-lent-folder", shared])).toMatchObject({
      status: "succeeded",
    });
    expect(await source.titles()).toEqual(["lent-file.txt", "team.txt"]);
    Object.assign(fileNamed("lent-file.txt"), { content: "Newer.", modified: "2026-03-02T10:00:00.000Z" });
    drive.change("file-of-lent-file");
    await source.sync();
    expect((await source.document("lent-file.txt"))?.content).toBe("Newer.");
  });
});

describe("a changed folder", () => {
  it("is read at once when shared, restored or moved in", async () => {
    drive.files.push(folderOf("new"), fileOf("new-file", { parent: "file-of-new" }));
    drive.change("file-of-new");
    await source.sync();
    expect(await source.titles()).toEqual([...everything, "new-file.txt"].sort());
    await syncFrom(["file-of-chosen"]);
    expect(await source.titles()).toEqual(["chosen-file.txt", "inner.txt"]);
    fileNamed("other-folder").parent = "file-of-inner-folder";
    drive.change("file-of-other-folder");
    await source.sync();
    expect(await source.titles()).toEqual(["chosen-file.txt", "inner.txt", "other.txt"]);
  });

  it("is removed with its contents when the account loses access, which only the folder itself reveals", async () => {
    drive.hidden.add("file-of-inner-folder").add("file-of-inner");
    drive.change("file-of-inner-folder");
    await source.sync();
    await source.sync();
    expect(await source.titles()).toEqual(without("inner.txt"));
  });

  it("needs no full listing when a known file is removed", async () => {
    drive.hidden.add("file-of-own");
    drive.change("file-of-own");
    await source.sync();
    await source.sync();
    expect(drive.calls).not.toContain("files user");
    expect(await source.titles()).toEqual(without("own.txt"));
  });

  it("takes its contents along when moved out, however recently they were checked", async () => {
    await syncFrom(["file-of-chosen"]);
    Object.assign(fileNamed("inner.txt"), { modified: "2026-03-02T10:00:00.000Z" });
    drive.change("file-of-inner");
    await source.sync();
    fileNamed("inner-folder").parent = "file-of-other-folder";
    await source.sync({ whole: true });
    expect(await source.titles()).toEqual(["chosen-file.txt"]);
  });

  it("is skipped alone when deleted before it is listed", async () => {
    for (let n = 0; n < 3; n++) drive.files.push(folderOf(`sub-${n}`, { parent: "file-of-chosen" }));
    drive.files.push(fileOf("late", { parent: "file-of-sub-2" }));
    // Listed, but 404 when requested.
    drive.refusals = [{ status: 404, body: googleError(404, "notFound", "fileId"), path: "sub-0" }];
    expect(await syncFrom(["file-of-chosen"])).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(["chosen-file.txt", "inner.txt", "late.txt"]);
  });
});

it("a sync lists everything at once when Google's change token has expired", async () => {
  drive.files.push(fileOf("missed"));
  drive.lost.add("changes");
  await source.sync();
  expect(await source.titles()).toEqual([...everything, "missed.txt"].sort());
  drive.lost.clear();
  drive.files.pop();
  await source.sync();
  expect(await source.titles()).toEqual(everything);
});

describe("a file that Google returns to nobody", () => {
  it.each([
    ["downloadQuotaExceeded", "downloaded too often"],
    ["cannotDownloadAbusiveFile", "considers this file harmful"],
    ["cannotDownloadFile", "may not download this file. Ask"],
  ])("fails alone, with a reason: %s", async (refused, words) => {
    drive.files.push(fileOf("refused", { refused }));
    drive.change("file-of-refused");
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    expect((await source.document("refused.txt"))?.error).toContain(words);
    delete fileNamed("refused.txt").refused;
    await source.sync();
    expect(await source.document("refused.txt")).toMatchObject({ error: null, content: "Text of refused." });
  });

  it("is removed when the account loses access, and no other is", async () => {
    drive.forbidden.add("file-of-own");
    drive.unopened.add("file-of-own");
    expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
    expect(await source.titles()).toEqual(without("own.txt"));
  });

  it("is removed when it is gone between its listing and its reading, or lost to the account", async () => {
    Object.assign(fileNamed("own.txt"), { content: "Newer.", modified: "2026-03-05T10:00:00.000Z" });
    drive.change("file-of-own");
    // The feed still names it.
    drive.forbidden.add("file-of-own");
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
    expect(await source.titles()).toEqual(without("own.txt"));
    expect(await stand.sql`select 1 from public.chunks where content like '%Text of own%'`).toEqual([]);
    expect((await source.row())?.documents_count).toBe(everything.length - 1);
    await stand.expectWhole();
    // A person who asks for one document is told.
    drive.forbidden.add("file-of-other");
    const id = (await source.document("other.txt"))?.id ?? "";
    await stand.sql`update public.documents set content_hash = null where id = ${id}`;
    await stand.enqueue("index", { document: id });
    await stand.settle();
    expect((await source.document("other.txt"))?.error).toContain("no longer at its source");
    // Restored.
    drive.forbidden.clear();
    drive.change("file-of-own");
    await source.sync();
    expect(await source.contentOf("own.txt")).toBe("Newer.");
  });

  it("stays when the credentials changed since it was requested: another account may see it", async () => {
    Object.assign(fileNamed("own.txt"), { content: "Newer.", modified: "2026-03-05T10:00:00.000Z" });
    drive.change("file-of-own");
    drive.forbidden.add("file-of-own");
    drive.meanwhile = async (id) => {
      if (id !== "file-of-own") return;
      drive.meanwhile = undefined;
      await source.logIn({ key: drive.personKey });
    };
    await source.sync();
    expect(await source.titles()).toEqual(everything);
  });

  it("is no longer listed as skipped once it is read", async () => {
    const listSkipped = () =>
      stand.sql`select title from private.source_pages where source_id = ${source.id} and problem is not null`;
    fileNamed("own.txt").isLocked = true;
    await source.sync({ whole: true });
    expect(await listSkipped()).toEqual([{ title: "own.txt" }]);
    fileNamed("own.txt").isLocked = false;
    drive.change("file-of-own");
    await source.sync();
    expect(await source.titles()).toEqual(everything);
    expect(await listSkipped()).toEqual([]);
  });

  it.each([
    ["insufficientPermissions", "Create one with the scope drive.readonly"],
    ["domainPolicy", "do not let apps read Drive"],
  ])("is distinguished from a key without access: %s", async (reason, words) => {
    drive.refusals = [{ status: 403, body: googleError(403, reason), path: "/drive/v3/files?" }];
    expect((await source.sync({ whole: true })).error).toContain(words);
    expect(await source.titles()).toEqual(everything);
  });
});

describe("a large sheet", () => {
  const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const sheet = (id: string) =>
    fileOf(id, {
      name: id,
      mimeType: "application/vnd.google-apps.spreadsheet",
      content: {
        [xlsx]: makeXlsx(
          ["First", "Second"].map((name) => ({
            name,
            rows: [
              ["Name", "Price"],
              [`Lamp of ${name}`, 10],
              ["Chair", 20],
            ],
          })),
        ),
      },
    });

  it("is downloaded through its web link, with all of its sheets, without the token", async () => {
    drive.files.push(sheet("Large"));
    drive.change("file-of-Large");
    Object.assign(drive, { mostExported: 100, hasLinks: true });
    expect(await source.sync()).toMatchObject({ message_code: "indexed" });
    const content = (await source.document("Large"))?.content;
    expect(content).toContain("Lamp of First");
    expect(content).toContain("Lamp of Second");
    expect(drive.downloads).toEqual(["Bearer ya29.…", undefined]);
  });

  it("fails alone when its export fails, and is retried", async () => {
    drive.files.push(sheet("Failing"), fileOf("zz-after"));
    for (const id of ["Failing", "zz-after"]) drive.change(`file-of-${id}`);
    drive.failing.add("file-of-Failing");
    expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    expect((await source.document("Failing"))?.error).toContain("Google could not export this document.");
    expect((await source.document("zz-after.txt"))?.content).toBe("Text of zz-after.");
    drive.failing.clear();
    expect(await source.sync()).toMatchObject({ message_code: "indexed" });
    expect((await source.document("Failing"))?.content).toContain("Lamp of First");
  });
});
