// Tests of an agent in the browser: created from a reply and by form, run, compared with a draft, published and rolled back.

import { say, sayAny } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("create tests, save a draft, see what it breaks, publish it anyway and roll back", async ({ page }) => {
  await logIn(page, demo);
  const name = `Tested ${Date.now()}`;
  const [knowledge] = (await (await page.request.get("/v1/teams/demo/knowledges")).json()).data;
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name, knowledgeIds: [knowledge.id] },
  });
  const agent = await made.json();
  const home = `/teams/demo/agents/${agent.id}`;

  // From a reply, in one click.
  await page.goto(`/chats/${agent.id}`);
  await expect(
    page.locator("[data-island][data-hydrated]").filter({ has: page.getByRole("log") }),
  ).toBeAttached();
  await page.getByRole("textbox").fill("How many days of paid leave does everyone have?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: say("chat:makeTest") }).click();
  await page.waitForURL(`**${home}/tests`);
  await expect(page.getByText(say("agentTests:form.addedFromReply"), { exact: true })).toBeVisible();
  await expect(page.locator("main li").filter({ hasText: "How many days of paid leave" })).toHaveCount(1);

  // By form; a test without an expectation is rejected.
  await page.getByText(say("agentTests:form.add"), { exact: true }).first().click();
  const form = page.locator('form:has(input[value="add"])');
  await form.getByLabel(say("agentTests:form.question")).fill("Which planet is the largest of all?");
  await form.getByRole("button", { name: say("agentTests:form.add") }).click();
  await expect(page.getByText(say("errors:refusals.testExpectsNothing"))).toBeVisible();
  await form.getByLabel(say("agentTests:form.mustRefuse")).check();
  await form.getByRole("button", { name: say("agentTests:form.add") }).click();
  await expect(page.getByText(say("agentTests:tests.list", { count: 2 }), { exact: true })).toBeVisible();
  await expectAccessible(page);

  // By CSV, with a report.
  await page.getByText(say("agentTests:import.title"), { exact: true }).click();
  await page
    .getByLabel(say("agentTests:import.text"))
    .fill("question,facts\nNothing expected?,\nA greeting?,hello\n");
  await page.getByRole("button", { name: say("agentTests:import.submit") }).click();
  await expect(page.getByText(say("agentTests:import.added", { count: 1 }))).toBeVisible();
  await expect(
    page.getByText(
      say("agentTests:import.line", { line: 2, why: say("errors:refusals.testExpectsNothing") }),
    ),
  ).toBeVisible();

  // A draft without a knowledge base breaks the first.
  await page.goto(home);
  await page.getByLabel(say("agents:instructions.label")).fill("Answer from nothing.");
  for (const box of await page.locator('input[name="knowledgeIds"]:checked').all()) await box.uncheck();
  await page.getByRole("button", { name: say("agentTests:versions.saveDraft") }).click();
  await page.waitForURL(`**${home}/versions`);
  await expect(page.getByText(say("agentTests:versions.status.draft"), { exact: true })).toBeVisible();
  await page.getByRole("button", { name: say("agentTests:versions.publish") }).click();
  await page.waitForURL(`**${home}/tests/*`);
  await expect(
    page.getByText(say("agentTests:runs.against", { number: "2", live: "1" })).first(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: say("agentTests:run.anyway") })).toBeVisible();
  await expect(page.getByText(say("agentTests:change.broken"), { exact: true }).first()).toBeVisible();
  await expect(page.locator("main del").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: say("agentTests:run.anyway") }).click();
  await page.getByRole("button", { name: say("agentTests:run.publish", { number: "2" }) }).click();
  await page.waitForURL(`**${home}/versions`);
  await expect(page.getByText(sayAny("agentTests:versions.despite", { count: /\d+/ }))).toBeVisible();

  await page.getByRole("button", { name: say("agentTests:versions.restore") }).click();
  await page.getByRole("button", { name: say("agentTests:versions.restoreConfirm"), exact: true }).click();
  await expect(page.getByText(say("agentTests:versions.restoredFrom", { number: "1" }))).toBeVisible();
  await expectAccessible(page);
  await page.goto(home);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("");

  // A phone shows how a run ended, too.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${home}/tests`);
  const result = page.getByText(say("agentTests:runs.broken", { broken: "2" }));
  await expect(result).toBeVisible();
  const { x = 0, width = 0 } = (await result.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(390);
});
