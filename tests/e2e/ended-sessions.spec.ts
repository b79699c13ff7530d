// A session that ended while its page was open: every part of the page says so, leads to the login, and keeps what was typed.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { type Account, demo, logIn, register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const admin: Account = { name: "Admin", email: "admin@parley.test", password: "admin-parley-1" };

/** Ends the session elsewhere: the cookie is still there. */
async function endSession(page: Page) {
  const { data } = await (await page.request.get("/v1/auth/sessions")).json();
  const own = data.find(({ current }: { current: boolean }) => current);
  expect((await page.request.delete(`/v1/auth/sessions/${own.id}`)).ok()).toBe(true);
}

async function logInAgain(page: Page, { email, password }: Account) {
  await page.waitForURL("**/login?*");
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await page.locator("main form button").click();
}

const palette = (page: Page) => page.getByRole("dialog", { name: say("app:palette.title") });

test("the palette of an ended session leads to the login, and back", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 401/);
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page).getByRole("option", { name: "handbook" }).first()).toBeVisible();
  await endSession(page);
  await page.keyboard.type("handbook");
  await expect(palette(page).getByRole("option")).toHaveText([
    `${say("app:nav.login")}${say("auth:login.endedText.reading")}`,
  ]);
  await expect(palette(page).getByText(say("auth:login.ended"), { exact: true }).first()).toBeVisible();
  await expect(palette(page).getByText(say("app:palette.empty"), { exact: true })).toHaveCount(0);
  await page.keyboard.press("Enter");
  await logInAgain(page, demo);
  await page.waitForURL("**/teams/demo/agents");
});

test("the palette shows nothing of another person who has logged in since", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401/);
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await context.clearCookies();
  await logIn(page, admin);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page).getByRole("option")).toHaveCount(1);
  await expect(palette(page).getByText(say("auth:login.ended"), { exact: true }).first()).toBeVisible();
});

test("the palette says that the service does not respond, and finds again once it does", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page).getByRole("option", { name: "handbook" }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.route("**/palette.json?*", (route) => route.abort());
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page).getByText(say("errors:UNAVAILABLE.title"))).toBeVisible();
  await expect(palette(page).getByText(say("app:palette.empty"), { exact: true })).toHaveCount(0);
  await page.unroute("**/palette.json?*");
  await page.keyboard.type("time-off");
  await expect(palette(page).getByRole("option", { name: "time-off.md" }).first()).toBeVisible();
  await expect(palette(page).getByText(say("errors:UNAVAILABLE.title"))).toHaveCount(0);
});

test("a chat's new title and an API key's name outlast the login that their toast leads to", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401/);
  const account = someone();
  await register(page, account);
  const team = await (await page.request.post("/v1/teams", { data: { name: "Archive" } })).json();
  const agent = await (
    await page.request.post(`/v1/teams/${team.id}/agents`, { data: { name: "Clerk" } })
  ).json();
  const chat = await (await page.request.post(`/v1/agents/${agent.id}/chats`, { data: {} })).json();
  await page.request.post(`/v1/chats/${chat.id}/messages`, { data: { content: "Where are the maps?" } });
  const toLogin = page.locator("#toasts").getByRole("link", { name: say("app:nav.login"), exact: true });

  await page.goto(`/chats/${agent.id}?chatId=${chat.id}`);
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  await page.getByRole("button", { name: say("chat:rename") }).click();
  const title = page.getByLabel(say("chat:titleLabel"), { exact: true });
  await title.fill("Maps and plans");
  await endSession(page);
  await title.press("Enter");
  await toLogin.click();
  await logInAgain(page, account);
  await page.waitForURL(`**/chats/${agent.id}?chatId=${chat.id}`);
  await expect(title).toHaveValue("Maps and plans");
  await title.press("Enter");
  await expect(page.getByRole("heading", { name: "Maps and plans" })).toBeVisible();
  await page.reload();
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  await expect(title).toHaveCount(0);

  await page.goto(`/teams/${team.codename}/apiKeys`);
  await expect(page.locator("[data-island=NewApiKey][data-hydrated]")).toBeAttached();
  const name = page.getByLabel(say("apiKeys:name"), { exact: true });
  await name.fill("Map server");
  await endSession(page);
  await page.getByRole("button", { name: say("apiKeys:create"), exact: true }).click();
  await toLogin.click();
  await logInAgain(page, account);
  await page.waitForURL("**/apiKeys");
  await expect(name).toHaveValue("Map server");
  await page.getByRole("button", { name: say("apiKeys:create"), exact: true }).click();
  await expect(page.getByLabel(say("apiKeys:key"), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.locator("[data-island=NewApiKey][data-hydrated]")).toBeAttached();
  await expect(name).toHaveValue("");
});

test("text in a form outlasts the end of a session that the palette or a refresh notices", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401/);
  await logIn(page, demo);
  const { id } = await (
    await page.request.post("/v1/teams/demo/agents", { data: { name: `Typed ${Date.now()}` } })
  ).json();
  await page.goto(`/teams/demo/agents/${id}`);
  const field = page.getByLabel(say("agents:instructions.label"));
  await field.fill("Written before the session ended");
  await endSession(page);
  await page.keyboard.press("ControlOrMeta+k");
  await palette(page).getByRole("option").click();
  await logInAgain(page, demo);
  await page.waitForURL(`**/agents/${id}`);
  await expect(field).toHaveValue("Written before the session ended");
  await field.fill("Written before it ended again");
  await endSession(page);
  // As an island asks for it.
  await page.evaluate(() => dispatchEvent(new CustomEvent("parley:visit", { detail: location.pathname })));
  await logInAgain(page, demo);
  await page.waitForURL(`**/agents/${id}`);
  await expect(field).toHaveValue("Written before it ended again");
});
