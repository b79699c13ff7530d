// Owns the SQL of model usage and budgets. Usage is read as the caller; budgets as the service, for a caller whose permission was checked
// before.

import { asService, type Transaction } from "../../_shared/database/db.ts";
import { zoneForPostgres } from "../../_shared/database/new-zones.ts";
import type { PageQuery } from "../router.ts";
import { noId, numberedPage } from "../sql.ts";
import type { Budget, TeamCosts, UsageQuery, UsageRow } from "./schema.ts";

/** One row per day, week, month, agent, channel or model, and their total. The most expensive first; dates in order. */
export async function readUsage(
  tx: Transaction,
  teamId: string,
  { dateStart, dateEnd, group, timeZone }: UsageQuery,
) {
  const isDated = group === "day" || group === "week" || group === "month";
  const keys = {
    day: tx`to_char(u.there, 'YYYY-MM-DD')`,
    week: tx`to_char(date_trunc('week', u.there), 'YYYY-MM-DD')`,
    month: tx`to_char(date_trunc('month', u.there), 'YYYY-MM-DD')`,
    agent: tx`nullif(u.agent_id, ${noId})`,
    channel: tx`u.channel`,
    model: tx`u.model`,
  };
  const figures = tx`
    coalesce(sum(u.calls), 0)::int as calls, coalesce(sum(u.prompt_tokens), 0)::float8 as prompt_tokens,
    coalesce(sum(u.completion_tokens), 0)::float8 as completion_tokens,
    coalesce(sum(u.estimated_tokens), 0)::float8 as estimated_tokens,
    coalesce(sum(u.unpriced_tokens), 0)::float8 as unpriced_tokens, coalesce(sum(u.cost), 0)::float8 as cost`;
  // Uses the index for the UTC days that any time zone's range can touch, then filters by the reader's zone.
  const among = tx`
    from (select m.*, (m.day + m.quarter * interval '15 minutes') at time zone 'UTC' at time zone ${zoneForPostgres(timeZone)} as there
            from public.model_usage m
           where m.team_id = ${teamId} and m.day between ${dateStart}::date - 1 and ${dateEnd}::date + 1) u
   where u.there >= ${dateStart}::date and u.there < ${dateEnd}::date + 1`;
  const [rows, [total]] = await Promise.all([
    tx<({ key: string | null } & Figures)[]>`
      select ${keys[group]}::text as key, ${figures} ${among} group by 1
       order by ${isDated ? tx`1` : tx`cost desc, prompt_tokens desc, 1`} limit 1000`,
    tx<Figures[]>`select ${figures} ${among}`,
  ]);
  const agents =
    group === "agent"
      ? await tx<{ id: string; name: string }[]>`select id, name from public.agents where team_id = ${teamId}`
      : [];
  const nameOf = new Map(agents.map(({ id, name }) => [id, name]));
  const rowOf = (figuresOfRow: Figures, key: string | null): UsageRow => ({
    date: isDated ? key : null,
    agentId: group === "agent" ? key : null,
    agentName: (group === "agent" && key && nameOf.get(key)) || null,
    channel: group === "channel" ? key : null,
    model: group === "model" ? key : null,
    ...figuresOfRow,
  });
  return {
    data: rows.map(({ key, ...figuresOfRow }) => rowOf(figuresOfRow, key)),
    total: rowOf(total ?? nothing, null),
  };
}

type Figures = Pick<
  UsageRow,
  "calls" | "promptTokens" | "completionTokens" | "estimatedTokens" | "unpricedTokens" | "cost"
>;
const nothing: Figures = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  estimatedTokens: 0,
  unpricedTokens: 0,
  cost: 0,
};

type BudgetRow = Omit<Budget, "isNear" | "isReached">;

const thisMonth = (tx: Transaction) => tx`date_trunc('month', now() at time zone 'UTC')::date`;
const budgetColumns = (tx: Transaction) => tx`
  b.team_cap::float8 as cap, b.installation_cap::float8 as installation_cap, coalesce(b.warn_percent, 80) as warn_percent,
  coalesce(case when b.month = ${thisMonth(tx)} then b.spent end, 0)::float8 as spent,
  coalesce(case when b.month = ${thisMonth(tx)} then b.installation_spent end, 0)::float8 as installation_spent,
  coalesce((select sum(r.cost) from private.model_reservations r where r.team_id = t.id and r.expires_at > now()), 0)::float8
    as reserved`;

function withStatus<T extends BudgetRow>(row: T): T & Pick<Budget, "isNear" | "isReached"> {
  const caps = [
    { spent: row.spent, cap: row.cap ?? Number.POSITIVE_INFINITY },
    { spent: row.installationSpent, cap: row.installationCap ?? Number.POSITIVE_INFINITY },
  ];
  return {
    ...row,
    isNear: caps.some(({ spent, cap }) => spent * 100 >= cap * row.warnPercent),
    isReached: caps.some(({ spent, cap }) => spent >= cap),
  };
}

/** For a team whose usage the caller may read. */
export async function readBudget(teamId: string): Promise<Budget | undefined> {
  const [row] = await asService(
    (tx) => tx<BudgetRow[]>`
      select ${budgetColumns(tx)} from public.teams t left join private.model_budgets b on b.team_id = t.id
       where t.id = ${teamId}`,
  );
  return row && withStatus(row);
}

/** For a team whose models the caller may change. */
export async function setTeamCap(
  teamId: string,
  { cap, warnPercent }: { cap: number | null; warnPercent?: number },
): Promise<void> {
  await asService(
    (tx) => tx`
      insert into private.model_budgets as b (team_id, team_cap, warn_percent, month)
      values (${teamId}, ${cap}, ${warnPercent ?? 80}, ${thisMonth(tx)})
      on conflict (team_id) do update
        set team_cap = excluded.team_cap, warn_percent = coalesce(${warnPercent ?? null}, b.warn_percent),
            warned_month = case when b.team_cap is distinct from excluded.team_cap then null else b.warned_month end`,
  );
}

/** For platform admins. False if there is no such team. */
export async function setInstallationCap(teamId: string, cap: number | null): Promise<boolean> {
  const rows = await asService(
    (tx) => tx`
      insert into private.model_budgets as b (team_id, installation_cap, month)
      select t.id, ${cap}, ${thisMonth(tx)} from public.teams t where t.id = ${teamId}
      on conflict (team_id) do update
        set installation_cap = excluded.installation_cap,
            warned_month = case when b.installation_cap is distinct from excluded.installation_cap then null else b.warned_month end
      returning b.team_id`,
  );
  return rows.length > 0;
}

/** For platform admins: every team with this month's costs, the most expensive first. */
export async function listTeamCosts({ page, perPage }: PageQuery) {
  const found = await asService((tx) =>
    numberedPage<Omit<TeamCosts, "isNear" | "isReached">>(
      tx,
      {
        columns: tx`t.id, t.name, t.codename, ${budgetColumns(tx)},
          coalesce((select sum(u.prompt_tokens + u.completion_tokens) from public.model_usage u
                     where u.team_id = t.id and u.day >= ${thisMonth(tx)}), 0)::float8 as tokens`,
        from: tx`public.teams t left join private.model_budgets b on b.team_id = t.id`,
        order: tx`coalesce(case when b.month = ${thisMonth(tx)} then b.spent end, 0) desc, t.id`,
      },
      { page, perPage },
    ),
  );
  return { ...found, data: found.data.map(withStatus) };
}
