// Renaming a knowledge base and a source in their heading.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";

async function newTeam(page: Page) {
  await register(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name: "Observatory" } });
  return (await made.json()) as { id: string; codename: string };
}
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const pencil = (page: Page) => page.locator("details[data-rename] > summary");
const field = (page: Page) => page.getByLabel(say("app:rename.label"), { exact: true });

test("a knowledge base is named after its team, and renamed in its heading", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const team = await newTeam(page);
  await page.goto(`/teams/${team.codename}/knowledges/create`);
  await page.getByRole("button", { name: say("knowledges:create.submit") }).click();
  await page.waitForURL(/knowledges\/[0-9a-f-]{36}$/);
  await expect(heading(page)).toHaveText("Observatory");

  await test.step("Enter saves, and the focus returns", async () => {
    await pencil(page).focus();
    await page.keyboard.press("Enter");
    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveValue("Observatory");
    await expectAccessible(page);
    await screenshot(page, "rename-open");
    // All of it is selected.
    await page.keyboard.type("Telescopes");
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText("Telescopes");
    await expect(field(page)).toBeHidden();
    await expect(pencil(page)).toBeFocused();
    await expect(page).toHaveTitle(/Telescopes/);
  });
  await test.step("what is typed at once reaches the field", async () => {
    const focused = await pencil(page).evaluate((button: HTMLElement) => {
      button.click();
      return document.activeElement instanceof HTMLInputElement && document.activeElement.name;
    });
    expect(focused).toBe("name");
    await page.keyboard.press("Escape");
    await expect(field(page)).toBeHidden();
  });
  await test.step("Escape and Cancel restore the name", async () => {
    for (const leave of [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("link", { name: say("app:cancel") }).click(),
    ]) {
      await pencil(page).click();
      await expect(field(page)).toBeFocused();
      await page.keyboard.type("Something else");
      await leave();
      await expect(field(page)).toBeHidden();
      await expect(pencil(page)).toBeFocused();
      await expect(heading(page)).toHaveText("Telescopes");
      await pencil(page).click();
      await expect(field(page)).toBeFocused();
      await expect(field(page)).toHaveValue("Telescopes");
      await page.keyboard.press("Escape");
      await expect(field(page)).toBeHidden();
    }
  });
  await test.step("a refusal is shown at the field, which can be cancelled", async () => {
    await pencil(page).click();
    await field(page).fill("   ");
    await page.keyboard.press("Enter");
    await expect(field(page)).toHaveAttribute("aria-invalid", "true");
    await expect(field(page)).toBeFocused();
    await expect(page.getByText(say("app:rename.missing"))).toBeVisible();
    await screenshot(page, "rename-refused");
    await page.keyboard.press("Escape");
    await expect(field(page)).toBeHidden();
    await expect(heading(page)).toHaveText("Telescopes");
    await pencil(page).click();
    await expect(page.getByText(say("app:rename.missing"))).toHaveCount(0);
    await expect(field(page)).toHaveValue("Telescopes");
  });
  await test.step("the second of two concurrent renames is refused", async () => {
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const path = `/v1/teams/${team.id}/knowledges/${id}`;
    await page.request.put(path, { data: { name: "Lenses" } });
    await field(page).fill("Mirrors");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Lenses").first()).toBeVisible();
    await expect(field(page)).toHaveValue("Mirrors");
    expect((await (await page.request.get(path)).json()).name).toBe("Lenses");
    await screenshot(page, "rename-changed");
    await page
      .getByRole("button", { name: say("app:save"), exact: true })
      .first()
      .click();
    await expect(heading(page)).toHaveText("Mirrors");
  });
});

test("a source is renamed in its heading, and gives a new knowledge base its name", async ({ page }) => {
  const team = await newTeam(page);
  const made = await page.request.post(`/v1/teams/${team.id}/sources`, {
    data: { type: "qa", name: "Answers" },
  });
  const { id } = await made.json();
  await page.goto(`/teams/${team.codename}/sources/${id}`);
  await pencil(page).click();
  await field(page).fill("Written answers");
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Written answers");
  await page.getByRole("button", { name: say("sources:newKnowledge") }).click();
  await page.waitForURL(/knowledges\/[0-9a-f-]{36}$/);
  await expect(heading(page)).toHaveText("Written answers");
});

test("a name is changed without scripts", async ({ browser, page }) => {
  const team = await newTeam(page);
  const made = await page.request.post(`/v1/teams/${team.id}/knowledges`, { data: {} });
  const { id } = await made.json();
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto(`/teams/${team.codename}/knowledges/${id}`);
  await pencil(plain).click();
  await field(plain).fill("   ");
  await field(plain).press("Enter");
  await expect(plain.getByText(say("app:rename.missing"))).toBeVisible();
  await field(plain).fill("Plain");
  await field(plain).press("Enter");
  await expect(heading(plain)).toHaveText("Plain");
  await expect(field(plain)).toBeHidden();
  await context.close();
});
