// Threads that GitHub fails to return, through the worker and the real queue: they block no others, and their earlier text stays.
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealCredentials } from "../../edge-functions/indexing/connectors/credentials.ts";
import { type GithubFake, startGithubFake, threadOf } from "../support/fakes/github.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let github: GithubFake;
let stand: IndexingStand;
let source: string;
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
  const [row] = await stand.sql`insert into public.sources (team_id, type, name, config)
    values (${stand.team}, 'github', 'Handbook', ${stand.sql.json(config)}) returning id`;
  source = row?.id;
  const sealed = Buffer.from(sealCredentials({ accessToken: github.accessToken }, source));
  await stand.sql`insert into private.source_credentials (source_id, team_id, ciphertext)
    values (${source}, ${stand.team}, ${sealed})`;
  await stand.addKnowledge([source]);
});
afterAll(async () => {
  await stand?.stop();
  await github?.close();
  delete process.env.PARLEY_OUTBOUND_ALLOW;
});

async function sync() {
  await stand.sql`update public.sources set sync_cursor = null where id = ${source}`;
  const [row] = await stand.sql`
    select private.enqueue_task(${stand.team}, 'sync', ${`sync:source:${source}`}, ${source}) as id`;
  await stand.settle();
  for (let attempt = 0; attempt < 3; attempt++) {
    await stand.passTime();
    await stand.settle();
  }
  return stand.task(row?.id);
}
const listDocuments = async () =>
  (await stand.documents(source)).map(({ title, content, error }) => [
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
