// Owns the queue of Slack's events: stored before they are acknowledged, claimed with a lease and a fence, never processed twice at
// once. Runs as the service, since no caller may see them. Does not know what an event means.
import { asService, type Transaction } from "../_shared/database/db.ts";
import { ClaimLost, depthOf, Lease, leaseSeconds } from "../_shared/queues/lease.ts";
import type { RefusalCode } from "../_shared/requests/refusals.ts";
import type { Edit, Work } from "./envelope.ts";
import type { Place } from "./threads.ts";

/** Slack redelivers for hours at most; after that an event's id can be deleted. */
const rememberedDays = 3;
/** Nobody goes on with a conversation after that. */
const formerThreadDays = 90;
/** Slack delivers three times within five minutes what is not acknowledged. */
const lateMinutes = 10;

export type SlackEvent = {
  id: string;
  kind: Work["kind"];
  workspaceId: string;
  payload: Work | null;
  attempts: number;
  fence: number;
  questionId: string | null;
  replyId: string | null;
  posted: string[];
  posting: boolean;
  createdAt: string;
};

/**
 * Stores an event. Idempotent: Slack delivers an event more than once, and a mention arrives as two events.
 * @param status done for what has been processed already
 * @param editedTs when its text was last edited
 * @returns false when it is stored already
 */
export async function storeEvent(
  work: Work,
  status: "queued" | "done" = "queued",
  editedTs: string | null = null,
): Promise<boolean> {
  const place =
    work.kind === "message"
      ? work.message
      : { channel: null, ts: null, threadTs: null, ...("channel" in work ? work : {}) };
  const stored = await asService(
    (tx) => tx`
      insert into private.slack_events (event_id, kind, workspace_id, channel, ts, thread_ts, edited_ts, status, payload)
      values (${work.eventId}, ${work.kind}, ${work.workspaceId}, ${place.channel}, ${place.ts}, ${place.threadTs},
              ${editedTs}, ${status}, ${status === "done" ? null : tx.json(work)})
      on conflict do nothing`,
  );
  return stored.count > 0;
}

type Deletion = Extract<Work, { kind: "stop" }> & { ts: string };

/**
 * Takes a message that its author deleted out of the queue. One that has not arrived yet is stored as done: Slack may deliver it later.
 * @returns the id of its reply, if that is being written
 */
export async function withdrawMessage(task: Deletion): Promise<string | undefined> {
  const { eventId, workspaceId, channel, ts, threadTs } = task;
  const [row] = await asService(
    (tx) => tx<{ replyId: string | null }[]>`
      with unseen as (
        insert into private.slack_events (event_id, kind, workspace_id, channel, ts, thread_ts, status)
        values (${eventId}, 'message', ${workspaceId}, ${channel}, ${ts}, ${threadTs}, 'done')
        on conflict do nothing)
      update private.slack_events
         set status = case when attempts = 0 then 'done' else status end,
             payload = case when attempts = 0 or status = 'done' then null else payload end
       where kind = 'message' and workspace_id = ${workspaceId} and channel = ${channel} and ts = ${ts}
         and (status in ('queued', 'running') or payload is not null) returning reply_id`,
  );
  return row?.replyId ?? undefined;
}

/**
 * Replaces the text of a message that still waits. One that has not arrived yet is stored as edited: Slack may deliver it later. Of edits
 * that arrive in another order than they were made, the last by Slack's time stays.
 * @returns true when it is or was asked, with its earlier text
 */
export async function editMessage(edit: Edit): Promise<boolean> {
  const { eventId, workspaceId, channel, ts, text, editedTs, question: message } = edit;
  // An older one that is not stored was none for an agent.
  if (message && Math.abs(Date.now() / 1000 - Number(ts)) < lateMinutes * 60) {
    const work: Work = { eventId, workspaceId, kind: "message", message };
    if (await storeEvent(work, "queued", editedTs)) return false;
  }
  const [row] = await asService(
    (tx) => tx<{ isAsked: boolean }[]>`
      update private.slack_events
         set edited_ts = ${editedTs},
             payload = case when status <> 'running' and question_id is null
                            then jsonb_set(payload, '{message,text}', to_jsonb(${text}::text)) else payload end
       where kind = 'message' and workspace_id = ${workspaceId} and channel = ${channel} and ts = ${ts}
         and (edited_ts is null or edited_ts <= ${editedTs})
      returning event_id <> ${eventId} and (question_id is not null or status = 'running') as is_asked`,
  );
  return row?.isAsked ?? false;
}

export async function isStored({ eventId }: Work): Promise<boolean> {
  const rows = await asService((tx) => tx`select 1 from private.slack_events where event_id = ${eventId}`);
  return rows.length > 0;
}

/** Claims the next event. Returns undefined when none is due. */
export async function claimEvent(): Promise<Claim | undefined> {
  const [event] = await asService(
    (tx) => tx<SlackEvent[]>`
      select id, kind, workspace_id, payload, attempts, fence, question_id, reply_id, posted, posting, created_at
        from private.claim_slack_event(${leaseSeconds})`,
  );
  return event && new Claim(event);
}

export const dueEvents = () =>
  depthOf((tx) => tx`private.slack_events where status in ('queued', 'running')`);

/** Deletes events that Slack no longer redelivers, and the texts of messages whose thread no late mention will begin. */
export async function sweepEvents(): Promise<void> {
  await asService(async (tx) => {
    await tx`delete from private.slack_events where created_at < now() - make_interval(days => ${rememberedDays})`;
    await tx`delete from private.former_slack_threads
              where created_at < now() - make_interval(days => ${formerThreadDays})`;
    await tx`update private.slack_events set payload = null
              where status = 'done' and payload is not null
                and updated_at < now() - make_interval(mins => ${lateMinutes})`;
  });
}

/**
 * Queues the follow-ups of a thread that arrived before its first mention. attempts = 0 tells a worker that is about to leave one.
 * @param ts the mention's: what people wrote to each other before is not for us
 */
export async function queueFollowUps(tx: Transaction, place: Place, ts: string): Promise<void> {
  await tx`
    update private.slack_events
       set status = case when status = 'done' then 'queued' else status end, attempts = 0, run_after = clock_timestamp()
     where kind = 'message' and workspace_id = ${place.workspaceId} and channel = ${place.channel}
       and thread_ts = ${place.threadTs} and ts > ${ts} and status in ('done', 'running') and payload is not null`;
}

/** The ts of all our recorded replies in a thread. */
export async function listPosted(
  workspaceId: string,
  channel: string,
  threadTs: string,
): Promise<Set<string>> {
  const rows = await asService(
    (tx) => tx<{ ts: string }[]>`
      select unnest(posted) as ts from private.slack_events
       where kind = 'message' and workspace_id = ${workspaceId} and channel = ${channel} and thread_ts = ${threadTs}`,
  );
  return new Set(rows.map(({ ts }) => ts));
}

type Kept = { questionId?: string; replyId?: string | null; posted?: string[]; posting?: boolean };

/** An event claimed by this worker. A takeover finds what it has stored. */
export class Claim extends Lease {
  constructor(readonly event: SlackEvent) {
    super();
  }

  /** The team whose deleted app had the thread of the message, if any. */
  async readAskedTeam(): Promise<string | undefined> {
    const [row] = await asService(
      (tx) => tx<{ askedTeam: string | null }[]>`
        select asked_team from private.slack_events where id = ${this.event.id}`,
    );
    return row?.askedTeam ?? undefined;
  }

  /** Stores the progress. @throws ClaimLost */
  async keep(changes: Kept): Promise<void> {
    this.remember(changes);
    await asService((tx) => this.keepWithin(tx, {}));
  }

  /** Like keep(), within a transaction of the service. Call remember() after the commit. @throws ClaimLost */
  async keepWithin(tx: Transaction, changes: Kept): Promise<void> {
    const { questionId, replyId, posted, posting } = { ...this.event, ...changes };
    await this.#write(
      tx,
      tx`question_id = ${questionId}, reply_id = ${replyId}, posted = ${posted}::text[], posting = ${posting},
         lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})`,
    );
  }

  remember(changes: Kept): void {
    Object.assign(this.event, changes);
  }

  /** @param undelivered why Slack did not take the reply; null for a reply that it has taken, undefined for another message */
  async end(status: "done" | "failed", undelivered?: RefusalCode | null): Promise<void> {
    this.release();
    await asService((tx) =>
      this.#write(tx, tx`status = ${status}, payload = null, lease_until = null`, undelivered),
    );
  }

  /** Ends a message that is not for us as far as is known. Keeps it for some minutes: its thread's first mention may be late. */
  async leave(): Promise<void> {
    this.release();
    await asService((tx) =>
      this.#write(tx, tx`status = case when attempts = 0 then 'queued' else 'done' end, lease_until = null`),
    );
  }

  /**
   * Returns the event to the queue. It does not wait when it was woken since its claim, as by the workspace's next install.
   * @param attempts so far; without this one, if it was not the event's fault
   * @param undelivered as for end()
   */
  async again(
    delaySeconds: number,
    attempts = this.event.attempts,
    undelivered?: RefusalCode,
  ): Promise<void> {
    this.release();
    await asService((tx) =>
      this.#write(
        tx,
        tx`status = 'queued', lease_until = null, attempts = ${attempts},
           run_after = clock_timestamp()
             + case when run_after > claimed_at then interval '0' else make_interval(secs => ${delaySeconds}) end`,
        undelivered,
      ),
    );
  }

  protected renew(): Promise<void> {
    return this.keep({});
  }

  async #write(
    tx: Transaction,
    changes: ReturnType<Transaction>,
    undelivered?: RefusalCode | null,
  ): Promise<void> {
    const { id, fence } = this.event;
    const mark = tx`
      , marked as (
        update public.messages m set undelivered = ${undelivered ?? null} from written w
         where m.id = w.reply_id and m.undelivered is distinct from ${undelivered ?? null})`;
    const rows = await tx`
      with written as (
        update private.slack_events set ${changes}
         where id = ${id} and fence = ${fence} and status = 'running' returning reply_id)
      ${undelivered === undefined ? tx`` : mark}
      select 1 from written`;
    if (rows.length === 0) throw new ClaimLost("another worker has the event");
  }
}
