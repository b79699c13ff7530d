// Accounts: from registration to a team; logging in and out; guards.
import { say, sayAny, sayIn } from "../support/words.ts";
import {
  demo,
  linkIn,
  logIn,
  logInByForm,
  mailTo,
  register,
  registerByForm,
  someone,
} from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const sayInFrench = sayIn("fr");

test("register, confirm by mail, log in, name a team, reach onboarding", async ({ page }) => {
  const ada = someone();
  await registerByForm(page, ada);
  await page.getByLabel(say("teams:create.name")).fill("Ada’s team");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("onboarding:title"));
  await page.reload();
  await expect(page.locator("#sidebar")).toContainText("Ada’s team");
});

test("registering a known address redirects to the login with a message", async ({ page }) => {
  await page.goto("/register");
  await page.getByLabel(say("auth:name")).fill("Somebody");
  await page.getByLabel(say("auth:email")).fill(demo.email);
  await page.getByLabel(say("auth:password")).fill("long-enough-1");
  await page.locator("main form button").click();
  await page.waitForURL("**/login?*");
  await expect(page.getByLabel(say("auth:email"))).toHaveValue(demo.email);
  await expect(page.getByText("User Already Registered", { exact: true })).toBeVisible();
});

test("a wrong password gives an error, keeps the email and clears the password", async ({ page }) => {
  const { email } = someone();
  await page.goto("/login");
  await page.getByLabel(say("auth:email")).fill(email);
  await page.getByLabel(say("auth:password")).fill("not-the-password");
  await page.locator("main form button").click();
  await expect(page.getByRole("alert")).toContainText("Incorrect Email or Password");
  await expect(page.getByLabel(say("auth:email"))).toHaveValue(email);
  await expect(page.getByLabel(say("auth:password"))).toHaveValue("");
});

test("an unconfirmed user who logs in is sent to the confirmation", async ({ page }) => {
  const newcomer = someone();
  await page.goto("/register");
  await page.getByLabel(say("auth:name")).fill(newcomer.name);
  await page.getByLabel(say("auth:email")).fill(newcomer.email);
  await page.getByLabel(say("auth:password")).fill(newcomer.password);
  await page.locator("main form button").click();
  await page.waitForURL("**/confirm?*");
  await logInByForm(page, newcomer);
  expect(new URL(page.url()).pathname).toBe("/confirm");
  await expect(page.getByText("Account Not Confirmed", { exact: true })).toBeVisible();
});

test("private pages require a login, and return after it", async ({ page }) => {
  await page.goto("/teams/demo/agents?name=hand");
  expect(new URL(page.url()).pathname).toBe("/login");
  await page.getByLabel(say("auth:email")).fill(demo.email);
  await page.getByLabel(say("account:password")).fill(demo.password);
  await page.locator("main form button").click();
  await page.waitForURL("**/teams/demo/agents?name=hand");
  for (const path of ["/login", "/register", "/forgot-password"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe("/teams");
  }
});

test("a user without a team is sent to create one", async ({ page }) => {
  await registerByForm(page, someone());
  for (const path of ["/dashboard", "/login"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe("/teams/create");
  }
});

test("another team's pages give 404", async ({ page, expectedErrors }) => {
  expectedErrors.push(/404/);
  await registerByForm(page, someone());
  await page.getByLabel(say("teams:create.name")).fill("Elsewhere");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  const answer = await page.goto("/teams/demo/agents");
  expect(answer?.status()).toBe(404);
});

test("logging out ends the session, and Back shows no private page", async ({ page, context }) => {
  await logInByForm(page, demo);
  expect((await context.cookies()).filter(({ name }) => name.startsWith("sb-"))).not.toEqual([]);
  await page.locator("#sidebar summary").last().click();
  await page.getByRole("button", { name: say("auth:logout.submit") }).click();
  await page.waitForURL("**/login");
  expect((await context.cookies()).filter(({ name }) => name.startsWith("sb-"))).toEqual([]);
  await page.goBack();
  await page.waitForURL("**/login?next=*");
  await page.goto("/dashboard");
  expect(new URL(page.url()).pathname).toBe("/login");
});

test("no cookie is readable by scripts, and no page contains a token", async ({ page, context }) => {
  await logInByForm(page, demo);
  for (const cookie of await context.cookies()) {
    expect(cookie, cookie.name).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax" });
  }
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.content()).not.toMatch(/eyJ[\w-]{10,}\./);
});

test("a password change, and ending one session or all of them, takes effect at once", async ({
  page,
  browser,
}) => {
  const account = someone();
  await registerByForm(page, account);
  const second = await browser.newContext();
  const other = await second.newPage();
  await logInByForm(other, account);
  await page.goto("/account");
  await expect(page.getByText(say("account:thisSession"), { exact: true })).toHaveCount(1);
  await page.getByRole("button", { name: sayAny("account:endSession", { name: /Chrome.*/ }) }).click();
  await expect(page.getByText(say("account:sessionEnded"), { exact: true })).toBeVisible();
  await other.goto("/account");
  await other.waitForURL("**/login?next=*");

  const field = (name: string) => page.getByLabel(name, { exact: true });
  await field(say("account:currentPassword")).fill("not-my-password");
  await field(say("account:newPassword")).fill("my-next-password");
  await page.getByRole("button", { name: say("account:passwordButton") }).click();
  await expect(field(say("account:currentPassword"))).toHaveAccessibleDescription(
    say("errors:refusals.passwordWrong"),
  );
  await expect(field(say("account:currentPassword"))).toBeFocused();
  await field(say("account:currentPassword")).fill(account.password);
  await field(say("account:newPassword")).fill("my-next-password");
  await page.getByRole("button", { name: say("account:passwordButton") }).click();
  await expect(page.getByText(say("account:passwordChanged"), { exact: true })).toBeVisible();

  await logInByForm(other, { ...account, password: "my-next-password" });
  await page.reload();
  await page.getByRole("button", { name: say("account:everywhere") }).click();
  await expect(page.getByText(say("account:everywhereText", { count: 2 }))).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("account:everywhere") })
    .click();
  await page.waitForURL("**/login");
  await other.goto("/account");
  await other.waitForURL("**/login?next=*");
  await second.close();
});

test("an address change needs both mailboxes, and can be cancelled and sent again", async ({
  page,
  browser,
}) => {
  const account = someone();
  await registerByForm(page, account);
  const moved = someone().email;
  await page.goto("/account");
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const ask = async (email: string, password: string) => {
    await field(say("account:newEmail")).fill(email);
    await page.locator("#email-currentPassword").fill(password);
    await page.getByRole("button", { name: say("account:emailButton") }).click();
  };
  await ask(moved, "not-my-password");
  await expect(page.locator("#email-currentPassword")).toHaveAccessibleDescription(
    say("errors:refusals.passwordWrong"),
  );
  await expect(field(say("account:newEmail"))).toHaveValue(moved);
  await ask(moved, account.password);
  await expect(page.getByText(say("account:emailAsked"), { exact: true })).toBeVisible();
  await expect(page.getByText(say("account:emailPending", { email: moved }))).toBeVisible();
  await page.getByRole("button", { name: say("account:emailCancel") }).click();
  await expect(page.getByText(say("account:emailCancelled"), { exact: true })).toBeVisible();
  const cancelled = await linkIn(await mailTo(moved), "/confirm-email");
  await page.goto(cancelled);
  await page.getByRole("button", { name: say("auth:confirmEmail.submit") }).click();
  await expect(page.getByRole("alert")).toContainText(say("errors:refusals.codeSpent"));

  await page.goto("/account");
  await ask(moved, account.password);
  await expect(page.getByText(say("account:emailUnconfirmed", { email: moved }))).toBeVisible();
  // The link to the new mailbox is opened in a browser without a session.
  const elsewhere = await (await browser.newContext()).newPage();
  await expect.poll(async () => linkIn(await mailTo(moved), "/confirm-email")).not.toBe(cancelled);
  await elsewhere.goto(await linkIn(await mailTo(moved), "/confirm-email"));
  await elsewhere.getByRole("button", { name: say("auth:confirmEmail.submit") }).click();
  await expect(elsewhere.getByRole("status")).toContainText(say("auth:confirmEmail.waitsForCurrent"));
  await page.reload();
  await expect(page.getByText(say("account:emailConfirmed", { email: moved }))).toBeVisible();
  await page.goto(await linkIn(await mailTo(account.email), "/confirm-email"));
  await page.getByRole("button", { name: say("auth:confirmEmail.submit") }).click();
  await page.waitForURL("**/account");
  await expect(page.getByText(say("auth:confirmEmail.done"), { exact: true })).toBeVisible();
  await expect(page.locator("main")).toContainText(`${say("account:emailNow")} ${moved}`);
  await logInByForm(elsewhere, { ...account, email: moved });
  await elsewhere.context().close();
});

test("an address registered twice explains that no password counts, and how to set one", async ({ page }) => {
  const [first, second] = [someone(), someone()];
  for (const password of [first.password, second.password]) {
    await page.goto("/register");
    await page.locator("#name").fill(first.name);
    await page.locator("#email").fill(first.email);
    await page.locator("#password").fill(password);
    await page.locator("main form button").click();
    await page.waitForURL(/\/(confirm|login)\?/);
  }
  await logInByForm(page, first);
  expect(new URL(page.url()).pathname).toBe("/verify");
  await expect(page.getByText("Account Not Verified", { exact: true })).toBeVisible();
  await expect(page.getByLabel(say("auth:email"))).toHaveValue(first.email);
  const link = async () => linkIn(await mailTo(first.email), "/forgot-password");
  const sent = await link();
  await page.getByRole("button", { name: say("auth:confirm.resend") }).click();
  await expect(page.getByText(say("auth:confirm.title"), { exact: true })).toBeVisible();
  await expect.poll(link).not.toBe(sent);
  await page.goto(await link());
  await page.locator("#reset-password").fill("chosen-by-mail-1");
  await page.locator("main form button").click();
  await page.waitForURL("**/login?*");
  await logInByForm(page, { ...first, password: "chosen-by-mail-1" });
});

test("the page of one account does not delete another that logged in since", async ({ page, context }) => {
  const [shown, other] = [someone(), someone("Grace Example")];
  await register(page, other);
  await context.clearCookies();
  await register(page, shown);
  await page.goto("/account");
  await context.clearCookies();
  await logIn(await context.newPage(), other);
  await page.getByRole("button", { name: say("account:deleteButton") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("account:deleteButton") })
    .click();
  await expect(page.getByText(say("app:otherAccount.title"), { exact: true })).toBeVisible();
  // The page of the account that is logged in, which is still there.
  await expect(page.getByLabel(say("account:name"), { exact: true })).toHaveValue(other.name);
});

test("language and theme persist once chosen", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Français" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(sayInFrench("auth:login.title"));
  await page.getByRole("button", { name: sayInFrench("app:theme.dark") }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto("/register");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("the login is typed without a pointer: email, password, Enter", async ({ page }) => {
  await page.goto("/login");
  // Chromium gives the field its focus some time after the page is there.
  await expect(page.getByRole("textbox", { name: say("auth:email") })).toBeFocused();
  await page.keyboard.type(demo.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(demo.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
});
