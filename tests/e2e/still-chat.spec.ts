// The chat holds still: a reply that ends moves nothing, and a session that ends in the middle keeps the question.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** Asks, and measures the view in the frame before the reply is stored and after it. */
async function measured(page: Page, question: string) {
  await page.evaluate(() => {
    const log = document.querySelector("[role=log]");
    const at: { top: number; line: number }[] = [];
    Object.assign(window, { at });
    new MutationObserver((changes) => {
      for (const { removedNodes } of changes)
        for (const node of removedNodes)
          if (node instanceof HTMLElement && "live" in node.dataset) Object.assign(window, { ended: true });
    }).observe(document.body, { childList: true, subtree: true });
    const look = () => {
      const text = [...document.querySelectorAll("[role=log] article p")].at(-1);
      if (log && text) at.push({ top: log.scrollTop, line: text.getBoundingClientRect().top });
      if ("ended" in window)
        Object.assign(window, { settled: (Number(Reflect.get(window, "settled")) || 0) + 1 });
      requestAnimationFrame(look);
    };
    look();
  });
  const field = page.locator("textarea[name=content]");
  await field.fill(question);
  await field.press("Enter");
  await expect(page.locator("[data-live]")).toBeVisible();
  await expect(page.locator("[data-live]")).toHaveCount(0);
  // The frames after the end, in which whatever is late would still move.
  await page.waitForFunction(() => Number(Reflect.get(window, "settled")) > 20);
  return page.evaluate(() => (Reflect.get(window, "at") as { top: number; line: number }[]).slice(-40));
}

test("a reply that ends does not move the view", async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 480 });
  await logIn(page, demo);
  await page.goto("/teams/demo/playground");
  await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
  await expect(page.locator("textarea[name=content]")).toBeFocused();
  for (const question of ["How many days of holiday are there?", "And what about parental leave?"]) {
    const seen = await measured(page, question);
    const last = seen.at(-1);
    expect(last).toBeDefined();
    for (const { top, line } of seen.slice(-20)) {
      expect(Math.abs(top - (last?.top ?? 0))).toBeLessThanOrEqual(1);
      expect(Math.abs(line - (last?.line ?? 0))).toBeLessThanOrEqual(1);
    }
    const gap = await page
      .locator("[role=log]")
      .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    expect(gap).toBeLessThanOrEqual(2);
    await page.reload();
    await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
  }
});

test("a session that ends in the middle of a chat keeps the question", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[134]/);
  await logIn(page, demo);
  // A public agent would answer a stranger.
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name: `Private ${Date.now()}` },
  });
  await page.goto(`/teams/demo/playground?agentId=${(await made.json()).id}`);
  await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
  await context.clearCookies();
  const field = page.locator("textarea[name=content]");
  await field.fill("What was I about to ask?");
  await field.press("Enter");
  await expect(page.getByText(say("chat:loggedOut"))).toBeVisible();
  await expect(field).toHaveValue("What was I about to ask?");
  await page.getByRole("link", { name: say("chat:logIn") }).click();
  await page.locator("#email").fill(demo.email);
  await page.locator("#password").fill(demo.password);
  await page.locator("main form button").click();
  await page.waitForURL("**/playground**");
  await expect(field).toHaveValue("What was I about to ask?");
});
