// Owns what calls to models may cost and did cost: reserved in Postgres before a call where a team has a cap, counted after it.
// Runs as the service, since no client may write what was spent. Must not call a model.
import type { LanguageCode } from "../../../locales/registry.ts";
import { asService } from "../database/db.ts";
import { budgetMail } from "../mail/budget-mail.ts";
import { sendMail } from "../mail/mail.ts";
import { log } from "../operation/log.ts";
import { ApiError } from "../requests/errors.ts";
import type { Prices } from "./model-connections.ts";

/** For whom a model is called: whose budget it is, and under what it is counted. */
export type Spender = { teamId: string; agentId: string | null; channel: string };

export type Tokens = { prompt: number; completion: number };

export type Spent = Tokens & {
  kind: "chat" | "embedding";
  model: string;
  prices: Prices;
  /** The provider did not say; these are worked out from the text. */
  isEstimated: boolean;
};

/** Longer than any call may take: what is reserved by a process that lives is never let go of. */
const reservedSeconds = 15 * 60;
const million = 1_000_000;

/** In US dollars; 0 where there is no price. */
export const costOf = ({ prompt, completion }: Tokens, prices: Prices): number =>
  (prompt * (prices.prompt ?? 0) + completion * (prices.completion ?? 0)) / million;

/**
 * Reserves what a call may cost at most.
 * @returns the reservation; null for a team without a cap
 * @throws ApiError BUDGET_REACHED where the cap could be exceeded
 */
export async function reserveCost(teamId: string, most: number): Promise<string | null> {
  const [row] = await asService(
    (tx) => tx<{ reservation: string | null; isRefused: boolean }[]>`
      select reservation, is_refused from private.reserve_model_cost(${teamId}, ${most}, ${reservedSeconds})`,
  );
  if (row?.isRefused) throw new ApiError("BUDGET_REACHED");
  return row?.reservation ?? null;
}

/** Lets go of what was reserved for a call that took nothing. */
export async function releaseCost(teamId: string, reservation: string | null): Promise<void> {
  if (reservation === null) return;
  await noted(() =>
    asService(
      (tx) => tx`delete from private.model_reservations where team_id = ${teamId} and id = ${reservation}`,
    ),
  );
}

/** What a call took, and what was reserved for it. */
export type Taken = { reservation: string | null; spent: Spent };

/** Counts what calls took, and warns the team's owners where it is time to. Never fails: the answers are there already. */
export async function settleCosts({ teamId, agentId, channel }: Spender, taken: Taken[]): Promise<void> {
  if (taken.length === 0) return;
  const lines = taken.map(({ reservation, spent }) => lineOf(reservation, spent));
  await noted(async () => {
    const [row] = await asService(
      (tx) => tx<{ warn: boolean }[]>`
        select bool_or(private.settle_model_cost(
                 l.reservation, ${teamId}, ${agentId}, ${channel}, l.kind, l.model, l.prompt, l.completion, l.estimated, l.unpriced,
                 l.cost)) as warn
          from jsonb_to_recordset(${tx.json(lines)}) as l (
                 reservation uuid, kind text, model text, prompt bigint, completion bigint, estimated bigint, unpriced bigint,
                 cost numeric)`,
    );
    // Nobody waits for the mail.
    if (row?.warn) void noted(() => warnOwners(teamId));
  });
}

function lineOf(reservation: string | null, { kind, model, prices, isEstimated, prompt, completion }: Spent) {
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
  };
}

/** Rows that one sweep removes at most, of each kind. */
const perSweep = 5_000;

/** Forgets what no longer counts (private.sweep_models): once in ten minutes, whoever comes first. */
export async function sweepModels(): Promise<void> {
  const [turn] = await asService(
    (tx) => tx<{ wait: number }[]>`select private.take_hit('sweep:models', 1, 600) as wait`,
  );
  if (turn?.wait === 0) await asService((tx) => tx`select private.sweep_models(${perSweep})`);
}

async function noted(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", "what a model took was not counted", { error: String(error) });
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

async function warnOwners(teamId: string): Promise<void> {
  const owners = await asService(
    (tx) => tx<Owner[]>`
      select u.email, u.locale, t.name as team_name, t.codename, b.spent::float8 as spent,
             least(b.team_cap, b.installation_cap)::float8 as cap
        from public.teams t
        join private.model_budgets b on b.team_id = t.id
        join public.team_users tu on tu.team_id = t.id and tu.status = 'accepted'
        join public.roles r on r.id = tu.role_id and 'models.write' = any (r.permissions)
        join public.users u on u.id = tu.user_id and u.banned_at is null
       where t.id = ${teamId} and b.spent > 0 and least(b.team_cap, b.installation_cap) is not null`,
  );
  for (const { email, locale, ...budget } of owners) {
    await sendMail(budgetMail({ to: email, language: locale, ...budget }));
  }
}
