// A team's chats in the app: list, conversation and review side by side, with remembered widths.

import type { Locator } from "@playwright/test";
import { say } from "../support/words.ts";
import { expectAccessible } from "./support/axe.ts";
import { citedReply } from "./support/cited-reply.ts";
import { expectKeptSize } from "./support/panel-sizes.ts";
import { expect, test } from "./support/test.ts";

test("a team's chats are read side by side, with the panels' last widths", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/);
  await page.setViewportSize({ width: 1600, height: 900 });
  const { team, chatId, otherChatId } = await citedReply(page);
  const island = page.locator("[data-island=TeamChats][data-hydrated]");
  // The list is searched in the messages of its chats.
  await page.goto(`/teams/${team}/chats?search=canteen`);
  await expect(page.getByRole("link", { name: "Something else" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Leave and hotels" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/teams/${team}/chats`);
  await page.getByRole("link", { name: "Leave and hotels" }).click();
  await page.waitForURL(`**/teams/${team}/chats/review?chatId=${chatId}`);
  await expect(island).toBeAttached();
  const list = page.getByRole("navigation", { name: say("chats:title") });
  const review = page.getByRole("region", { name: say("chats:review.title") }).first();
  const log = page.getByRole("log");
  await expect(list.locator("[aria-current=page]")).toContainText("Leave and hotels");
  await expect(log).toContainText("sixteen weeks");
  await expect(review).toContainText("House agent");
  await expect(review.getByRole("button")).toContainText(say("chats:review.sources", { count: 3 }));
  await expectAccessible(page);

  // The review links to a reply, and a reply's evidence replaces the review.
  await review.getByRole("button", { name: /What about leave/ }).click();
  await expect(log.locator("[data-message]").last()).toBeFocused();
  await log
    .getByRole("button", { name: say("chat:mark", { index: "2", title: "limits.md" }), exact: true })
    .click();
  const evidence = page.getByRole("complementary", { name: say("passages:evidence.title") });
  await expect(evidence.getByRole("row").filter({ has: page.locator("mark") })).toContainText("180 euros");
  await expect(review).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(review).toBeVisible();

  // The arrow keys move through the list; the list stays while another chat opens.
  await list.evaluate((element) => Object.assign(element, { kept: true }));
  await list.locator("[aria-current=page]").focus();
  const other = list.getByRole("link", { name: /Something else/ });
  await page.keyboard.press("Home");
  for (let tries = 0; tries < 5 && !(await other.evaluate((link) => link.matches(":focus"))); tries += 1)
    await page.keyboard.press("ArrowDown");
  await expect(other).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/chats/review?chatId=${otherChatId}`);
  await expect(log).toContainText("And the canteen?");
  await expect(other).toHaveAttribute("aria-current", "page");
  await expect(other).toBeFocused();
  expect(await list.evaluate((element) => Reflect.get(element, "kept"))).toBe(true);

  // Widths are right at the first paint: the server renders them.
  const handle = page.getByRole("separator", { name: say("chats:review.listWidth") });
  const panel = page.locator("#list");
  const width = async () => (await panel.boundingBox())?.width ?? 0;
  const before = Number(await handle.getAttribute("aria-valuenow"));
  await handle.press("ArrowRight");
  await expect(handle).toHaveAttribute("aria-valuenow", String(before + 10));
  // The panel is drawn at its size a moment after the separator has it.
  await expect(panel).toHaveCSS("flex-grow", String(before + 10));
  await expectKeptSize(page, "chats", before + 10);
  const left = await width();
  await page.route("**/*.js", (route) => route.abort());
  expectedErrors.push(/Failed to load|ERR_FAILED/);
  await page.reload();
  await expect(page.locator("[data-hydrated]")).toHaveCount(0);
  expect(Math.abs((await width()) - left)).toBeLessThan(3);
  await page.unroute("**/*.js");

  // A phone shows one at a time.
  await page.setViewportSize({ width: 360, height: 720 });
  await page.goto(`/teams/${team}/chats/review?chatId=${chatId}`);
  await expect(island).toBeAttached();
  await expect(list).toBeHidden();
  await expect(review).toBeHidden();
  await page.getByRole("button", { name: say("chats:review.title"), exact: true }).click();
  await expect(review).toBeVisible();
  await expect(log).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: say("chats:review.back") }).click();
  await log
    .getByRole("button", { name: say("chat:mark", { index: "1", title: "handbook.md" }), exact: true })
    .click();
  await expect(
    page.getByRole("dialog", { name: say("passages:evidence.title") }).locator("mark"),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: say("chats:review.all") }).click();
  await page.waitForURL(`**/teams/${team}/chats`);

  // The dashboard's chats open here too.
  await page.goto("/dashboard");
  await page.getByRole("link", { name: /^Leave and hotels/ }).click();
  await page.waitForURL(`**/teams/${team}/chats/review?chatId=${chatId}`);

  const gone = await page.goto(`/teams/${team}/chats/review?chatId=0190aaaa-0000-7000-8000-000000000000`);
  expect(gone?.status()).toBe(404);
  await expect(page.getByText(say("chats:review.notThere"))).toBeVisible();
});

test("a chat's head is one line on a phone, and beside the evidence", async ({ page }) => {
  const { team, agentId, chatId } = await citedReply(page);
  const middleOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box && box.y + box.height / 2;
  };
  const expectOneLine = async (first: Locator, last: Locator) =>
    expect(Math.abs(((await middleOf(first)) ?? 0) - ((await middleOf(last)) ?? 99))).toBeLessThan(16);
  const rename = page.getByRole("button", { name: say("chat:rename") });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/teams/${team}/chats/review?chatId=${chatId}`);
  await expect(page.locator("[data-island=TeamChats][data-hydrated]")).toBeAttached();
  await expectOneLine(rename, page.getByRole("button", { name: say("chats:review.title") }));

  await page.setViewportSize({ width: 720, height: 740 });
  await page.goto(`/chats/${agentId}?chatId=${chatId}`);
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  await page.getByRole("button", { name: say("chat:why") }).click();
  await expect(page.getByRole("complementary", { name: say("passages:evidence.title") })).toBeVisible();
  await expectOneLine(rename, page.getByRole("link", { name: say("chat:new") }));
});

test("the panels of a chat have their widths before the last one has arrived", async ({ page, browser }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  const { team, chatId } = await citedReply(page);
  const address = `/teams/${team}/chats/review?chatId=${chatId}`;
  await page.goto(address);
  const whole = await page.locator("#conversation").boundingBox();
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    viewport: { width: 1600, height: 900 },
  });
  const arriving = await plain.newPage();
  await arriving.route(`**${address}`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html.slice(0, html.lastIndexOf("<div", html.indexOf('id="review"')));
    await route.fulfill({ response, body });
  });
  await arriving.goto(address);
  await expect(arriving.locator("#review")).toHaveCount(0);
  // The separator before the missing panel is not there either.
  expect((await arriving.locator("#conversation").boundingBox())?.x).toBeCloseTo(whole?.x ?? 0, -1);
  await plain.close();
});
