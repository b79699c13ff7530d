// What a lost connection interrupts goes on by itself, is done once, and says what happened.
import type { Page, Route } from "@playwright/test";
import { say, sayAny } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

async function newTeam(page: Page) {
  await register(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name: "Harbor" } });
  return (await made.json()) as { id: string; codename: string };
}

const running = (page: Page, island: string) => page.locator(`[data-island=${island}][data-hydrated]`);

/** Lets the first call arrive and loses its answer. */
function loseFirstAnswer(page: Page, address: RegExp) {
  let calls = 0;
  return page.route(address, async (route: Route) => {
    if (route.request().method() !== "POST") return await route.fallback();
    calls += 1;
    if (calls > 1) return await route.continue();
    await route.fetch();
    await route.abort();
  });
}

test("an API key whose answer was lost is created once, and shown when it is asked for again", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  const team = await newTeam(page);
  await page.goto(`/teams/${team.codename}/apiKeys`);
  await expect(running(page, "NewApiKey")).toBeAttached();
  await loseFirstAnswer(page, /apiKeys$/);
  await page.getByLabel(say("apiKeys:name"), { exact: true }).fill("Nightly export");
  const create = page.getByRole("button", { name: say("apiKeys:create"), exact: true });
  await create.click();
  await expect(page.locator("#toasts")).toContainText(say("errors:UNAVAILABLE.title"));
  await create.click();
  const key = await page.getByLabel(say("apiKeys:key"), { exact: true }).inputValue();
  const { data } = await (await page.request.get(`/v1/teams/${team.id}/apiKeys`)).json();
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["Nightly export"]);
  const headers = { authorization: `Bearer ${key}` };
  expect((await page.request.get(`/v1/teams/${team.id}/agents`, { headers })).status()).toBe(200);
  // A second key of the same name, asked for on purpose.
  await page.getByRole("button", { name: say("apiKeys:made.done") }).click();
  await page.getByLabel(say("apiKeys:name"), { exact: true }).fill("Nightly export");
  await create.click();
  await expect(page.getByLabel(say("apiKeys:key"), { exact: true })).not.toHaveValue(key);
});

test("a chat whose start was not answered is started once", async ({ page, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/);
  const team = await newTeam(page);
  const made = await page.request.post(`/v1/teams/${team.id}/agents`, { data: { name: "Pilot" } });
  const { id } = await made.json();
  await page.goto(`/chats/${id}`);
  await expect(running(page, "Chat")).toBeAttached();
  await loseFirstAnswer(page, /\/v1\/agents\/[^/]+\/chats$/);
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  await field.fill("Which berth is free?");
  await field.press("Enter");
  await page
    .getByRole("main")
    .getByRole("button", { name: say("chat:retry"), exact: true })
    .click();
  await expect(page.getByRole("button", { name: say("chat:copy") })).toBeVisible();
  const { data } = await (await page.request.get(`/v1/agents/${id}/chats`)).json();
  expect(data).toHaveLength(1);
});
