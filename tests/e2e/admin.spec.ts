// The platform's administration: hidden from everyone else; its lists, banning and unbanning, closing a ticket.

import { say } from "../support/words.ts";
import { type Account, demo, logIn, register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const admin: Account = { name: "Admin", email: "admin@parley.test", password: "admin-parley-1" };

test("only platform admins can open the area", async ({ page, expectedErrors }) => {
  expectedErrors.push(/404/);
  const paths = ["/admin", "/admin/users"];
  for (const path of paths) {
    await page.goto(path);
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(path)}`);
  }
  await logIn(page, demo);
  for (const path of paths) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByText(`Page not found: ${path}`)).toBeVisible();
  }
  await page.goto("/dashboard");
  await expect(page.locator("#sidebar")).toBeVisible();
  await expect(page.locator('[href^="/admin"]')).toHaveCount(0);
});

test("a platform admin opens every list, bans a user and unbans them", async ({ page, browser }) => {
  const person = someone("Mallory Example");
  const theirs = await browser.newContext({ locale: "en-US" });
  const other = await theirs.newPage();
  await register(other, person);
  const subject = `Help ${person.email}`;
  await other.goto("/support");
  await other.getByLabel(say("admin:field.subject")).fill(subject);
  await other.getByLabel(say("support:message")).fill("It does not work.\nPlease look.");
  await other.locator("main form button").click();
  await other.waitForURL("**/support/success");
  // Beside the demo's, a second team in the lists.
  expect((await other.request.post("/v1/teams", { data: { name: person.name } })).ok()).toBe(true);

  await logIn(page, admin);
  await page.goto("/admin");
  const lists = page.getByRole("navigation", { name: say("admin:title") });
  for (const name of [
    say("admin:lists.users"),
    say("admin:lists.agents"),
    say("admin:lists.knowledges"),
    say("admin:lists.sources"),
    say("admin:lists.tasks"),
    say("admin:lists.apiKeys"),
    say("admin:lists.support"),
    say("admin:lists.retention"),
    say("admin:lists.teams"),
  ]) {
    await lists.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(lists.getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "page");
  }
  await page.getByRole("searchbox", { name: say("admin:filter.words") }).fill("demo");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/teams?search=demo");
  await page.getByRole("table").getByRole("link", { name: "Demo demo", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Demo");
  await page
    .getByRole("main")
    .getByRole("link", { name: say("admin:lists.agents"), exact: true })
    .last()
    .click();
  await page.getByRole("table").getByRole("link", { name: "handbook Answers questions" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("handbook");

  // A filter without matches says so, and is cleared from there.
  await page.goto("/admin/sources?name=no-such-source-at-all");
  await expect(page.getByRole("heading", { name: say("admin:none.title") })).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: say("app:filter.clear") })
    .last()
    .click();
  await expect(page.getByRole("table", { name: say("admin:lists.sources") })).toBeVisible();

  // A cap is set at every width, and its form is never cut off.
  await page.goto("/admin/models");
  for (const width of [360, 768, 1100]) {
    await page.setViewportSize({ width, height: 800 });
    const cap = page.locator("form:has([name=installationCap])").first();
    await cap.getByRole("button").scrollIntoViewIfNeeded();
    await expect(cap.getByRole("spinbutton")).toBeVisible();
    await expect(cap.getByRole("button")).toBeInViewport({ ratio: 1 });
    expect(await cap.evaluate((form) => form.scrollWidth <= (form.parentElement?.clientWidth ?? 0))).toBe(
      true,
    );
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  // What was typed for one team comes back to its field alone.
  await page.goto("/admin/models");
  const caps = page.locator("[name=installationCap]");
  const empty = await caps.nth(1).inputValue();
  await caps.first().fill("77");
  // Its script loads with the first typed character.
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("77");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(caps.first()).toHaveValue("77");
  await expect(caps.nth(1)).toHaveValue(empty);
  await page
    .locator("form:has([name=installationCap])")
    .first()
    .evaluate((form) => {
      (form as HTMLFormElement).reset();
      form.dispatchEvent(new Event("input", { bubbles: true }));
    });

  await page.goto("/admin/retention");
  const tasks = page.getByLabel(say("admin:retention.tasks"));
  await tasks.selectOption({ label: say("admin:retention.forever") });
  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await page.reload();
  await expect(tasks).toHaveValue("");

  await page.goto(`/admin/users?search=${encodeURIComponent(person.email)}`);
  await page.getByRole("link", { name: person.name }).click();
  await page.getByRole("button", { name: say("admin:user.banButton") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("admin:user.banConfirm") })
    .click();
  await expect(page.getByText(say("admin:user.done.ban"), { exact: true })).toBeVisible();
  await expect(page.getByText(say("admin:user.banned"), { exact: true })).toBeVisible();
  await other.goto("/teams");
  await other.waitForURL("**/login?*");
  await page.getByRole("button", { name: say("admin:user.unban") }).click();
  await expect(page.getByText(say("admin:user.banned"), { exact: true })).toHaveCount(0);
  await logIn(other, person);

  await page.goto("/admin/support?status=open");
  await page.getByRole("link", { name: subject }).click();
  await expect(page.getByText("Please look.")).toBeVisible();
  await page.getByRole("button", { name: say("admin:ticket.close"), exact: true }).click();
  await expect(page.getByRole("button", { name: say("admin:ticket.reopen") })).toBeVisible();
  await theirs.close();
});

test("an owner renames a team, exports it and deletes it", async ({ page }) => {
  await register(page, someone());
  await page.goto("/teams/create");
  await page.getByLabel(say("teams:create.name")).fill("Short lived");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  await page.locator("#sidebar").getByText("Short lived").first().click();
  await page.getByRole("link", { name: say("app:nav.teamSettings") }).click();
  await page.getByLabel(say("teams:create.name")).fill("Renamed");
  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await expect(page.locator("#sidebar")).toContainText("Renamed");

  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: say("teamSettings:export.button") }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/^short-lived.*\.zip$/);
  expect(await download.failure()).toBeNull();

  await page.getByRole("button", { name: say("files:delete.button") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("teamSettings:delete.confirm") })
    .click();
  await page.waitForURL("**/teams*");
  await expect(
    page.getByText(say("teamSettings:delete.done", { name: "Renamed" }), { exact: true }),
  ).toBeVisible();
});
