// Two processes of the indexing function share one queue on one database: no document is lost or indexed twice.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type IndexingStand, startIndexingStand, texts, words } from "../support/indexing-stand.ts";

const knowledges = 6;
const documents = 5;

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(() => stand.stop());

it("two indexing processes work through one queue together", async () => {
  const sources: string[] = [];
  for (let one = 0; one < knowledges; one++) {
    const files = Array.from({ length: documents }, (_, n) => [`${n}.txt`, words(6, `topic ${one} ${n}`)]);
    const { knowledge, source } = await stand.knowledgeOf(Object.fromEntries(files));
    await stand.enqueue("index", { knowledge });
    sources.push(source);
  }
  const workers = [await stand.spawnFunction(), await stand.spawnFunction()];
  const claimed = await Promise.all(
    workers.map(async (worker) => {
      let count = 0;
      for (let more = true; more; ) {
        const answer: { claimed: number; more: boolean } = await (await worker.tick()).json();
        count += answer.claimed;
        more = answer.more;
      }
      return count;
    }),
  );
  // Neither did everything. On a busy machine a call may end in the middle of a task, which is then claimed once more.
  expect(Math.min(...claimed)).toBeGreaterThan(0);
  expect(claimed.reduce((one, other) => one + other)).toBeGreaterThanOrEqual(knowledges);
  expect(await stand.sql`select status, attempts from public.tasks`).toEqual(
    Array.from({ length: knowledges }, () => ({ status: "succeeded", attempts: 1 })),
  );
  for (const source of sources) {
    const rows = await stand.documents(source);
    expect(rows.map(({ title, status, error }) => [title, status, error])).toEqual(
      Array.from({ length: documents }, (_, n) => [`${n}.txt`, "ready", null]),
    );
  }
  await stand.expectWhole();
  const embedded = texts(stand);
  expect(embedded.length).toBe(new Set(embedded).size);
  for (const worker of workers) await worker.end("SIGTERM");
});
