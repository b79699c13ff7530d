// People's changes to an index while a worker builds it: clear, stop, change, unlink.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { addOwner, findLeftovers, type Owner } from "../support/clearing.ts";
import { type IndexingStand, startIndexingStand, words } from "../support/indexing-stand.ts";

let stand: IndexingStand;
let owner: Owner;
beforeAll(async () => {
  stand = await startIndexingStand();
  owner = await addOwner(stand.sql);
  stand.team = owner.team;
});
afterAll(() => stand.stop());
afterEach(async () => {
  await stand.expectWhole();
  expect(await findLeftovers(stand.sql)).toEqual({ chunks: 0, staged: 0, builds: 0 });
  await stand.sql`delete from public.knowledges`;
  await stand.sql`delete from public.sources`;
});

/** Runs a callback while the worker waits for the vectors of its nth batch. */
function interruptBatch(nth: number, what: () => Promise<unknown>) {
  let calls = 0;
  return stand.ticker({}, 1, async (texts, signal) => {
    if (++calls === nth) await what();
    signal.throwIfAborted();
    return texts.map(() => new Float32Array(8).fill(1));
  });
}

async function expectIndexed(knowledge: string, source: string): Promise<void> {
  const id = await stand.enqueue("index", { knowledge });
  await stand.settle();
  const documents = await stand.documents(source);
  expect(documents.map(({ title, status, error }) => ({ title, status, error }))).toEqual(
    documents.map(({ title }) => ({ title, status: "ready", error: null })),
  );
  expect(await stand.task(id)).toMatchObject({ status: "succeeded", message_code: "indexed" });
}

// Brief texts are not staged, short ones in one transaction, long ones over several.
describe.each([
  ["brief", 300],
  ["short", 600],
  ["long", 2500],
])("a %s text that is being indexed", (_, sentences) => {
  const files = () => ({ "a.txt": words(sentences) });

  it.each([1, 2])("can be cleared (batch %i) and indexed again", async (nth) => {
    const { knowledge, source } = await stand.knowledgeOf(files());
    await stand.enqueue("index", { knowledge });
    await stand.settle(interruptBatch(nth, () => owner.clear(source)));
    expect(await stand.sql`select 1 from public.chunks`).toEqual([]);
    await stand.settle();
    await expectIndexed(knowledge, source);
  });

  it("can be cleared, changed and indexed by another worker before the first one notices", async () => {
    const { knowledge, source } = await stand.knowledgeOf(files());
    await stand.enqueue("index", { knowledge });
    const slow = interruptBatch(1, async () => {
      await owner.clear(source);
      // A brief text is stored with its index, so there is none yet.
      await stand.sql`update public.documents set content = coalesce(content, ${words(sentences)}) || ' And more.',
                              content_hash = ${"a".repeat(64)}
                       where source_id = ${source}`;
      // As if the first worker had been away so long that its task was taken over.
      await stand.passTime();
      await stand.settle();
      await stand.enqueue("index", { knowledge });
      // The second worker is in the middle of it.
      const second = interruptBatch(2, async () => void second.stop());
      await second.tick();
    });
    await stand.settle(slow);
    await stand.passTime();
    await expectIndexed(knowledge, source);
    const [row] =
      await stand.sql`select content from public.chunks order by document_id, position desc limit 1`;
    expect(row?.content).toContain("And more.");
  });

  it("can be stopped and indexed again", async () => {
    const { knowledge, source } = await stand.knowledgeOf(files());
    const id = await stand.enqueue("index", { knowledge });
    await stand.settle(interruptBatch(2, () => owner.stop(source)));
    expect(await stand.task(id)).toMatchObject({ status: "stopped" });
    await expectIndexed(knowledge, source);
  });

  it("can lose its source, which leaves no passage behind", async () => {
    const { knowledge, source } = await stand.knowledgeOf(files());
    await stand.enqueue("index", { knowledge });
    await stand.settle(interruptBatch(2, () => stand.sql`delete from public.sources where id = ${source}`));
    await stand.settle();
    for (const table of ["public.chunks", "private.staged_chunks", "private.builds"])
      expect(await stand.sql.unsafe(`select 1 from ${table}`)).toEqual([]);
  });

  it("can be unlinked from its knowledge base, which leaves no passage behind, and linked again", async () => {
    const { knowledge, source } = await stand.knowledgeOf(files());
    await stand.enqueue("index", { knowledge });
    await stand.settle(
      interruptBatch(2, () => stand.sql`delete from public.knowledge_sources where source_id = ${source}`),
    );
    await stand.settle();
    expect(await stand.sql`select 1 from public.chunks`).toEqual([]);
    await stand.sql`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
                    values (${stand.team}, ${knowledge}, ${source})`;
    await expectIndexed(knowledge, source);
  });

  it.each([1, 2])(
    "can get other chunking settings meanwhile (batch %i), and uses the latest",
    async (nth) => {
      const { knowledge } = await stand.knowledgeOf(files());
      const id = await stand.enqueue("index", { knowledge });
      await stand.settle(
        interruptBatch(
          nth,
          () => stand.sql`update public.knowledges set chunk_max_tokens = 120 where id = ${knowledge}`,
        ),
      );
      expect(await stand.task(id)).toMatchObject({ status: "succeeded", message_code: "indexed" });
      const [row] = await stand.sql`select max(tokens) as most, count(*)::int as chunks from public.chunks`;
      expect(row?.most).toBeGreaterThan(60);
      // All of it: the earlier chunks are deleted.
      expect(row?.chunks).toBeLessThan(sentences / 5);
    },
  );

  it("can be changed meanwhile, and is indexed in its latest form", async () => {
    const { knowledge, source } = await stand.knowledgeOf(files());
    const id = await stand.enqueue("index", { knowledge });
    await stand.settle(
      interruptBatch(
        2,
        () => stand.sql`update public.documents set content = 'New words.', content_hash = ${"b".repeat(64)}
                         where source_id = ${source}`,
      ),
    );
    expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
    const rows = await stand.sql`select d.title, d.content as text, c.content from public.chunks c
      join public.documents d on d.id = c.document_id where d.title = 'a.txt'`;
    expect(rows).toEqual([{ title: "a.txt", text: "New words.", content: "New words." }]);
  });
});
