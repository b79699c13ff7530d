// Times are those of the reader's clock, in a zone that the server learns from their browser.
import { register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test.use({ timezoneId: "Pacific/Auckland" });

test("a page that the server makes shows the moment of the reader's zone", async ({ page }) => {
  await register(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name: "Night shift" } });
  const { codename } = (await made.json()) as { codename: string };
  await page.goto(`/teams/${codename}/users`);
  await expect(page.locator("main time").first()).toHaveAttribute("title", /GMT\+1[23]$/);
});
