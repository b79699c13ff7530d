// The indexing function as it runs in production, killed without warning, doubled, and asked to end.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chunkText } from "../../edge-functions/indexing/chunking.ts";
import { markdownStructure } from "../../edge-functions/indexing/parsers/markdown-structure.ts";
import { eventually } from "../support/eventually.ts";
import { type IndexingStand, type RunningFunction, startIndexingStand } from "../support/indexing-stand.ts";

let stand: IndexingStand;
const running: RunningFunction[] = [];
beforeAll(async () => {
  stand = await startIndexingStand();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.end("SIGKILL")));
  await stand.sql`delete from public.teams`;
  stand.team = await stand.addTeam();
  stand.openai.requests.length = 0;
});
afterAll(() => stand.stop());

async function start(host?: "hosted"): Promise<RunningFunction> {
  const one = await stand.spawnFunction(host);
  running.push(one);
  return one;
}

/** Calls a function that may be killed meanwhile. */
const tick = (one: RunningFunction) =>
  one.tick().then(
    (response) => response.json(),
    () => undefined,
  );

const text = (file: number, sections: number) =>
  Array.from(
    { length: sections },
    (_, i) => `# Part ${i} of ${file}\n\nIn file ${file}, part ${i} says something of its own.`,
  ).join("\n\n");

/** What the live chunks must be, whatever happened on the way. */
async function expectComplete(files: Record<string, string>, knowledge: string) {
  const rows = await stand.sql`
    select d.title, c.content from public.chunks c join public.documents d on d.id = c.document_id
     where c.knowledge_id = ${knowledge} order by d.title, c.position`;
  for (const [name, content] of Object.entries(files)) {
    const expected = chunkText(
      { text: content, structure: markdownStructure(content) },
      { maxTokens: 60, overlapTokens: 10 },
    );
    expect(rows.filter(({ title }) => title === name).map((row) => row.content)).toEqual(
      expected.map((chunk) => chunk.content),
    );
  }
  expect(await stand.sql`select count(*)::int as n from private.staged_chunks`).toEqual([{ n: 0 }]);
}

describe("a worker that is killed", () => {
  it("by one document again and again, where nothing can cut a parse off, gives it up and does the others", async () => {
    const deadly = await stand.addFile("deadly.csv", `a,b\n${"1,2\n".repeat(1_000_000)}`);
    const source = await stand.addSource([
      deadly,
      await stand.addFile("a.txt", "One."),
      await stand.addFile("b.txt", "Two."),
    ]);
    const knowledge = await stand.addKnowledge([source]);
    const id = await stand.enqueue("index", { knowledge });
    for (let death = 1; death <= 3; death++) {
      const one = await start("hosted");
      // As on hosted Supabase, where the one call ends and the next comes: until the parse that it dies of has begun.
      let isCalled = false;
      await eventually(async () => {
        // One call at a time: a call at every look would keep a busy machine from ever beginning the parse.
        if (!isCalled)
          void tick(one).finally(() => {
            isCalled = false;
          });
        isCalled = true;
        const [row] =
          await stand.sql`select structure ->> 'reads' as reads from public.documents where title = 'deadly.csv'`;
        expect(row?.reads).toBe(String(death));
      });
      await one.end("SIGKILL");
      await stand.passTime();
    }
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    const documents = await stand.documents(source);
    expect(documents.map(({ title, status }) => [title, status])).toEqual([
      ["a.txt", "ready"],
      ["b.txt", "ready"],
      ["deadly.csv", "failed"],
    ]);
    // Given up, and not read after all: read to its end, it would be refused for its length.
    expect(documents[2]?.error).toMatch(/^“deadly.csv” took more time or memory/);
  });
});

describe("a change of the embedding model", () => {
  it("whose worker is killed in the middle leaves the old space whole, and is finished by the next", async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.md`, text(i, 60)]));
    const { knowledge } = await stand.knowledgeOf(files);
    await stand.enqueue("index", { knowledge });
    await stand.settle();
    const [now] = await stand.sql`select vector_id as id from public.knowledges`;
    const [old] = await stand.sql`
      insert into public.vectors (name, model, dimensions) values ('older', 'text-embedding-ada-002', 4) returning id`;
    await stand.sql`update public.chunk_embeddings set vector_id = ${old?.id}, embedding = '[1,2,3,4]'`;
    await stand.sql`update public.knowledges set vector_id = ${old?.id}`;
    /** The vectors of each space, and the space that is searched. */
    const spaces = async () => ({
      searched: (await stand.sql`select vector_id as id from public.knowledges`)[0]?.id,
      held: Object.fromEntries(
        (
          await stand.sql`select vector_id as id, count(*)::int as n from public.chunk_embeddings group by 1`
        ).map(({ id, n }) => [id, n]),
      ),
    });
    const [chunks] = await stand.sql`select count(*)::int as n from public.chunks`;

    const id = await stand.enqueue("index", { knowledge });
    const one = await start();
    stand.openai.requests.length = 0;
    stand.openai.next({ how: "well" }, { how: "well" }, { how: "silence" });
    void tick(one);
    await eventually(() => expect(stand.openai.requests.length).toBeGreaterThan(2));
    await one.end("SIGKILL");
    const midway = await spaces();
    expect(midway.searched).toBe(old?.id);
    expect(midway.held[old?.id]).toBe(chunks?.n);
    expect(midway.held[now?.id] ?? 0).toBeLessThan(chunks?.n);

    await stand.passTime();
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
    expect(await spaces()).toEqual({ searched: now?.id, held: { [now?.id]: chunks?.n } });
    await stand.expectWhole();
    await expectComplete(files, knowledge);
  });
});

describe("many workers at once", () => {
  it("embed every passage once, though two knowledge bases share the documents", async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.md`, text(i, 6)]));
    const { knowledge, source } = await stand.knowledgeOf(files);
    const second = await stand.addKnowledge([source]);
    const tasks = [
      await stand.enqueue("index", { knowledge }),
      await stand.enqueue("index", { knowledge: second }),
    ];
    // Each start takes a second of a core; tests/native/tasks.test.ts has ten claim at once.
    const workers: RunningFunction[] = [];
    for (let i = 0; i < 4; i++) workers.push(await start());
    for (let round = 0; round < 40; round++) {
      await Promise.all(workers.map(tick));
      const states = await Promise.all(tasks.map((id) => stand.task(id)));
      if (states.every(({ status }) => status === "succeeded")) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    for (const id of tasks)
      expect(await stand.task(id)).toMatchObject({ status: "succeeded", done: 12, total: 12 });
    const asked = stand.openai.requests.flatMap(({ body }) => body.input as string[]);
    expect(asked.length).toBe(new Set(asked).size);
    await stand.expectWhole();
    await expectComplete(files, knowledge);
    await expectComplete(files, second);
  });
});

describe("the function's endpoints", () => {
  it("answer health to anyone and ticks to the service only", async () => {
    const { url } = await start();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    expect((await fetch(url, { method: "POST", headers: { authorization: "Bearer nearly" } })).status).toBe(
      401,
    );
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(`${url}/elsewhere`, { method: "POST" })).status).toBe(404);
  });

  it("release the work within five seconds of SIGTERM", async () => {
    const one = await start();
    const { knowledge } = await stand.knowledgeOf({ "a.md": text(1, 3) });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "silence" });
    void tick(one);
    await eventually(() => expect(stand.openai.requests.length).toBe(1));
    const startedAt = Date.now();
    await one.end("SIGTERM");
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    const [row] = await stand.sql`select status, lease_until from public.tasks where id = ${id}`;
    expect(row).toMatchObject({ status: "running", lease_until: null });
    // No lease to wait for: the next worker resumes at once.
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", attempts: 1 });
  });
});
