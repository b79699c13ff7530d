// A failing model: the worker waits, fails one document, or fails the task, each with a reason.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { modelClient } from "../../edge-functions/_shared/models/models.ts";
import { embedderOf } from "../../edge-functions/indexing/embedding.ts";
import { removeConnection } from "../../edge-functions/v1/models/connections.ts";
import { eventually } from "../support/eventually.ts";
import type { Behaviour } from "../support/fakes/openai.ts";
import { type IndexingStand, startIndexingStand, texts, words } from "../support/indexing-stand.ts";

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(stand.openai.baseUrl).host;
});
afterAll(() => stand.stop());
afterEach(async () => {
  try {
    await stand.expectWhole();
  } finally {
    // Failures of one test must not reach the next.
    await stand.sql`delete from public.teams`;
    stand.team = await stand.addTeam();
    stand.openai.requests.length = 0;
    stand.openai.forget();
  }
});

async function index(knowledge: string) {
  const id = await stand.enqueue("index", { knowledge });
  await stand.settle();
  return await stand.task(id);
}

describe("a model that fails", () => {
  it("is waited for, and embedded passages are not embedded again", async () => {
    const { knowledge } = await stand.knowledgeOf({ "long.txt": words(900) });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "well" }, { how: "status", status: 500 });
    const ticker = stand.ticker();
    await ticker.tick();
    const waiting = await stand.task(id);
    expect(waiting).toMatchObject({ status: "waiting", message_code: "waitingForModel", error: null });
    expect(Date.parse(String(waiting.message_params.until))).toBeGreaterThan(Date.now());
    expect(await ticker.tick()).toMatchObject({ claimed: 0 });
    const failed = stand.openai.requests.at(-1)?.body.input;
    await stand.passTime();
    await stand.settle(ticker);
    expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
    const asked = texts(stand);
    expect(asked.length - new Set(asked).size).toBe((failed as string[]).length);
  });

  it("delays the task as long as the provider asks", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "Words." });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "status", status: 429, headers: { "retry-after": "1000" } });
    await stand.ticker().tick();
    const task = await stand.task(id);
    expect(task).toMatchObject({ status: "waiting", message_code: "waitingForModelLimit" });
    expect(Date.parse(String(task.message_params.until)) - Date.now()).toBeGreaterThan(900_000);
  });

  it("that accepts every request and never answers times out each time, and fails the task in the end", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "Words." });
    const id = await stand.enqueue("index", { knowledge });
    const impatient = embedderOf(
      modelClient(
        { OPENAI_BASE_URL: stand.openai.baseUrl, OPENAI_EMBEDDING_DIMENSIONS: "8" },
        { retries: 0, embedTimeoutMs: 200 },
      ),
    );
    const ticker = stand.ticker({}, 1, impatient.embed);
    // More than are asked: a request that times out before it arrives takes none.
    stand.openai.next(...Array.from({ length: 20 }, (): Behaviour => ({ how: "silence" })));
    for (let attempt = 1; attempt <= 5; attempt++) {
      await stand.passTime();
      await ticker.tick();
      if (attempt < 5)
        expect(await stand.task(id)).toMatchObject({ status: "waiting", message_code: "waitingForModel" });
    }
    expect(await stand.task(id)).toMatchObject({
      status: "failed",
      error: "The model did not answer in time.",
    });
    stand.openai.forget();
    expect(await index(knowledge)).toMatchObject({ status: "succeeded", error: null });
  });

  it("fails the task after its last attempt, with the reason", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "Words." });
    const id = await stand.enqueue("index", { knowledge });
    const ticker = stand.ticker();
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await stand.task(id)).status).not.toBe("failed");
      stand.openai.next({ how: "hang up" });
      await stand.passTime();
      await ticker.tick();
    }
    const task = await stand.task(id);
    expect(task).toMatchObject({ status: "failed", message_code: "failed", attempts: 5 });
    expect(task.error).toMatch(/model/);
    const [row] = await stand.sql`select status from public.knowledges`;
    expect(row?.status).toBe("failed");
    // Queueing it again starts anew.
    expect(await index(knowledge)).toMatchObject({ status: "succeeded" });
  });

  it("that rejects the key fails the task at once, without a call per document", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": "One.", "b.txt": "Two.", "c.txt": "Three." });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "status", status: 401 }, { how: "status", status: 401 });
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "failed", message_code: "modelRefused" });
    expect((await stand.task(id)).error).toContain("key");
    expect(stand.openai.requests.length).toBe(2);
  });

  it("that rejects one text fails that document only", async () => {
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": "One.", "b.txt": "Two." });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.dialect = ({ input }) =>
      String(input).includes("Two") ? { status: 400, body: { error: { message: "no" } } } : undefined;
    await stand.settle();
    stand.openai.dialect = () => undefined;
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
    expect((await stand.documents(source)).map(({ status }) => status).sort()).toEqual(["failed", "ready"]);
  });

  it("leaves the old answers while a changed document cannot be embedded", async () => {
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(20) });
    await index(knowledge);
    const before = await stand.sql`select id, content from public.chunks order by position`;
    await stand.sql`update public.documents set content = 'New words.', content_hash = ${"c".repeat(64)} where source_id = ${source}`;
    await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "silence" });
    const silent = stand.ticker();
    const tick = silent.tick();
    await eventually(() =>
      expect(stand.openai.requests.at(-1)?.body.input).toEqual([expect.stringContaining("New words.")]),
    );
    expect(await stand.sql`select id, content from public.chunks order by position`).toEqual(before);
    await silent.stop();
    await tick;
    await stand.sql`update public.documents set content = ${words(20)} where source_id = ${source}`;
    await index(knowledge);
  });

  it("with another name builds a new space beside the old one and switches", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(40) });
    await index(knowledge);
    const [old] = await stand.sql`select vector_id from public.knowledges`;
    const [made] =
      await stand.sql`insert into public.vectors (name, model, dimensions) values ('older', 'text-embedding-ada-002', 4) returning id`;
    await stand.sql`update public.chunk_embeddings set vector_id = ${made?.id}`;
    await stand.sql`update public.knowledges set vector_id = ${made?.id}`;
    stand.openai.requests.length = 0;
    expect(await index(knowledge)).toMatchObject({ status: "succeeded" });
    const [now] = await stand.sql`select vector_id from public.knowledges`;
    expect(now?.vector_id).toBe(old?.vector_id);
    expect(await stand.sql`select distinct vector_id from public.chunk_embeddings`).toEqual([
      { vector_id: old?.vector_id },
    ]);
    expect(texts(stand).length).toBeGreaterThan(0);
  });

  it.each<Behaviour["how"]>(["html", "wrong dimensions", "not a number", "zeros", "too few"])(
    "that returns nonsense (%s) fails the task with a reason and stores none of it; queueing it again is enough",
    async (how) => {
      const { knowledge } = await stand.knowledgeOf({ "a.txt": words(5) });
      const id = await stand.enqueue("index", { knowledge });
      const nonsense = { how } as Behaviour;
      stand.openai.next(nonsense, nonsense);
      await stand.settle();
      const task = await stand.task(id);
      expect(task).toMatchObject({ status: "failed", message_code: "modelRefused" });
      expect(task.error).toMatch(/^[A-Z].*\.$/);
      expect(await stand.sql`select count(*)::int as n from public.chunk_embeddings`).toEqual([{ n: 0 }]);
      expect(await index(knowledge)).toMatchObject({ status: "succeeded", error: null });
    },
  );
});

describe("an embedding model that is changed while its knowledge base is indexed", () => {
  afterEach(async () => {
    stand.storage.whileReading = undefined;
    await stand.sql`delete from private.models`;
  });

  /** Connects another model as the installation's. */
  async function connect(): Promise<string> {
    const [row] = await stand.sql`
      insert into private.models (role, provider, base_url, model, dimensions)
      values ('embedding', 'openaiCompatible', ${stand.openai.baseUrl}, 'another-model', 8) returning id`;
    await stand.sql`select private.queue_moves(null, 'another-model', 8)`;
    return row?.id;
  }

  const spaces = () => stand.sql`
    select v.model, count(e.chunk_id)::int as vectors from public.knowledges k join public.vectors v on v.id = k.vector_id
      left join public.chunk_embeddings e on e.knowledge_id = k.id and e.vector_id = k.vector_id group by 1`;

  it("gets no vectors of the earlier model into its new space", async () => {
    // Too long to be cut before it is stored.
    const { knowledge, source } = await stand.knowledgeOf({ "long.txt": "leave ".repeat(34_000) });
    await stand.sql`update public.knowledges set chunk_max_tokens = 2000 where id = ${knowledge}`;
    const id = await stand.enqueue("index", { source });
    stand.storage.whileReading = async () => {
      stand.storage.whileReading = undefined;
      await connect();
      await stand.ticker().tick();
    };
    for (let turn = 0; turn < 4; turn++) {
      await stand.ticker().tick();
      await stand.passTime();
    }
    expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
    expect(await stand.documents(source)).toMatchObject([{ status: "ready" }]);
    expect(await spaces()).toMatchObject([{ model: "another-model" }]);
    expect([...new Set(stand.openai.requests.map(({ body }) => body.model))]).toEqual(["another-model"]);
  });

  it("stays in its space when the change is taken back before it has moved", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(40) });
    await index(knowledge);
    const before = await spaces();
    const id = await connect();
    let isTakenBack = false;
    const moving = stand.ticker({}, 1, async (texts) => {
      isTakenBack ||= await removeConnection(null, id);
      return texts.map(() => new Float32Array(8).fill(1));
    });
    await moving.tick();
    expect(isTakenBack).toBe(true);
    await stand.settle();
    expect(await stand.sql`select status from public.tasks where status <> 'succeeded'`).toEqual([]);
    expect(await spaces()).toEqual(before);
  });

  it("keeps no vector of a change that is taken back in the middle of its move", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(1500) });
    await index(knowledge);
    const before = await spaces();
    const id = await connect();
    let batches = 0;
    const listSpaces = () => stand.sql`select distinct vector_id from public.chunk_embeddings`;
    const moving = stand.ticker({}, 1, async (texts) => {
      batches += 1;
      if (batches === 3) {
        expect(await listSpaces()).toHaveLength(2);
        await removeConnection(null, id);
      }
      return texts.map(() => new Float32Array(8).fill(1));
    });
    await moving.tick();
    expect(batches).toBeGreaterThan(2);
    await stand.settle();
    expect(await spaces()).toEqual(before);
    expect(await listSpaces()).toHaveLength(1);
  });
});

describe("a missing disk", () => {
  it("under the files makes the task wait, fail in the end, and start anew when queued", async () => {
    // Earlier tests' objects are removed while storage works.
    await stand.settle();
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(5) });
    const id = await stand.enqueue("index", { knowledge });
    stand.storage.isDown = true;
    for (let attempt = 1; attempt <= 5; attempt++) {
      await stand.passTime();
      await stand.settle();
      const status = attempt < 5 ? "waiting" : "failed";
      expect(await stand.task(id)).toMatchObject({ status, attempts: attempt });
    }
    stand.storage.isDown = false;
    expect((await stand.task(id)).error).toBe("The file storage cannot be reached.");
    const [document] = await stand.documents(source);
    const again = await stand.enqueue("index", { document: document?.id, source });
    await stand.settle();
    expect(await stand.task(again)).toMatchObject({ status: "succeeded" });
    expect((await stand.documents(source))[0]).toMatchObject({ status: "ready", error: null });
  });
});
