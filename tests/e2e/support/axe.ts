// Owns accessibility checks: no serious or critical axe finding on a page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const options: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // Passes are counted, not described.
  resultTypes: ["violations"],
};

/** Axe's findings in the page's single frame: a fifth cheaper than through the builder, which also describes unused results. */
async function findings(page: Page): Promise<AxeResults["violations"]> {
  await page.evaluate(`if (!globalThis.axe) { ${source} }`);
  return await page.evaluate(
    async (options) => (await (Reflect.get(globalThis, "axe") as Axe).run(document, options)).violations,
    options,
  );
}
type Axe = Pick<typeof import("axe-core"), "run">;

/** The same in all frames, cross-origin ones too. */
const findingsInFrames = async (page: Page) =>
  (await new AxeBuilder({ page }).options(options).analyze()).violations;

/** Checks the current page against WCAG 2.2 A and AA. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours in a transition would be measured half way.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))),
  );
  // A handle between panels has its value only once its island runs: the panel library renders none on the server.
  await expect(page.locator("[data-separator]:not([aria-valuenow]):visible")).toHaveCount(0);
  const violations = await (page.frames().length === 1 ? findings(page) : findingsInFrames(page));
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n  ${nodes.map(({ target }) => target.join(" ")).join("\n  ")}`,
    );
  expect(grave, `axe on ${page.url()}`).toEqual([]);
}
