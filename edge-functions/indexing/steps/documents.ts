// Hands a task its documents one after the other, each to one worker at a time, and writes what became of them.
import type { Transaction } from "../../_shared/db.ts";
import type { StructureSpan } from "../parsers/document.ts";
import { leaseSeconds } from "../queue.ts";
import type { StepContext } from "./context.ts";
import { indexesToBuild, type KnowledgeRow } from "./generation.ts";
import {
  buildsIndexes,
  documentStatus,
  documentsInScope,
  type Fragment,
  knowledgeInScope,
  unread,
} from "./scope.ts";

/** documents.structure: what a parser found besides the text; before that, how often reading it was begun in vain. */
export interface StoredStructure {
  title?: string;
  /** SHA-256 of the text that the spans point into: a text edited since has other places. */
  textHash?: string;
  spans: StructureSpan[];
  warnings: string[];
  reads?: number;
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
  isUnread: boolean;
  /** The knowledges to index it in; none before it is read. */
  builds: KnowledgeRow[];
}

export class DocumentQueue {
  readonly #context: StepContext;
  #after: string | null = null;
  #held: { id: string; isDone: boolean } | undefined;

  constructor(context: StepContext) {
    this.#context = context;
  }

  /**
   * Lets the document in hand go and takes the next one with something to do, which this worker holds while the claim's
   * heartbeat lasts. Undefined when none is left; "busy" when the rest is in other workers' hands.
   */
  async next(): Promise<DocumentRow | "busy" | undefined> {
    const { claim } = this.#context;
    const letGoAndTake = async (tx: Transaction) => {
      await this.letGo(tx);
      return (await this.#take(tx, this.#after)) ?? (this.#after ? await this.#take(tx, null) : undefined);
    };
    // Only a document that is done brings the task forward; taking one does not.
    const row = this.#held?.isDone ? await claim.achieve(letGoAndTake) : await claim.write(letGoAndTake);
    this.#held = row && { id: row.id, isDone: false };
    claim.alsoKeep(row && ((tx) => keepHeld(tx, row.id)));
    if (!row) return (await this.#isAnyLeft()) ? "busy" : undefined;
    this.#after = row.id;
    return row;
  }

  /** The document in hand has all that this task does for it; the next transaction says so. */
  done(): void {
    if (this.#held) this.#held.isDone = true;
  }

  /** Marks the document in hand as failed: it could not be read or indexed. */
  async fail(sentence: string): Promise<void> {
    const { claim } = this.#context;
    const id = this.#held?.id;
    if (!id) return;
    await claim.achieve(async (tx) => {
      await tx`
        with read as (delete from private.document_pieces where document_id = ${id})
        update public.documents set error = ${sentence} where id = ${id}`;
      if (!buildsIndexes(claim.task)) return;
      await tx`update public.document_indexes i set status = 'failed', error = ${sentence}
                where i.document_id = ${id} and i.status in ('queued', 'indexing')
                  and ${knowledgeInScope(tx, claim.task, tx`i.knowledge_id`)}`;
    });
    this.done();
  }

  /**
   * Lets the document in hand go within a transaction: with the status that its text and indexes add up to, or back into
   * the queue where it is not done.
   */
  async letGo(tx: Transaction): Promise<void> {
    if (!this.#held) return;
    const { id, isDone } = this.#held;
    await tx`
      update public.documents d
         set status = ${isDone ? documentStatus(tx) : tx`'queued'`},
             error = ${isDone ? errorOf(tx) : tx`d.error`},
             chunks_count = coalesce((select max(i.chunks_count) from public.document_indexes i where i.document_id = d.id), 0)
       where d.id = ${id} and d.status = 'indexing'`;
  }

  async #take(tx: Transaction, after: string | null): Promise<DocumentRow | undefined> {
    const { task } = this.#context.claim;
    // Materialized: a plan that joins the other way round would run the subquery again for every row, and take as many.
    const [row] = await tx<Omit<DocumentRow, "builds">[]>`
      with picked as materialized (
        select d.id from public.documents d
         where ${documentsInScope(tx, task)} and ${this.#hasWork(tx)}
           and (d.status = 'queued' or ${isAbandoned(tx)})
           and (${after}::uuid is null or d.id > ${after}::uuid)
         order by d.id limit 1 for update skip locked)
      update public.documents d set status = 'indexing'
        from picked
       where d.id = picked.id
      returning d.id, d.team_id, d.source_id, d.external_id, d.type, d.title, d.content, d.structure,
                ${unread(tx)} as is_unread`;
    if (!row) return undefined;
    return { ...row, builds: row.isUnread ? [] : await indexesToBuild(tx, task, row.id) };
  }

  async #isAnyLeft(): Promise<boolean> {
    const { claim } = this.#context;
    const [row] = await claim.read(
      (tx) => tx<{ left: boolean }[]>`
        select exists (select 1 from public.documents d
                        where ${documentsInScope(tx, claim.task)} and d.status in ('queued', 'indexing')
                          and ${this.#hasWork(tx)}) as left`,
    );
    return row?.left ?? false;
  }

  #hasWork(tx: Transaction) {
    const { task } = this.#context.claim;
    if (!buildsIndexes(task)) return unread(tx);
    return tx`(${unread(tx)} or exists (
      select 1 from public.document_indexes i
       where i.document_id = d.id and i.status in ('queued', 'indexing') and ${knowledgeInScope(tx, task, tx`i.knowledge_id`)}))`;
  }
}

async function keepHeld(tx: Transaction, id: string): Promise<void> {
  await tx`update public.documents set status = 'indexing' where id = ${id} and status = 'indexing'`;
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
