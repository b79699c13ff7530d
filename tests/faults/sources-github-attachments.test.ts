// Files attached to GitHub's threads, through the worker and the real queue: public ones are downloaded without the token, inaccessible
// ones have a reason, and those of a failing thread stay.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type GithubFake, startGithubFake, threadOf } from "../support/fakes/github.ts";
import { makePdf } from "../support/files/pdf.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { startUpstream } from "../support/upstream.ts";

let github: GithubFake;
let stand: IndexingStand;
let source: ConnectedSource;
let site: Awaited<ReturnType<typeof startUpstream>>;
let store: Awaited<ReturnType<typeof startUpstream>>;
const asked: { url: string | undefined; authorization: string | undefined }[] = [];
const elsewhere: Record<string, string> = { "trap.pdf": "http://169.254.169.254/latest/meta-data" };

beforeAll(async () => {
  github = await startGithubFake();
  site = await startUpstream();
  store = await startUpstream();
  // GitHub redirects to the bytes; private ones give 404.
  site.handle((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    const name = request.url?.split("/").at(-1) ?? "";
    if (name === "secret.pdf") return void response.writeHead(404).end("Not Found");
    response.writeHead(302, { location: elsewhere[name] ?? `${store.url}/${name}?X-Amz-Signature=1` }).end();
  });
  store.handle((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    const name = request.url?.slice(1).split("?")[0] ?? "";
    if (name === "large.pdf") return void response.writeHead(200).end(new Uint8Array(26 * 1024 * 1024));
    response.writeHead(200).end(makePdf([[{ text: `Words of ${name}` }]]));
  });
  process.env.PARLEY_OUTBOUND_ALLOW = [github.url, site.url, store.url]
    .map((url) => new URL(url).host)
    .join(",");
  stand = await startIndexingStand();
  github.repositories["acme/handbook"] = { branch: "main", files: {}, discussions: [], issues: [] };
  const config = { repositories: ["acme/handbook"], content: ["issues"], apiUrl: github.url };
  source = await connectSource(stand, "github", config, { accessToken: github.accessToken });
});
afterAll(async () => {
  await stand?.stop();
  for (const one of [github, site, store]) await one?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  asked.length = 0;
  github.heavy.clear();
  github.repositories["acme/handbook"]?.issues.splice(0, 9, issue(file("leave.pdf"), file("days.pdf")));
});

const file = (name: string) => `[${name}](${site.url}/user-attachments/files/29481762/${name})`;
const issue = (body: string, said: string) =>
  threadOf(1, "Leave", body, "2026-03-01T10:00:00Z", { comments: [{ id: "c1", body: said }] });
const rewrite = (body: string, said: string) =>
  github.repositories["acme/handbook"]?.issues.splice(0, 1, issue(body, said));
/** @param attempts how often the task may be taken up before the check */
const sync = (attempts = 1) => source.sync({ whole: true, attempts });
const errors = async () =>
  Object.fromEntries((await source.documents()).map(({ title, error }) => [title, error]));
const everything = ["handbook#1 days.pdf", "handbook#1 Leave", "handbook#1 leave.pdf"].sort();

it("a sync reads attachments of a thread and its comments, once, and sends the token to no host", async () => {
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  expect((await source.titles()).sort()).toEqual(everything);
  const [read] = (await source.documents()).filter(({ title }) => title.endsWith("leave.pdf"));
  expect(read?.content).toContain("Words of leave.pdf");
  expect(asked).toHaveLength(4);
  expect(asked.map(({ authorization }) => authorization)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  asked.length = 0;
  await sync();
  expect(asked).toEqual([]);
  await stand.expectWhole();
});

it("a sync gives the reason for each unread file, and does not block the others", async () => {
  const names = ["secret.pdf", "trap.pdf", "large.pdf", "film.mp4", "shot.png"];
  rewrite(names.map(file).join("\n"), file("days.pdf"));
  expect(await sync()).toMatchObject({ message_code: "indexedWithFailures" });
  expect(await errors()).toEqual({
    "handbook#1 Leave": null,
    "handbook#1 days.pdf": null,
    "handbook#1 secret.pdf": expect.stringContaining("only to people who are logged in"),
    "handbook#1 trap.pdf": expect.stringContaining("does not provide this file"),
    "handbook#1 large.pdf": expect.stringContaining("larger than the 25 MB"),
  });
  const skipped = await stand.sql`
    select title, problem from private.source_pages where source_id = ${source.id} and problem is not null order by title`;
  expect(skipped).toMatchObject([
    { title: "handbook#1 film.mp4", problem: expect.stringContaining("Audio and video") },
    { title: "handbook#1 shot.png", problem: expect.stringContaining("Read pictures") },
  ]);
});

it("a sync keeps attachments of a failing thread, and removes deleted ones", async () => {
  await sync();
  expect((await source.titles()).sort()).toEqual(everything);
  github.heavy.add(1);
  await sync(4);
  expect((await source.titles()).sort()).toEqual(everything);
  github.heavy.clear();
  rewrite("Nothing.", file("days.pdf"));
  await sync();
  expect((await source.titles()).sort()).toEqual(["handbook#1 Leave", "handbook#1 days.pdf"].sort());
});

it("a sync calls no URL that the thread does not name, whatever a document's id claims", async () => {
  await sync();
  asked.length = 0;
  await stand.sql`update public.documents set external_id = 'acme/handbook/issues/1/attached/' || repeat('0', 32), content_hash = null
    where source_id = ${source.id} and title = 'handbook#1 days.pdf'`;
  const [row] =
    await stand.sql`select id from public.documents where source_id = ${source.id} and title = 'handbook#1 days.pdf'`;
  await stand.enqueue("index", { document: row?.id });
  await stand.settle();
  expect(asked).toEqual([]);
  expect((await errors())["handbook#1 days.pdf"]).toContain("no longer at its source");
});
