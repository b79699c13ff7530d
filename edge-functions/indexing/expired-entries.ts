// Owns the chore that ends expired Q&A entries, which takes them out of the index. Postgres does the rest (sql/57_qa_entries.sql).
import { asService } from "../_shared/database/db.ts";

const perTurn = 500;

export async function endExpiredEntries(): Promise<void> {
  await asService((tx) => tx`select private.end_expired_entries(${perTurn})`);
}
