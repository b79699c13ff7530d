// The unit tests of one area, for `npm run mutation`: nothing else runs against a mutant.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    setupFiles: ["tests/support/fail-on-console-error.ts"],
    include: (process.env.MUTATION_TESTS ?? "").split(",").map((name) => `tests/unit/${name}.test.ts`),
    testTimeout: 20_000,
  },
});
