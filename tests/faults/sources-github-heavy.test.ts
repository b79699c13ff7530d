// Threads that GitHub fails to return, through the worker and the real queue: they block no others, and their earlier text stays.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConnectedSource, connectSource } from "../support/connected-source.ts";
import { type GithubFake, startGithubFake, threadOf } from "../support/fakes/github.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let github: GithubFake;
let stand: IndexingStand;
let source: ConnectedSource;
const issues = () => github.repositories["acme/handbook"]?.issues ?? [];

beforeAll(async () => {
  github = await startGithubFake();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(github.url).host;
  stand = await startIndexingStand();
  github.repositories["acme/handbook"] = {
    branch: "main",
    files: {},
    discussions: [],
    issues: [1, 2, 3].map((n) => threadOf(n, `Bug ${n}`, `Case ${n}.`, `2026-03-0${n}T10:00:00Z`)),
  };
  const config = { repositories: ["acme/handbook"], content: ["issues"], apiUrl: github.url };
  source = await connectSource(stand, "github", config, { accessToken: github.accessToken });
});
afterAll(async () => {
  await stand?.stop();
  await github?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

const sync = () => source.sync({ whole: true, attempts: 4 });
const listDocuments = async () =>
  (await source.documents()).map(({ title, content, error }) => [
    title,
    content?.split("\n").at(-1),
    !!error,
  ]);

it("a sync fails a thread alone that is too large for a query, and keeps its earlier text", async () => {
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  issues()[1] = threadOf(2, "Bug 2", "Case 2 at length.", "2026-03-05T10:00:00Z");
  issues().push(threadOf(4, "Bug 4", "Case 4.", "2026-03-06T10:00:00Z"));
  github.heavy.add(2);
  expect(await sync()).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
  expect(await listDocuments()).toEqual([
    ["handbook#1 Bug 1", "Case 1.", false],
    ["handbook#2 Bug 2", "Case 2.", true],
    ["handbook#3 Bug 3", "Case 3.", false],
    ["handbook#4 Bug 4", "Case 4.", false],
  ]);
  github.heavy.clear();
  expect(await sync()).toMatchObject({ message_code: "indexed" });
  expect((await listDocuments())[1]).toEqual(["handbook#2 Bug 2", "Case 2 at length.", false]);
});
