// Importing a team from a file: an invalid file is rejected in the form, and the new team's settings list the remaining work.

import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("an export is imported from a file, and reports its contents and manual work", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 400/);
  await register(page, someone());
  const { id } = await (await page.request.post("/v1/teams", { data: { name: "Exported" } })).json();
  await page.request.post(`/v1/teams/${id}/agents`, { data: { name: "Guide", instructions: "Be kind." } });
  await page.request.post(`/v1/teams/${id}/apiKeys`, { data: { name: "Robot" } });
  const buffer = await (await page.request.get(`/v1/teams/${id}/export`)).body();

  await page.goto("/teams/create");
  await expect(page.locator("[data-island=ImportTeam][data-hydrated]")).toBeVisible();
  const field = page.getByLabel(say("teams:import.file"));
  await field.setInputFiles({ name: "notes.zip", mimeType: "application/zip", buffer: Buffer.from("notes") });
  await expect(page.getByRole("alert")).toHaveText(say("problems:sentences.importNotZip"));
  await expectAccessible(page);

  await field.setInputFiles({ name: "exported.zip", mimeType: "application/zip", buffer });
  await page.waitForURL(/\/teams\/exported-.+\/settings$/);
  const result = page.locator("section").filter({ hasText: say("teamSettings:import.done") });
  await expect(result.getByRole("listitem")).toHaveText([
    say("teamSettings:import.brought.agents", { count: 1 }),
    `${say("teamSettings:import.hands.apiKeys", { count: 1 })} Robot`,
  ]);
  await expectAccessible(page);
  await result.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("app:nav.apiKeys"));
});
