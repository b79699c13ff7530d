// A chat whose reply is long in coming: what the reader is told, and that Stop always works.

import type { Page, Route } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const question = "How many days of paid leave do I have?";

/** Asks the demo's agent a question that stays on its way. Returns its request. */
async function askAndHold(page: Page): Promise<Route> {
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  await page.clock.install();
  await page.goto(`/chats/${data[0].id}`);
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  const held = new Promise<Route>((resolve) => {
    void page.route(
      (url) => /\/v1\/chats\/[^/]+\/messages$/.test(url.pathname),
      (route) => (route.request().method() === "POST" ? resolve(route) : route.continue()),
    );
  });
  await page.getByRole("textbox").fill(question);
  await page.getByRole("textbox").press("Enter");
  return await held;
}

test("a reply that takes long is announced, and Stop before the question arrived stops its reply", async ({
  page,
}) => {
  const held = await askAndHold(page);
  const status = page.locator("[data-island=Chat]").getByRole("status");
  await expect(status).toHaveText(say("chat:searching", { agentName: "handbook" }));
  await page.clock.fastForward(15_000);
  await expect(status).toHaveText(say("chat:slow"));
  await expect(page.locator("[data-live]")).toHaveText(say("chat:slow"));
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(status).toHaveText(say("chat:stopping"));
  const stopped = page.waitForRequest(/\/messages\/[^/]+\/stop$/);
  await held.continue();
  await stopped;
  await expect(page.locator("[data-busy=false]")).toBeAttached();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("Stop ends the wait for a question that does not arrive, and Retry asks it once", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load|ERR_FAILED/);
  await askAndHold(page);
  await page.getByRole("button", { name: say("chat:stop") }).click();
  await expect(page.locator("[data-live]")).toHaveText(say("chat:stopping"));
  await page.clock.fastForward(5_000);
  const problem = page.getByRole("alert").filter({ hasText: say("chat:stoppedEarlyText") });
  await expect(problem).toBeVisible();
  await expect(page.getByRole("button", { name: say("chat:send"), exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.unrouteAll();
  await problem.getByRole("button", { name: say("chat:retry") }).click();
  await expect(page.getByRole("article", { name: say("chat:reply") })).toContainText("days");
  await expect(problem).toHaveCount(0);
  await expect(page.getByRole("log").getByText(question, { exact: true })).toHaveCount(1);
});
