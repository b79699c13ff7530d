// Owns the few pieces of SQL text that several resources need. Must not read or write rows.
import type { Transaction } from "../_shared/db.ts";

/** A pattern for ilike that finds `text` anywhere; its own % and _ count as themselves. */
export function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** The rows of one team or, with null, of every team that the caller may read. @param column such as "a.team_id" */
export function ofTeam(tx: Transaction, column: string, teamId: string | null) {
  return teamId === null ? tx`true` : tx`${tx(column)} = ${teamId}`;
}

/**
 * The limit of a list by cursor: one row more than a page. A subquery, so that Postgres plans for a part of the rows, not for
 * this many: it takes a policy's team check for a rare match, and would read and sort all that a team has for one page instead
 * of walking the index that has the order.
 */
export function onePage(tx: Transaction, perPage: number) {
  return tx`(select ${perPage + 1}::int)`;
}
