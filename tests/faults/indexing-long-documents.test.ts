// A long document: its chunks are staged and switched with their words, and the rows that the database reads for it grow with its length, not
// with the square of it. While one statement runs, the embedded database serves nobody else.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type IndexingStand, startIndexingStand, texts, words } from "../support/indexing-stand.ts";

let stand: IndexingStand;

beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(() => stand?.stop());

/** The rows that the database has read of the tables of chunks. */
async function rowsRead(): Promise<number> {
  await stand.sql`select pg_stat_force_next_flush()`;
  const [row] = await stand.sql`
    select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_catalog.pg_stat_user_tables
     where relname in ('staged_chunks', 'chunks')`;
  return row?.rows;
}

async function index(knowledge: string): Promise<{ chunks: number; read: number }> {
  const before = await rowsRead();
  const task = await stand.enqueue("index", { knowledge });
  await stand.settle();
  expect(await stand.task(task)).toMatchObject({ status: "succeeded", error: null });
  const read = (await rowsRead()) - before;
  await stand.expectWhole();
  const [row] =
    await stand.sql`select chunks_count from public.document_indexes where knowledge_id = ${knowledge}`;
  return { chunks: row?.chunks_count, read };
}

it("is built, and built again with its old vectors, by reading each row a few times", async () => {
  const { knowledge } = await stand.knowledgeOf({ "long.md": `# Leave\n\n${words(3_000)}` });
  const first = await index(knowledge);
  expect(first.chunks).toBeGreaterThan(600);
  expect(first.read).toBeLessThan(20 * first.chunks);
  expect(texts(stand).length).toBe(first.chunks);

  await stand.sql`update public.documents set language = 'fr'`;
  const second = await index(knowledge);
  expect(texts(stand).length).toBe(first.chunks);
  // Every slice of 32 looks for its vectors among the live and the staged chunks.
  expect(second.read).toBeLessThan((40 + (2 * second.chunks) / 32) * second.chunks);
  const outdated = await stand.sql`
    select w.chunk_id from public.chunk_words w join public.chunks c on c.id = w.chunk_id
      join public.documents d on d.id = c.document_id
     where w.language <> 'fr'
        or w.words::text <> private.chunk_words('fr', d.title, c.heading, c.preface || E'\n' || c.content)::text`;
  expect(outdated).toHaveLength(0);
}, 300_000);
