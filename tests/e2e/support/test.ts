// Owns the `test` of every browser test: it fails when the page logs an error or throws, unless the test expected it.
import { test as base, expect } from "@playwright/test";

interface Fixtures {
  /** Console errors that the test provokes on purpose, as patterns; push before they happen. */
  expectedErrors: RegExp[];
  watchedPage: undefined;
}

export const test = base.extend<Fixtures>({
  expectedErrors: async ({ browserName: _ }, use) => {
    await use([]);
  },
  watchedPage: [
    async ({ context, expectedErrors }, use) => {
      const problems: string[] = [];
      context.on("console", (message) => {
        if (message.type() === "error")
          problems.push(`console.error on ${message.page()?.url()}: ${message.text()}`);
      });
      context.on("weberror", (error) =>
        problems.push(
          `uncaught on ${error.page()?.url()}: ${error.error().name} ${error.error().message} ${error.error().stack}`,
        ),
      );
      await use(undefined);
      const unexpected = problems.filter(
        (problem) => !expectedErrors.some((pattern) => pattern.test(problem)),
      );
      expect(unexpected, "the page logged errors").toEqual([]);
    },
    { auto: true },
  ],
});

/** For `test.use()`: pages with their transitions, which playwright.config.ts turns off. */
export const withMotion = { contextOptions: { reducedMotion: "no-preference" } } as const;

export { expect };
