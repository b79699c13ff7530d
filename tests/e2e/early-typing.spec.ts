// A field that is replaced while it is in use keeps the text and the focus.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** Opens a page whose scripts do not arrive. @returns lets them arrive */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return release;
}

test("an address that is half typed when the list of addresses starts is typed to its end", async ({
  page,
}) => {
  await logIn(page, demo);
  const release = await openWithoutScripts(page, "/teams/demo/handovers/settings");
  const emails = page.locator("#offer-emails");
  await emails.pressSequentially("first@example.com\nsecond@exam");
  await expect(emails).toHaveValue("first@example.com\nsecond@exam");
  release();
  await expect(page.locator("input#offer-emails")).toBeFocused();
  await page.keyboard.type("ple.com");
  await expect(emails).toHaveValue("second@example.com");
  await expect(page.locator("textarea[name=emails]")).toHaveValue("first@example.com\nsecond@example.com");
});

test("a date that is typed before the calendar starts is kept", async ({ page }) => {
  await logIn(page, demo);
  const release = await openWithoutScripts(page, "/teams/demo/insights");
  const since = page.locator("main input[name=dateStart]");
  await since.fill("2026-03-01");
  release();
  await expect(page.locator("[data-island=DateRange][data-hydrated]")).toBeAttached();
  await expect(since).toHaveValue("2026-03-01");
  await expect(since).toBeFocused();
});

test("a question that is entered before the chat starts is sent once it has", async ({ page }) => {
  await logIn(page, demo);
  const release = await openWithoutScripts(page, "/teams/demo/playground");
  const field = page.locator("main textarea[name=content]");
  await field.pressSequentially("How many days of annual leave do I have?");
  await field.press("Enter");
  release();
  await expect(field).toHaveValue("");
  await expect(page.getByRole("article", { name: say("chat:reply") })).toContainText("27 days");
});

test("a line that is broken before the chat starts stays in the field", async ({ page }) => {
  await logIn(page, demo);
  const release = await openWithoutScripts(page, "/teams/demo/playground");
  const field = page.locator("main textarea[name=content]");
  await field.fill("First line\nsecond");
  release();
  await expect(page.locator("[data-island=Playground][data-hydrated]")).toBeAttached();
  await expect(field).toHaveValue("First line\nsecond");
});
