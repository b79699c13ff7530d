// Typing during a navigation: no history button, link or save loses a word or types it into another page.
import type { Page, Route } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test, withMotion } from "./support/test.ts";

test.use(withMotion);

declare global {
  interface Window {
    /** Lets waiting pages render. */
    drawn: (() => void)[];
  }
}

const instructions = (page: Page) => page.getByLabel(say("agents:instructions.label"));
const leaving = (page: Page) => page.getByRole("dialog", { name: say("app:leaving.title") });
const leave = (page: Page) =>
  leaving(page)
    .getByRole("button", { name: say("app:leaving.go") })
    .click();
const linkToSources = (page: Page) =>
  page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.sources") })
    .first();
const keptText = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));

async function makeAgent(page: Page): Promise<string> {
  const answer = await page.request.post("/v1/teams/demo/agents", {
    data: { name: `In flight ${Math.random()}` },
  });
  const { id } = (await answer.json()) as { id: string };
  return new URL(`/teams/demo/agents/${id}`, answer.url()).href;
}

/** Two agents' pages in the tab's history; the second is shown. */
async function openTwo(page: Page): Promise<{ first: string; second: string }> {
  await logIn(page, demo);
  const second = await makeAgent(page);
  const first = await makeAgent(page);
  await page.goto(first);
  await visit(page, second);
  await expect(page).toHaveURL(second);
  await expect(instructions(page)).toBeVisible();
  return { first, second };
}

const visit = (page: Page, address: string) =>
  page.evaluate((detail) => void dispatchEvent(new CustomEvent("parley:visit", { detail })), address);

async function type(page: Page, text: string): Promise<void> {
  await instructions(page).fill(text);
  await expect.poll(() => keptText(page)).toContain(text);
}

/** Holds requests to a URL until released. */
async function hold(page: Page, pattern: RegExp, method = "GET") {
  let noteRequest = () => {};
  let release = () => {};
  const isAsked = new Promise<void>((resolve) => {
    noteRequest = resolve;
  });
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handler = async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    noteRequest();
    await isReleased;
    // The requester may have gone.
    await route.continue().catch(() => undefined);
  };
  await page.route(pattern, handler);
  return {
    isAsked,
    release: async () => {
      release();
      await page.unroute(pattern, handler);
    },
  };
}

const payloadOf = (address: string) => new RegExp(`${new URL(address).pathname}/_payload`);

test("text typed while Back loads stays with its page", async ({ page }) => {
  const { first, second } = await openTwo(page);
  await type(page, "Half a thought");
  const held = await hold(page, payloadOf(first));
  await page.goBack();
  await leave(page);
  await held.isAsked;
  await type(page, "Half a thought, and the rest");
  await held.release();
  await expect(instructions(page)).toHaveValue("");
  await expect(page).toHaveURL(first);
  await page.goForward();
  await expect(instructions(page)).toHaveValue("Half a thought, and the rest");
  await expect(page).toHaveURL(second);
});

test("a page that takes long is announced in words, and arrives", async ({ page }) => {
  await logIn(page, demo);
  await page.clock.install();
  await page.goto("/teams/demo/agents");
  const held = await hold(page, /sources\/_payload/);
  await linkToSources(page).click();
  await held.isAsked;
  await page.clock.runFor(9_000);
  await expect(page.getByText(say("app:leaving.slow"), { exact: true })).toBeVisible();
  await held.release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("sources:list.title"));
});

test("a page of a service that does not respond is loaded again once it does", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 503/);
  await logIn(page, demo);
  await page.clock.install();
  let answers = 0;
  await page.route("**/teams/demo/sources", async (route) => {
    answers += 1;
    if (answers > 2) return await route.continue();
    const response = await route.fetch();
    // As the error page has it.
    const body = (await response.text()).replace("<main", "<main data-retries");
    await route.fulfill({ response, status: 503, body });
  });
  await page.goto("/teams/demo/sources");
  await expect(page.locator("[data-retries]")).toBeAttached();
  for (const asked of [2, 3]) {
    await page.clock.runFor(10_000);
    await expect.poll(() => answers).toBeGreaterThanOrEqual(asked);
  }
  await expect(page.locator("[data-retries]")).toHaveCount(0);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(say("sources:list.title"));

  // After a link its error page is shown where the reader is: its document would be a second wait for the same service.
  const documents: string[] = [];
  page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));
  await page.route(/agents\/_payload/, async (route) => {
    const response = await route.fetch();
    const html = `<h1>Away</h1><a href="" data-retries></a>`;
    const json = { ...(await response.json()), status: 503, layout: "of the error page", html };
    await route.fulfill({ response, json });
  });
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.agents") })
    .first()
    .click();
  await expect(heading).toHaveText("Away");
  await expect(page).toHaveURL(/agents$/);
  expect(documents).toEqual([]);
  await page.clock.runFor(10_000);
  await expect(heading).toHaveText(say("agents:list.title"));
});

test("a reload while Back loads types nothing into the other page", async ({ page }) => {
  const { first } = await openTwo(page);
  await type(page, "Of the second agent");
  const held = await hold(page, payloadOf(first));
  await page.goBack();
  await leave(page);
  await held.isAsked;
  await page.reload();
  await held.release();
  await expect(page).toHaveURL(first);
  await expect(instructions(page)).toHaveValue("");
});

test("Forward before Back's page has loaded stays on its page", async ({ page }) => {
  const { first, second } = await openTwo(page);
  await type(page, "Changed my mind");
  const heading = page.getByRole("heading", { level: 1 });
  const name = (await heading.textContent()) ?? "";
  const held = await hold(page, payloadOf(first));
  const isOver = Promise.race([
    page.waitForEvent("requestfailed", (request) => payloadOf(first).test(request.url())),
    page.waitForEvent("requestfinished", (request) => payloadOf(first).test(request.url())),
  ]);
  await page.goBack();
  await leave(page);
  await held.isAsked;
  await page.goForward();
  await held.release();
  await isOver;
  await expect(page).toHaveURL(second);
  await expect(heading).toHaveText(name);
  await expect(instructions(page)).toHaveValue("Changed my mind");
  await linkToSources(page).click();
  await expect(leaving(page)).toBeVisible();
});

test("Back while the next page renders loses nothing", async ({ page }) => {
  await logIn(page, demo);
  const [one, two] = [await makeAgent(page), await makeAgent(page)];
  // A browser captures the old page before it shows the next one. This one is slow.
  await page.addInitScript(() => {
    window.drawn = [];
    document.startViewTransition = (change) => {
      const updateCallbackDone = new Promise<void>((resolve) => window.drawn.push(resolve)).then(() =>
        typeof change === "function" ? change() : undefined,
      );
      return {
        updateCallbackDone,
        ready: updateCallbackDone,
        finished: updateCallbackDone,
        skipTransition: () => {},
      } as ViewTransition; // no more of it is read
    };
  });
  const drawing = (count: number) => page.waitForFunction((many) => window.drawn.length >= many, count);
  const draw = () =>
    page.evaluate(() => {
      for (const done of window.drawn) done();
    });
  await page.goto(one);
  await visit(page, two);
  await drawing(1);
  await draw();
  await expect(page).toHaveURL(two);
  await type(page, "Typed before the picture");
  await linkToSources(page).click();
  await leave(page);
  await drawing(2);
  await page.goBack();
  await drawing(3);
  await draw();
  await expect(page).toHaveURL(one);
  await expect(instructions(page)).toHaveValue("");
  await page.goForward();
  await drawing(4);
  await draw();
  await expect(instructions(page)).toHaveValue("Typed before the picture");
});

test("typing while a link loads asks before leaving", async ({ page }) => {
  const { second } = await openTwo(page);
  const held = await hold(page, /sources\/_payload/);
  await linkToSources(page).click();
  await held.isAsked;
  await instructions(page).fill("One more thing");
  await held.release();
  await leaving(page)
    .getByRole("button", { name: say("app:leaving.stay") })
    .click();
  await expect(page).toHaveURL(second);
  await expect(instructions(page)).toHaveValue("One more thing");
});

test("text typed during a save stays, unsaved", async ({ page }) => {
  const { second } = await openTwo(page);
  await type(page, "Sent");
  const held = await hold(page, payloadOf(second), "POST");
  await page.getByRole("button", { name: say("app:save"), exact: true }).click();
  await held.isAsked;
  await instructions(page).fill("Sent, and typed since");
  await held.release();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await expect(instructions(page)).toHaveValue("Sent, and typed since");
  await linkToSources(page).click();
  await expect(leaving(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: say("app:save"), exact: true }).click();
  await expect.poll(() => keptText(page)).not.toContain("parley:");
  await page.reload();
  await expect(instructions(page)).toHaveValue("Sent, and typed since");
});

test("Back works even right after a reload", async ({ page }) => {
  const { first, second } = await openTwo(page);
  const names = page.getByRole("heading", { level: 1 });
  const secondName = (await names.textContent()) ?? "";
  await page.goto(first);
  await visit(page, second);
  await expect(names).toHaveText(secondName);
  await page.reload();
  await page.goBack();
  await expect(page).toHaveURL(first);
  await expect(names).not.toHaveText(secondName);
});
