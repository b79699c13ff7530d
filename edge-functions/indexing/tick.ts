// Owns one tick: claims tasks and runs them until the queue is empty or the budget is spent, and limits how many run in
// parallel. Chores run beside the tasks and neither delay nor end the tick.
import { randomUUID } from "node:crypto";
import { sweepModels } from "../_shared/models/model-costs.ts";
import { atMostEvery } from "../_shared/queues/at-most-every.ts";
import { HeldLeases } from "../_shared/queues/lease.ts";
import { sweepCounts } from "../_shared/requests/limits.ts";
import { disownUnregisteredObjects, removeUnwantedObjects } from "../_shared/storage/unwanted-objects.ts";
import { deliverHandovers } from "../handovers/deliveries.ts";
import { Budget, type BudgetLimits } from "./budget.ts";
import { Chores } from "./chores.ts";
import { followClock } from "./clock.ts";
import { endDeadReplies } from "./dead-replies.ts";
import { removeDetachedRows } from "./detached-rows.ts";
import type { Embedder } from "./embedding.ts";
import { endExpiredEntries } from "./expired-entries.ts";
import { groupWaitingQuestions } from "./gaps/group-waiting.ts";
import { keepOperatorLimits, sumStorage } from "./operator-limits.ts";
import { type Claim, claimTask, hasDueTasks, queueDueSyncs } from "./queue.ts";
import { removeOutgrown } from "./retention.ts";
import { stepContext } from "./steps/context.ts";
import { settleLeftovers } from "./steps/leftovers.ts";
import { runTask } from "./worker.ts";

export interface TickResult {
  claimed: number;
  slices: number;
  /** True when a task could be claimed right away. */
  more: boolean;
}

/** The longest that a tick's response waits for chores. Chores that are still running then continue. */
const choresMs = 3_000;
const minuteMs = 60_000;

export class Ticker {
  readonly #chores = new Chores({
    followClock: atMostEvery(10_000, followClock),
    keepOperatorLimits: atMostEvery(minuteMs, keepOperatorLimits),
    settleLeftovers,
    deliverHandovers,
    groupWaitingQuestions: atMostEvery(1_000, groupWaitingQuestions),
    endDeadReplies: atMostEvery(15_000, endDeadReplies),
    endExpiredEntries: atMostEvery(5_000, endExpiredEntries),
    disownUnregisteredObjects: atMostEvery(minuteMs, disownUnregisteredObjects),
    sumStorage: atMostEvery(minuteMs, sumStorage),
    sweepCounts: atMostEvery(minuteMs, sweepCounts),
    sweepModels: atMostEvery(minuteMs, sweepModels),
    removeOutgrown: atMostEvery(minuteMs, removeOutgrown),
    removeDetachedRows: atMostEvery(1_000, removeDetachedRows),
    removeUnwantedObjects: async () => void (await removeUnwantedObjects()),
    queueDueSyncs: async () => {
      this.#syncsQueued += await queueDueSyncs();
    },
  });
  #syncsQueued = 0;
  readonly #embedderFor: (teamId: string) => Promise<Embedder>;
  readonly #limits: BudgetLimits;
  readonly #most: number;
  readonly #claims = new HeldLeases<Claim>();
  #running = 0;
  #isStopping = false;

  /**
   * @param embedderFor called once per turn of a task, since a team may connect another model at any time
   * @param most tasks that this process runs in parallel
   */
  constructor(embedderFor: (teamId: string) => Promise<Embedder>, limits: BudgetLimits, most: number) {
    this.#embedderFor = embedderFor;
    this.#limits = limits;
    this.#most = most;
  }

  async tick(): Promise<TickResult> {
    if (this.#running >= this.#most || this.#isStopping) return { claimed: 0, slices: 0, more: true };
    const chores = this.#chores.start();
    const budget = new Budget(this.#limits);
    let claimed = await this.#loop(budget);
    await this.#chores.waitFor(chores, choresMs);
    // The first loop may have ended before the syncs were queued.
    if (this.#syncsQueued > 0 && !budget.isSpent) claimed += await this.#loop(budget);
    this.#syncsQueued = 0;
    const more = !this.#isStopping && (await hasDueTasks());
    return { claimed, slices: budget.slices, more };
  }

  /** Shuts down: releases every claimed task and resolves when all are released. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#claims.putDown(Number.POSITIVE_INFINITY);
  }

  async #loop(budget: Budget): Promise<number> {
    if (this.#running >= this.#most) return 0;
    this.#running++;
    let claimed = 0;
    let beside: Promise<number> | undefined;
    try {
      // Claims at least one task, however small the budget: a slice always makes progress.
      do {
        const claim = await claimTask(randomUUID());
        if (!claim) break;
        claimed++;
        // One task suggests more: starts another loop, which ends at once if the queue is empty.
        beside ??= this.#loop(budget);
        // The rejection surfaces at the await below. Unhandled until then, it would end the process.
        beside.catch(() => {});
        await this.#work(claim, budget);
      } while (!budget.isSpent && !this.#isStopping);
    } finally {
      this.#running--;
    }
    return claimed + ((await beside) ?? 0);
  }

  async #work(claim: Claim, budget: Budget): Promise<void> {
    this.#claims.add(claim);
    try {
      const embedder = await this.#embedderFor(claim.task.teamId).catch((error: unknown) => {
        claim.release();
        throw error;
      });
      await runTask(stepContext(claim, budget.turn(), embedder));
    } finally {
      this.#claims.delete(claim);
    }
  }
}
