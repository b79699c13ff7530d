// Owns the task queue: claims with a lease and a fence, heartbeats, endings. Runs as the service role, since indexing writes
// what no caller may. Does not know what a task does.
import { asService, type Transaction } from "../_shared/database/db.ts";
import { countTask } from "../_shared/operation/metrics.ts";
import type { BackOff } from "../_shared/outbound/retry.ts";
import { ClaimLost, depthOf, Interrupted, Lease, leaseSeconds } from "../_shared/queues/lease.ts";

/** The wait after a temporary failure. */
export const taskBackOff: BackOff = { firstMs: 5_000, factor: 4, longestMs: 600_000 };

/** The subject of a task: one document, one source, one knowledge base or, for an import, its team. */
export interface TaskScope {
  id: string;
  teamId: string;
  type: "loadDocuments" | "index" | "sync" | "import" | "agentTests" | "gaps" | "questions";
  sourceId: string | null;
  knowledgeId: string | null;
  documentId: string | null;
}

export interface Task extends TaskScope {
  status: "running" | "stopping";
  done: number;
  total: number;
  messageCode: string;
  messageParams: Record<string, string | number>;
  /** Consecutive attempts without progress, including the current one. */
  attemptsWithoutProgress: number;
  maxAttempts: number;
  fence: number;
}

export interface Progress {
  done?: number;
  total?: number;
  code?: string;
  params?: Record<string, string | number>;
}

/** Claims the next task, fairest team first. Returns undefined when no task is due. */
export async function claimTask(worker: string): Promise<Claim | undefined> {
  // Looking whether a task is due takes a fifth of the time of claiming none.
  const [task] = await asService(
    (tx) => tx<Task[]>`
      select t.* from (select where ${hasDue(tx)}) due
       cross join lateral private.claim_task(${worker}, ${leaseSeconds}) t`,
  );
  return task ? new Claim(task) : undefined;
}

/** True when a task can be claimed now. */
export async function hasDueTasks(): Promise<boolean> {
  const [row] = await asService((tx) => tx<{ more: boolean }[]>`select ${hasDue(tx)} as more`);
  return row?.more ?? false;
}

const hasDue = (tx: Transaction) => tx`
  exists (
    select 1 from public.tasks
     where status in ('queued', 'waiting', 'running', 'stopping') and run_after <= clock_timestamp()
       and (lease_until is null or lease_until < clock_timestamp()))`;

export const dueTasks = () =>
  depthOf((tx) => tx`public.tasks where status in ('queued', 'waiting', 'running', 'stopping')`);

/** Queues the syncs of sources that are due. @returns how many */
export async function queueDueSyncs(): Promise<number> {
  const [row] = await asService((tx) => tx<{ queued: number }[]>`select private.queue_due_syncs() as queued`);
  return row?.queued ?? 0;
}

/** A task claimed by this worker. Writes go through write(), which verifies that the claim still holds. */
export class Claim extends Lease {
  #progress: Progress = {};
  #alive: ((tx: Transaction) => Promise<void>) | undefined;
  #progressed = false;
  #said: { code: string; params: Record<string, string | number> };

  constructor(readonly task: Task) {
    super();
    this.#said = { code: task.messageCode, params: task.messageParams };
    if (task.status === "stopping") this.interrupt(new Interrupted("stop"));
  }

  /** True once this claim has made progress: its failures then no longer add to earlier ones. */
  get hasProgressed(): boolean {
    return this.#progressed;
  }

  /** Sets extra work for each heartbeat, such as renewing the lease on a document. */
  alsoKeep(work: ((tx: Transaction) => Promise<void>) | undefined): void {
    this.#alive = work;
  }

  /** Progress to store with the next write or heartbeat. */
  report(progress: Progress): void {
    this.#progress = { ...this.#progress, ...progress };
    if (progress.code) this.#said = { code: progress.code, params: progress.params ?? {} };
  }

  /** Releases the task between slices. This or another worker continues it, and its status message stays. */
  async putDown(delaySeconds: number, work?: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.end("running", { ...this.#said, delaySeconds }, work);
  }

  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return asService(work);
  }

  /**
   * Runs a transaction that commits only while this claim holds: it locks the task's row and checks the fence.
   * @throws ClaimLost
   */
  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const sent = this.#progress;
    const result = await asService(async (tx) => {
      await this.#hold(tx, sent);
      return await work(tx);
    });
    if (this.#progress === sent) this.#progress = {};
    return result;
  }

  /** As write(), for durable progress that a crash does not undo. Resets the count of attempts without progress. */
  async achieve<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await this.write(async (tx) => {
      if (!this.#progressed)
        await tx`
          update public.tasks set attempts_without_progress = 1
           where id = ${this.task.id} and attempts_without_progress > 1`;
      return await work(tx);
    });
    this.#progressed = true;
    return result;
  }

  /** Ends the claim and runs `work` in the same transaction. */
  async end(
    status: "succeeded" | "failed" | "stopped" | "waiting" | "running",
    ending: {
      code: string;
      params?: Record<string, string | number>;
      error?: string;
      delaySeconds?: number;
    },
    work: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<void> {
    try {
      await asService(async (tx) => {
        await this.#hold(tx, this.#progress);
        await work(tx);
        await tx`select private.end_claim(${this.task.id}, ${this.task.fence}, ${status}, ${ending.code},
          ${tx.json(ending.params ?? {})}, ${ending.error ?? null}, ${ending.delaySeconds ?? 0})`;
      });
      if (status !== "waiting" && status !== "running") countTask(status);
    } finally {
      this.release();
    }
  }

  protected async renew(): Promise<void> {
    await this.write(async (tx) => this.#alive?.(tx));
  }

  async #hold(tx: Transaction, { done, total, code, params }: Progress): Promise<void> {
    const [kept] = await tx<{ status: Task["status"] | null }[]>`
      select private.keep_task(${this.task.id}, ${this.task.fence}, ${leaseSeconds}, ${done ?? null}, ${total ?? null},
        ${code ?? null}, ${params ? tx.json(params) : null}) as status`;
    if (!kept?.status) throw new ClaimLost("another worker holds the task");
    if (kept.status === "stopping") this.interrupt(new Interrupted("stop"));
  }
}
