// Owns the chore that takes written answers out of the index once they have expired. What follows, Postgres does (sql/57_qa_entries.sql).
import { asService } from "../_shared/database/db.ts";

const perTurn = 500;
const lookEveryMs = 5_000;
let lookedAt = Number.NEGATIVE_INFINITY;

export async function endExpiredEntries(now = performance.now()): Promise<void> {
  if (now - lookedAt < lookEveryMs) return;
  lookedAt = now;
  await asService((tx) => tx`select private.end_expired_entries(${perTurn})`);
}
