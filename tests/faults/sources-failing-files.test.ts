// Files that keep failing while others load, through the worker and the real queue. They never block the others, and nothing read before is
// lost.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import {
  type FakeFile,
  type GoogleDriveFake,
  placesOf,
  startGoogleDriveFake,
} from "../support/fakes/google-drive.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let drive: GoogleDriveFake;
let stand: IndexingStand;
let source: ConnectedSource;

const fileOf = (id: string, more: Partial<FakeFile> = {}): FakeFile => ({
  id: `file-of-${id}`,
  name: `${id}.txt`,
  mimeType: "text/plain",
  content: `Text of ${id}.`,
  modified: "2026-03-01T10:00:00.000Z",
  ...more,
});

beforeAll(async () => {
  drive = await startGoogleDriveFake();
  process.env.PARLEY_OUTBOUND_ALLOW = placesOf(drive);
  stand = await startIndexingStand();
  source = await connectSource(stand, "googleDrive", { folders: [], apiUrl: drive.url }, { key: drive.key });
});
afterAll(async () => {
  await stand?.stop();
  await drive?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(async () => {
  drive.failing.clear();
  Object.assign(drive, { isDown: false, drives: [] });
  drive.files = ["first", "second", "third"].map((id) => fileOf(id));
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  drive.calls.length = 0;
});

/** @param attempts how often the task may be taken up before the check */
const sync = (attempts = 1) => source.sync({ whole: true, attempts });
async function goOn(task: string, attempts: number) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    await stand.passTime();
    await stand.settle();
  }
  return await stand.task(task);
}
const countTries = (id: string) => drive.calls.filter((call) => call === `bytes file-of-${id}`).length;
const passagesOf = async (title: string) =>
  (
    await stand.sql`
      select c.content from public.chunks c join public.documents d on d.id = c.document_id
       where d.source_id = ${source.id} and d.title = ${title}`
  ).map(({ content }) => content);
const listSkipped = () => stand.sql`
  select d.title, d.error as problem from public.documents d where d.source_id = ${source.id} and d.error is not null`;
const replace = (id: string, content: string) =>
  Object.assign(drive.files.find((one) => one.id === `file-of-${id}`) ?? {}, {
    content,
    modified: "2026-03-02T10:00:00.000Z",
  });

it("a sync indexes the rest first, retries like a task, then lists the file with the reason and retries at the next sync", async () => {
  drive.files.unshift(fileOf("bad"));
  drive.files.push(fileOf("after"));
  drive.failing.add("file-of-bad");
  const task = await sync();
  expect(task).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
  expect(await passagesOf("after.txt")).toEqual(["Text of after."]);
  expect(await listSkipped()).toEqual([]);
  expect(await goOn(task.id, 3)).toMatchObject({
    status: "succeeded",
    message_code: "indexedWithFailures",
    message_params: { documents: 5, failed: 1 },
  });
  expect(await listSkipped()).toEqual([
    {
      title: "bad.txt",
      problem:
        "“bad.txt” could not be fetched. Google Drive reports an internal error (500). The next sync tries again.",
    },
  ]);
  expect(countTries("bad")).toBeGreaterThan(3);
  expect(countTries("after")).toBe(1);
  await stand.expectWhole();
  drive.failing.clear();
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  expect(await passagesOf("bad.txt")).toEqual(["Text of bad."]);
  expect(await listSkipped()).toEqual([]);
});

it("a sync keeps the old text of a file indexed before, and says so", async () => {
  replace("second", "Newer text.");
  drive.failing.add("file-of-second");
  expect(await sync(4)).toMatchObject({
    message_code: "indexedWithFailures",
  });
  expect((await source.document("second.txt"))?.content).toBe("Text of second.");
  expect(await passagesOf("second.txt")).toEqual(["Text of second."]);
  expect(await listSkipped()).toMatchObject([{ title: "second.txt" }]);
  const [row] = await stand.sql`
    select d.synced_at < s.synced_at as is_older from public.documents d join public.sources s on s.id = d.source_id
     where d.source_id = ${source.id} and d.title = 'second.txt'`;
  expect(row?.is_older).toBe(true);
  drive.failing.clear();
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  expect(await passagesOf("second.txt")).toEqual(["Newer text."]);
});

it("a sync blames no file when the whole service fails, and resumes when it works", async () => {
  for (let n = 1; n <= 7; n++) drive.files.push(fileOf(`more${n}`));
  drive.failing.add("file-of-more1");
  const task = await source.queue();
  const ticker = stand.ticker({ turnMs: 0 });
  const total = async () => (await stand.task(task)).total;
  while ((await total()) === 0) await ticker.tick();
  drive.isDown = true;
  await stand.settle();
  // As if each had been tried as often as the task waits.
  await stand.sql`
    update public.documents set structure = coalesce(structure, '{"spans":[],"warnings":[]}') || '{"fetches": 3}'
     where source_id = ${source.id} and content is null`;
  expect(await goOn(task, 1)).toMatchObject({ status: "waiting", message_code: "waitingForSource" });
  expect(await listSkipped()).toEqual([]);
  drive.isDown = false;
  expect(await goOn(task, 1)).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
  expect(await listSkipped()).toMatchObject([{ title: "more1.txt" }]);
  expect(await source.documents()).toHaveLength(10);
});

it("a sync reads every shared drive of an account that is a member of more than a thousand", async () => {
  drive.drives = Array.from({ length: 1_050 }, (_, n) => ({ id: `drive-${n}-of-many`, name: `Drive ${n}` }));
  drive.files.push(fileOf("last", { drive: "drive-1049-of-many" }));
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  expect(await passagesOf("last.txt")).toEqual(["Text of last."]);
});
