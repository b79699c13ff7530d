// The test projects: unit and sql stand alone, native needs a native Postgres, hosted also pgbouncer and the supabase CLI, faults
// starts what it breaks, v1 talks to the stack that tests/run.mjs (or the environment, see tests/support/stack.ts) points it at. The
// browser suite is Playwright's.
import { defineConfig } from "vitest/config";

const shared = {
  environment: "node" as const,
  setupFiles: ["tests/support/fail-on-console-error.ts"],
  // A test that hangs is a failure with a name, not a suite that never ends.
  teardownTimeout: 15_000,
};
/** A file in a thread takes a sixth less computing than one in a process of its own. */
const threads = "threads";
export default defineConfig({
  test: {
    // Two cores: more workers only make every start-up slower.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          pool: threads,
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          name: "sql",
          pool: threads,
          include: ["tests/sql/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          name: "native",
          // All of SQL again, and the races.
          include: ["tests/native/**/*.test.ts", "tests/sql/**/*.test.ts"],
          globalSetup: ["tests/support/runner/native-set-up.mjs"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          name: "hosted",
          include: ["tests/hosted/**/*.test.ts"],
          globalSetup: ["tests/support/runner/hosted-set-up.mjs"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...shared,
          name: "v1",
          pool: threads,
          include: ["tests/v1/**/*.test.ts"],
          exclude: ["tests/v1/**/*.alone.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          name: "v1-alone",
          // What changes the whole installation: when all of v1 is over, one file after another.
          include: ["tests/v1/**/*.alone.test.ts"],
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each starts processes and kills them: side by side they would measure each other.
          fileParallelism: false,
        },
      },
    ],
  },
});
