// Owns the queue of a task's documents: claims each for one worker at a time and writes its result.

import type { Transaction } from "../../_shared/database/db.ts";
import { leaseSeconds } from "../../_shared/queues/lease.ts";
import type { Source } from "../connectors/connector.ts";
import type { StructureSpan } from "../parsers/document.ts";
import type { Prepared } from "./batches.ts";
import type { StepContext } from "./context.ts";
import { indexesToBuild, type KnowledgeRow } from "./generation.ts";
import { forgetUnread, requireNoVision } from "./pictures.ts";
import { removeItems } from "./removals.ts";
import {
  buildsIndexes,
  documentStatus,
  documentsInScope,
  type Fragment,
  isThere,
  knowledgeInScope,
  lockInOrder,
  unread,
} from "./scope.ts";
import { rememberUnfit } from "./unfit.ts";

/** The column documents.structure: what a parser found besides the text; before that, the number of unfinished reads. */
export interface StoredStructure {
  title?: string;
  /** SHA-256 of the text that the spans point into. After an edit of the text the spans no longer apply. */
  textHash?: string;
  spans: StructureSpan[];
  warnings: string[];
  /** True when a parser found the spans in a file; otherwise they are Markdown's. */
  isParsed?: true;
  /** The readerVersion of that parser; none in texts of release 1.0.0. */
  reader?: number;
  reads?: number;
  /** Failed fetches of this document in the current task. */
  fetches?: number;
}

export interface DocumentRow {
  id: string;
  teamId: string;
  sourceId: string;
  externalId: string;
  type: string;
  title: string;
  content: string | null;
  structure: StoredStructure | null;
  /** The language set by an editor. */
  language: string | null;
  /** The language detected in the text. */
  detectedLanguage: string | null;
  isUnread: boolean;
  /** True while no index of it has been built or begun: it has no chunks, vectors or tables. */
  isNew: boolean;
  /** The knowledge bases to index the document in, as far as known before it is read. */
  builds: KnowledgeRow[];
}

/** Documents claimed at once: enough to fill a transaction with the smallest, and few enough to leave some to other workers. */
const takenAtOnce = 32;
/** Bytes of stored text that one claim loads. A single document is loaded whatever its length. */
const bytesAtOnce = 4_000_000;

export class DocumentQueue {
  readonly #context: StepContext;
  #after: string | null = null;
  /** The claimed documents, each with its count of unfinished reads at the time of the claim. */
  readonly #held = new Map<string, number>();
  #waiting: DocumentRow[] = [];

  constructor(context: StepContext) {
    this.#context = context;
    context.claim.alsoKeep((tx) => renewClaims(tx, [...this.#held.keys()]));
  }

  /**
   * The next document with work to do, claimed for as long as the heartbeat renews it. Undefined when every remaining document is
   * held by another worker.
   */
  async next(): Promise<DocumentRow | undefined> {
    if (this.#waiting.length === 0) await this.#fill();
    return this.#waiting.shift();
  }

  /** True when other workers hold the rest. Call it with nothing claimed. */
  async isAnyLeft(): Promise<boolean> {
    const { claim } = this.#context;
    const [row] = await claim.read(
      (tx) => tx<{ left: boolean }[]>`
        select exists (select 1 from public.documents d
                        where ${documentsInScope(tx, claim.task)} and d.status in ('queued', 'indexing')
                          and ${this.#hasWork(tx)}) as left`,
    );
    return row?.left ?? false;
  }

  /**
   * Marks a claimed document as failed: it could not be read or indexed. @throws PutDown when a vision model may read it now
   * @param unfit when the team may not store it: what is staged of it, which nothing counts, goes too
   */
  async fail(
    id: string,
    sentence: string,
    unfit?: { prepared: Prepared; added: number | undefined },
  ): Promise<void> {
    const { claim, embedder } = this.#context;
    await claim.achieve(async (tx) => {
      await requireNoVision(tx, this.#context);
      await tx`
        with read as (delete from private.document_pieces where document_id = ${id})
        update public.documents set error = ${sentence} where id = ${id}`;
      await forgetUnread(tx, [id]);
      if (unfit) await tx`delete from private.builds where document_id = ${id}`;
      if (buildsIndexes(claim.task))
        await tx`update public.document_indexes i set status = 'failed', error = ${sentence}
                  where i.document_id = ${id} and i.status in ('queued', 'indexing')
                    and ${knowledgeInScope(tx, claim.task, tx`i.knowledge_id`)}`;
      await this.finish(tx, [id]);
      if (unfit) await rememberUnfit(tx, claim.task, [unfit.prepared], embedder.dimensions, unfit.added);
    });
    this.forget([id]);
  }

  /**
   * Deletes a claimed document whose item is gone at its source, as an omitted one is deleted.
   * @returns false when the source has other settings or credentials by now
   */
  async remove(id: string, source: Source, externalId: string): Promise<boolean> {
    const isRemoved = await this.#context.claim.achieve((tx) => removeItems(tx, source, [externalId]));
    if (isRemoved) this.forget([id]);
    return isRemoved;
  }

  /** Remembers documents that end the task because the team may not store them. @param added what their transaction would have added */
  async remember(unfit: Prepared[], added: number | undefined): Promise<void> {
    const { claim, embedder } = this.#context;
    await claim.write((tx) =>
      rememberUnfit(tx, claim.task, unfit, embedder.dimensions, unfit.length === 1 ? added : undefined),
    );
  }

  /** Sets documents that this task is done with to the status that follows from their text and indexes. Requires their locks. */
  async finish(tx: Transaction, ids: string[]): Promise<void> {
    const forget: Fragment = tx`with fitting as (
      delete from private.unfit_documents
       where team_id = ${this.#context.claim.task.teamId} and document_id = any(${ids}::uuid[]))`;
    await releaseDocuments(tx, ids, documentStatus(tx), errorOf(tx), forget);
  }

  /** Call after the commit: releases finished documents. */
  forget(ids: string[]): void {
    for (const id of ids) this.#held.delete(id);
  }

  /** Puts claimed documents back into the queue. @param survived true when this worker lives on, so its unfinished reads do not count */
  async putBack(tx: Transaction, survived = true): Promise<void> {
    const ids = [...this.#held.keys()];
    if (ids.length > 0) await lockInOrder(tx, ids);
    if (survived) await forgetReads(tx, ids, [...this.#held.values()]);
    await releaseDocuments(tx, ids, tx`'queued'`, tx`d.error`);
  }

  async #fill(): Promise<void> {
    const rows = await this.#context.claim.write(
      async (tx) =>
        (await this.#take(tx, this.#after)) ??
        (this.#after ? await this.#take(tx, null) : undefined) ??
        (await this.#take(tx, null, true)),
    );
    if (!rows) return;
    for (const { id, structure } of rows) this.#held.set(id, structure?.reads ?? 0);
    this.#after = rows.at(-1)?.id ?? null;
    this.#waiting = rows;
  }

  /** @param failing selects only documents whose fetch has failed before, which come last */
  async #take(tx: Transaction, after: string | null, failing = false): Promise<DocumentRow[] | undefined> {
    const { task } = this.#context.claim;
    // Materialized: a plan with the join reversed would run the subquery again for every row, and claim as many each time.
    const rows = await tx<Omit<DocumentRow, "builds">[]>`
      with picked as materialized (
        select d.id, octet_length(d.content) as bytes from public.documents d
         where ${documentsInScope(tx, task)} and ${this.#hasWork(tx)}
           and (d.status = 'queued' or ${isAbandoned(tx)})
           and (coalesce(d.structure, '{}') ? 'fetches') = ${failing}
           and (${after}::uuid is null or d.id > ${after}::uuid)
         order by d.id limit ${takenAtOnce} for update skip locked
      ), fitting as materialized (
        select p.id from (select id, row_number() over by_id as place, sum(bytes) over by_id as bytes
                            from picked window by_id as (order by id)) p
         where p.place = 1 or coalesce(p.bytes, 0) <= ${bytesAtOnce}
      )
      update public.documents d set status = 'indexing'
        from fitting
       where d.id = fitting.id
      returning d.id, d.team_id, d.source_id, d.external_id, d.type, d.title, d.content, d.structure,
                d.language, d.detected_language, ${unread(tx)} as is_unread,
                not exists (select 1 from public.document_indexes i where i.document_id = d.id and i.signature is not null)
                  and not exists (select 1 from public.chunks c where c.document_id = d.id)
                  and not exists (select 1 from private.builds b where b.document_id = d.id) as is_new`;
    if (rows.length === 0) return undefined;
    const builds = await indexesToBuild(
      tx,
      this.#context,
      rows.map(({ id }) => id),
    );
    return rows
      .map((row) => ({ ...row, builds: builds.get(row.id) ?? [] }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  #hasWork(tx: Transaction) {
    const { task } = this.#context.claim;
    if (!buildsIndexes(task)) return unread(tx);
    return tx`(${unread(tx)} or exists (
      select 1 from public.document_indexes i
       where i.document_id = d.id and i.status in ('queued', 'indexing') and ${knowledgeInScope(tx, task, tx`i.knowledge_id`)}))`;
  }
}

async function renewClaims(tx: Transaction, ids: string[]): Promise<void> {
  await lockInOrder(tx, ids);
  await tx`update public.documents set status = 'indexing' where id = any(${ids}::uuid[]) and status = 'indexing'`;
}

/** Restores the count of unfinished reads: a worker that can still write has not died of any. Requires the documents' locks. */
async function forgetReads(tx: Transaction, ids: string[], before: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update public.documents d
       set structure = case when t.reads = 0 then d.structure - 'reads'
                            else d.structure || jsonb_build_object('reads', t.reads) end
      from unnest(${ids}::uuid[], ${before}::int[]) as t (id, reads)
     where d.id = t.id and d.status = 'indexing' and (d.structure ->> 'reads')::int > t.reads`;
}

async function releaseDocuments(
  tx: Transaction,
  ids: string[],
  status: Fragment,
  error: Fragment,
  before: Fragment = tx``,
): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    ${before}
    update public.documents d
       set status = ${status}, error = ${error},
           chunks_count = coalesce((select max(i.chunks_count) from public.document_indexes i
                                     where i.document_id = d.id and ${isThere(tx, tx`i.knowledge_id`)}), 0)
     where d.id = any(${ids}::uuid[]) and d.status = 'indexing'`;
}

/** Condition on document d: its lease expired without a release. */
export function isAbandoned(tx: Transaction): Fragment {
  return tx`(d.status = 'indexing' and d.updated_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}))`;
}

/** The error of document d: its own or, once no index is left to build, that of an index. */
function errorOf(tx: Transaction): Fragment {
  return tx`coalesce(d.error, (
    select i.error from public.document_indexes i
     where i.document_id = d.id and i.status = 'failed' and ${isThere(tx, tx`i.knowledge_id`)}
       and not exists (select 1 from public.document_indexes o
                        where o.document_id = d.id and o.status in ('queued', 'indexing'))
     limit 1))`;
}
