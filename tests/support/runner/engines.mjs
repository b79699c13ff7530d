// Owns the choice of engine per test in a whole run on a machine with a native Postgres, where the same SQL takes a third of the CPU time.
// Without one the embedded engine runs all tests.
import { existsSync, readdirSync } from "node:fs";

/** SQL tests that run on the embedded engine as well as natively: they are about the engine. */
const SQL_ON_BOTH = {
  "tests/sql/matrix.test.ts":
    "row-level security holds on the engine that `npm start` brings, cell by cell, beside tests/v1/rest-matrix.test.ts",
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

/** Fault tests that run natively: they are about services and workers, for which any database will do. */
const FAULTS_ON_NATIVE = [
  "agent-tests-kill",
  "agent-tests-stop",
  "detached-kill",
  "file-versions",
  "indexing-foreign-documents",
  "indexing-interleavings",
  "indexing-isolation",
  "indexing-kill",
  "indexing-kill-points",
  "indexing-languages",
  "indexing-long-documents",
  "indexing-model",
  "indexing-parse",
  "indexing-pictures",
  "indexing-slices",
  "indexing-worker",
  "repeated-key-kill",
  "reply-kill",
  "slack",
  "slack-handover",
  "slack-install",
  "slack-kill",
  "slack-teams",
  "sources-atlassian-tokens",
  "sources-confluence",
  "sources-confluence-answers",
  "sources-failing-files",
  "sources-github",
  "sources-github-attachments",
  "sources-github-files",
  "sources-github-heavy",
  "sources-google-drive",
  "sources-google-drive-places",
  "sources-jira",
  "sources-kill",
  "sources-meanwhile",
  "sources-notion",
  "sources-notion-comments",
  "sources-notion-files",
  "sources-odd-answers",
  "sources-pictures",
  "sources-second-day",
  "sources-services",
  "sources-skipped",
  "sources-storage",
  "sources-unfit",
  "sources-website",
  "sources-website-lists",
  "team-import-kill",
  "team-import-upload-kill",
].map((name) => `tests/faults/${name}.test.ts`);

/** @throws when a listed file does not exist: vitest ignores a filter that matches nothing. */
function existing(files) {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`Listed in engines.mjs and not there: ${missing.join(", ")}`);
  return files;
}

export const embeddedSql = () => existing(Object.keys(SQL_ON_BOTH));

/** Every fault test, on one engine or the other. */
export function faultsByEngine() {
  const native = existing(FAULTS_ON_NATIVE);
  const all = readdirSync("tests/faults")
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `tests/faults/${name}`);
  return { native, embedded: all.filter((file) => !native.includes(file)) };
}
