// The agents' pages: make, change, search, delete; what is refused is said at its field.
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test("make an agent, change it, find it, delete it", async ({ page }) => {
  const name = `Trial ${Date.now()}`;
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  await page.getByRole("link", { name: "Create agent" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByText(`${name} is ready to answer.`, { exact: true })).toBeVisible();

  await page.getByLabel("Instructions").fill("Be brief.");
  await page.getByText("Name and visibility").click();
  await page.getByLabel("Visibility").selectOption("public");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Instructions")).toHaveValue("Be brief.");
  await expect(page.getByLabel("Visibility")).toHaveValue("public");

  await page.locator("#sidebar").getByRole("link", { name: "Agents" }).first().click();
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
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("dialog")).toContainText(name);
  // What goes with it, in numbers, and what stays.
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveText([
    "1 chat with its feedback",
    "0 connections to apps",
    "its public page and the chat on your websites",
  ]);
  await expect(page.getByRole("dialog")).toContainText(/other agents can still use their \d+ document/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete agent" }).click();
  await page.waitForURL("**/teams/demo/agents");
  await expect(page.getByText("Agent deleted", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test("a name of spaces is refused at its field, which gets the focus", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel("Instructions").fill("Kept as it was typed.");
  await page.getByLabel("Name").fill("   ");
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText("Give the agent a name.")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("Instructions")).toHaveValue("Kept as it was typed.");
});

test("names of every kind of character come through as they are", async ({ page }) => {
  const name = `<b>“Ünïcødé” & 'quotes' \\ 日本語 🙂 </script> ${Date.now()}`;
  await logIn(page, demo);
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page).toHaveTitle(`${name} · Parley`);
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete agent" }).click();
  await page.waitForURL("**/teams/demo/agents");
});

test("an agent that does not exist says so, with the request's id", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  await logIn(page, demo);
  const answer = await page.goto("/teams/demo/agents/0190aaaa-0000-7000-8000-000000000000");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
  await expect(page.locator("main code")).not.toBeEmpty();
});
