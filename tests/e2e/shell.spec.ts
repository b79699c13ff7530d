// The page's frame: sidebar, command palette, tooltips, route rules; by keyboard where that matters.

import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test, withMotion } from "./support/test.ts";

test.use(withMotion);

test("the sidebar's entries are in order, and the current one is marked", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  const sidebar = page.getByRole("navigation", { name: say("app:nav.label") });
  const groups: Record<string, string[]> = {
    Project: ["Agents", "Knowledge", "Sources", "Chats", "Inbox", "Apps"],
    Playground: ["Agents", "Knowledge"],
    Resources: ["Files", "Tasks"],
    Account: ["Profile", "Users", "Api Keys", "Models"],
  };
  for (const [name, entries] of Object.entries(groups)) {
    await expect(sidebar.getByRole("region", { name }).getByRole("link")).toHaveText(entries);
  }
  const current = sidebar.locator("[aria-current=page]");
  await expect(current).toHaveAttribute("href", "/teams/demo/agents");
  await sidebar.getByRole("link", { name: say("app:nav.sources") }).click();
  await expect(current).toHaveAttribute("href", "/teams/demo/sources");
});

test("on a low screen the sidebar shows the current page's entry", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await logIn(page, demo);
  await page.goto("/teams/demo/models");
  const sidebar = page.getByRole("navigation", { name: say("app:nav.label") });
  const current = sidebar.locator("[aria-current=page]");
  await expect(current).toHaveAttribute("href", "/teams/demo/models");
  await expect(current).toBeInViewport({ ratio: 1 });
  // The top of the page stays in sight: only the sidebar's own list has scrolled.
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole("link", { name: "Demo" }).first().click();
  await expect(current).not.toHaveAttribute("href", "/teams/demo/models");
  await expect(current).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 600 });
  await page.goto("/teams/demo/models");
  await page.getByRole("button", { name: say("app:nav.open") }).click();
  await expect(current).toBeInViewport({ ratio: 1 });
});

test("the command palette works by its key, letters, arrows and Enter, and Escape returns the focus", async ({
  page,
  expectedErrors,
}) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page.getByRole("button", { name: say("app:search") }).focus();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: say("app:palette.title") });
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();
  await expect(page.getByRole("button", { name: say("app:search") })).toBeFocused();

  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("hand");
  // Other tests may have created more of that name: agents still come before knowledge bases.
  const options = page.getByRole("option");
  await expect(options.first()).toHaveText("handbook");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  const agents = page.locator('[role=option][id^="palette-agents-"]');
  await expect(page.locator('[role=option][id^="palette-knowledges-"]').first()).toBeVisible();
  for (let left = await agents.count(); left > 0; left--) await page.keyboard.press("ArrowDown");
  await expect(field).toHaveAttribute("aria-activedescendant", /^palette-knowledges-/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Handbook" })).toBeVisible();
  await expect(field).toBeHidden();

  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("no such thing at all");
  await expect(page.getByText(say("app:palette.empty"))).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("new agent");
  await expect(page.locator("[role=option]").first()).toHaveText(say("app:palette.createAgent"));

  // A search that fails is not a search without matches.
  expectedErrors.push(/ERR_FAILED/);
  await page.route("**/palette.json?*", (route) => route.abort());
  await page.keyboard.type("?");
  await expect(page.getByText(say("errors:UNAVAILABLE.title"))).toBeVisible();
  await page.unroute("**/palette.json?*");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("an anonymous visitor is offered public pages only", async ({ request }) => {
  const { items } = (await (await request.get("/palette.json?path=/teams/demo/agents")).json()) as {
    items: { group: string; href?: string }[];
  };
  expect(items.filter(({ group }) => group !== "pages" && group !== "actions")).toEqual([]);
  expect(items.filter(({ href }) => href?.startsWith("/teams"))).toEqual([]);
});

test("a tooltip has a delay, the next one has none, and Escape or leaving closes it", async ({ page }) => {
  await page.goto("/login");
  const light = page.getByRole("button", { name: say("app:theme.light") });
  const dark = page.getByRole("button", { name: say("app:theme.dark") });
  const tooltip = page.getByRole("tooltip");
  await light.hover();
  await expect(tooltip).toHaveText(say("app:theme.light"));
  await expect(light).toHaveAttribute("data-state", "delayed-open");
  await dark.hover();
  await expect(tooltip).toHaveText(say("app:theme.dark"));
  await expect(dark).toHaveAttribute("data-state", "instant-open");
  await expect(light).toHaveAttribute("data-state", "closed");
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();

  await page.getByRole("button", { name: "Français" }).focus();
  await page.keyboard.press("Tab");
  await expect(tooltip).toHaveText(say("app:theme.system"));
});

test("a scroll area shows its bar on hover and while scrolling, and 600 ms longer", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 420 });
  await logIn(page, demo);
  const start = new Date("2026-01-01T00:00:00Z");
  await page.clock.install({ time: start });
  await page.goto("/teams/demo/agents");
  await page.clock.pauseAt(new Date(start.getTime() + 600_000));
  const area = page.locator("#sidebar [data-scroll-area]");
  const bar = () => area.evaluate((element) => getComputedStyle(element).scrollbarColor);
  const hidden = await bar();
  await area.hover();
  await expect.poll(bar).not.toBe(hidden);
  await page.mouse.move(700, 200);
  await page.clock.runFor(550);
  await expect(area).toHaveAttribute("data-state", "visible");
  await page.clock.runFor(100);
  await expect(area).toHaveAttribute("data-state", "hidden");
  expect(await bar()).toBe(hidden);
  await area.evaluate((element) => element.scrollTo(0, 40));
  await expect(area).toHaveAttribute("data-state", "visible");
  await page.clock.runFor(700);
  await expect(area).toHaveAttribute("data-state", "hidden");
});

test("route rules redirect on the server, and apply to client-side navigation", async ({ page, request }) => {
  const answer = await request.get("/signup?next=%2Fteams", { maxRedirects: 0 });
  expect([answer.status(), answer.headers().location]).toEqual([302, "/register?next=%2Fteams"]);
  const { id } = (await (await request.get("/builds/latest.json?1")).json()) as { id: string };
  const meta = await request.get(`/builds/meta/${id}.json`);
  expect(await meta.json()).toMatchObject({
    id,
    routeRules: { "/signup": { redirect: { to: "/register" } } },
  });

  await page.route("**/builds/meta/*.json", (route) =>
    route.fulfill({
      json: {
        id,
        routeRules: { "/register": { redirect: { to: "https://elsewhere.example/", statusCode: 302 } } },
      },
    }),
  );
  await page.route("https://elsewhere.example/", (route) => route.fulfill({ body: "Another site" }));
  const rules = page.waitForResponse("**/builds/meta/*.json");
  await page.goto("/login");
  // They come with the code for navigation.
  await page.mouse.move(10, 10);
  await rules;
  await page.getByRole("link", { name: say("auth:login.register") }).click();
  await expect(page.getByText("Another site")).toBeVisible();
});
