// Client-side navigation: focus, scroll, history, title, another build, and what it leaves alone.

import { say } from "../support/words.ts";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expect, test, withMotion } from "./support/test.ts";

test.use(withMotion);

const marked = "window is still the same";

/** Sets a marker that a document load would remove. */
const mark = (page: import("@playwright/test").Page) =>
  page.evaluate((value) => Object.assign(window, { value }), marked);
const isSame = (page: import("@playwright/test").Page) =>
  page.evaluate((value) => (window as unknown as { value?: string }).value === value, marked); // set by mark()

test("links between pages of one layout swap the main region", async ({ page }) => {
  await page.goto("/login");
  await mark(page);
  await page.getByRole("link", { name: say("auth:login.register") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("auth:register.title"));
  expect(await isSame(page)).toBe(true);
  await expect(page).toHaveTitle(new RegExp(say("auth:register.title")));
  expect(new URL(page.url()).pathname).toBe("/register");

  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("auth:login.title"));
  expect(await isSame(page)).toBe(true);
});

test("focus moves to the marked field or the heading of the new page", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("link", { name: say("auth:login.register") }).click();
  await expect(page.getByLabel(say("auth:name"))).toBeFocused();
  await page.goto("/privacy-policy");
  await page.getByRole("link", { name: say("app:nav.terms") }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms of use" })).toBeFocused();
});

test("history restores the scroll position", async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 400 });
  await page.goto("/privacy-policy");
  await mark(page);
  await page.evaluate(() => scrollTo(0, 300));
  // The click itself scrolls the link into view; its last position counts.
  await page.getByRole("link", { name: say("app:nav.terms") }).focus();
  const left = await page.evaluate(() => scrollY);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of use");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy policy");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  expect(await isSame(page)).toBe(true);
});

test("another layout loads the document", async ({ page }) => {
  await page.goto("/login");
  await mark(page);
  await page.locator("header a").click();
  await page.waitForURL(/\/$/);
  expect(await isSame(page)).toBe(false);
});

test("a page that is gone stays in the app: its sidebar leads on, and Undo is still there", async ({
  page,
}) => {
  // Other tests change the demo's teams, which the sidebar lists.
  await register(page, someone());
  const create = async (path: string, name: string) =>
    await (await page.request.post(path, { data: { name } })).json();
  const team = await create("/v1/teams", "Gone pages");
  const { id } = await create(`/v1/teams/${team.id}/agents`, "Gone");
  const list = `/teams/${team.codename}/agents`;
  const heading = page.getByRole("heading", { level: 1 });
  await page.goto(`${list}/${id}`);
  await mark(page);
  await page.getByRole("button", { name: say("agents:delete.button") }).press("Enter");
  await page.getByRole("button", { name: say("agents:delete.confirm") }).press("Enter");
  await page.waitForURL(`**${list}`);
  // The toast stays while its region has the focus.
  await page.keyboard.press("F8");
  await page.goBack();
  await expect(heading).toHaveText("Page Not Found");
  await expect(page.locator("#sidebar [aria-current=page]")).toHaveText(say("app:nav.agents"));
  await expect(page.locator("main").getByRole("link", { name: say("onboarding:toDashboard") })).toBeVisible();
  await page
    .locator("#toasts")
    .getByRole("button", { name: say("app:toast.undo") })
    .click();
  await expect(heading).toHaveText("Gone");
  expect(await isSame(page)).toBe(true);
});

test("a form whose page cannot be shown leaves the reader where they were, with the reason", async ({
  page,
}) => {
  await logIn(page, demo);
  const name = `Refused ${Date.now()}`;
  const { id } = await (await page.request.post("/v1/teams/demo/agents", { data: { name } })).json();
  const path = `/teams/demo/agents/${id}`;
  const problem = { title: "Not now", description: "The service rests." };
  await page.route(
    ({ pathname }) => pathname === `${path}/_payload.json`,
    async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      const shown = await (await page.request.get(route.request().url())).json();
      await route.fulfill({ json: { ...shown, status: 503, problem, html: "<h1>Not now</h1>" } });
    },
  );
  await page.goto(path);
  await page.getByRole("button", { name: say("agents:delete.button") }).press("Enter");
  await page.getByRole("button", { name: say("agents:delete.confirm") }).press("Enter");
  await expect(page.locator("#toasts li")).toContainText(problem.description);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.request.delete(`/v1/teams/demo/agents/${id}`);
});

test("a payload of another build reloads the page, at most once in ten seconds", async ({ page }) => {
  await page.goto("/login");
  await page.route("**/_payload.json?*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), buildId: "newer" } });
  });
  await mark(page);
  await page.getByRole("link", { name: say("auth:login.register") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("auth:register.title"));
  expect(await isSame(page)).toBe(false);

  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("auth:login.title"));
  await mark(page);
  await page.getByRole("link", { name: say("auth:login.register") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("auth:register.title"));
  expect(await isSame(page)).toBe(true);
});

test("after a newer build was detected, the next page loads in full", async ({ page }) => {
  await page.route("**/builds/latest.json?*", (route) => route.fulfill({ json: { id: "newer" } }));
  const seen = page.waitForResponse("**/builds/latest.json?*");
  await page.goto("/login");
  await seen;
  await mark(page);
  await page.getByRole("link", { name: say("auth:login.register") }).click();
  await page.waitForURL("**/register");
  expect(await isSame(page)).toBe(false);
});

test("the payload matches the page", async ({ request }) => {
  const latest = await (await request.get("/builds/latest.json?1")).json();
  const payload = await (await request.get(`/login/_payload.json?${latest.id}`)).json();
  expect(payload).toMatchObject({ buildId: latest.id, status: 200, islands: [], title: "Log in · Parley" });
  expect(payload.html).toContain("<h1");
  const missing = await (await request.get(`/no/such/page/_payload.json?${latest.id}`)).json();
  expect(missing).toMatchObject({ status: 404, title: "Page Not Found · Parley" });
  const meta = await request.get(`/builds/meta/${latest.id}.json`);
  expect(await meta.json()).toMatchObject({ id: latest.id });
});

test("Back closes the palette, which belongs to the page that it left", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.sources") })
    .first()
    .click();
  await page.waitForURL("**/sources");
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: say("app:palette.title") });
  await expect(palette).toBeVisible();
  await page.goBack();
  await page.waitForURL("**/agents");
  await expect(palette).toBeHidden();
});
