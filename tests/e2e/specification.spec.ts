// The specification's rules on URLs, languages and titles, in the browser.

import { say } from "../support/words.ts";
import { demo, logInByForm, registerByForm, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const prefixes = ["agents", "knowledges", "sources", "chats", "apps", "playground"];

test("short URLs redirect to the login, to the creation of a team, or to the current team", async ({
  page,
}) => {
  for (const prefix of prefixes) {
    await page.goto(`/${prefix}`);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/login?next=%2F${prefix}`);
  }
  await registerByForm(page, someone());
  for (const prefix of prefixes) {
    await page.goto(`/${prefix}`);
    expect(new URL(page.url()).pathname).toBe("/teams/create");
  }
  await page.goto("/onboarding");
  await page
    .getByRole("main")
    .getByRole("link", { name: say("onboarding:team.action") })
    .click();
  await page.getByLabel(say("teams:create.name")).fill(`Short ${Date.now()}`);
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  const { data } = await (await page.request.get("/v1/teams")).json();
  for (const prefix of prefixes) {
    await page.goto(`/${prefix}?x=1`);
    expect(page.url()).toContain(`/teams/${data[0].codename}/${prefix}?x=1`);
  }
  // The team by its id has the same active entry.
  await page.goto(`/teams/${data[0].id}/sources`);
  await expect(page.locator("#sidebar [aria-current=page]")).toHaveText(say("app:nav.sources"));
});

test("a user's language follows them to every device, from the registration on", async ({
  page,
  browser,
}) => {
  const context = await browser.newContext({ locale: "fr-FR" });
  const french = await context.newPage();
  const person = someone();
  await registerByForm(french, person);
  await expect(french.locator("html")).toHaveAttribute("lang", "fr");
  expect((await (await french.request.get("/v1/auth/me")).json()).locale).toBe("fr");
  // Another device, in English until the user is known.
  await page.goto("/login");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await logInByForm(page, person);
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await page.goto("/support");
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await french.reload();
  await expect(french.locator("html")).toHaveAttribute("lang", "en");
  await context.close();
});

test("F8 moves to the notifications before there is one; a refused page has the specified title", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40/);
  await page.goto("/support");
  const region = page.getByRole("region", { name: "Notifications (F8)" });
  await expect(region).toBeAttached();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("F8");
  await expect(region).toBeFocused();
  await expect(page.getByRole("button", { name: "Español" })).toBeDisabled();
  await page.goto("/no/such/page");
  await expect(page).toHaveTitle("Page Not Found · Parley");
  await logInByForm(page, demo);
  await page.goto("/teams/none-of-mine/agents");
  await expect(page).toHaveTitle("Page Not Found · Parley");
});

test("the beta has a sign-up form, and an invitation fills in the registration", async ({ page }) => {
  await page.goto("/beta");
  await page.getByLabel(say("beta:email")).fill(someone().email);
  await page.getByRole("button", { name: say("beta:join") }).click();
  await expect(page.getByText(say("beta:done"), { exact: true })).toBeVisible();
  await page.goto("/register?email=invited%40example.com");
  await expect(page.getByLabel(say("auth:email"))).toHaveValue("invited@example.com");
});
