// From a stranger to somebody with a team; logging in and out; the guards; all of it without JavaScript too.
import type { Page } from "@playwright/test";
import { demo, linkIn, logIn, mailTo, register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test("register, confirm by mail, log in, name a team, arrive at the first steps", async ({ page }) => {
  const ada = someone();
  await register(page, ada);
  await page.getByLabel("Team name").fill("Ada’s team");
  await page.getByRole("button", { name: "Create team" }).click();
  await page.waitForURL("**/onboarding");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Getting started");
  await page.reload();
  await expect(page.locator("#sidebar")).toContainText("Ada’s team");
});

test("an address that is known leads to the login, and says so", async ({ page }) => {
  await page.goto("/register");
  await page.getByLabel("Name").fill("Somebody");
  await page.getByLabel("Email").fill(demo.email);
  await page.getByLabel("Password").fill("long-enough-1");
  await page.locator("main form button").click();
  await page.waitForURL("**/login?*");
  await expect(page.getByLabel("Email")).toHaveValue(demo.email);
  await expect(page.getByText("User Already Registered", { exact: true })).toBeVisible();
});

test("a wrong password says so, keeps the e-mail and drops the password", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill(someone().email);
  await page.getByLabel("Password").fill("not-the-password");
  await page.locator("main form button").click();
  await expect(page.getByRole("alert")).toContainText("Incorrect Email or Password");
  await expect(page.getByLabel("Email")).not.toHaveValue("");
  await expect(page.getByLabel("Password")).toHaveValue("");
});

test("someone unconfirmed who logs in is sent to the confirmation", async ({ page }) => {
  const newcomer = someone();
  await page.goto("/register");
  await page.getByLabel("Name").fill(newcomer.name);
  await page.getByLabel("Email").fill(newcomer.email);
  await page.getByLabel("Password").fill(newcomer.password);
  await page.locator("main form button").click();
  await page.waitForURL("**/confirm?*");
  await logIn(page, newcomer);
  expect(new URL(page.url()).pathname).toBe("/confirm");
  await expect(page.getByText("Account Not Confirmed", { exact: true })).toBeVisible();
});

test("the guards: private pages ask for a login, and come back after it", async ({ page }) => {
  await page.goto("/teams/demo/agents?name=hand");
  expect(new URL(page.url()).pathname).toBe("/login");
  await page.getByLabel("Email").fill(demo.email);
  await page.getByLabel("Password").fill(demo.password);
  await page.locator("main form button").click();
  await page.waitForURL("**/teams/demo/agents?name=hand");
  for (const path of ["/login", "/register", "/forgot-password"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe("/teams");
  }
});

test("someone without a team is sent to make one", async ({ page }) => {
  await register(page, someone());
  for (const path of ["/dashboard", "/login"]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe("/teams/create");
  }
});

test("another team's pages do not exist", async ({ page, expectedErrors }) => {
  expectedErrors.push(/404/);
  await register(page, someone());
  await page.getByLabel("Team name").fill("Elsewhere");
  await page.getByRole("button", { name: "Create team" }).click();
  await page.waitForURL("**/onboarding");
  const answer = await page.goto("/teams/demo/agents");
  expect(answer?.status()).toBe(404);
});

test("logging out ends the session and the way back", async ({ page, context }) => {
  await logIn(page, demo);
  expect((await context.cookies()).filter(({ name }) => name.startsWith("sb-"))).not.toEqual([]);
  await page.locator("#sidebar summary").last().click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("**/login");
  expect((await context.cookies()).filter(({ name }) => name.startsWith("sb-"))).toEqual([]);
  await page.goto("/dashboard");
  expect(new URL(page.url()).pathname).toBe("/login");
});

test("no cookie is open to scripts, and no token is in a page", async ({ page, context }) => {
  await logIn(page, demo);
  for (const cookie of await context.cookies()) {
    expect(cookie, cookie.name).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax" });
  }
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.content()).not.toMatch(/eyJ[\w-]{10,}\./);
});

test("a password is changed, another session is ended, and everywhere means here too", async ({
  page,
  browser,
}) => {
  test.slow();
  const account = someone();
  await register(page, account);
  const second = await browser.newContext();
  const other = await second.newPage();
  await logIn(other, account);
  await page.goto("/account");
  await expect(page.getByText("This session", { exact: true })).toHaveCount(1);
  await page.getByRole("button", { name: /^Log out Chrome/ }).click();
  await expect(page.getByText("Session logged out", { exact: true })).toBeVisible();
  await other.goto("/account");
  await other.waitForURL("**/login?next=*");

  const field = (name: string) => page.getByLabel(name, { exact: true });
  await field("Current password").fill("not-my-password");
  await field("New password").fill("my-next-password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(field("Current password")).toHaveAccessibleDescription(/not your current password/);
  await expect(field("Current password")).toBeFocused();
  await field("Current password").fill(account.password);
  await field("New password").fill("my-next-password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed", { exact: true })).toBeVisible();

  await logIn(other, { ...account, password: "my-next-password" });
  await page.reload();
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByText(/2 sessions end/)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Log out everywhere" }).click();
  await page.waitForURL("**/login");
  await other.goto("/account");
  await other.waitForURL("**/login?next=*");
  await second.close();
});

test("the address is changed from both mailboxes, cancelled and sent again on the way", async ({
  page,
  browser,
}) => {
  test.slow();
  const account = someone();
  await register(page, account);
  const moved = someone().email;
  await page.goto("/account");
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const ask = async (email: string, password: string) => {
    await field("New email address").fill(email);
    await page.locator("#email-currentPassword").fill(password);
    await page.getByRole("button", { name: "Change email address" }).click();
  };
  await ask(moved, "not-my-password");
  await expect(page.locator("#email-currentPassword")).toHaveAccessibleDescription(
    /not your current password/,
  );
  await expect(field("New email address")).toHaveValue(moved);
  await ask(moved, account.password);
  await expect(page.getByText("Check both mailboxes", { exact: true })).toBeVisible();
  await expect(page.getByText(`Waiting to change to ${moved}`)).toBeVisible();
  await page.getByRole("button", { name: "Cancel change" }).click();
  await expect(page.getByText("Change cancelled", { exact: true })).toBeVisible();
  const cancelled = await linkIn(await mailTo(moved), "/confirm-email");
  await page.goto(cancelled);
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(page.getByRole("alert")).toContainText("used already or has expired");

  await page.goto("/account");
  await ask(moved, account.password);
  await expect(page.getByText(`Not confirmed yet from ${moved}`)).toBeVisible();
  // The link to the new mailbox is opened where nobody is logged in.
  const elsewhere = await (await browser.newContext()).newPage();
  await expect.poll(async () => linkIn(await mailTo(moved), "/confirm-email")).not.toBe(cancelled);
  await elsewhere.goto(await linkIn(await mailTo(moved), "/confirm-email"));
  await elsewhere.getByRole("button", { name: "Confirm the change" }).click();
  await expect(elsewhere.getByRole("status")).toContainText("link that we sent to your current address");
  await page.reload();
  await expect(page.getByText(`Confirmed from ${moved}`)).toBeVisible();
  await page.goto(await linkIn(await mailTo(account.email), "/confirm-email"));
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await page.waitForURL("**/account");
  await expect(page.getByText("Email address changed", { exact: true })).toBeVisible();
  await expect(page.locator("main")).toContainText(`Current address: ${moved}`);
  await logIn(elsewhere, { ...account, email: moved });
  await elsewhere.context().close();
});

test("an address that was registered twice says that no password counts, and how to choose one", async ({
  page,
}) => {
  const [first, second] = [someone(), someone()];
  for (const password of [first.password, second.password]) {
    await page.goto("/register");
    await page.locator("#name").fill(first.name);
    await page.locator("#email").fill(first.email);
    await page.locator("#password").fill(password);
    await page.locator("main form button").click();
    await page.waitForURL(/\/(confirm|login)\?/);
  }
  await logIn(page, first);
  expect(new URL(page.url()).pathname).toBe("/verify");
  await expect(page.getByText("Account Not Verified", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(first.email);
  const link = async () => linkIn(await mailTo(first.email), "/forgot-password");
  const sent = await link();
  await page.getByRole("button", { name: "Resend email" }).click();
  await expect(page.getByText("Check your email", { exact: true })).toBeVisible();
  await expect.poll(link).not.toBe(sent);
  await page.goto(await link());
  await page.locator("#reset-password").fill("chosen-by-mail-1");
  await page.locator("main form button").click();
  await page.waitForURL("**/login?*");
  await logIn(page, { ...first, password: "chosen-by-mail-1" });
});

test("language and theme are chosen once and stay", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Français" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Se connecter");
  await page.getByRole("button", { name: "Sombre" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto("/register");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("log in, read, filter, make an agent, and log out", async ({ page }) => {
    await logIn(page, demo);
    await page.goto("/teams/demo/agents/create");
    await page.getByLabel("Name").fill("Made without scripts");
    await page.getByRole("button", { name: "Create agent" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Made without scripts");
    await expect(page.getByText("is ready to answer")).toBeVisible();
    await page.goto("/teams/demo/agents");
    await page.getByRole("searchbox").fill("without scripts");
    await page.getByRole("searchbox").press("Enter");
    await page.getByRole("link", { name: "Made without scripts" }).first().click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete agent" }).click();
    await page.waitForURL("**/teams/demo/agents");

    const question = `How many days of annual leave do I have? ${Date.now()}`;
    await beginChat(page, question);
    await page.goto("/teams/demo/chats");
    await page.getByRole("link", { name: question }).click();
    await expect(page.getByRole("log").getByText(question, { exact: true })).toBeVisible();
    await expect(page.getByRole("article", { name: "Reply" })).toContainText("27 days");
    await page.goto("/logout");
    expect(new URL(page.url()).pathname).toBe("/login");
  });

  test("public pages can be read, a stranger registers, and a file becomes an agent", async ({ page }) => {
    test.setTimeout(120_000);
    for (const path of ["/", "/shopify", "/guides/first-agent", "/privacy-policy", "/support"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("link", { name: "Log in" })).toBeVisible();
    }
    await register(page, someone());
    await page.getByLabel("Team name").fill("Scriptless");
    await page.getByRole("button", { name: "Create team" }).click();
    await page.waitForURL("**/onboarding");
    const field = page.locator("main input[type=file]");
    const send = page.getByRole("button", { name: "Add file" });
    await field.setInputFiles({ name: "Empty.txt", mimeType: "text/plain", buffer: Buffer.from("") });
    await send.click();
    await expect(page.getByText("“Empty.txt” is empty.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Open the chat" })).toHaveCount(0);
    const words = "Bicycles are parked in the courtyard.";
    await field.setInputFiles({ name: "Bicycles.txt", mimeType: "text/plain", buffer: Buffer.from(words) });
    await send.click();
    await expect(page.getByText("Bicycles.txt was uploaded")).toBeVisible();
    await expect(async () => {
      await page.goto("/onboarding");
      await expect(page.getByText("No question could be made from these documents.")).toBeVisible({
        timeout: 1000,
      });
    }).toPass({ timeout: 60_000 });
    await expect(page.getByRole("heading", { name: "1 document, 1 passage" })).toBeVisible();
    await page.getByRole("link", { name: "Open the chat" }).click();
    // The agent is the team's, and has its name.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Scriptless");
  });

  test("a refused login shows the form again with its message", async ({ page, expectedErrors }) => {
    expectedErrors.push(/status of 401/);
    await page.goto("/login");
    await page.getByLabel("Email").fill("nobody@parley.test");
    await page.getByLabel("Password").fill("not-the-password");
    await page.locator("main form button").click();
    await expect(page.getByRole("alert")).toContainText("Incorrect Email or Password");
    await expect(page.getByLabel("Email")).toHaveValue("nobody@parley.test");
  });
});

/** Asks the demo's public agent as whoever the page is logged in as, without the page. */
async function beginChat(page: Page, question: string): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const agentId: string = data[0].id;
  const made = await page.request.post(`/v1/agents/${agentId}/chats`, { data: {}, headers });
  const { id } = await made.json();
  const asked = await page.request.post(`/v1/chats/${id}/messages`, {
    data: { content: question },
    headers,
  });
  expect(asked.status()).toBe(200);
}
