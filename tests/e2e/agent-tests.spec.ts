// Tests of an agent in the browser: made of a reply and by form, run, held against a draft, published and rolled back.
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("make tests, keep a draft, see what it breaks, publish it anyway and roll back", async ({ page }) => {
  await logIn(page, demo);
  const name = `Tested ${Date.now()}`;
  const headers = { origin: new URL(page.url()).origin };
  const [knowledge] = (await (await page.request.get("/v1/teams/demo/knowledges")).json()).data;
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name, knowledgeIds: [knowledge.id] },
    headers,
  });
  const agent = await made.json();
  const home = `/teams/demo/agents/${agent.id}`;

  // Of a reply, in one click.
  await page.goto(`/chats/${agent.id}`);
  await expect(
    page.locator("[data-island][data-hydrated]").filter({ has: page.getByRole("log") }),
  ).toBeAttached();
  await page.getByRole("textbox").fill("How many days of paid leave does everyone have?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Create test" }).click();
  await page.waitForURL(`**${home}/tests`);
  await expect(page.getByText("Test added from the reply", { exact: true })).toBeVisible();
  await expect(page.locator("main li").filter({ hasText: "How many days of paid leave" })).toHaveCount(1);

  // By form; what expects nothing is refused.
  await page.getByText("Add test", { exact: true }).first().click();
  const form = page.locator('form:has(input[value="add"])');
  await form.getByLabel("Question").fill("Which planet is the largest of all?");
  await form.getByRole("button", { name: "Add test" }).click();
  await expect(
    page.getByText("Add a fact or a document, or choose that the agent must refuse."),
  ).toBeVisible();
  await form.getByLabel("The agent must refuse to answer").check();
  await form.getByRole("button", { name: "Add test" }).click();
  await expect(page.getByText("2 tests", { exact: true })).toBeVisible();
  await expectAccessible(page);

  // By CSV, with a report.
  await page.getByText("Import a CSV file", { exact: true }).click();
  await page.getByLabel("Or paste it here").fill("question,facts\nNothing expected?,\nA greeting?,hello\n");
  await page.getByRole("button", { name: "Import tests" }).click();
  await expect(page.getByText("1 test added")).toBeVisible();
  await expect(page.getByText(/Line 2: Add a fact or a document/)).toBeVisible();

  // A draft that knows nothing breaks the first.
  await page.goto(home);
  await page.getByLabel("Instructions").fill("Answer from nothing.");
  for (const box of await page.locator('input[name="knowledgeIds"]:checked').all()) await box.uncheck();
  await page.getByRole("button", { name: "Keep as draft" }).click();
  await page.waitForURL(`**${home}/versions`);
  await expect(page.getByText("Draft", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Test and publish" }).click();
  await page.waitForURL(`**${home}/tests/*`);
  await expect(page.getByText("Version 2 against version 1").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish anyway…" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("broken", { exact: true }).first()).toBeVisible();
  await expect(page.locator("main del").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Publish anyway…" }).click();
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.waitForURL(`**${home}/versions`);
  await expect(page.getByText(/Published although \d tests? w(as|ere) broken/)).toBeVisible();

  await page.getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await expect(page.getByText("Restored from version 1")).toBeVisible();
  await expectAccessible(page);
  await page.goto(home);
  await expect(page.getByLabel("Instructions")).toHaveValue("");
});
