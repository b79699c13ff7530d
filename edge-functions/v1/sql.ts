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
