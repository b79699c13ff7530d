// Owns the few pieces of SQL text that several resources need. Must not read or write rows.

/** A pattern for ilike that finds `text` anywhere; its own % and _ count as themselves. */
export function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
