// The test projects: unit and sql need nothing, native needs a native Postgres, hosted also pgbouncer and the supabase
// CLI, faults starts what it breaks, v1 uses the stack given by tests/run.mjs (or the environment, see
// tests/support/stack.ts). The browser suite is Playwright's.
import { defineConfig } from "vitest/config";
import { type TestFiles, testFiles } from "./tests/support/runner/own-modules.ts";

const MINUTE = 60_000;
const shared = {
  environment: "node" as const,
  setupFiles: ["tests/support/fail-on-console-error.ts", "tests/support/optimize-later.ts"],
  // Limits end what hangs, and name it. They are far above what a busy machine needs, because no test measures time.
  testTimeout: 20 * MINUTE,
  hookTimeout: 20 * MINUTE,
  teardownTimeout: 15_000,
  expect: { poll: { timeout: 5 * MINUTE } },
};
/** A test file in a thread takes a sixth less processor time than one in its own process. */
const threads = "threads";
/** One worker's files share the loaded packages, and each has our modules anew: loading packages is most of a short file's time. */
const sharedPackages = {
  isolate: false,
  setupFiles: [...shared.setupFiles, "tests/support/fresh-modules.ts"],
};
const unit = testFiles("tests/unit");
const sql = testFiles("tests/sql");
const native = testFiles("tests/native");
/** Few machines have a native Postgres, and the set-up of a project that lacks it ends the whole run: it takes part where it is named. */
const isNativeNamed = process.argv.slice(2).some((word) => /\bnative\b/.test(word));

/** The projects NAME, whose files share their modules, NAME-own-modules and NAME-alone. */
const threeWays = (name: string, files: TestFiles, more: object = {}) => [
  { test: { ...shared, pool: threads, ...more, name, isolate: false, include: files.shared } },
  {
    test: {
      ...shared,
      ...sharedPackages,
      pool: threads,
      ...more,
      name: `${name}-own-modules`,
      include: files.own,
    },
  },
  { test: { ...shared, pool: threads, ...more, name: `${name}-alone`, include: files.alone } },
];

export default defineConfig({
  test: {
    // Two cores: more workers only slow down every start.
    maxWorkers: 2,
    projects: [
      ...threeWays("unit", unit),
      ...threeWays("sql", sql),
      ...(isNativeNamed
        ? threeWays(
            "native",
            // The sql project's tests again, and the races.
            {
              alone: [...native.alone, ...sql.alone],
              own: [...native.own, ...sql.own],
              shared: [...native.shared, ...sql.shared],
            },
            { globalSetup: ["tests/support/runner/native-set-up.mjs"] },
          )
        : []),
      {
        test: {
          ...shared,
          name: "hosted",
          include: ["tests/hosted/**/*.test.ts"],
          globalSetup: ["tests/support/runner/hosted-set-up.mjs"],
        },
      },
      {
        test: {
          ...shared,
          ...sharedPackages,
          name: "v1",
          pool: threads,
          include: ["tests/v1/**/*.test.ts"],
          exclude: ["tests/v1/**/*.alone.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          ...sharedPackages,
          name: "v1-alone",
          // Tests that change the whole installation: one file after another, after the v1 project.
          include: ["tests/v1/**/*.alone.test.ts"],
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
      {
        test: {
          ...shared,
          ...sharedPackages,
          name: "faults",
          globalSetup: ["tests/support/runner/faults-set-up.mjs"],
          include: ["tests/faults/**/*.test.ts"],
          // Each starts and kills processes: in parallel they would measure each other.
          fileParallelism: false,
        },
      },
    ],
  },
});
