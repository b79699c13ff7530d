// Typed text survives: a refresh of the page's data, a navigation and back, the end of the session, a lost connection.
import type { Page } from "@playwright/test";
import { say, sayAny } from "../support/words.ts";
import { type Account, demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test, withMotion } from "./support/test.ts";

test.use(withMotion);

const admin: Account = { name: "Admin", email: "admin@parley.test", password: "admin-parley-1" };

const refresh = async (page: Page) => {
  const read = page.waitForResponse(/_payload\.json/);
  await page.evaluate(
    () =>
      void dispatchEvent(new CustomEvent("parley:visit", { detail: location.pathname + location.search })),
  );
  await (await read).finished();
};

/** A new agent's page, with text typed into its instructions. */
async function editAgent(page: Page, text: string): Promise<string> {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel(say("agents:name")).fill(`Kept ${Date.now()}`);
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await page.waitForURL(/agents\/[0-9a-f-]{36}/);
  await page.goto(page.url());
  await page.getByLabel(say("agents:instructions.label")).fill(text);
  // Stored in the tab: its script loads with the first typed character.
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain(text);
  return page.url();
}

test("a refresh keeps typed text, focus, scroll, open parts and hydrated islands", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 400 });
  await editAgent(page, "Typed and not saved.");
  await page.getByText(say("agents:sections.who")).click();
  await page.getByLabel(say("agents:name"), { exact: true }).fill("Another name");
  const island = page.locator("main [data-hydrated]").first();
  await expect(island).toBeAttached();
  await island.evaluate((element) => Object.assign(element, { isOld: true }));
  const field = page.getByLabel(say("agents:instructions.label"));
  await field.focus();
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(3, 7));
  await page.evaluate(() => scrollTo(0, 120));
  const top = await page.evaluate(() => scrollY);

  // The server's data changes: it must show, and nothing else may move.
  await page.route("**/_payload.json?*", async (route) => {
    const answer = await route.fetch();
    const payload = await answer.json();
    payload.html = payload.html.replace(/<h1([^>]*)>/, "<h1$1>Newer: ");
    await route.fulfill({ response: answer, json: payload });
  });
  await refresh(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Newer: /);
  await expect(field).toHaveValue("Typed and not saved.");
  await expect(field).toBeFocused();
  await expect(page.getByLabel(say("agents:name"), { exact: true })).toHaveValue("Another name");
  expect(
    await field.evaluate(({ selectionStart, selectionEnd }: HTMLTextAreaElement) => [
      selectionStart,
      selectionEnd,
    ]),
  ).toEqual([3, 7]);
  expect(await page.evaluate(() => scrollY)).toBe(top);
  await expect(page.getByLabel(say("agents:visibility.label"))).toBeVisible();
  expect(await island.evaluate((element) => "isOld" in element)).toBe(true);
  await expect(island).toHaveAttribute("data-hydrated", "");
});

test("a refreshed form with a newer version does not count as edited", async ({ page }) => {
  await editAgent(page, "");
  await page.getByText(say("agents:sections.who")).click();
  const name = page.getByLabel(say("agents:name"), { exact: true });
  const before = await name.inputValue();
  await page.route(/_payload/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(before, "Renamed") });
  });
  await page.evaluate(() => dispatchEvent(new CustomEvent("parley:visit", { detail: location.href })));
  await expect(name).toHaveValue("Renamed");
  await page.unroute(/_payload/);
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.knowledges") })
    .first()
    .click();
  await page.waitForURL(/\/knowledges$/);
});

test("a followed link cancels a refresh", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  const isAsked = page.waitForRequest(/knowledges\/_payload/);
  await page.route(/knowledges\/_payload/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.knowledges") })
    .first()
    .click();
  await isAsked;
  await page.evaluate(() => dispatchEvent(new CustomEvent("parley:visit", { detail: location.href })));
  await page.waitForURL(/\/knowledges$/);
});

test("sorting by keyboard keeps the focus on the column", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  const column = page.getByRole("columnheader").getByRole("link").first();
  await column.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/sort=/);
  await expect(page.locator("[aria-sort]")).toHaveCount(1);
  await expect(column).toBeFocused();
});

test("an edited form asks before leaving, and Back restores the text", async ({ page }) => {
  const address = await editAgent(page, "Half a thought");
  const away = page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.agents") })
    .first();
  const dialog = page.getByRole("dialog", { name: say("app:leaving.title") });
  await away.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect(page.url()).toBe(address);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Half a thought");

  await away.click();
  await dialog.getByRole("button", { name: say("app:leaving.go") }).click();
  await page.waitForURL("**/agents");
  // The URL changes before the page.
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveCount(0);
  await page.goBack();
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Half a thought");

  // Back asks as well, and the URL stays the page's own meanwhile.
  await page.goBack();
  await expect(dialog).toBeVisible();
  expect(page.url()).toBe(address);
  await dialog.getByRole("button", { name: say("app:leaving.stay") }).click();
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Half a thought");

  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await away.click();
  await page.waitForURL("**/agents");
  await expect(dialog).toHaveCount(0);
});

test("a text that was added to a list and not saved is there again after a reload, and by Back", async ({
  page,
}) => {
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/teams?search=demo")).json();
  const answer = await page.request.post(`/v1/teams/${data[0].id}/agents`, {
    data: { name: `Kept ${Date.now()}`, suggestedPrompts: ["Saved?"] },
  });
  const { id } = await answer.json();
  page.on("dialog", (dialog) => void dialog.accept());
  const field = page.getByRole("textbox", { name: say("agents:prompts.label") });
  const chips = page.getByRole("list", { name: say("inputs:tags.list") }).getByRole("listitem");
  await page.goto(`/teams/demo/agents/${id}`);
  await page.getByText(say("agents:sections.front")).click();
  // Before, the field holds the whole list, one text per line.
  await expect(field.locator("xpath=ancestor::*[@data-island='TagsInput']")).toHaveAttribute(
    "data-hydrated",
    "",
  );
  await field.fill("Only typed?");
  await field.press("Enter");
  await expect(chips).toHaveText(["Saved?", "Only typed?"]);
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("Only typed?");
  await page.reload();
  await page.getByText(say("agents:sections.front")).click();
  await expect(chips).toHaveText(["Saved?", "Only typed?"]);
  await field.fill("Not yet added?");
  await expectAccessible(page);
  await field.fill("");

  await page
    .getByRole("link", { name: say("app:nav.agents") })
    .first()
    .click();
  await page
    .getByRole("dialog", { name: say("app:leaving.title") })
    .getByRole("button", { name: say("app:leaving.go") })
    .click();
  await page.waitForURL("**/agents");
  await page.goBack();
  await page.getByText(say("agents:sections.front")).click();
  await expect(chips).toHaveText(["Saved?", "Only typed?"]);
});

test("a playground with tried settings asks before leaving, and Back restores them", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/playground");
  await expect(page.locator("[data-island=Playground]")).toHaveAttribute("data-hydrated", "");
  const settings = page.locator("#settings textarea").first();
  await settings.fill("Tried, and not saved.");
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.sources") })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: say("app:leaving.title") });
  await dialog.getByRole("button", { name: say("app:leaving.go") }).click();
  await page.waitForURL("**/sources");
  await page.goBack();
  await expect(settings).toHaveValue("Tried, and not saved.");
});

test("a text that an earlier build stored is there again after a reload", async ({ page }) => {
  await editAgent(page, "Stored by an earlier build");
  await page.addInitScript(() => {
    for (const [key, stored] of Object.entries(sessionStorage)) {
      if (!key.endsWith(":parley:texts")) continue;
      sessionStorage.removeItem(key);
      sessionStorage.setItem("parley:typed", stored);
    }
  });
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Stored by an earlier build");
});

test("a tab asks before closing only with typed text", async ({ page }) => {
  await editAgent(page, "Not saved");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
});

test("a session that ended is renewed, and the form is unchanged", async ({ page, context }) => {
  const address = await editAgent(page, "Written before the session ended");
  await context.clearCookies();
  await page.getByRole("button", { name: say("app:save") }).click();
  await page.waitForURL("**/login?*");
  await expect(page.getByText(say("auth:login.ended"), { exact: true })).toBeVisible();
  await expect(page.getByText(say("auth:login.endedText.unsaved"), { exact: true })).toBeVisible();
  await page.locator("#email").fill(demo.email);
  await page.locator("#password").fill(demo.password);
  await page.locator("main form button").click();
  await page.waitForURL(address);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue(
    "Written before the session ended",
  );
  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
});

test("a typed question is there after another login, and not for another person in the tab", async ({
  page,
  context,
}) => {
  await logIn(page, demo);
  const answer = await page.request.post("/v1/teams/demo/agents", {
    data: { name: `Kept ${Date.now()}`, visibility: "public" },
  });
  const { id } = await answer.json();
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  const openAs = async (account: Account) => {
    await context.clearCookies();
    await logIn(page, account);
    await page.goto(`/chats/${id}`);
    await expect(page.locator("[data-island][data-hydrated]").filter({ has: field })).toBeAttached();
  };
  await openAs(demo);
  await field.fill("Is my colleague paid more?");
  await openAs(admin);
  await expect(field).toHaveValue("");
  await field.fill("Of the next person");
  await openAs(demo);
  await expect(field).toHaveValue("Is my colleague paid more?");
});

test("a platform admin whose session ended logs in again, and the form is unchanged", async ({ page }) => {
  await logIn(page, admin);
  const { data } = await (await page.request.get("/v1/admin/agents?search=handbook")).json();
  const address = `/admin/agents/${data[0].id}`;
  await page.goto(address);
  const field = page.getByLabel(say("admin:field.description"), { exact: true });
  await field.fill("Written before the session ended");
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("Written before");
  // Ended elsewhere: the cookie is still there.
  const [own] = (await (await page.request.get("/v1/auth/sessions")).json()).data;
  expect(own.current).toBe(true);
  expect((await page.request.delete(`/v1/auth/sessions/${own.id}`)).ok()).toBe(true);
  await page.getByRole("button", { name: say("app:save") }).click();
  await page.waitForURL("**/login?*");
  await expect(page.getByText(say("auth:login.endedText.unsaved"), { exact: true })).toBeVisible();
  await page.locator("#email").fill("admin@parley.test");
  await page.locator("#password").fill("admin-parley-1");
  await page.locator("main form button").click();
  await page.waitForURL(`**${address}`);
  await expect(field).toHaveValue("Written before the session ended");
});

test("offline is reported, and the page loads on reconnect", async ({ page, context, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page.mouse.move(200, 200);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.sources") })
    .first()
    .click();
  await expect(page.getByText(say("app:leaving.offline"), { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("agents:list.title"));
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("app:nav.sources"));
});
