// Insights and their chats: charts and tables, filters that keep the focus and the URL, a calendar by keyboard, a CSV export; and a
// viewer's message.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { say, sayIn } from "../support/words.ts";
import { type Account, demo, logIn, register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const sayInFrench = sayIn("fr");

/** Asks the seeded agent a question that no document answers, in a team of the demo account. */
async function askInVain(page: Page, question: string): Promise<void> {
  const post = (path: string, data: object) => page.request.post(path, { data });
  const teams = await (await page.request.get("/v1/teams?search=demo")).json();
  const agents = await (await page.request.get(`/v1/teams/${teams.data[0].id}/agents?name=handbook`)).json();
  const chat = await (
    await post(`/v1/agents/${agents.data[0].id}/chats`, { title: question, channel: "playground" })
  ).json();
  expect((await post(`/v1/chats/${chat.id}/messages`, { content: question })).status()).toBe(200);
  await post(`/v1/agents/${agents.data[0].id}/chats/${chat.id}/feedback`, { rating: "down" });
}

test("figures have tables and a CSV; unanswered questions link to the chat and to the knowledge base", async ({
  page,
}) => {
  const question = `Zyxwvut qponml ${Date.now()}?`;
  await logIn(page, demo);
  await askInVain(page, question);
  await page.goto("/dashboard");
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.insights") })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("app:nav.insights"));
  await expect(page.getByRole("img", { name: /chats? in total\./ })).toBeVisible();
  const chart = page.getByRole("figure", { name: say("insights:figure.chats"), exact: true });
  await chart.getByText(say("app:chart.table")).click();
  await expect(chart.getByRole("row")).toHaveCount(31);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: say("insights:csv") }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^insights-[\d-]+-day\.csv$/);
  expect(await readFile(await file.path(), "utf8")).toMatch(/^date,chats,messages,/);

  const row = page.getByRole("row").filter({ hasText: question });
  await expect(row.getByRole("link", { name: say("insights:questions.add") })).toHaveAttribute(
    "href",
    /\/knowledges\//,
  );
  await row.getByRole("link", { name: question }).click();
  await page.waitForURL(/\/teams\/demo\/chats\/review\?chatId=/);
});

test("a range is chosen by keyboard, and filters stay in the URL and keep the focus", async ({ page }) => {
  await logIn(page, demo);
  await askInVain(page, `Qponml zyxwvut ${Date.now()}?`);
  await page.goto("/teams/demo/insights");
  const button = page.locator("[data-island=DateRange] button");
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: say("insights:filter.range") });
  await expect(dialog.getByRole("gridcell")).toHaveCount(42);
  // The focus is on the last day of the range; the arrows move it.
  const day = dialog.locator("[role=gridcell] button:focus");
  const before = (await day.getAttribute("aria-label")) ?? "";
  await page.keyboard.press("ArrowUp");
  await expect(day).not.toHaveAttribute("aria-label", before);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();

  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: say("calendar:lastDays", { count: 7 }) }).click();
  await page.waitForURL(/dateStart=\d{4}-\d\d-\d\d&dateEnd=/);
  const group = page.getByRole("combobox", { name: say("insights:filter.group") });
  await group.focus();
  await group.selectOption("week");
  await page.waitForURL(/group=week/);
  expect(page.url()).toContain("dateStart=");
  await expect(group).toBeFocused();
  await expect(page.locator("th", { hasText: say("insights:group.week") })).toHaveCount(6);
  await page.getByRole("link", { name: say("app:filter.clear") }).click();
  await page.waitForURL(/insights$/);
});

test("chats are found by word, rating and channel; an empty result says so", async ({ page }) => {
  const word = `Wvutsrq${Date.now()}`;
  await logIn(page, demo);
  await askInVain(page, word);
  await page.goto("/teams/demo/chats");
  await page.getByRole("searchbox").fill(word);
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("combobox", { name: say("insights:chart.feedback") }).selectOption("down");
  await page.waitForURL(/rating=down/);
  await expect(page.getByRole("row").filter({ hasText: word })).toBeVisible();
  await page.getByRole("combobox", { name: say("insights:questions.where") }).selectOption("slack");
  await page.waitForURL(/channel=slack/);
  await expect(page.getByText(say("chats:noMatch"))).toBeVisible();
  await expect(page.getByRole("combobox", { name: say("insights:questions.where") })).toHaveValue("slack");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the range is two fields, and a button filters", async ({ page }) => {
    await logIn(page, demo);
    await page.goto("/teams/demo/insights");
    await page.getByLabel(say("calendar:dateStart"), { exact: true }).fill("2026-01-01");
    await page.getByLabel(say("calendar:dateEnd"), { exact: true }).fill("2026-01-31");
    await page.getByRole("button", { name: say("app:filter.apply") }).click();
    expect(page.url()).toContain("dateStart=2026-01-01&dateEnd=2026-01-31");
    await expect(page.getByRole("heading", { name: say("insights:empty.title") })).toBeVisible();
  });
});

test("a team without questions has an empty state; also in French, accessibly", async ({ page }) => {
  const person: Account = someone();
  await register(page, person);
  await page.goto("/teams/create");
  await page.getByLabel(say("teams:create.name")).fill(`Empty ${Date.now()}`);
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  const teams = await (await page.request.get("/v1/teams")).json();
  await page.goto(`/teams/${teams.data[0].codename}/insights`);
  await expect(page.getByRole("heading", { name: say("insights:empty.title") })).toBeVisible();
  const { id } = await (await page.request.get("/v1/auth/me")).json();
  await page.request.put(`/v1/users/${id}`, { data: { locale: "fr" } });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(sayInFrench("insights:title"));
  await expectAccessible(page);
});
