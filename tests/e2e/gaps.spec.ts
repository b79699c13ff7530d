// From an unanswered question to the agent's answer, in the browser.

import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("find an unanswered question, write the answer and see it answered", async ({ page }) => {
  await logIn(page, demo);
  const mark = `griffin${Date.now()}`;
  const post = async (path: string, data: object) => await (await page.request.post(path, { data })).json();
  const [knowledge] = (await (await page.request.get("/v1/teams/demo/knowledges")).json()).data;
  const agent = await post("/v1/teams/demo/agents", { name: `Asked ${mark}`, knowledgeIds: [knowledge.id] });
  const question = `Where does the ${mark} sleep?`;
  for (const _ of [1, 2]) {
    const chat = await post(`/v1/agents/${agent.id}/chats`, {});
    await post(`/v1/chats/${chat.id}/messages`, { content: question });
  }

  await page.goto("/dashboard");
  await page
    .getByRole("link", { name: say("gaps:title"), exact: true })
    .first()
    .click();
  await page.waitForURL("**/teams/demo/gaps");
  await expect(async () => {
    await page.goto(`/teams/demo/gaps?agentId=${agent.id}`);
    // Questions are grouped a moment after they were asked: the second one may come later.
    const row = page.getByRole("row").filter({ hasText: question });
    await expect(row.getByRole("cell", { name: "2", exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectAccessible(page);

  await page.getByRole("link", { name: say("gaps:writeFor", { question }) }).click();
  await page.waitForURL("**/teams/demo/gaps/*");
  // The URL changes before the page: the list has these words, too.
  await expect(page.getByRole("button", { name: say("gaps:submit") })).toBeVisible();
  await expect(page.getByText(say("gaps:reason.missing"))).toBeVisible();
  await page.getByRole("button", { name: say("gaps:submit") }).click();
  // An empty field: the browser itself requires it.
  await expect(page.getByLabel(say("entries:answer"), { exact: true })).toBeFocused();
  await page.getByLabel(say("entries:answer"), { exact: true }).fill(`The ${mark} sleeps in the archive.`);
  await page.getByRole("button", { name: say("gaps:submit") }).click();
  await expect(
    page.getByText(say("taskMessages:askedAgain", { answered: "2", total: "2" })).first(),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByText(say("gaps:outcome.whole"))).toBeVisible();
  await expectAccessible(page);

  // The entry can be found, changed and deleted in its source.
  await page.getByRole("link", { name: say("gaps:outcome.entry") }).click();
  await page.waitForURL("**/teams/demo/sources/*");
  await page.getByText(question, { exact: true }).first().click();
  const row = page.locator("details").filter({ hasText: question });
  await row.getByLabel(say("entries:answer"), { exact: true }).fill(`The ${mark} sleeps in the attic.`);
  await row.getByRole("button", { name: say("entries:save") }).click();
  await expect(page.getByText(say("entries:saved"), { exact: true })).toBeVisible();
  await expectAccessible(page);
});
