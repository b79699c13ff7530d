// Dialogs and forms do what they say: in browsers without invoker commands too, with Enter, and where what is confirmed is refused.

import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test("a dialog opens and closes where buttons cannot command it", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLButtonElement.prototype, "commandForElement");
    Reflect.deleteProperty(HTMLButtonElement.prototype, "command");
    // The browser's own command is kept from it: what opens the dialog now is the page's script.
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
  await dialog.getByRole("button", { name: say("app:cancel") }).click();
  await expect(dialog).toHaveCount(0);
});

test("Enter in the password form changes the password and sends no mail", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/account");
  await page.locator("#password-currentPassword").fill("not-my-password-1");
  await page.locator("#password-password").fill("another-password-1");
  await page.locator("#password-password").press("Enter");
  await expect(page.locator("#password-currentPassword")).toHaveAccessibleDescription(
    say("errors:refusals.passwordWrong"),
  );
});

test("a filter that is not set has a value, and leaves no trace in the address", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/chats");
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
  await page.waitForURL((url) => url.pathname.endsWith("/chats") && url.search === "");
});

test("a spent link says that it is spent", async ({ page }) => {
  await page.goto(`/confirm?email=nobody-${Date.now()}@parley.test&code=0123456789`);
  await expect(page.getByText(say("errors:refusals.codeSpent"))).toBeVisible();
});
