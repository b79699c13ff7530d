// A source finds each file and each listed item by its id, so its work grows with the documents and not with their square. A second listing of
// 20,000 items compared each with every other, and held the database for minutes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(() => stand.stop());

/** The rows that were read of a table so far, one row counted as often as it was read. */
async function readSoFar(table: string): Promise<number> {
  // Postgres writes a transaction's counts down some time after its end.
  await stand.sql`select pg_stat_force_next_flush()`;
  const [read] = await stand.sql<{ rows: number }[]>`
    select (seq_tup_read + idx_tup_fetch)::int as rows from pg_catalog.pg_stat_all_tables where relid = ${table}::regclass`;
  return read?.rows ?? 0;
}

test("a source reads its files and what it listed a few times, however many there are", async () => {
  const count = 100;
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push(await stand.addFile(`${at}.md`, `The ${at}th text.`));
  const source = await stand.addSource(ids);
  const load = async () => {
    const before = [await readSoFar("public.files"), await readSoFar("private.listed_items")] as const;
    const task = await stand.enqueue("loadDocuments", { source });
    await stand.settle();
    expect(await stand.task(task)).toMatchObject({ status: "succeeded", done: count });
    return {
      files: (await readSoFar("public.files")) - before[0],
      listed: (await readSoFar("private.listed_items")) - before[1],
    };
  };
  const first = await load();
  expect(first.files).toBeGreaterThanOrEqual(count);
  expect(first.files / count).toBeLessThan(10);
  const again = await load();
  expect(again.listed).toBeGreaterThanOrEqual(count);
  expect(again.listed / count).toBeLessThan(10);
});

test("an index of a second knowledge base finds each document's by its id, with statistics from before it", async () => {
  const count = 100;
  const fill = async (team: string, some: number) => {
    const texts = Array.from({ length: some }, (_, at) => [`${at}.md`, `The ${at}th text.`] as const);
    const { knowledge } = await stand.knowledgeOf(Object.fromEntries(texts), team);
    await index(knowledge, some);
    return knowledge;
  };
  const index = async (knowledge: string, some: number) => {
    const task = await stand.enqueue("index", { knowledge });
    await stand.settle();
    expect(await stand.task(task)).toMatchObject({ status: "succeeded", done: some });
  };
  await fill(await stand.addTeam(), 60);
  await stand.sql.unsafe("vacuum analyze");
  const knowledge = await fill(await stand.addTeam(), count);
  const before = await readSoFar("public.document_indexes");
  await index(knowledge, count);
  const read = (await readSoFar("public.document_indexes")) - before;
  expect(read).toBeGreaterThanOrEqual(count);
  expect(read / count).toBeLessThan(20);
});
