// Dialogs and forms do what they say: also in browsers without invoker commands, with Enter, and when the confirmed action is refused.

import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("a dialog opens and closes without invoker commands", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLButtonElement.prototype, "commandForElement");
    Reflect.deleteProperty(HTMLButtonElement.prototype, "command");
    Reflect.deleteProperty(HTMLDialogElement.prototype, "closedBy");
    // The browser's own command is suppressed: the page's script opens the dialog.
    addEventListener("command", (event) => event.preventDefault(), true);
  });
  await logIn(page, demo);
  await page.goto("/account");
  await page
    .getByRole("button", { name: say("app:delete") })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
  // A click on the padding has the dialog itself as its target, as a click on the backdrop has.
  await dialog.click({ position: { x: 4, y: 4 } });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: say("app:cancel") }).click();
  await expect(dialog).toHaveCount(0);
});

test("Enter in the password form submits it, and not the form that sends a mail", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/account");
  await page.locator("#password-currentPassword").fill("not-my-password-1");
  await page.locator("#password-password").fill("another-password-1");
  await page.locator("#password-password").press("Enter");
  await expect(page.locator("#password-currentPassword")).toHaveAccessibleDescription(
    say("errors:refusals.passwordWrong"),
  );
  await expectAccessible(page);
});

test("an unset filter has a value, and leaves no parameter in the URL", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/tasks");
  const filter = page.locator("form[data-auto] select").first();
  expect(
    await filter.locator("option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
  ).not.toContain("");
  const [, second] = await filter
    .locator("option")
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  await filter.focus();
  await filter.selectOption(second ?? "");
  await page.waitForURL(/\?/);
  await expect(filter).toBeFocused();
  await filter.selectOption("*");
  await page.waitForURL((url) => url.pathname.endsWith("/tasks") && url.search === "");
});

test("a used link says that it was used", async ({ page }) => {
  await page.goto(`/confirm?email=nobody-${Date.now()}@parley.test&code=0123456789`);
  await expect(page.getByText(say("errors:refusals.codeSpent"))).toBeVisible();
  await expectAccessible(page);
});

test("a refused entry of a list is named at its field", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 400/);
  await logIn(page, demo);
  await page.goto("/teams/demo/handovers/settings");
  const emails = page.locator("#offer-emails");
  await emails.fill("someone@example.com, nobody");
  await emails.press("Enter");
  await page.locator("form:has(#offer-emails) button[type=submit]").click();
  await expect(emails).toHaveAccessibleDescription(
    new RegExp(
      say("app:labelled", { label: "nobody", value: say("errors:refusals.email") }).replaceAll(".", "\\."),
    ),
  );
});

test("addresses that a comma separates are several without a script, too", async ({
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 400/);
  const page = await browser.newPage({ locale: "en-US", javaScriptEnabled: false });
  await logIn(page, demo);
  await page.goto("/teams/demo/handovers/settings");
  const emails = page.locator("#offer-emails");
  await emails.fill("someone@example.com, nobody");
  await page.locator("form:has(#offer-emails) button").click();
  await expect(page.locator("#offer-emails-error")).toHaveText(/^nobody: /);
  await expect(emails).toHaveValue("someone@example.com\nnobody");
  await page.close();
});

test("a choice that was deleted meanwhile is named above the form", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 400/);
  await logIn(page, demo);
  const knowledges = `/v1/teams/demo/knowledges`;
  const name = `Short-lived ${Date.now()}`;
  const { id } = await (await page.request.post(knowledges, { data: { name } })).json();
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel(say("agents:name"), { exact: true }).fill("Never created");
  await page.locator("main select[name=knowledgeId]").selectOption({ label: name });
  expect((await page.request.delete(`${knowledges}/${id}`)).ok()).toBe(true);
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(say("errors:refusals.missing"));
  await expect(page.getByLabel(say("agents:name"), { exact: true })).toHaveValue("Never created");
});
