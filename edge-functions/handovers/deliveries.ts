// Owns the delivery queue of handovers: mails, webhook calls, Slack replies. Each is delivered at least once; failures are retried with
// increasing back-off, and the outcome is stored. Runs as the service.
import type { LanguageCode } from "../../locales/registry.ts";
import { asService, type Transaction } from "../_shared/database/db.ts";
import { sendMail } from "../_shared/mail/mail.ts";
import { isSuppressed } from "../_shared/mail/suppressions.ts";
import { log } from "../_shared/operation/log.ts";
import { type BackOff, waitMs } from "../_shared/outbound/retry.ts";
import { depthOf } from "../_shared/queues/lease.ts";
import { handoverSecrets } from "../_shared/secrets/sealed-columns.ts";
import { unseal } from "../_shared/secrets/secrets.ts";
import { answerMail, requestMail } from "./mails.ts";
import { type HandoverNotice, readNotice } from "./notice.ts";
import { postInThread } from "./slack-answer.ts";
import { callWebhook, eventOf, type Outcome } from "./webhook.ts";

/** Longer than any mail or webhook call takes. */
const leaseSeconds = 120;
const sideBySide = 4;
/** Further deliveries wait for the next turn. */
const perTurn = 100;
/** With these waits the last attempt is 10 to 20 hours after the first. */
const mostAttempts = 10;
const backOff: BackOff = { firstMs: 5_000, factor: 4, longestMs: 6 * 3_600_000 };

type Delivery = {
  id: string;
  teamId: string;
  handoverId: string;
  kind: "teamMail" | "webhook" | "answerMail" | "slack";
  email: string | null;
  messageId: string | null;
  attempts: number;
  createdAt: string;
};

const failureOf = (error: string, isFinal: boolean): Outcome => ({
  status: "failed",
  error,
  httpStatus: null,
  isFinal,
});

export const dueDeliveries = () => depthOf((tx) => tx`private.handover_deliveries where status = 'queued'`);

/** Sends the deliveries that are due. Runs several in parallel, so that a slow receiver delays others as little as possible. */
export async function deliverHandovers(): Promise<void> {
  let left = perTurn;
  let beside: Promise<unknown> | undefined;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const [delivery] = await asService(
        (tx) => tx<Delivery[]>`
          select id, team_id, handover_id, kind, email, message_id, attempts, created_at
            from private.claim_handover_delivery(${leaseSeconds})`,
      );
      if (!delivery) return;
      // Starts the parallel workers only when there is work.
      beside ??= Promise.all(Array.from({ length: sideBySide - 1 }, work));
      // The rejection surfaces at the await below.
      beside.catch(() => {});
      await storeOutcome(delivery, await outcomeOf(delivery));
    }
  };
  await work();
  await beside;
}

async function outcomeOf(delivery: Delivery): Promise<Outcome> {
  // No outcome of the last attempt was stored: its worker died, as another one would.
  if (delivery.attempts > mostAttempts) return failureOf("workerDied", true);
  try {
    return await deliver(delivery);
  } catch (error) {
    log("warn", "a handover was not delivered", { kind: delivery.kind, error: String(error).slice(0, 300) });
    return failureOf(delivery.kind === "slack" ? "slack" : "mailServer", false);
  }
}

async function deliver(delivery: Delivery): Promise<Outcome> {
  const { teamId, handoverId, kind, messageId } = delivery;
  const read = await asService(async (tx) => {
    const notice = await readNotice(tx, teamId, handoverId);
    return notice && { notice, answer: messageId ? await readAnswer(tx, messageId) : undefined };
  });
  // Of a deleted agent. Undoing that brings it back; otherwise this delivery is deleted with its chat.
  if (!read) return failureOf("gone", false);
  const { notice, answer } = read;
  if (kind === "webhook") return await deliverEvent(delivery, notice);
  if (kind === "teamMail") {
    if (delivery.email === null || !(await mayNotify(teamId, delivery.email))) return failureOf("gone", true);
    const language = await languageAt(delivery.email, notice);
    return await mail({ ...requestMail(delivery.email, language, notice), id: delivery.id });
  }
  if ((messageId && !answer) || !notice.mayBeAnswered) return failureOf("gone", true);
  if (kind === "slack") return await postInThread(notice.chat.id, notice.handover.language, answer, delivery);
  const to = notice.handover.email ?? notice.account?.email;
  const language = notice.handover.email ? notice.handover.language : notice.account?.locale;
  return to && language
    ? await mail({ ...answerMail(to, language, notice, answer), id: delivery.id })
    : failureOf("gone", true);
}

async function mail(one: Parameters<typeof sendMail>[0]): Promise<Outcome> {
  if (await isSuppressed(one.to)) return failureOf("suppressed", true);
  return (await sendMail(one)) ? { status: "delivered", httpStatus: null } : failureOf("noMailServer", true);
}

async function deliverEvent({ id, teamId }: Delivery, notice: HandoverNotice): Promise<Outcome> {
  const [settings] = await asService(
    (tx) => tx<{ webhookUrl: string | null; secret: Uint8Array | null }[]>`
      select webhook_url, secret from private.handover_settings where team_id = ${teamId}`,
  );
  // The webhook was deleted meanwhile.
  if (!settings?.webhookUrl || !settings.secret) return failureOf("gone", true);
  const secret = unseal(settings.secret, handoverSecrets.contextOf(teamId));
  return await callWebhook(settings.webhookUrl, secret, id, eventOf(id, notice));
}

/**
 * Checks an address again, hours after the request if the mail server was down: false for a member who left the team or may no longer read
 * its chats, an address that was removed from its settings, and a banned account.
 */
async function mayNotify(teamId: string, email: string): Promise<boolean> {
  const rows = await asService(
    (tx) => tx`
      select 1 from (select lower(${email}) as email) to_whom
       where (exists (select from private.handover_settings s where s.team_id = ${teamId} and to_whom.email = any (s.emails))
           or exists (select from public.team_users m join public.roles r on r.id = m.role_id
                       where m.team_id = ${teamId} and m.email = to_whom.email and m.status = 'accepted'
                         and 'chats.read' = any (r.permissions)))
         and not exists (select from public.users u where lower(u.email) = to_whom.email and u.banned_at is not null)`,
  );
  return rows.length > 0;
}

/** The language of the member's account; without an account, the language of the person who asked. */
async function languageAt(email: string, notice: HandoverNotice): Promise<LanguageCode> {
  const [user] = await asService(
    (tx) => tx<{ locale: LanguageCode }[]>`
      select u.locale from public.users u
        join public.team_users m on m.user_id = u.id and m.team_id = ${notice.team.id} and m.status = 'accepted'
       where lower(u.email) = ${email.toLowerCase()}`,
  );
  return user?.locale ?? notice.handover.language;
}

async function readAnswer(tx: Transaction, id: string) {
  const [row] = await tx<{ content: string; author: string }[]>`
    select content, author_name as author from public.messages where id = ${id} and author_name is not null`;
  return row;
}

/** Stores the outcome, unless another worker has claimed the delivery meanwhile. */
async function storeOutcome({ id, attempts }: Delivery, outcome: Outcome): Promise<void> {
  if (outcome.status === "delivered") {
    await asService(
      (tx) => tx`
        update private.handover_deliveries
           set status = 'delivered', delivered_at = clock_timestamp(), lease_until = null, error = null,
               last_status = ${outcome.httpStatus}
         where id = ${id} and attempts = ${attempts} and status = 'queued'`,
    );
    return;
  }
  const isOver = outcome.isFinal || attempts >= mostAttempts;
  await asService(
    (tx) => tx`
      update private.handover_deliveries
         set status = ${isOver ? "failed" : "queued"}, lease_until = null, error = ${outcome.error},
             last_status = ${outcome.httpStatus},
             run_after = clock_timestamp() + make_interval(secs => ${waitMs(backOff, attempts) / 1000})
       where id = ${id} and attempts = ${attempts} and status = 'queued'`,
  );
}
