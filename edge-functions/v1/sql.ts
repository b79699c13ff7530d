// Owns SQL fragments that several resources use. Must not read or write rows.
import type { PendingQuery, Row } from "postgres";
import type { TeamId, Transaction } from "../_shared/database/db.ts";
import type { PageQuery } from "./router.ts";

/** A pattern for ilike that matches `text` anywhere; its own % and _ are escaped. */
export function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/**
 * What an update sets: the values that were given. Without any it sets one column to itself, so that the row is found as by every update.
 * @param unchanged that column
 */
export function assignments(tx: Transaction, values: Record<string, unknown>, unchanged: string) {
  const given = withoutUndefined(values);
  return Object.keys(given).length > 0 ? tx(given) : tx`${tx(unchanged)} = ${tx(unchanged)}`;
}

/** The values that were given. */
export function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The id of no row. */
export const noId = "00000000-0000-0000-0000-000000000000";

/** Limits rows to one team or, with null, to every team that the caller may read. @param column such as "a.team_id" */
export function ofTeam(tx: Transaction, column: string, teamId: TeamId | null) {
  return teamId === null ? tx`true` : tx`${tx(column)} = ${teamId}`;
}

/**
 * The limit of a list with cursors: one row more than a page. A subquery, so that Postgres plans for a fraction of the rows. With a
 * constant, the planner expects few rows to pass a policy's team check. It then reads and sorts all of a team's rows for one page.
 */
export function onePage(tx: Transaction, perPage: number) {
  return tx`(select ${perPage + 1}::int)`;
}

/** A fragment of a statement. */
export type Sql = PendingQuery<Row[]>;

/**
 * One page of a numbered list and the list's total, in one statement.
 * @param list `from` has the tables and the condition; `counted` is what to count if fewer tables give the same number
 */
export async function numberedPage<T>(
  tx: Transaction,
  list: { columns: Sql; from: Sql; order: Sql; counted?: Sql },
  { page, perPage }: PageQuery,
): Promise<{ data: T[]; page: number; perPage: number; total: number }> {
  const { columns, from, order, counted = from } = list;
  // An empty page returns one row with only the total.
  const rows = await tx<{ listed?: true | null; total?: number }[]>`
    select listed.*, counted.total
      from (select count(*) as total from ${counted}) counted
      left join lateral (select true as listed, ${columns} from ${from} order by ${order}
                          limit ${perPage} offset ${(page - 1) * perPage}) listed on true`;
  const total = rows[0]?.total ?? 0;
  const data = rows.filter(({ listed }) => listed);
  for (const row of data) {
    // Deleting two fields is twice as fast as copying the others.
    delete row.listed;
    delete row.total;
  }
  return { data: data as T[], page, perPage, total };
}
