// What a lost connection interrupts goes on by itself, is done once, and says what happened.
import type { Page, Route } from "@playwright/test";
import { say, sayAny } from "../support/words.ts";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

async function newTeam(page: Page) {
  await register(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name: "Harbor" } });
  return (await made.json()) as { id: string; codename: string };
}

const sidebarLink = (page: Page, name: string) =>
  page.locator("#sidebar").getByRole("link", { name }).first();

/** Opens the agents by the client, whose script has arrived then: without it the browser loads each page itself. */
async function visitAgents(page: Page): Promise<void> {
  await page.goto("/teams/demo/sources");
  await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
  await sidebarLink(page, say("app:nav.agents")).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("app:nav.agents"));
  await expect(page.locator("body[data-same-page]")).toBeAttached();
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

test("a page that waits for the connection is not announced as slow", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  await logIn(page, demo);
  await page.clock.install();
  await visitAgents(page);
  await context.setOffline(true);
  await sidebarLink(page, say("app:nav.sources")).click();
  await expect(page.getByText(say("app:leaving.offline"), { exact: true })).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(page.getByText(say("app:leaving.slow"), { exact: true })).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("app:nav.sources"));
});

test("an island whose script cannot be loaded says so, and starts once it can", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  await logIn(page, demo);
  await visitAgents(page);
  await page.route("**/assets/chunks/**", (route) => route.abort());
  await sidebarLink(page, say("app:nav.tasks")).click();
  await expect(page.locator("#toasts")).toContainText(say("errors:UNAVAILABLE.title"));
  const asleep = page.locator("[data-island]:not([data-hydrated])");
  await expect(asleep).not.toHaveCount(0);
  await page.unroute("**/assets/chunks/**");
  await expect(asleep).toHaveCount(0);
});

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

test("an upload goes on when the browser is online again, and a file that arrived is not sent twice", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  const team = await newTeam(page);
  await page.goto(`/teams/${team.codename}/knowledges/create`);
  await expect(running(page, "NewKnowledge")).toBeAttached();
  const sent: string[] = [];
  page.on("request", (request) => request.url().endsWith("/files/upload") && sent.push(request.url()));
  await loseFirstAnswer(page, /\/knowledges$/);
  await context.setOffline(true);
  await page
    .locator("main input[type=file]")
    .setInputFiles({ name: "tides.md", mimeType: "text/markdown", buffer: Buffer.from("# Tides\n\nHigh.") });
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toHaveText(say("files:offline"));
  await context.setOffline(false);
  // The file arrives now, and the answer of its knowledge base is lost.
  await expect.poll(() => sent).toHaveLength(2);
  await page.getByRole("button", { name: say("files:retryNamed", { name: "tides.md" }) }).click();
  await page.waitForURL(/knowledges\/[0-9a-f-]{36}$/);
  expect(sent).toHaveLength(2);
  const { total } = await (await page.request.get(`/v1/teams/${team.id}/knowledges`)).json();
  expect(total).toBe(1);
});
