// A document's language: detected, and changed by an editor.
import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const text =
  "Les demandes de remboursement sont remises avant la fin du mois, avec un justificatif de la dépense.";

test("the detected language is shown, and an editor changes it", async ({ page }) => {
  await register(page, someone());
  const post = async (path: string, data: object) => await (await page.request.post(path, { data })).json();
  const team = await post("/v1/teams", { name: "Languages" });
  const knowledge = await post(`/v1/teams/${team.id}/knowledges`, { name: "Rules", language: "en" });
  await page.goto(`/teams/${team.codename}/knowledges/${knowledge.id}`);
  await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toHaveCount(1);
  await page
    .locator("main input[type=file]")
    .setInputFiles({ name: "frais.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  const rows = page.getByRole("list", { name: say("app:palette.documents") }).getByRole("listitem");
  await expect(rows.getByText(say("app:status.ready"), { exact: true })).toBeVisible();

  await rows.getByRole("link", { name: "frais.txt" }).click();
  const found = say("documents:language.found", { language: "French" });
  const fold = page.locator("main summary", { hasText: say("documents:language.label") });
  await expect(fold).toContainText(found);
  await fold.click();
  const field = page.getByLabel(say("documents:language.field"));
  await expect(field.locator("option:checked")).toHaveText(found);
  await expectAccessible(page);
  await field.selectOption({ label: "English" });
  await page.getByRole("button", { name: say("documents:language.save") }).click();
  await expect(page.getByText(say("documents:language.saved"), { exact: true })).toBeVisible();
  await expect(fold).toContainText("English");
  await expect(fold).not.toContainText(found);
});
