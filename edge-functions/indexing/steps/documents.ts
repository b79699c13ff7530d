// Hands a task its documents, each to one worker at a time, and writes what became of them.

import type { Transaction } from "../../_shared/database/db.ts";
import { leaseSeconds } from "../../_shared/queues/lease.ts";
import type { StructureSpan } from "../parsers/document.ts";
import type { StepContext } from "./context.ts";
import { indexesToBuild, type KnowledgeRow } from "./generation.ts";
import { forgetUnread } from "./pictures.ts";
import {
  buildsIndexes,
  documentStatus,
  documentsInScope,
  type Fragment,
  knowledgeInScope,
  lockInOrder,
  unread,
} from "./scope.ts";

/** documents.structure: what a parser found besides the text; before that, how often reading it was begun in vain. */
export interface StoredStructure {
  title?: string;
  /** SHA-256 of the text that the spans point into: a text edited since has other places. */
  textHash?: string;
  spans: StructureSpan[];
  warnings: string[];
  /** A parser found the spans in a file; otherwise they are those of Markdown. */
  isParsed?: true;
  reads?: number;
  /** How often its service failed to give it out, in the present task. */
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
  /** What an editor says that it is in. */
  language: string | null;
  /** What was found in its text. */
  detectedLanguage: string | null;
  isUnread: boolean;
  /** The knowledges to index it in, as far as they can be told before it is read. */
  builds: KnowledgeRow[];
}

/** Documents that are taken at once: enough for a transaction of the smallest, and hardly more than others could have had. */
const takenAtOnce = 32;
/** Of stored text, in bytes, that is held in memory for what is taken at once; one document is taken however long it is. */
const bytesAtOnce = 4_000_000;

export class DocumentQueue {
  readonly #context: StepContext;
  #after: string | null = null;
  /** What is in hand, with how often reading it had been begun in vain when it was taken. */
  readonly #held = new Map<string, number>();
  #waiting: DocumentRow[] = [];

  constructor(context: StepContext) {
    this.#context = context;
    context.claim.alsoKeep((tx) => keepHeld(tx, [...this.#held.keys()]));
  }

  /**
   * The next document with something to do, which this worker holds while the claim's heartbeat lasts. Undefined when there is
   * none that nobody else holds.
   */
  async next(): Promise<DocumentRow | undefined> {
    if (this.#waiting.length === 0) await this.#fill();
    return this.#waiting.shift();
  }

  /** Whether other workers hold what is left; asked with nothing in hand. */
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

  /** Marks a document in hand as failed: it could not be read or indexed. */
  async fail(id: string, sentence: string): Promise<void> {
    const { claim } = this.#context;
    await claim.achieve(async (tx) => {
      await tx`
        with read as (delete from private.document_pieces where document_id = ${id})
        update public.documents set error = ${sentence} where id = ${id}`;
      await forgetUnread(tx, [id]);
      if (buildsIndexes(claim.task))
        await tx`update public.document_indexes i set status = 'failed', error = ${sentence}
                  where i.document_id = ${id} and i.status in ('queued', 'indexing')
                    and ${knowledgeInScope(tx, claim.task, tx`i.knowledge_id`)}`;
      await this.finish(tx, [id]);
    });
    this.forget([id]);
  }

  /** Gives documents that this task has done all for the status that their text and indexes add up to. */
  async finish(tx: Transaction, ids: string[]): Promise<void> {
    await letGo(tx, ids, documentStatus(tx), errorOf(tx));
  }

  /** What was finished is in hand no more, now that it is committed. */
  forget(ids: string[]): void {
    for (const id of ids) this.#held.delete(id);
  }

  /** Puts whatever is in hand back into the queue. @param survived readings of this worker's that were broken off killed nobody */
  async putBack(tx: Transaction, survived = true): Promise<void> {
    const ids = [...this.#held.keys()];
    if (survived) await forgetReads(tx, ids, [...this.#held.values()]);
    await letGo(tx, ids, tx`'queued'`, tx`d.error`);
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

  /** @param failing those that their service failed to give out before, which come last */
  async #take(tx: Transaction, after: string | null, failing = false): Promise<DocumentRow[] | undefined> {
    const { task } = this.#context.claim;
    // Materialized: a plan that joins the other way round would run the subquery again for every row, and take as many.
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
                d.language, d.detected_language, ${unread(tx)} as is_unread`;
    if (rows.length === 0) return undefined;
    const builds = await indexesToBuild(
      tx,
      task,
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

async function keepHeld(tx: Transaction, ids: string[]): Promise<void> {
  await lockInOrder(tx, ids);
  await tx`update public.documents set status = 'indexing' where id = any(${ids}::uuid[]) and status = 'indexing'`;
}

/** Leaves the count of begun readings as it was: a worker that can still write has not died of any. */
async function forgetReads(tx: Transaction, ids: string[], before: number[]): Promise<void> {
  if (ids.length === 0) return;
  await lockInOrder(tx, ids);
  await tx`
    update public.documents d
       set structure = case when t.reads = 0 then d.structure - 'reads'
                            else d.structure || jsonb_build_object('reads', t.reads) end
      from unnest(${ids}::uuid[], ${before}::int[]) as t (id, reads)
     where d.id = t.id and d.status = 'indexing' and (d.structure ->> 'reads')::int > t.reads`;
}

async function letGo(tx: Transaction, ids: string[], status: Fragment, error: Fragment): Promise<void> {
  if (ids.length === 0) return;
  await lockInOrder(tx, ids);
  await tx`
    update public.documents d
       set status = ${status}, error = ${error},
           chunks_count = coalesce((select max(i.chunks_count) from public.document_indexes i where i.document_id = d.id), 0)
     where d.id = any(${ids}::uuid[]) and d.status = 'indexing'`;
}

/** Condition on document d: a worker holds it no longer, and never let it go. */
export function isAbandoned(tx: Transaction): Fragment {
  return tx`(d.status = 'indexing' and d.updated_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}))`;
}

/** What is wrong with document d: its own error, or that of an index once no other is still to be built. */
function errorOf(tx: Transaction): Fragment {
  return tx`coalesce(d.error, (
    select i.error from public.document_indexes i
     where i.document_id = d.id and i.status = 'failed'
       and not exists (select 1 from public.document_indexes o
                        where o.document_id = d.id and o.status in ('queued', 'indexing'))
     limit 1))`;
}
