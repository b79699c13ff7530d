// Accessibility: no serious or critical finding of axe on a page.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Checks the page as it stands against WCAG 2.2 A and AA. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours that are still fading in would be measured half way.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))),
  );
  const axe = new AxeBuilder({ page })
    // What passes is counted, not described.
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  // To put frames of other origins together, axe opens a page of its own and reads itself in again: as long as the rules take.
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n  ${nodes.map(({ target }) => target.join(" ")).join("\n  ")}`,
    );
  expect(grave, `axe on ${page.url()}`).toEqual([]);
}
