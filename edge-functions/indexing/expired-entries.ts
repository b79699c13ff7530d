// Owns the chore that ends expired Q&A entries, which takes them out of the index. Postgres does the rest (sql/57_qa_entries.sql).
import { asService } from "../_shared/database/db.ts";

const perTurn = 500;
const lookEveryMs = 5_000;
let lookedAt = Number.NEGATIVE_INFINITY;

export async function endExpiredEntries(now = performance.now()): Promise<void> {
  if (now - lookedAt < lookEveryMs) return;
  lookedAt = now;
  await asService((tx) => tx`select private.end_expired_entries(${perTurn})`);
}
