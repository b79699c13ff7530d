// Owns what model calls may cost and did cost: reserved in Postgres before the call for a team with a cap, counted after it. Runs as the
// service, because no client may write spending. Must not call a model.
import type { LanguageCode } from "../../../locales/registry.ts";
import { asService } from "../database/db.ts";
import { budgetMail } from "../mail/budget-mail.ts";
import { sendMail } from "../mail/mail.ts";
import { log } from "../operation/log.ts";
import { ApiError } from "../requests/errors.ts";
import type { Prices } from "./model-connections.ts";

/** Who a model is called for: the team that pays, and the agent and channel it is counted under. */
export type Spender = { teamId: string; agentId: string | null; channel: string };

export type Tokens = { prompt: number; completion: number };

export type Spent = Tokens & {
  kind: "chat" | "embedding";
  model: string;
  prices: Prices;
  /** False for a team's own connection. */
  isInstallations: boolean;
  /** True when the provider reported no tokens and they were computed from the text. */
  isEstimated: boolean;
};

/** Longer than any call, so that a live process never loses a reservation before it settles it. */
const reservedSeconds = 15 * 60;
const million = 1_000_000;

/** US dollars; 0 without a price. */
export const costOf = ({ prompt, completion }: Tokens, prices: Prices): number =>
  (prompt * (prices.prompt ?? 0) + completion * (prices.completion ?? 0)) / million;

/**
 * Reserves the maximum cost of a call.
 * @param isInstallations whether the installation pays
 * @returns the reservation; null when no cap applies
 * @throws ApiError BUDGET_REACHED if the call could exceed the cap
 */
export async function reserveCost(
  teamId: string,
  most: number,
  isInstallations: boolean,
): Promise<string | null> {
  const [row] = await asService(
    (tx) => tx<{ reservation: string | null; isRefused: boolean }[]>`
      select reservation, is_refused
        from private.reserve_model_cost(${teamId}, ${most}, ${reservedSeconds}, ${isInstallations})`,
  );
  if (row?.isRefused) throw new ApiError("BUDGET_REACHED");
  return row?.reservation ?? null;
}

/** Releases the reservation of a call that cost nothing. */
export async function releaseCost(teamId: string, reservation: string | null): Promise<void> {
  if (reservation === null) return;
  await logFailure(() =>
    asService(
      (tx) => tx`delete from private.model_reservations where team_id = ${teamId} and id = ${reservation}`,
    ),
  );
}

/** A call's cost and its reservation. */
export type Taken = { reservation: string | null; spent: Spent };

/** Counts what calls cost, and warns the team's owners when a warning is due. Never fails: the answers are already delivered. */
export async function settleCosts({ teamId, agentId, channel }: Spender, taken: Taken[]): Promise<void> {
  if (taken.length === 0) return;
  const lines = taken.map(({ reservation, spent }) => lineOf(reservation, spent));
  await logFailure(async () => {
    const [row] = await asService(
      (tx) => tx<{ warn: boolean }[]>`
        select bool_or(private.settle_model_cost(
                 l.reservation, ${teamId}, ${agentId}, ${channel}, l.kind, l.model, l.prompt, l.completion, l.estimated, l.unpriced,
                 l.cost, l.is_installations)) as warn
          from jsonb_to_recordset(${tx.json(lines)}) as l (
                 reservation uuid, kind text, model text, prompt bigint, completion bigint, estimated bigint, unpriced bigint,
                 cost numeric, is_installations boolean)`,
    );
    // The mail is not awaited.
    if (row?.warn) void logFailure(() => warnOwners(teamId));
  });
}

function lineOf(reservation: string | null, spent: Spent) {
  const { kind, model, prices, isEstimated, isInstallations, prompt, completion } = spent;
  const tokens = prompt + completion;
  const isPriced = prices.prompt !== null || prices.completion !== null;
  return {
    reservation,
    kind,
    model: model.slice(0, 200),
    prompt,
    completion,
    estimated: isEstimated ? tokens : 0,
    unpriced: isPriced ? 0 : tokens,
    cost: costOf({ prompt, completion }, prices),
    is_installations: isInstallations,
  };
}

/** Maximum rows of each kind that one sweep deletes. */
const perSweep = 5_000;

/** Deletes expired rows (private.sweep_models), once in ten minutes across all processes. */
export async function sweepModels(): Promise<void> {
  const [turn] = await asService(
    (tx) => tx<{ wait: number }[]>`select private.take_hit('sweep:models', 1, 600) as wait`,
  );
  if (turn?.wait === 0) await asService((tx) => tx`select private.sweep_models(${perSweep})`);
}

async function logFailure(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", "the accounting of a model call failed", { error: String(error) });
  }
}

type Owner = {
  email: string;
  locale: LanguageCode;
  teamName: string;
  codename: string;
  spent: number;
  cap: number;
};

/** Warns the owners. Where none could be written to, the next call warns again, ten minutes later at the earliest. */
async function warnOwners(teamId: string): Promise<void> {
  const [turn] = await asService(
    (tx) => tx<{ wait: number }[]>`select private.take_hit(${`budgetMail:${teamId}`}, 1, 600) as wait`,
  );
  if (turn?.wait === 0 && (await mailOwners(teamId))) return;
  await asService((tx) => tx`update private.model_budgets set warned_month = null where team_id = ${teamId}`);
}

/** @returns false when the mail server took none of the mails, and may take them later */
async function mailOwners(teamId: string): Promise<boolean> {
  const owners = await asService(
    (tx) => tx<Owner[]>`
      select u.email, u.locale, t.name as team_name, t.codename, nearest.spent::float8 as spent, nearest.cap::float8 as cap
        from public.teams t
        join private.model_budgets b on b.team_id = t.id
       cross join lateral (
         select c.spent, c.cap from (values (b.spent, b.team_cap), (b.installation_spent, b.installation_cap)) as c (spent, cap)
          where c.spent > 0 and c.cap is not null order by c.spent * 100 / greatest(c.cap, 0.000001) desc limit 1) nearest
        join public.team_users tu on tu.team_id = t.id and tu.status = 'accepted'
        join public.roles r on r.id = tu.role_id and 'models.write' = any (r.permissions)
        join public.users u on u.id = tu.user_id and u.banned_at is null
       where t.id = ${teamId}`,
  );
  let waiting = 0;
  for (const { email, locale, ...budget } of owners) {
    // One refused address must not keep the others from being warned.
    await logFailure(async () => {
      try {
        await sendMail(budgetMail({ to: email, language: locale, ...budget }));
      } catch (error) {
        if (!isFinal(error)) waiting += 1;
        throw error;
      }
    });
  }
  return waiting === 0 || waiting < owners.length;
}

/** True when the mail server will not take the mail later either (RFC 5321, 4.2.1). */
const isFinal = (error: unknown): boolean =>
  error instanceof Error && "responseCode" in error && Number(error.responseCode) >= 500;
