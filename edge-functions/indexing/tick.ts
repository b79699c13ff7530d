// One tick: claims tasks and works on them until nothing waits or the budget ends. Holds how many run side by side. The chores
// beside them neither delay nor end it.
import { randomUUID } from "node:crypto";
import { sweepModels } from "../_shared/models/model-costs.ts";
import { HeldLeases } from "../_shared/queues/lease.ts";
import { sweepCounts } from "../_shared/requests/limits.ts";
import { disownUnregisteredObjects, removeUnwantedObjects } from "../_shared/storage/unwanted-objects.ts";
import { deliverHandovers } from "../handovers/deliveries.ts";
import { Budget, type BudgetLimits } from "./budget.ts";
import { Chores } from "./chores.ts";
import type { Embedder } from "./embedding.ts";
import { endExpiredEntries } from "./expired-entries.ts";
import { groupWaitingQuestions } from "./gaps/group-waiting.ts";
import { type Claim, claimTask, queueDueSyncs, tasksWait } from "./queue.ts";
import { removeOutgrown } from "./retention.ts";
import { stepContext } from "./steps/context.ts";
import { settleLeftovers } from "./steps/leftovers.ts";
import { runTask } from "./worker.ts";

export interface TickResult {
  claimed: number;
  slices: number;
  /** Whether something waits that could be worked on right away. */
  more: boolean;
}

/** How long the answer to a tick waits for chores, which go on after it. */
const choresMs = 3_000;

export class Ticker {
  readonly #chores = new Chores({
    settleLeftovers,
    deliverHandovers,
    disownUnregisteredObjects,
    sweepCounts,
    sweepModels,
    endExpiredEntries: () => endExpiredEntries(),
    groupWaitingQuestions: () => groupWaitingQuestions(),
    removeOutgrown: () => removeOutgrown(),
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
   * @param embedderFor asked once per turn of a task: a team may connect another model at any time
   * @param most tasks worked on at once in this process
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
    await this.#chores.settled(chores, choresMs);
    // What was claimed above may have been over before the syncs were queued.
    if (this.#syncsQueued > 0 && !budget.isSpent) claimed += await this.#loop(budget);
    this.#syncsQueued = 0;
    const more = !this.#isStopping && (await tasksWait());
    return { claimed, slices: budget.slices, more };
  }

  /** Puts down everything in hand, for a process that ends. Resolves when it is done. */
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
      // At least one claim, however small the budget: a slice always brings its task forward.
      do {
        const claim = await claimTask(randomUUID());
        if (!claim) break;
        claimed++;
        // There is work, so perhaps there is more: another loop looks, and ends at once if not.
        beside ??= this.#loop(budget);
        // Its failure is thrown at the end; until then nobody waits for it, which would end the process.
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
