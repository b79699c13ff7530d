// Owns which tests run on which engine in a whole run on a machine with a native Postgres, where the same SQL takes a third of the
// computing. Without one the embedded engine runs them all.
import { existsSync, readdirSync } from "node:fs";

/** Of SQL, which all runs natively, what runs on the embedded engine too: its subject is what an engine does. */
const SQL_ON_BOTH = {
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

/** Of faults, what runs natively: its subject are services and workers, to which the database is a database. */
const FAULTS_ON_NATIVE = [
  "agent-tests-kill",
  "agent-tests-stop",
  "file-versions",
  "indexing-foreign-documents",
  "indexing-model",
  "indexing-pictures",
  "slack-handover",
  "slack-install",
  "slack-kill",
  "slack",
  "sources-confluence-answers",
  "sources-confluence",
  "sources-github-files",
  "sources-github",
  "sources-google-drive-places",
  "sources-google-drive",
  "sources-jira",
  "sources-notion-comments",
  "sources-notion-files",
  "sources-notion",
  "sources-pictures",
  "sources-services",
  "sources-skipped",
  "sources-website",
  "team-import-kill",
].map((name) => `tests/faults/${name}.test.ts`);

/** @throws when a file that is listed is not there: filters of vitest that match nothing would go unnoticed. */
function existing(files) {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`Listed in engines.mjs and not there: ${missing.join(", ")}`);
  return files;
}

export const embeddedSql = () => existing(Object.keys(SQL_ON_BOTH));

/** Every file of faults, on one engine or on the other. */
export function faultsByEngine() {
  const native = existing(FAULTS_ON_NATIVE);
  const all = readdirSync("tests/faults")
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `tests/faults/${name}`);
  return { native, embedded: all.filter((file) => !native.includes(file)) };
}
