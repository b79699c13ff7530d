// Hosted functions have 2 s of CPU and 256 MB a call, and no threads: larger work is done in slices, one call after the other, with the
// same result as in one call.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkText } from "../../edge-functions/indexing/chunking.ts";
import { endParsers, parseInPlace } from "../../edge-functions/indexing/parse-guarded.ts";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";
import { makePdf } from "../support/files/pdf.ts";
import { makeDocx, paragraph } from "../support/files/zip.ts";
import { type IndexingStand, startIndexingStand, texts } from "../support/indexing-stand.ts";

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
});
afterAll(() => stand.stop());

const pdfOf = (pages: number, lines: number) =>
  makePdf(
    Array.from({ length: pages }, (_, page) => [
      ...(page % 10 === 0 ? [{ text: `Chapter ${page / 10}`, size: 20 }] : []),
      ...Array.from({ length: lines }, (_, line) => ({
        text: `Line ${line} of page ${page + 1} says what holds in case ${page}, ${line}, and in no other.`,
        ...(line % 8 === 0 ? { down: 30 } : {}),
      })),
    ]),
  );

/** The live chunks of a file: those of the file parsed at once. */
async function expectAsIfAtOnce(name: string, bytes: Uint8Array) {
  const whole = await parseFile({ name, bytes });
  const [document] =
    await stand.sql`select id, content, structure, status from public.documents where title = ${name}`;
  expect(document?.status).toBe("ready");
  expect(document?.content === whole.text).toBe(true);
  expect(document?.structure.spans).toEqual(whole.structure);
  expect(document?.structure.reads).toBeUndefined();
  const chunks = await stand.sql`
    select position, content, start_offset as start, end_offset as end, page from public.chunks
     where document_id = ${document?.id} order by position`;
  expect(chunks.map((chunk) => ({ ...chunk }))).toEqual(
    chunkText(whole, { maxTokens: 60, overlapTokens: 10 }).map(({ position, content, start, end, page }) => ({
      position,
      content,
      start,
      end,
      page: page ?? null,
    })),
  );
  return chunks.length;
}

async function expectNothingLeft() {
  for (const table of ["document_pieces", "builds", "staged_chunks"]) {
    expect(await stand.sql`select count(*)::int as n from private.${stand.sql(table)}`).toEqual([{ n: 0 }]);
  }
}

describe("a document larger than a call", () => {
  it("is parsed by page ranges, staged and embedded over many calls, each resuming the last", async () => {
    await endParsers();
    parseInPlace();
    try {
      const bytes = pdfOf(120, 10);
      const { knowledge } = await stand.knowledgeOf({ "long.pdf": bytes });
      const id = await stand.enqueue("index", { knowledge });
      // Each call does the minimum, in a process without memory of the one before.
      let calls = 0;
      const reached: number[] = [];
      for (let more = true; more; calls++) {
        ({ more } = await stand.ticker({ turnMs: 0, wallMs: 0 }).tick());
        const [row] = await stand.sql`
          select coalesce(max(position + cardinality(pages)), 0)::int as read from private.document_pieces`;
        if (row?.read > 0) reached.push(row?.read);
        await stand.expectWhole();
      }
      expect(await stand.task(id)).toMatchObject({ status: "succeeded", error: null });
      // No call read more than 50 pages, none read a page again.
      const steps = reached.map((read, i) => read - (reached[i - 1] ?? 0)).filter((step) => step !== 0);
      expect(Math.max(...steps)).toBeLessThanOrEqual(50);
      expect(Math.min(...steps)).toBeGreaterThan(0);
      expect(reached.at(-1)).toBe(120);
      const chunks = await expectAsIfAtOnce("long.pdf", bytes);
      // Nothing was embedded twice, and no call embedded more than one batch.
      expect(texts(stand).length).toBe(chunks);
      expect(calls).toBeGreaterThan(steps.length + chunks / 64);
      await expectNothingLeft();
    } finally {
      parseInPlace(false);
    }
  });

  it("starts over when it changes during parsing or building", async () => {
    await endParsers();
    parseInPlace();
    try {
      const { source } = await stand.knowledgeOf({ "first.pdf": pdfOf(120, 4) });
      const second = pdfOf(60, 5);
      const id = await stand.enqueue("index", { source });
      // A call with room for nothing else: whatever cannot be split waits for the next.
      const call = () => stand.ticker({ turnMs: 0, wallMs: 0, cpuMs: 10 }).tick();
      const readSoFar = async () => {
        const [row] = await stand.sql`select count(*)::int as n from private.document_pieces`;
        return row?.n;
      };
      while ((await readSoFar()) === 0) await call();
      // A file never changes, but an item of another source can under the same id.
      const [file] = await stand.sql`select id, path from public.files where name = 'first.pdf'`;
      stand.storage.objects.set(file?.path, second);
      await stand.sql`update public.files set sha256 = ${"d".repeat(64)} where id = ${file?.id}`;
      while ((await stand.sql`select 1 from private.staged_chunks where embedding is not null`).length === 0)
        await call();
      while ((await call()).more);
      expect(await stand.task(id)).toMatchObject({ status: "succeeded", error: null });
      await expectAsIfAtOnce("first.pdf", second);
      await expectNothingLeft();
    } finally {
      parseInPlace(false);
    }
  });
});

describe("a call on a hosted machine", () => {
  it("stays within its CPU time and memory, whatever the documents", async () => {
    await stand.sql`delete from public.teams`;
    stand.team = await stand.addTeam();
    const sentences = (n: number, about: string) =>
      Array.from({ length: n }, (_, i) => `Sentence ${i} about ${about} says what holds in case ${i}.`);
    const files: Record<string, Uint8Array | string> = {
      "long.pdf": pdfOf(500, 40),
      "long.txt": sentences(12_000, "text").join(" "),
      "long.md": sentences(6_000, "notes")
        .map((sentence, i) => (i % 20 ? sentence : `\n\n## Part ${i}\n\n${sentence}`))
        .join(" "),
      "long.csv": `case,what\n${sentences(6_000, "rows")
        .map((sentence, i) => `${i},${sentence}`)
        .join("\n")}`,
      "long.docx": makeDocx(
        sentences(3_000, "words")
          .map((sentence) => paragraph(sentence))
          .join(""),
      ),
    };
    const { knowledge } = await stand.knowledgeOf(files);
    await stand.sql`update public.knowledges set chunk_max_tokens = 320 where id = ${knowledge}`;
    const id = await stand.enqueue("index", { knowledge });
    const one = await stand.spawnFunction("hosted");
    const calls: { cpuMs: number; heapMib: number }[] = [];
    for (let more = true; more; ) {
      const answer = await one.tick();
      calls.push(JSON.parse(answer.headers.get("x-spent") ?? "{}"));
      more = (await answer.json()).more;
    }
    expect(await stand.task(id)).toMatchObject({ status: "succeeded", error: null });
    await expectNothingLeft();
    // In one call they would exceed every limit.
    expect(calls.length).toBeGreaterThan(1);
    const most = (what: "cpuMs" | "heapMib") => Math.max(...calls.map((call) => call[what]));
    console.log(`CPU ms of each call: ${calls.map(({ cpuMs }) => Math.round(cpuMs)).join(", ")}`);
    // A hosted call has 2 s of CPU time, which is more work on a fast machine than on a slow or busy one. All calls together take 5.5 to 8 s,
    // and the greatest a quarter of that at most, in few calls or in many: so the limit is a share of all.
    const all = calls.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    expect(most("cpuMs")).toBeLessThan(all / 3);
    // What stays between calls; V8 ends the process when a call needs more than 200 MiB.
    expect(most("heapMib")).toBeLessThan(100);
    await one.end("SIGKILL");
  });
});
