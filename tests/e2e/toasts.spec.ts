// The single toast: its duration, what holds it, and how it closes.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { expect, test, withMotion } from "./support/test.ts";

test.use(withMotion);

const show = (page: Page, title: string, variant = "default") =>
  page.evaluate((detail) => void dispatchEvent(new CustomEvent("parley:toast", { detail })), {
    title,
    variant,
  });
const toasts = (page: Page) => page.locator("#toasts li");

test.beforeEach(async ({ page }) => {
  const start = new Date("2026-01-01T00:00:00Z");
  await page.clock.install({ time: start });
  await page.goto("/login");
  // From here on the page's clock moves only when a test moves it, on any machine.
  await page.clock.pauseAt(new Date(start.getTime() + 600_000));
});

test("one toast at a time is shown for five seconds", async ({ page }) => {
  await show(page, "First");
  await expect(toasts(page)).toHaveText(/First/);
  await show(page, "Second", "destructive");
  await expect(toasts(page)).toHaveCount(1);
  await expect(toasts(page)).toHaveText(/Second/);
  await page.clock.runFor(4_000);
  await expect(toasts(page)).toHaveCount(1);
  await page.clock.runFor(1_500);
  await expect(toasts(page)).toHaveCount(0);
});

test("a toast stays while the pointer is on it", async ({ page }) => {
  await show(page, "Held");
  await toasts(page).hover();
  await page.clock.runFor(20_000);
  await expect(toasts(page)).toHaveCount(1);
  await page.mouse.move(10, 10);
  await page.clock.runFor(6_000);
  await expect(toasts(page)).toHaveCount(0);
});

test("F8 focuses the toast, Escape and the button close it, and the focus returns", async ({ page }) => {
  const before = page.getByRole("link").first();
  await before.focus();
  await show(page, "Reachable");
  await expect(toasts(page)).toHaveCount(1);
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await expect(toasts(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(toasts(page)).toHaveCount(0);
  await expect(before).toBeFocused();
  await show(page, "Closed by its button");
  await page.getByRole("button", { name: say("app:toast.close") }).click();
  await expect(toasts(page)).toHaveCount(0);
});

test("a swipe to the right of more than 50 px closes the toast", async ({ page }) => {
  await show(page, "Swiped");
  const box = await toasts(page).boundingBox();
  if (!box) throw new Error("The toast has no box");
  const [x, y] = [box.x + 60, box.y + box.height / 2];
  const drag = async (distance: number) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance / 2, y, { steps: 4 });
    await page.mouse.move(x + distance, y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(30);
  await expect(toasts(page)).toHaveCount(1);
  await drag(90);
  await page.clock.runFor(500);
  await expect(toasts(page)).toHaveCount(0);
});

test("the toast's region is named after its key, and is at most 420 px wide", async ({ page }) => {
  await show(page, "Anything");
  await expect(page.getByRole("region", { name: "Notifications (F8)" })).toBeAttached();
  expect((await toasts(page).boundingBox())?.width).toBeLessThanOrEqual(420);
});
