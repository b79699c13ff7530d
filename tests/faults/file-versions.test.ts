// A file replaced during indexing, unreadable, or left by a dead worker: the old text answers until the new one is complete.
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readerVersion } from "../../edge-functions/indexing/steps/read.ts";
import { asCaller } from "../sql/acting.ts";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";
import { makeTeam, type SearchableTeam } from "../support/searchable.ts";

let stand: IndexingStand;
let knowledge: string;
let source: string;
let file: string;
beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(() => stand.stop());
beforeEach(async () => {
  await stand.sql`delete from public.teams`;
  stand.team = await stand.addTeam();
  ({ knowledge, source } = await stand.knowledgeOf({ "rules.md": saying("first") }));
  const [row] = await stand.sql`select id from public.files where team_id = ${stand.team}`;
  file = row?.id;
});

/** Long enough for several batches, so that a partial index shows. */
function saying(word: string): string {
  return Array.from(
    { length: 200 },
    (_, at) => `Rule ${at} of the ${word} edition says ${word} things.`,
  ).join("\n\n");
}

async function replace(content: string | Uint8Array, name = "rules.md"): Promise<number> {
  const path = `teams/${stand.team}/${randomUUID()}`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  stand.storage.objects.set(path, bytes);
  const [row] = await stand.sql`
    select private.replace_file(${stand.team}, ${file}, null, ${name}, 'document', 'application/octet-stream', ${bytes.length},
                                ${path}, ${createHash("sha256").update(bytes).digest("hex")}) as version`;
  return row?.version;
}

/** The versions of the live passages. */
async function answering(): Promise<string[]> {
  const rows = await stand.sql<{ content: string }[]>`
    select content from public.chunks where knowledge_id = ${knowledge}`;
  const found = rows.flatMap(({ content }) => content.match(/first|second|third/g) ?? []);
  return [...new Set(found)].sort();
}

async function indexFirst(): Promise<string> {
  await stand.enqueue("index", { knowledge });
  await stand.settle();
  expect(await answering()).toEqual(["first"]);
  const [document] = await stand.documents(source);
  return String(document?.id);
}

/** Runs a callback while the worker waits for the vectors of its nth batch. */
function interruptBatch(nth: number, what: () => Promise<unknown>) {
  let calls = 0;
  return stand.ticker({}, 1, async (texts, signal) => {
    if (++calls === nth) await what();
    signal.throwIfAborted();
    return texts.map(() => new Float32Array(8).fill(1));
  });
}

async function expectSettledOn(word: string, document?: string): Promise<void> {
  await stand.settle();
  expect(await answering()).toEqual([word]);
  const documents = await stand.documents(source);
  expect(documents.map(({ status, error }) => ({ status, error }))).toEqual([
    { status: "ready", error: null },
  ]);
  if (document) expect(documents[0]?.id).toBe(document);
  await stand.expectWhole();
}

describe("a document that is indexed again", () => {
  let owner: SearchableTeam["owner"];
  beforeEach(async () => {
    ({ id: stand.team, owner } = await makeTeam(stand.sql));
    ({ knowledge, source } = await stand.knowledgeOf({ "rules.md": saying("first") }));
  });
  const change = (document: string, values: object) =>
    stand.sql`update public.documents set ${stand.sql(values)} where id = ${document}`;
  async function contentAfterIndexing(document: string) {
    await asCaller(stand.sql, owner, (tx) => tx`select public.index_document(${document})`);
    await stand.settle();
    const [row] = await stand.sql`select content, content_hash from public.documents where id = ${document}`;
    expect(row?.content_hash).not.toBeNull();
    return row?.content;
  }

  it("reads its file again, since an earlier release may have read less of it", async () => {
    const document = await indexFirst();
    await change(document, { content: saying("second") });
    expect(await contentAfterIndexing(document)).toBe(saying("first"));
    await expectSettledOn("first", document);
  });

  it("keeps a text that is not its file's", async () => {
    const document = await indexFirst();
    await change(document, { content: saying("second"), content_hash: "0".repeat(64) });
    expect(await contentAfterIndexing(document)).toBe(saying("second"));
  });
});

describe("a knowledge base that is indexed again", () => {
  /** As if a reader that made less of the file had read it. */
  const readBy = (document: string, reader: number | null) => stand.sql`
    update public.documents set content = ${saying("second")}, structure = structure - 'reader'
                                || jsonb_strip_nulls(jsonb_build_object('reader', ${reader}::int))
     where id = ${document}`;

  it("reads the files again that an earlier reader has read, and embeds no passage that it has", async () => {
    const document = await indexFirst();
    await readBy(document, null);
    await stand.enqueue("index", { knowledge });
    let embedded = 0;
    await stand.settle(interruptBatch(1, async () => ++embedded));
    expect(embedded).toBe(0);
    const [row] = await stand.sql`select content from public.documents where id = ${document}`;
    expect(row?.content).toBe(saying("first"));
    await expectSettledOn("first", document);
  });

  it("has the passages of what another reader makes of the same file", async () => {
    const document = await indexFirst();
    for (const path of stand.storage.objects.keys())
      stand.storage.objects.set(path, new TextEncoder().encode(saying("second")));
    await stand.sql`update public.documents set structure = structure - 'reader' where id = ${document}`;
    await stand.enqueue("index", { knowledge });
    await expectSettledOn("second", document);
  });

  it("reads no file again that this reader has read", async () => {
    const document = await indexFirst();
    await readBy(document, readerVersion);
    await stand.enqueue("index", { knowledge });
    await stand.settle();
    const [row] = await stand.sql`select content from public.documents where id = ${document}`;
    expect(row?.content).toBe(saying("second"));
  });

  it("leaves files as they are when a source is listed after an upload", async () => {
    const document = await indexFirst();
    await readBy(document, null);
    await stand.sql`select private.enqueue_task(${stand.team}, 'sync', ${`sync:source:${source}`}, ${source}, null, null)`;
    await stand.settle();
    const [row] = await stand.sql`select content, content_hash from public.documents where id = ${document}`;
    expect(row).toMatchObject({ content: saying("second"), content_hash: expect.any(String) });
  });
});

describe("a replaced file", () => {
  it("answers from the old text until the new one is switched in, with the same document id", async () => {
    const document = await indexFirst();
    await replace(saying("second"));
    expect(await answering()).toEqual(["first"]);
    const seen: string[][] = [];
    await stand.settle(interruptBatch(1, async () => seen.push(await answering())));
    expect(seen).toEqual([["first"]]);
    await expectSettledOn("second", document);
  });

  it("indexes the second version when replaced while the first is embedded", async () => {
    await stand.enqueue("index", { knowledge });
    await stand.settle(interruptBatch(1, () => replace(saying("second"))));
    await expectSettledOn("second");
  });

  it("indexes the newest version when replaced while a newer one is embedded", async () => {
    const document = await indexFirst();
    await replace(saying("second"));
    await stand.settle(interruptBatch(1, () => replace(saying("third"))));
    await expectSettledOn("third", document);
  });

  it("keeps the old text when the new version is unreadable, and says so; a readable one repairs it", async () => {
    const document = await indexFirst();
    await replace(new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 1, 2, 3]), "rules.pdf");
    await stand.settle();
    expect(await answering()).toEqual(["first"]);
    const [failed] = await stand.documents(source);
    expect(failed).toMatchObject({ id: document, status: "failed", error: expect.stringContaining("rules") });
    await replace(saying("third"));
    await expectSettledOn("third", document);
  });

  it("survives the worker's death between replacement and switch", async () => {
    const document = await indexFirst();
    await replace(saying("second"));
    const running = await stand.spawnFunction();
    stand.openai.requests.length = 0;
    void running.tick().catch(() => undefined);
    while (stand.openai.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await running.end("SIGKILL");
    const now = await answering();
    expect(now).toHaveLength(1);
    await stand.passTime();
    await expectSettledOn("second", document);
  });
});
