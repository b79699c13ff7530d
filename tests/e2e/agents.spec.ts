// The agents' pages: create, edit, search, delete; validation errors are shown at their fields.

import type { Page } from "@playwright/test";
import { findStack } from "../support/stack.ts";
import { say, sayAny } from "../support/words.ts";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("create an agent, edit it, find it, delete it", async ({ page }) => {
  const name = `Trial ${Date.now()}`;
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page
    .getByRole("link", { name: say("agents:list.create") })
    .first()
    .click();
  await page.getByLabel(say("agents:name"), { exact: true }).fill(name);
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByText(say("agents:create.doneText", { name }), { exact: true })).toBeVisible();

  await page.getByLabel(say("agents:instructions.label")).fill("Be brief.");
  await page.getByText(say("agents:sections.who")).click();
  await page.getByLabel(say("agents:visibility.label")).selectOption("public");
  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Be brief.");
  await expect(page.getByLabel(say("agents:visibility.label"))).toHaveValue("public");

  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("agents:list.title") })
    .first()
    .click();
  await page.getByRole("searchbox").fill(name);
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL(/\?name=/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const agentId = new URL(page.url()).pathname.split("/").at(-1);
  await page.request.post(`/v1/agents/${agentId}/chats`, {
    data: {},
    headers: { origin: new URL(page.url()).origin },
  });
  await page.reload();
  await page.getByRole("button", { name: say("agents:delete.button") }).click();
  await expect(page.getByRole("dialog")).toContainText(name);
  // The dialog counts what is deleted, and lists what stays. The agent has no apps.
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveText([
    say("agents:delete.chats", { number: "1", count: 1 }),
    say("agents:delete.page"),
  ]);
  await expect(page.getByRole("dialog")).toContainText(
    sayAny("agents:delete.stays", { count: 2, number: /\d+/ }),
  );
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: say("agents:delete.button") }).click();
  await page.getByRole("button", { name: say("agents:delete.confirm") }).click();
  await page.waitForURL("**/teams/demo/agents");
  await expect(page.getByText(say("agents:delete.done"), { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test("a name of spaces is rejected at its field, which gets the focus", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel(say("agents:instructions.label")).fill("Kept as it was typed.");
  await page.getByLabel(say("agents:name")).fill("   ");
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await expect(page.getByText(say("agents:nameMissing"))).toBeVisible();
  await expect(page.getByLabel(say("agents:name"))).toBeFocused();
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Kept as it was typed.");
});

test("names with any characters are shown unchanged", async ({ page }) => {
  const name = `<b>“Ünïcødé” & 'quotes' \\ 日本語 🙂 </script> ${Date.now()}`;
  await logIn(page, demo);
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel(say("agents:name")).fill(name);
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page).toHaveTitle(`${name} · Parley`);
  await page.getByRole("button", { name: say("agents:delete.button") }).click();
  await page.getByRole("button", { name: say("agents:delete.confirm") }).click();
  await page.waitForURL("**/teams/demo/agents");
});

test("an agent created from a knowledge base's page answers from that one", async ({ page }) => {
  await register(page, someone());
  const create = async (path: string, data: object) => await (await page.request.post(path, { data })).json();
  const team = await create("/v1/teams", { name: "Bases" });
  const [, second] = [
    await create(`/v1/teams/${team.id}/knowledges`, { name: "A base" }),
    await create(`/v1/teams/${team.id}/knowledges`, { name: "B base" }),
  ];
  await page.goto(`/teams/${team.codename}/knowledges/${second.id}`);
  await page.getByRole("link", { name: say("knowledges:useIt") }).click();
  await expect(page.getByLabel(say("agents:knowledge"))).toHaveValue(second.id);
  await page.getByLabel(say("agents:name"), { exact: true }).fill("Of the second");
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await expect(page.getByRole("checkbox", { name: "B base" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "A base" })).not.toBeChecked();
});

test("a missing agent gives 404, with the request's id", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  await logIn(page, demo);
  const answer = await page.goto("/teams/demo/agents/0190aaaa-0000-7000-8000-000000000000");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
  await expect(page.locator("main code")).toHaveText(answer?.headers()["x-request-id"] ?? "none");
});

async function chooseSearched(page: Page, label: string, option: string): Promise<void> {
  const field = page.getByRole("combobox", { name: label, exact: true });
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await field.fill(option.slice(-3));
  await page.getByRole("option", { name: option }).click();
}

test("each of 150 agents can be chosen, by keyboard, and without script", async ({
  page,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  await logIn(page, demo);
  const team = await (await page.request.post("/v1/teams", { data: { name: `Many ${Date.now()}` } })).json();
  const database = (await findStack()).connect("postgres", { max: 1 });
  await database`insert into public.agents (team_id, name)
    select ${team.id}, 'Agent ' || lpad(n::text, 3, '0') from generate_series(1, 150) n`;
  await database`insert into public.knowledges (team_id, name)
    select ${team.id}, 'Base ' || lpad(n::text, 3, '0') from generate_series(1, 150) n`;
  await database.end();

  await page.goto(`/teams/${team.codename}/apps/create`);
  const field = page.getByRole("combobox", { name: say("apps:agent"), exact: true });
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await field.focus();
  await page.keyboard.press("ArrowDown");
  const options = page.getByRole("listbox", { name: say("apps:agent") }).getByRole("option");
  await expect(options).toHaveCount(100);
  await expectAccessible(page);
  // No agent is chosen by Escape.
  await page.keyboard.type("agent 14");
  await expect(options).toHaveCount(10);
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("Agent 001");
  // A screen reader hears how many there are, that there are more, and that the search failed.
  const said = field.locator("xpath=following-sibling::*[@role='status']");
  await page.keyboard.type("agent");
  await expect(said).toHaveText(`${say("inputs:choice.found", { count: 20 })}. ${say("inputs:choice.more")}`);
  await page.route("**/agents?name=**", (route) => route.abort());
  await page.keyboard.type(" 99");
  await expect(said).toHaveText(say("inputs:choice.failed"));
  await page.unroute("**/agents?name=**");
  await page.keyboard.press("Escape");
  await page.keyboard.type("agent 14");
  await expect(options).toHaveCount(10);
  await page.keyboard.press("ArrowDown");
  // Visible where the system sets the colours, too.
  await page.emulateMedia({ forcedColors: "active" });
  await expect(options.nth(1)).toHaveCSS("outline-style", "solid");
  await expect(options.nth(0)).toHaveCSS("outline-style", "none");
  await page.emulateMedia({ forcedColors: null });
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("Agent 141");
  await expect(page.getByRole("listbox")).toBeHidden();
  await page.reload();
  await expect(field).toHaveValue("Agent 141");
  await page.getByRole("button", { name: say("apps:create.submit") }).click();
  await page.waitForURL(/apps\/[0-9a-f-]{36}/);
  await expect(page.locator("dl").getByRole("link", { name: "Agent 141" })).toBeVisible();
  await expect(field).toHaveValue("Agent 141");
  await page.goto(`/teams/${team.codename}/apps`);
  await expect(page.getByRole("cell", { name: "Agent 141", exact: true })).toBeVisible();

  // Knowledge bases, too: an agent of one beyond the list gets another, and keeps both.
  await page.goto(`/teams/${team.codename}/agents/create`);
  await page.getByLabel(say("agents:name"), { exact: true }).fill("Agent 200");
  await chooseSearched(page, say("agents:knowledge"), "Base 150");
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await page.waitForURL(/agents\/[0-9a-f-]{36}/);
  await chooseSearched(page, say("agents:anotherKnowledge"), "Base 149");
  await page.getByRole("button", { name: say("app:save"), exact: true }).click();
  for (const name of ["Base 149", "Base 150"])
    await expect(page.getByRole("checkbox", { name, exact: true })).toBeChecked();
  const agentId = page.url().split("/").at(-1);
  await page.goto(`/teams/${team.codename}/playground?agentId=${agentId}`);
  await chooseSearched(page, say("playground:anotherKnowledge"), "Base 148");
  await expect(page.getByRole("checkbox", { name: "Base 148" })).toBeChecked();

  // A filter takes effect at once, and keeps the focus.
  await page.goto(`/teams/${team.codename}/insights`);
  const filter = page.getByRole("combobox", { name: say("insights:filter.agent") });
  await filter.fill("150");
  await page.getByRole("option", { name: "Agent 150" }).click();
  await page.waitForURL(/agentId=/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Agent 150");
  await expect(filter).toHaveValue("Agent 150");
  await expect(filter).toBeFocused();

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const other = await plain.newPage();
  await other.goto(`/teams/${team.codename}/sources/create?type=agentChat`);
  await other.getByRole("searchbox").fill("agent 15");
  await other.getByRole("searchbox").press("Enter");
  await other.locator("select[name='config.agentId']").selectOption({ label: "Agent 150" });
  await other.getByRole("button", { name: say("sources:create.submit") }).click();
  await expect(other).toHaveURL(/sources\/[0-9a-f-]{36}/);
  await plain.close();
  // Other tests read which teams the account has.
  await page.request.delete(`/v1/teams/${team.id}`);
});

test("a knowledge base that is created from an agent's page is the agent's, also without JavaScript", async ({
  page,
  browser,
}) => {
  await register(page, someone());
  const team = await (await page.request.post("/v1/teams", { data: { name: "Shelves" } })).json();
  const agents = `/v1/teams/${team.id}/agents`;
  const agent = await (await page.request.post(agents, { data: { name: "Librarian" } })).json();
  const own = async () =>
    (await (await page.request.get(`${agents}/${agent.id}`)).json()).knowledgeIds as string[];
  const address = `/teams/${team.codename}/agents/${agent.id}`;

  await page.goto(address);
  await page.getByRole("link", { name: say("agents:addKnowledge") }).click();
  await expect(page.getByText(say("knowledges:create.forAgent", { name: "Librarian" }))).toBeVisible();
  await expect(page.locator("[data-island=NewKnowledge]")).toHaveAttribute("data-hydrated", "");
  await page.locator("input[type=file]").setInputFiles([
    { name: "Shelves.md", mimeType: "text/markdown", buffer: Buffer.from("There are twelve shelves.") },
    { name: "Hours.md", mimeType: "text/markdown", buffer: Buffer.from("It opens at nine.") },
  ]);
  await expect(page.getByText(say("knowledges:create.added", { name: "Librarian" }))).toBeVisible();
  const [first] = await own();
  expect(page.url()).toContain(`/knowledges/${first}`);
  await page.getByRole("link", { name: say("knowledges:create.toAgent") }).click();
  await expect(page).toHaveURL(address);
  await expect(page.locator(`input[name=knowledgeIds][value="${first}"]`)).toBeChecked();

  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const other = await plain.newPage();
  await other.goto(address);
  await other.getByRole("link", { name: say("agents:addKnowledge") }).click();
  await other.getByRole("button", { name: say("knowledges:create.submit") }).click();
  await expect(other.getByText(say("knowledges:create.added", { name: "Librarian" }))).toBeVisible();
  await plain.close();
  expect(await own()).toEqual([first, expect.any(String)]);
  await page.request.delete(`/v1/teams/${team.id}`);
});
