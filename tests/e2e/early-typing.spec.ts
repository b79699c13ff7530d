// What a reader does before a page's scripts have arrived counts: typed text and the focus stay, clicks take effect.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** Holds back the scripts that the page requests from now on. @returns lets them arrive */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await isReleased;
    await route.continue();
  });
  return () => release();
}

/** Opens a page whose scripts do not arrive. @returns lets them arrive */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const release = await holdScripts(page);
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

test("an empty list of addresses keeps its height when it starts", async ({ page }) => {
  await logIn(page, demo);
  const release = await openWithoutScripts(page, "/teams/demo/handovers/settings");
  const hint = page.locator("#offer-emails-hint");
  await expect(page.locator("textarea#offer-emails")).toHaveValue("");
  const before = await hint.boundingBox();
  release();
  await expect(page.locator("input#offer-emails")).toBeVisible();
  expect(await hint.boundingBox()).toEqual(before);
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

test("a date range keeps its width when the calendar starts", async ({ page }) => {
  await logIn(page, demo);
  const release = await openWithoutScripts(page, "/teams/demo/insights");
  const range = page.locator("[data-island=DateRange] > :is(fieldset, button)");
  await expect(range.and(page.locator("fieldset"))).toBeVisible();
  const before = await range.boundingBox();
  release();
  await expect(range.and(page.locator("button"))).toBeVisible();
  expect(await range.boundingBox()).toEqual(before);
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

test("a suggested question that is clicked before the chat starts is asked once it has", async ({ page }) => {
  const release = await openWithoutScripts(page, "/");
  const question = page.locator("[data-island=Chat] button", { hasText: "annual leave" });
  await question.click();
  release();
  await expect(page.getByRole("article", { name: say("chat:reply") })).toContainText("27 days");
});

test("a question is sent by a click on its button before the chat starts", async ({ page }) => {
  const release = await openWithoutScripts(page, "/");
  const field = page.locator("main textarea[name=content]");
  await field.fill("How many days of annual leave do I have?");
  await page.getByRole("button", { name: say("chat:send") }).click({ force: true });
  await expect(page).toHaveURL("/");
  release();
  await expect(page.getByRole("article", { name: say("chat:reply") })).toContainText("27 days");
  await expect(field).toHaveValue("");
});

test("an island of the next page notes clicks too, and its form's Enter", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents");
  // The navigation's own code arrives, with the first sign of the reader; the island's does not.
  await page.keyboard.press("Shift");
  await page.waitForLoadState("networkidle");
  const release = await holdScripts(page);
  await page.locator("#sidebar a[href$='/apiKeys']").click();
  const name = `Early ${Date.now()}`;
  const field = page.locator("[data-island=NewApiKey] input[name=name]");
  await field.fill(name);
  await field.press("Enter");
  release();
  await expect(page.getByText(say("apiKeys:made.title"))).toBeVisible();
  await expect(page).toHaveURL(/apiKeys$/);
});
