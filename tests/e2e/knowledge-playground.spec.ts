// Search in a knowledge base alone, without scripts; and a source's short URLs.

import { say, sayAny } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test.use({ javaScriptEnabled: false });

test("a search shows passages with their ranks, and links into the document", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/playground/knowledge");
  await page.getByRole("searchbox").fill("days of leave");
  await page.getByRole("button", { name: say("knowledgePlayground:search") }).click();
  await page.waitForURL(/knowledgeId=[0-9a-f-]{36}&query=days\+of\+leave&count=20&mode=hybrid/);
  const passages = page
    .getByRole("main")
    .locator("ol > li")
    .filter({ hasText: say("passages:score") });
  expect(await passages.count()).toBeGreaterThan(0);
  const rank = `(${sayAny("passages:rank", { rank: /\d+/ }).source}|${say("passages:notFound")})`;
  await expect(passages.first()).toContainText(new RegExp(`${say("passages:vector")}\\s*${rank}`));
  await expect(passages.first()).toContainText(new RegExp(`${say("passages:text")}\\s*${rank}`));
  // By words only, nothing has a vector rank.
  await page.goto(`${page.url().replace("mode=hybrid", "mode=text")}`);
  await expect(passages.first()).toContainText(
    new RegExp(`${say("passages:vector")}\\s*${say("passages:notFound")}`),
  );
  const content = (await passages.first().locator("a + div").textContent()) ?? "";
  await passages.first().getByRole("link").click();
  await page.waitForURL("**/documents/**");
  await expect(page.locator("mark#quote")).toBeVisible();
  const marked = (await page.locator("main mark").allTextContents()).join("");
  expect(marked.replaceAll(/\s+/g, "")).toBe(content.replaceAll(/\s+/g, ""));
});

test("a source's short URLs redirect to its documents", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  await logIn(page, demo);
  await page.goto("/teams/demo/sources");
  const href = await page.locator("main tbody a").first().getAttribute("href");
  const id = href?.split("/")[4];
  for (const path of [`/teams/demo/sources/${id}`, `/teams/demo/source/${id}`]) {
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe(href);
  }
  const unknown = await page.goto("/teams/demo/sources/0190aaaa-0000-7000-8000-000000000000");
  expect(unknown?.status()).toBe(404);
});
