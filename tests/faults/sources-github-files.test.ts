// Binary files of GitHub, through the worker and the real queue: PDF, workbooks and images of a repository, changes and deletions,
// oversized files, other types, and files stored elsewhere.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type GithubFake, pack, startGithubFake } from "../support/fakes/github.ts";
import { makeXlsx } from "../support/files/office.ts";
import { makePdf } from "../support/files/pdf.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let github: GithubFake;
let stand: IndexingStand;
let source: ConnectedSource;

const pdf = (text: string) => pack(makePdf([[{ text }]]));
const files = (): Record<string, string> => ({
  "README.md": "Welcome.",
  "docs/leave.pdf": pdf("Thirty days of leave."),
  "docs/prices.xlsx": pack(
    makeXlsx([
      {
        name: "Prices",
        rows: [
          ["Item", "Price"],
          ["Lamp", 10],
        ],
      },
    ]),
  ),
  "docs/a list.csv": "Name,Days\nAda,30\n",
  "docs/photo.png": "\x89PNG\r\n\x1a\n\0",
  "src/app.ts": "export {}",
  "package.json": "{}",
});
const everything = [
  "handbook/README.md",
  "handbook/docs/a list.csv",
  "handbook/docs/leave.pdf",
  "handbook/docs/prices.xlsx",
];

beforeAll(async () => {
  github = await startGithubFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(github.url).host;
  stand = await startIndexingStand();
  github.repositories["Acme/Handbook"] = { branch: "main", files: files(), issues: [], discussions: [] };
  const config = { repositories: ["acme/handbook"], content: ["files"], apiUrl: github.url };
  source = await connectSource(stand, "github", config, { accessToken: github.accessToken });
});
afterAll(async () => {
  await stand?.stop();
  await github?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});
beforeEach(() => {
  github.calls.length = 0;
});

const repository = () => {
  const found = github.repositories["Acme/Handbook"];
  if (!found) throw new Error("no repository");
  return found;
};
const listSkipped = () => stand.sql`
  select address, problem from private.source_pages where source_id = ${source.id} and problem is not null order by address`;
const pictures = {
  address: "https://github.example/Acme/Handbook/tree/main",
  problem: expect.stringContaining("Pictures in this repository are not read: 1."),
};

it("a sync reads PDF, workbooks and tables like uploads, and lists the skipped images", async () => {
  expect(await source.sync()).toMatchObject({ status: "succeeded", message_code: "indexed" });
  expect(await source.titles()).toEqual(everything);
  expect((await source.document("handbook/docs/leave.pdf"))?.content).toContain("Thirty days of leave.");
  expect((await source.document("handbook/docs/prices.xlsx"))?.content).toContain("Lamp");
  const tables = await stand.sql`
    select d.title from public.document_tables t join public.documents d on d.id = t.document_id
     where d.source_id = ${source.id} order by d.title`;
  expect(tables.map(({ title }) => title)).toEqual(["handbook/docs/a list.csv", "handbook/docs/prices.xlsx"]);
  const [row] = await stand.sql`
    select external_id, url, changed_at from public.documents where source_id = ${source.id} and title like '%a list.csv'`;
  expect(row).toEqual({
    external_id: "acme/handbook/files/docs/a list.csv",
    url: "https://github.example/Acme/Handbook/blob/main/docs/a%20list.csv",
    changed_at: new Date("2026-02-03T10:00:00Z"),
  });
  expect(await listSkipped()).toEqual([pictures]);
  await stand.expectWhole();
});

it("a sync reads a file again when its blob changes, and removes it with its passages when deleted", async () => {
  await source.sync();
  expect(github.calls).toEqual(["head"]);
  repository().files["docs/leave.pdf"] = pdf("Forty days of leave.");
  await source.sync();
  expect(github.calls.filter((call) => call.startsWith("blob"))).toEqual(["blob docs/leave.pdf"]);
  expect((await source.document("handbook/docs/leave.pdf"))?.content).toContain("Forty days");
  delete repository().files["docs/leave.pdf"];
  await source.sync();
  expect(await source.titles()).not.toContain("handbook/docs/leave.pdf");
  expect(await stand.sql`select 1 from public.chunks where content like '%Forty days%'`).toEqual([]);
  repository().files = files();
  await source.sync();
  expect(await source.titles()).toEqual(everything);
});

it("a sync lists skipped files with the reason, and not after their deletion", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`;
  repository().files = {
    ...files(),
    "docs/old.doc": "\0",
    "docs/far.pdf": pointer,
    "docs/odd.pdf": "\0 no PDF",
  };
  expect(await source.sync()).toMatchObject({ message_code: "indexedWithFailures" });
  const old = "https://github.example/Acme/Handbook/blob/main/docs/old.doc";
  expect(await listSkipped()).toEqual([
    { address: old, problem: expect.stringContaining("Files of this kind are not read.") },
    pictures,
  ]);
  expect((await source.document("handbook/docs/far.pdf"))?.error).toContain("is kept in Git LFS");
  expect((await source.document("handbook/docs/odd.pdf"))?.error).toContain("odd.pdf");
  expect(await source.sync({ whole: true })).toMatchObject({ message_code: "indexedWithFailures" });
  expect((await listSkipped())[0]).toMatchObject({ address: old });
  repository().files = files();
  await source.sync();
  expect(await listSkipped()).toEqual([pictures]);
  expect(await source.titles()).toEqual(everything);
});

it("a sync aborts a file many times larger than the tree says, and reads the others", async () => {
  repository().files["docs/bomb.pdf"] = pdf("Boom.");
  github.swollen["docs/bomb.pdf"] = 26 * 1024 * 1024;
  expect(await source.sync()).toMatchObject({ message_code: "indexedWithFailures" });
  expect((await source.document("handbook/docs/bomb.pdf"))?.error).toContain("larger than");
  github.swollen = {};
  expect(await source.sync()).toMatchObject({ message_code: "indexed" });
  expect((await source.document("handbook/docs/bomb.pdf"))?.content).toContain("Boom.");
  repository().files = files();
  await source.sync();
  expect(await source.titles()).toEqual(everything);
});

it("a sync reads images when the source is set to, and says what an image needs", async () => {
  await stand.sql`update public.sources set config = config || '{"withPictures": true}' where id = ${source.id}`;
  expect(await source.sync()).toMatchObject({ message_code: "indexedWithFailures" });
  expect((await source.document("handbook/docs/photo.png"))?.error).toContain(
    "Connect a model that reads pictures",
  );
  expect(await listSkipped()).toEqual([]);
});
