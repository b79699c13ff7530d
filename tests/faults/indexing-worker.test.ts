// The worker on the real database: good files, bad files, changes, and a failing model.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ModelError } from "../../edge-functions/_shared/models/model-errors.ts";
import { ChangingDocuments } from "../support/changing-documents.ts";
import { eventually } from "../support/eventually.ts";
import { makeEpub, makePptx, makeXlsx, shape } from "../support/files/office.ts";
import { makePdf } from "../support/files/pdf.ts";
import { makeDocx, makeZip, paragraph } from "../support/files/zip.ts";
import { type IndexingStand, startIndexingStand, texts, words } from "../support/indexing-stand.ts";

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
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
  }
});

async function index(knowledge: string) {
  const id = await stand.enqueue("index", { knowledge });
  await stand.settle();
  return await stand.task(id);
}

describe("indexing a knowledge base", () => {
  it("turns files of every format into searchable chunks", async () => {
    const { knowledge, source } = await stand.knowledgeOf({
      "a.md": `# Guide\n\n${words(20)}\n\n## Sick leave\n\nTell us early.`,
      "b.pdf": makePdf([[{ text: "Page one speaks." }], [{ text: "Page two answers." }]]),
      "c.docx": makeDocx(paragraph("Rules", "Heading1") + paragraph("Be kind.")),
      "d.html": "<h1>Hours</h1><p>From nine to five.</p>",
      "e.csv": "name,age\nAnn,31\nBob,42\n",
      "f.txt": "Plain words.",
      "g.pptx": makePptx([{ shapes: shape(["Plans"], "title") + shape(["Grow."]) }]),
      "h.xlsx": makeXlsx([
        {
          name: "Prices",
          rows: [
            ["Item", "Price"],
            ["Tea", 4],
          ],
        },
      ]),
      "i.epub": makeEpub([{ file: "1.xhtml", html: "<h1>Chapter</h1><p>Once.</p>" }]),
      "j.eml": "From: a@x.test\r\nSubject: Lunch\r\n\r\nAt noon.",
      "k.json": '{"name":"Ann"}',
      "l.js": "export const a = 1;",
    });
    const task = await index(knowledge);
    expect(task).toMatchObject({
      status: "succeeded",
      message_code: "indexed",
      done: 12,
      total: 12,
      error: null,
    });
    expect((await stand.documents(source)).map(({ status }) => status)).toEqual(Array(12).fill("ready"));
    const chunks = await stand.sql`select d.title, c.heading, c.page, c.content from public.chunks c
      join public.documents d on d.id = c.document_id order by d.title, c.position`;
    expect(chunks).toContainEqual({
      title: "a.md",
      heading: "Guide › Sick leave",
      page: null,
      content: "## Sick leave\n\nTell us early.",
    });
    expect(chunks).toContainEqual(expect.objectContaining({ title: "b.pdf", page: 1 }));
    expect(chunks).toContainEqual(
      expect.objectContaining({ title: "e.csv", content: expect.stringContaining("name: Bob\nage: 42") }),
    );
    const [row] =
      await stand.sql`select status, documents_count, chunks_count, indexed_at, vector_id from public.knowledges`;
    expect(row).toMatchObject({ status: "ready", documents_count: 12, chunks_count: chunks.length });
    const [{ status, documents_count } = {}] =
      await stand.sql`select status, documents_count from public.sources`;
    expect({ status, documents_count }).toEqual({ status: "ready", documents_count: 12 });
    const found =
      await stand.sql`select unnest(ids) from private.rank_text(array[${knowledge}]::uuid[], 'sick leave', 10)`;
    expect(found.length).toBeGreaterThan(0);
  });

  it("names each bad file in a sentence and indexes the rest", async () => {
    const odd = "näme 🎉 «quoted» 'x' ../..\\ %00 gnp. txt";
    const { knowledge, source } = await stand.knowledgeOf({
      "good.txt": "All is well.",
      "locked.pdf": makePdf([[{ text: "secret" }]], { userPassword: "x" }),
      "broken.pdf": makePdf([[{ text: "x" }]]).subarray(0, 200),
      "empty.txt": "",
      "scan.pdf": makePdf([[], []]),
      "renamed.pdf": makeZip([{ name: "a.txt", data: "x" }]),
      "bomb.docx": makeDocx("a".repeat(30e6)),
      "picture.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]),
      [odd]: "Still read.",
    });
    const task = await index(knowledge);
    expect(task).toMatchObject({
      status: "succeeded",
      message_code: "indexedWithFailures",
      done: 9,
      total: 9,
    });
    expect(task.message_params).toMatchObject({ documents: 9, failed: 7 });
    const documents = await stand.documents(source);
    for (const { title, status, error } of documents) {
      if (title === "good.txt" || title === odd)
        expect({ title, status, error }).toEqual({ title, status: "ready", error: null });
      else {
        expect({ title, status }).toEqual({ title, status: "failed" });
        expect(error).toMatch(new RegExp(`^“${title}” .*\\.$`));
      }
    }
    expect(documents.find(({ title }) => title === "locked.pdf")?.error).toContain("password");
  });

  it("fails the task when every file fails", async () => {
    const { knowledge } = await stand.knowledgeOf({ "empty.txt": "", "other.txt": " \n " });
    const task = await index(knowledge);
    expect(task).toMatchObject({ status: "failed", message_code: "allFailed" });
    expect(task.error).toMatch(/^“(empty|other).txt” is empty/);
  });

  it("does nothing for unchanged documents", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(30), "b.txt": words(5) });
    await index(knowledge);
    const before = await stand.sql`select id from public.chunks order by id`;
    const reads = stand.storage.reads;
    stand.openai.requests.length = 0;
    expect(await index(knowledge)).toMatchObject({ status: "succeeded", done: 2, total: 2 });
    expect(stand.openai.requests).toEqual([]);
    expect(stand.storage.reads).toBe(reads);
    expect(await stand.sql`select id from public.chunks order by id`).toEqual(before);
  });

  it("embeds only the passages that changed", async () => {
    const paragraphs = Array.from({ length: 12 }, (_, i) => `Part ${i}.\n${words(4, `topic${i}`)}`);
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": paragraphs.join("\n\n") });
    await index(knowledge);
    const all = texts(stand).length;
    stand.openai.requests.length = 0;
    paragraphs[11] = `Part 11.\n${words(4, "something else")}`;
    await stand.sql`update public.documents set content = ${paragraphs.join("\n\n")}, content_hash = ${"a".repeat(64)} where source_id = ${source}`;
    await index(knowledge);
    expect(texts(stand).length).toBeGreaterThan(0);
    expect(texts(stand).length).toBeLessThan(all / 2);
    const [row] =
      await stand.sql`select count(*)::int as n from public.chunks where content like '%something else%'`;
    expect(row?.n).toBeGreaterThan(0);
  });

  it("builds many short documents together, and one of them alone when only that one fails", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.txt`, words(2, `t${i}`)]));
    const { knowledge, source } = await stand.knowledgeOf({ ...files, "bad.txt": "Unspeakable." });
    await stand.enqueue("index", { knowledge });
    const calls: number[] = [];
    const embed = async (texts: string[]) => {
      calls.push(texts.length);
      if (texts.some((text) => text.includes("Unspeakable"))) throw new ModelError("refused", "No.");
      return texts.map(() => new Float32Array(8).fill(0.5));
    };
    await stand.settle(stand.ticker({}, 1, embed));
    const rows = await stand.documents(source);
    expect(rows.filter(({ status }) => status !== "ready").map(({ title, error }) => [title, error])).toEqual(
      [["bad.txt", "“bad.txt” was refused by the embedding model."]],
    );
    expect(Math.max(...calls)).toBeGreaterThan(20);
    await stand.expectWhole();
  });

  it("removes documents deleted at the source, and those of unlinked sources", async () => {
    const { knowledge, source } = await stand.knowledgeOf({ "stays.txt": words(5), "goes.txt": words(5) });
    const other = await stand.addSource([await stand.addFile("other.txt", words(5))]);
    await stand.sql`insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${stand.team}, ${knowledge}, ${other})`;
    await index(knowledge);
    const titles = () =>
      stand.sql`select distinct d.title from public.chunks c join public.documents d on d.id = c.document_id order by 1`;
    expect((await titles()).map(({ title }) => title)).toEqual(["goes.txt", "other.txt", "stays.txt"]);
    await stand.sql`
      update public.sources s set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - f.id::text)
        from public.files f where f.name = 'goes.txt' and s.id = ${source}`;
    await stand.sql`delete from public.knowledge_sources where source_id = ${other}`;
    await index(knowledge);
    expect((await titles()).map(({ title }) => title)).toEqual(["stays.txt"]);
    expect((await stand.documents(source)).length).toBe(1);
    const [row] = await stand.sql`select documents_count from public.knowledges where id = ${knowledge}`;
    expect(row?.documents_count).toBe(1);
  });

  it("indexes a source in every knowledge base that has it, and a single document", async () => {
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(8), "b.txt": words(8) });
    await stand.addKnowledge([source]);
    const id = await stand.enqueue("index", { source });
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", total: 2 });
    const counts = await stand.sql`select knowledge_id, count(*)::int as n from public.chunks group by 1`;
    expect(counts.length).toBe(2);
    expect(counts[0]?.n).toBe(counts[1]?.n);
    // The second knowledge base reused the first one's vectors.
    expect(texts(stand).length).toBe(counts[0]?.n);

    const [document] = await stand.documents(source);
    await stand.sql`update public.documents set content = 'Quite new.', content_hash = ${"b".repeat(64)} where id = ${document?.id ?? ""}`;
    const single = await stand.enqueue("index", { document: document?.id, source });
    await stand.settle();
    expect(await stand.task(single)).toMatchObject({ status: "succeeded", total: 1 });
    const fresh = await stand.sql`select knowledge_id from public.chunks where content = 'Quite new.'`;
    expect(fresh.map((row) => row.knowledge_id)).toContain(knowledge);
    expect(fresh.length).toBe(2);
  });

  it("lists a source's documents without indexing them", async () => {
    const { source } = await stand.knowledgeOf({ "a.txt": "Words.", "bad.pdf": "no" });
    const id = await stand.enqueue("loadDocuments", { source });
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({
      status: "succeeded",
      message_code: "loadedWithFailures",
      done: 2,
      total: 2,
    });
    expect((await stand.documents(source)).map(({ status, content }) => [status, content])).toEqual([
      ["none", "Words."],
      ["failed", null],
    ]);
    expect(stand.openai.requests).toEqual([]);
  });
});

describe("stopping and taking turns", () => {
  it("stops within one slice and resumes there later", async () => {
    // More than half of a shared batch, so that each is a slice of its own.
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}.txt`, words(200, `t${i}`)]));
    const { knowledge } = await stand.knowledgeOf(files);
    const id = await stand.enqueue("index", { knowledge });
    // One slice per tick: the plan, then three documents.
    const ticker = stand.ticker({ turnMs: 0, wallMs: 0 });
    for (let i = 0; i < 4; i++) await ticker.tick();
    await stand.sql`update public.tasks set status = 'stopping' where id = ${id}`;
    await stand.settle(ticker);
    const stopped = await stand.task(id);
    expect(stopped).toMatchObject({ status: "stopped", message_code: "stopped", total: 8 });
    const [done] = await stand.sql`
      select count(*)::int as indexes, sum(chunks_count)::int as chunks from public.document_indexes where status = 'ready'`;
    expect(done?.indexes).toBe(3);
    const [row] = await stand.sql`select status from public.knowledges`;
    expect(row?.status).toBe("stopped");
    stand.openai.requests.length = 0;
    expect(await index(knowledge)).toMatchObject({ status: "succeeded", done: 8 });
    const [all] = await stand.sql`select count(*)::int as chunks from public.chunks`;
    expect(texts(stand).length).toBe(all?.chunks - done?.chunks);
  });

  it("stops a call to a silent model", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(3) });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "silence" });
    const tick = stand.ticker().tick();
    await eventually(() => expect(stand.openai.requests.length).toBe(1));
    await stand.sql`update public.tasks set status = 'stopping' where id = ${id}`;
    await tick;
    expect(await stand.task(id)).toMatchObject({ status: "stopped" });
  });

  it("ends a queued task that was stopped", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(3) });
    const id = await stand.enqueue("index", { knowledge });
    await stand.sql`update public.knowledges set status = 'queued'`;
    await stand.sql`update public.tasks set status = 'stopped', finished_at = now() where id = ${id}`;
    await stand.settle();
    const [row] = await stand.sql`select status from public.knowledges`;
    expect(row?.status).toBe("stopped");
  });

  it("gives every team its turn", async () => {
    const big = await stand.knowledgeOf(
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.txt`, words(200, `t${i}`)])),
    );
    const first = await stand.enqueue("index", { knowledge: big.knowledge });
    const other = await stand.addTeam();
    const small = await stand.knowledgeOf({ "a.txt": "Words." }, other);
    const ticker = stand.ticker({ turnMs: 0, wallMs: 0 });
    for (let i = 0; i < 3; i++) await ticker.tick();
    const second = await stand.enqueue("index", { knowledge: small.knowledge });
    for (let i = 0; i < 8; i++) await ticker.tick();
    expect(await stand.task(second)).toMatchObject({ status: "succeeded" });
    expect(await stand.task(first)).toMatchObject({ status: "running", total: 20 });
    expect((await stand.task(first)).done).toBeGreaterThan(3);
  });

  it("takes over from a dead worker, which can no longer write", async () => {
    const { knowledge } = await stand.knowledgeOf({ "a.txt": words(300) });
    const id = await stand.enqueue("index", { knowledge });
    stand.openai.next({ how: "silence" });
    const stuck = stand.ticker();
    const lost = stuck.tick();
    await eventually(() => expect(stand.openai.requests.length).toBe(1));
    await stand.passTime();
    await stand.settle();
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", attempts: 2 });
    const chunks = await stand.sql`select id from public.chunks order by id`;
    await stuck.stop();
    await lost;
    expect(await stand.sql`select id from public.chunks order by id`).toEqual(chunks);
    expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
  });

  it("a worker that lost only its document's lease builds nothing over a newer build", async () => {
    const { knowledge, source } = await stand.knowledgeOf({ "a.txt": words(20, "old things") });
    await stand.enqueue("index", { knowledge });
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const embed = vi.fn(async (texts: string[]) => {
      await opened;
      return texts.map(() => new Float32Array(8).fill(0.5));
    });
    const tick = stand.ticker({}, 1, embed).tick();
    await eventually(() => expect(embed).toHaveBeenCalled());
    await stand.sql`update public.documents set content = 'New things.', content_hash = ${"e".repeat(64)} where source_id = ${source}`;
    const other = await stand.enqueue("index", { source });
    // On a busy machine the first worker extends its lease once more, or a call of the second one takes too long.
    await eventually(async () => {
      await stand.loseDocuments();
      await stand.settle();
      expect(await stand.task(other)).toMatchObject({ status: "succeeded" });
    });
    open();
    await tick;
    await stand.settle();
    expect(await stand.sql`select content from public.chunks`).toEqual([{ content: "New things." }]);
  });
});

describe("a search during indexing", () => {
  it("finds every document once and in full, while texts and the model change", async () => {
    const work = new ChangingDocuments(stand);
    await work.begin();
    const lookWhile = async (working: Promise<void>) => {
      let isWorking = true;
      const worked = working.finally(() => {
        isWorking = false;
      });
      let looks = 0;
      for (; isWorking; looks++) {
        await work.expectFound();
        await stand.expectWhole("changed");
      }
      await worked;
      return looks;
    };
    for (let change = 0; change < 2; change++) {
      await work.ensure();
      expect(await lookWhile(stand.settle(stand.ticker({ turnMs: 0 })))).toBeGreaterThan(1);
    }
    const [old] = await stand.sql`insert into public.vectors (name, model, dimensions)
      values ('before', ${`before-${Date.now()}`}, 8) returning id`;
    await stand.sql`update public.chunk_embeddings set vector_id = ${old?.id}`;
    await stand.sql`update public.knowledges set vector_id = ${old?.id}`;
    await work.ensure();
    expect(await lookWhile(stand.settle(stand.ticker({ turnMs: 0 })))).toBeGreaterThan(1);
    const spaces = await stand.sql`select distinct vector_id from public.chunk_embeddings`;
    expect(spaces.map(({ vector_id }) => vector_id)).not.toContain(old?.id);
    await work.expectComplete();
  });
});
