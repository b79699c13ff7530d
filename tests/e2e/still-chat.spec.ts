// The chat does not jump: a finished reply moves nothing, and a session that ends midway keeps the question.
import type { Page } from "@playwright/test";
import { say, sayIn } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test, withMotion } from "./support/test.ts";

test.use(withMotion);

/** Asks, and measures the view in the frame before the reply is stored and after it. */
async function measure(page: Page, question: string) {
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
  // The frames after the end, in which late content would still move.
  await page.waitForFunction(() => Number(Reflect.get(window, "settled")) > 20);
  return page.evaluate(() => (Reflect.get(window, "at") as { top: number; line: number }[]).slice(-40));
}

test("a finished reply does not move the view", async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 480 });
  await logIn(page, demo);
  await page.goto("/teams/demo/playground");
  await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
  await expect(page.locator("textarea[name=content]")).toBeFocused();
  for (const question of ["How many days of holiday are there?", "And what about parental leave?"]) {
    const seen = await measure(page, question);
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

test("a chat that a visit opens is at its end before its script has loaded", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  await page.setViewportSize({ width: 1280, height: 480 });
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const agent = data[0].id;
  const { id } = await (await page.request.post(`/v1/agents/${agent}/chats`, { data: {} })).json();
  const content = "How many days of paid leave do I have?\n".repeat(40);
  expect((await page.request.post(`/v1/chats/${id}/messages`, { data: { content } })).ok()).toBe(true);
  // A page of the same layout, which loads no document for the chat.
  await page.goto("/teams/demo/playground/knowledge");
  await page.mouse.move(200, 200);
  await page.waitForLoadState("networkidle");
  await page.route("**/assets/chunks/**", (route) => route.abort());
  const address = `/teams/demo/chats/review?chatId=${id}`;
  await page.evaluate((detail) => dispatchEvent(new CustomEvent("parley:visit", { detail })), address);
  await page.waitForURL(`**${address}`);
  const log = page.getByRole("log");
  await expect(log).toContainText(content.trim().split("\n")[0] ?? "");
  await expect(page.locator("[data-hydrated]")).toHaveCount(0);
  const rest = await log.evaluate((box) => [box.scrollHeight - box.clientHeight, box.scrollTop]);
  expect(rest[0]).toBeGreaterThan(200);
  expect(Math.abs((rest[0] ?? 0) - (rest[1] ?? 0))).toBeLessThanOrEqual(2);
});

test("a greeting higher than the screen is shown from its start", async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 320 });
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  await page.goto(`/chats/${data[0].id}`);
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  const log = page.getByRole("log");
  expect(await log.evaluate((box) => [box.scrollTop, box.scrollHeight > box.clientHeight])).toEqual([
    0,
    true,
  ]);
});

test("a session that ends during a chat keeps the question", async ({ page, context, expectedErrors }) => {
  expectedErrors.push(/status of 40[134]/);
  await logIn(page, demo);
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name: `Private ${Date.now()}` },
  });
  await page.goto(`/teams/demo/playground?agentId=${(await made.json()).id}`);
  await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
  const field = page.locator("textarea[name=content]");
  await field.fill("Is this a new chat?");
  await field.press("Enter");
  // The chat has an address of its own from now on.
  await page.waitForURL(/chatId=/);
  await expect(page.getByRole("button", { name: say("chat:copy") })).toBeVisible();
  await context.clearCookies();
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

test("a public chat says when its reader's session has ended, or a visitor's cookie is gone", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[14]/);
  const alert = page.getByRole("alert");
  const field = page.locator("textarea[name=content]");
  const ask = async (question: string) => {
    await field.fill(question);
    await field.press("Enter");
  };
  // As a logged-in reader: the agent would start a visitor's chat.
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  await page.goto(`/chats/${data[0].id}`);
  await expect(page.locator("[data-island=Chat]")).toHaveAttribute("data-hydrated", "");
  await context.clearCookies();
  await ask("Am I still logged in?");
  await expect(alert).toContainText(say("chat:loggedOut"));
  await expect(field).toHaveValue("Am I still logged in?");
  expect(new URL(page.url()).search).toBe("");

  // As a visitor: there is no login to return to.
  await page.goto(`/chats/${data[0].id}`);
  await expect(page.locator("[data-island=Chat]")).toHaveAttribute("data-hydrated", "");
  await ask("How many days of holiday are there?");
  await expect(page.getByRole("button", { name: say("chat:copy") })).toBeVisible();
  const first = page.url();
  await context.clearCookies();
  await ask("And parental leave?");
  await expect(alert).toContainText(say("chat:endedText"));
  await expect(field).toHaveValue("And parental leave?");
  await field.press("Enter");
  await expect(page.getByRole("button", { name: say("chat:copy") })).toHaveCount(2);
  await expect(alert).toHaveCount(0);
  expect(page.url()).not.toBe(first);

  // Signed with a key that the installation no longer has.
  await context.addCookies([{ name: "parley-visitor", value: "old", url: new URL(page.url()).origin }]);
  await page.goto(`/chats/${data[0].id}`);
  await expect(field).toBeVisible();
  expect((await context.cookies()).some(({ name }) => name === "parley-visitor")).toBe(false);
});

test("what is written into a chat outlasts a failed save and a reload", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const agent = data[0].id;
  const { id } = await (await page.request.post(`/v1/agents/${agent}/chats`, { data: {} })).json();
  const content = "How many days of paid leave do I have?";
  await page.request.post(`/v1/chats/${id}/messages`, { data: { content } });
  const readMessages = async () => (await (await page.request.get(`/v1/chats/${id}/messages`)).json()).data;
  const before = await readMessages();
  const hydrated = page.locator("[data-island=Chat][data-hydrated]");
  await page.goto(`/chats/${agent}?chatId=${id}`);
  await expect(hydrated).toBeAttached();

  // A rating that fails says so, and asks nothing again once the connection is back.
  await context.setOffline(true);
  await page.getByRole("button", { name: say("chat:good") }).click();
  await expect(page.locator("#toasts")).toContainText(say("errors:UNAVAILABLE.title"));
  await context.setOffline(false);

  // A question that did not arrive, and a summary that was not saved.
  await page.route("**/v1/**/messages", (route) => route.abort());
  await page.route("**/v1/**/summary", (route) => route.abort());
  const field = page.locator("textarea[name=content]");
  await field.fill("And on bank holidays?");
  await field.press("Enter");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  const summary = page.getByRole("textbox", { name: say("chat:summary") });
  await page.getByRole("button", { name: say("chat:summary"), exact: true }).click();
  await page.getByRole("button", { name: say("chat:writeSummary") }).click();
  await summary.fill("About leave, in my own words.");
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/summary"));
  await page.getByRole("button", { name: say("chat:save"), exact: true }).click();
  await refused;
  await expect(page.getByRole("button", { name: say("chat:save"), exact: true })).toBeEnabled();
  await expect(summary).toHaveValue("About leave, in my own words.");
  await expectAccessible(page);
  await page.unrouteAll();
  await page.reload();
  await expect(hydrated).toBeAttached();
  await expect(field).toHaveValue("And on bank holidays?");
  await expect(summary).toHaveValue("About leave, in my own words.");
  expect(await readMessages()).toEqual(before);

  // Once saved, nothing of it comes back.
  await page.getByRole("button", { name: say("chat:save"), exact: true }).click();
  await expect(summary).toHaveCount(0);
  await field.press("Enter");
  await expect.poll(async () => (await readMessages()).length).toBe(before.length + 2);
  await page.reload();
  await expect(hydrated).toBeAttached();
  await expect(field).toHaveValue("");
  await expect(summary).toHaveCount(0);
});

test("a model's failure is explained to its team with a way to mend it, and to a visitor not at all", async ({
  page,
  browser,
}) => {
  await logIn(page, demo);
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name: `Failing ${Date.now()}`, visibility: "public", model: "no-such-model" },
  });
  const { id, teamId } = await made.json();
  const context = await browser.newContext({ locale: "fr-FR", viewport: { width: 360, height: 740 } });
  const visitor = await context.newPage();
  try {
    for (const [reader, language] of [
      [page, "en"],
      [visitor, "fr"],
    ] as const) {
      const sayIts = sayIn(language);
      await reader.goto(`/chats/${id}`);
      await expect(reader.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
      const field = reader.locator("textarea[name=content]");
      await field.fill("How many days?");
      await field.press("Enter");
      const alert = reader.getByRole("alert");
      await expect(alert).toContainText(sayIts("chat:noReply"));
      const code = reader === page ? "replyModelUnknown" : "replyUnavailable";
      await expect(alert).toContainText(sayIts(`errors:refusals.${code}`));
      await expectAccessible(reader);
      await screenshot(reader, `chat-fails-${language}`);
    }
    await expect(visitor.getByRole("alert").getByRole("link")).toHaveCount(0);
    await page
      .getByRole("alert")
      .getByRole("link", { name: say("chat:toModels") })
      .click();
    await page.waitForURL(`**/teams/${teamId}/models`);
  } finally {
    await context.close();
    await page.request.delete(`/v1/teams/demo/agents/${id}`);
  }
});
