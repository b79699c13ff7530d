// Owns a knowledge base whose documents keep changing while its workers die, and the invariants that hold throughout.
import { expect } from "vitest";
import { leaseSeconds } from "../../edge-functions/_shared/queues/lease.ts";
import { chunkText } from "../../edge-functions/indexing/chunking.ts";
import { markdownStructure } from "../../edge-functions/indexing/parsers/markdown-structure.ts";
import type { IndexingStand } from "./indexing-stand.ts";

/** A document that states in every passage its file and its version. */
const textOf = (file: string, version: number) =>
  Array.from(
    { length: 3 },
    (_, i) => `# Part ${i} of ${file}\n\nHere ${file} speaks, version ${version}.`,
  ).join("\n\n");

export class ChangingDocuments {
  readonly #stand: IndexingStand;
  readonly #versions = new Map<string, number>();
  #knowledge = "";
  #source = "";
  #version = 0;

  constructor(stand: IndexingStand) {
    this.#stand = stand;
  }

  async begin(): Promise<void> {
    for (const file of ["a.md", "b.md", "c.md"]) this.#versions.set(file, 0);
    const files = Object.fromEntries([...this.#versions].map(([file]) => [file, textOf(file, 0)]));
    ({ knowledge: this.#knowledge, source: this.#source } = await this.#stand.knowledgeOf(files));
    await this.#stand.enqueue("index", { knowledge: this.#knowledge });
    await this.#stand.settle();
  }

  /** Changes two documents and queues their indexing, unless a task is open already. */
  async ensure(): Promise<void> {
    const { sql } = this.#stand;
    const [open] = await sql`select id from public.tasks where status in ('queued', 'running', 'waiting')`;
    if (open) return;
    this.#version++;
    for (const file of ["a.md", this.#version % 2 ? "b.md" : "c.md"]) {
      this.#versions.set(file, this.#version);
      const hash = this.#version.toString(16).padStart(64, "0");
      await sql`update public.documents set content = ${textOf(file, this.#version)}, content_hash = ${hash}
                 where source_id = ${this.#source} and title = ${file}`;
    }
    await this.#stand.enqueue("index", { knowledge: this.#knowledge });
  }

  /** Every document is found in one version, the latest or the one before; no task is held for longer than a lease. */
  async expectFound(): Promise<void> {
    const { sql } = this.#stand;
    const found = await sql`
      select d.title, array_agg(distinct substring(c.content from 'version (\d+)')) as versions
        from public.chunks c join public.documents d on d.id = c.document_id
       where c.knowledge_id = ${this.#knowledge} group by 1 order by 1`;
    expect(found.map(({ title, versions }) => [title, versions.length])).toEqual(
      [...this.#versions.keys()].map((title) => [title, 1]),
    );
    const [late] = await sql`
      select * from public.tasks where lease_until > clock_timestamp() + make_interval(secs => ${leaseSeconds})`;
    expect(late).toBeUndefined();
    const strange = await sql`
      select status, message_code from public.tasks
       where status not in ('queued', 'running', 'waiting', 'succeeded') and message_code <> 'workerDied'`;
    expect(strange).toEqual([]);
  }

  /** The index is complete, as if no worker had died. */
  async expectComplete(): Promise<void> {
    const { sql } = this.#stand;
    await this.#stand.passTime();
    // A task whose workers died five times in a row has failed with an error; queueing it again is enough.
    await this.#stand.enqueue("index", { knowledge: this.#knowledge });
    await this.#stand.settle();
    await this.#stand.expectWhole();
    for (const [file, version] of this.#versions) {
      const text = textOf(file, version);
      const chunks = await sql`
        select c.content from public.chunks c join public.documents d on d.id = c.document_id
         where c.knowledge_id = ${this.#knowledge} and d.title = ${file} order by c.position`;
      const expected = chunkText(
        { text, structure: markdownStructure(text) },
        { maxTokens: 60, overlapTokens: 10 },
      );
      expect(chunks.map(({ content }) => content)).toEqual(expected.map(({ content }) => content));
    }
    expect(await sql`select count(*)::int as n from private.staged_chunks`).toEqual([{ n: 0 }]);
    expect(await sql`select status from public.documents where status <> 'ready'`).toEqual([]);
    const [open] =
      await sql`select * from public.tasks where status in ('queued', 'running', 'waiting', 'stopping')`;
    expect(open).toBeUndefined();
  }
}
