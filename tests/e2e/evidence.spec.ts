// A citation opens in place: a card at the mark, and a pane beside the conversation, or a sheet on a phone.

import { say, sayAny } from "../support/words.ts";
import { expectAccessible } from "./support/axe.ts";
import { citedReply } from "./support/cited-reply.ts";
import { expect, test } from "./support/test.ts";

test("a citation shows a card at its mark and opens in its document, with the other sources and the explanation", async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { agentId, chatId, teamId } = await citedReply(page);
  await page.goto(`/chats/${agentId}?chatId=${chatId}`);
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();

  // Numbered 1 to n in order of citation, whatever the reply's text says; grouped by document, with their section.
  const reply = page.getByRole("article");
  const marks = reply.getByRole("button", { name: sayAny("chat:mark", { index: /\d+/, title: /[^,]+$/ }) });
  await expect(marks).toHaveText(["1", "2", "3"]);
  const sources = reply.getByRole("region", { name: say("passages:evidence.sources") });
  await expect(sources.getByRole("button")).toHaveText([
    "1Handbook › Parental leave",
    "3Handbook › Annual leave",
    "2Limits",
  ]);
  await expect(sources.getByText("handbook.md", { exact: true })).toHaveCount(1);

  const card = page.getByRole("tooltip");
  await marks.nth(1).hover();
  await expect(card).toContainText("limits.md");
  await expect(card.getByRole("columnheader").first()).toHaveText("City");
  await expect(card.getByRole("cell").first()).toHaveText("Paris");
  // The pointer may enter the card.
  await card.hover();
  await expect(card).toBeVisible();
  await page.mouse.move(5, 5);
  await expect(card).toHaveCount(0);

  // By keyboard alone: focus opens the card, Escape closes only the card, Enter opens the pane.
  const field = page.locator("textarea[name=content]");
  await field.focus();
  await marks.first().focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(marks.first()).toBeFocused();
  await expect(card).toContainText("sixteen weeks");
  await expect(card).toHaveId((await marks.first().getAttribute("aria-describedby")) ?? "");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await expect(marks.first()).toBeFocused();
  await page.keyboard.press("Enter");
  const pane = page.getByRole("complementary", { name: say("passages:evidence.title") });
  await expect(pane.getByRole("heading", { name: say("passages:evidence.title") })).toBeFocused();
  await expect(pane).toContainText(say("passages:evidence.source", { number: "1", total: "3" }));
  await expect(pane.locator("mark")).toHaveText(/Parents have sixteen weeks/);
  await expect(marks.first()).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page);

  // The table row, with its header, among its neighbours.
  const next = pane.getByRole("button", { name: say("passages:evidence.next") });
  await next.click();
  await expect(pane).toContainText(say("passages:evidence.source", { number: "2", total: "3" }));
  await expect(pane.getByRole("status")).toHaveText(
    `${say("passages:evidence.source", { number: "2", total: "3" })}: limits.md`,
  );
  await expect(pane.getByRole("columnheader").first()).toHaveText("City");
  await expect(pane.getByRole("row").filter({ has: page.locator("mark") })).toContainText("180 euros");
  await expect(pane.getByRole("row")).toHaveCount(8);
  await next.press("ArrowRight");
  await expect(pane).toContainText(say("passages:evidence.source", { number: "3", total: "3" }));
  await expect(next).toBeFocused();
  await next.press("ArrowLeft");
  await expect(pane).toContainText(say("passages:evidence.source", { number: "2", total: "3" }));

  // The explanation is the second tab.
  const tab = pane.getByRole("tab", { name: say("passages:evidence.sources") });
  await tab.focus();
  await tab.press("ArrowRight");
  await expect(pane.getByRole("tab", { name: say("passages:title") })).toBeFocused();
  await expect(pane.getByRole("region", { name: say("passages:title") })).toBeVisible();
  expect(await pane.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(pane).toHaveCount(0);
  await expect(marks.first()).toBeFocused();

  // Checkboxes of a task list, and a table that scrolls sideways instead of breaking words.
  await expect(reply.getByRole("checkbox")).toHaveCount(2);
  await expect(reply.getByRole("checkbox").first()).toBeChecked();
  await page.setViewportSize({ width: 360, height: 720 });
  const table = reply.getByRole("region", { name: "Destination", exact: true });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  const word = table.getByText("Preauthorisation");
  const lines = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  };
  expect(await word.evaluate(lines)).toBe(1);

  // On a phone it is a modal sheet.
  await marks.nth(1).click();
  const sheet = page.getByRole("dialog", { name: say("passages:evidence.title") });
  await expect(sheet.getByRole("columnheader").first()).toBeInViewport();
  await expect(sheet.locator("tr#quote")).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(marks.nth(1)).toBeFocused();

  // A visitor sees the reply's quotes, and requests nothing else.
  const context = await browser.newContext();
  const visitor = await context.newPage();
  const calls: string[] = [];
  visitor.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await visitor.goto(`${new URL(page.url()).origin}/chats/${agentId}`);
  await expect(visitor.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  await visitor.locator("textarea[name=content]").fill("What may a hotel in Paris cost per night?");
  await visitor.getByRole("button", { name: say("chat:send") }).click();
  await expect(visitor.locator("textarea[name=content]")).toBeFocused();
  await visitor
    .getByRole("article")
    .getByRole("button", { name: say("chat:mark", { index: "1", title: "limits.md" }), exact: true })
    .click();
  const own = visitor.getByRole("complementary", { name: say("passages:evidence.title") });
  await expect(own.getByRole("cell", { name: "180 euros" })).toBeVisible();
  await expect(own.getByRole("tab")).toHaveCount(0);
  await expectAccessible(visitor);
  expect(calls.filter((path) => /\/(citations|passages)\b/.test(path))).toEqual([]);
  await context.close();

  // A deleted document cannot be opened; the others can.
  await page.setViewportSize({ width: 1280, height: 800 });
  const { data: files } = await (await page.request.get(`/v1/teams/${teamId}/files?name=limits`)).json();
  expect((await page.request.delete(`/v1/teams/${teamId}/files/${files[0].id}`)).status()).toBe(204);
  await page.reload();
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  const opening = pane.getByRole("link", { name: say("passages:evidence.document") });
  await marks.nth(1).click();
  await expect(pane).toContainText(say("passages:evidence.gone"));
  await expect(opening).toHaveCount(0);
  await next.click();
  await expect(opening).toBeVisible();
});
