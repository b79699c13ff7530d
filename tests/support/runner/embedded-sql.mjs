// Owns which tests of SQL run on the embedded engine too where a native Postgres runs them all: those whose subject is what the
// engine does. The others' subject is our SQL, which is the same text on both and takes a third of the computing there. Without a
// native Postgres the embedded engine runs them all.
import { existsSync } from "node:fs";

const FILES = {
  "tests/sql/matrix.test.ts": "row-level security holds on the engine that `npm start` brings, cell by cell",
  "tests/sql/foundation.test.ts":
    "roles, claims and settings of a session, which the embedded server sets up",
  "tests/sql/opening.test.ts": "a transaction opens in one message, which the embedded server takes apart",
  "tests/sql/transactions.test.ts": "the embedded server ends a transaction to let another one through",
  "tests/sql/migrations.test.ts": "the engine takes every migration, whichever Postgres it is",
  "tests/sql/releases.test.ts": "an upgrade rewrites rows that the engine of the past release had written",
  "tests/sql/search.test.ts": "words, stems and accents are cut by the engine's own dictionaries and locale",
  "tests/sql/recall.test.ts": "vectors are compared by the engine's own build of pgvector",
  "tests/sql/plans.test.ts": "plans are the choice of the engine's own planner",
  "tests/sql/finding.test.ts": "plans are the choice of the engine's own planner",
};

/** @throws when a file that is listed is not there: filters of vitest that match nothing would go unnoticed. */
export function embeddedSql() {
  const files = Object.keys(FILES);
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`Listed in embedded-sql.mjs and not there: ${missing.join(", ")}`);
  return files;
}
