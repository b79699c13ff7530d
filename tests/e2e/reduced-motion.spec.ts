// Someone who asked their system for less motion: nothing moves, and no page spends time on transitions that nobody sees.
import { expect, test } from "./support/test.ts";

test("a change of the theme starts no transition", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  await page.goto("/");
  const color = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await color();
  await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  expect(await color()).not.toBe(light);
});
