// A handover in the browser: a visitor requests it and leaves an address, a member answers, and the answer is in the chat and in the
// mailbox.
import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { say, sayAny } from "../support/words.ts";
import { demo, logIn, mailTo } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const island = (page: Page) =>
  page.locator("[data-island][data-hydrated]").filter({ has: page.getByRole("log") });

async function handbook(page: Page): Promise<string> {
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  return data[0].id;
}

/** A visitor's request in a chat of the handbook, and a member's browser. */
async function requestedByVisitor(page: Page, browser: Browser) {
  await page.goto("/");
  const { id: chatId } = await (
    await page.request.post(`/v1/agents/${await handbook(page)}/chats`, { data: {} })
  ).json();
  const messages = `/v1/chats/${chatId}/messages`;
  await page.request.post(messages, { data: { content: "Who repairs the lift?" } });
  const data = { email: `visitor-${randomUUID()}@parley.test`, consent: true };
  const { id } = await (await page.request.post(`/v1/chats/${chatId}/handover`, { data })).json();
  await page.goto(`/chats/${await handbook(page)}?chatId=${chatId}`);
  await expect(page.getByText(say("chat:handover.openWithMail", { email: data.email }))).toBeVisible();
  const desk = await (await browser.newContext({ locale: "en-US" })).newPage();
  await desk.goto("/login");
  await logIn(desk, demo);
  return { desk, id, visitor: { get: () => page.request.get(messages) } };
}

test("a visitor requests a person, a member answers, and the visitor reads it in the chat and in a mail", async ({
  page,
  browser,
}) => {
  const email = `visitor-${randomUUID()}@parley.test`;
  const question = `Who repairs the coffee machine ${randomUUID().slice(0, 8)}?`;
  await page.goto(`/chats/${await handbook(page)}`);
  await expect(island(page)).toBeAttached();
  await page.getByRole("textbox").fill(question);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: say("chat:handover.ask") }).click();
  const form = page.getByRole("form", { name: say("chat:handover.ask") });
  await expect(form.getByLabel(say("chat:handover.email"))).toBeFocused();
  await form.getByLabel(say("chat:handover.email")).fill(email);
  await form.getByLabel(say("chat:handover.message")).fill("It drips.");
  await expectAccessible(page);
  // Nothing is sent without the consent.
  await form.getByRole("button", { name: say("chat:send") }).click();
  await expect(form).toBeVisible();
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: say("chat:send") }).click();
  await expect(page.getByText(say("chat:handover.openWithMail", { email }))).toBeVisible();
  const address = page.url();

  const office = await browser.newContext({ locale: "en-US" });
  const desk = await office.newPage();
  await logIn(desk, demo);
  await desk.goto("/dashboard");
  await desk
    .getByRole("link", { name: say("handovers:title") })
    .first()
    .click();
  await desk.waitForURL("**/teams/demo/handovers");
  await expectAccessible(desk);
  await desk.getByRole("link", { name: question }).click();
  await expect(desk.getByRole("heading", { level: 1, name: question })).toBeVisible();
  await expect(desk.getByText("It drips.")).toBeVisible();
  await expect(desk.getByText(email)).toBeVisible();
  await expectAccessible(desk);
  const colleague = await office.newPage();
  await colleague.goto(desk.url());
  await desk.getByLabel(say("handovers:answer.label")).fill("Call the **porter** at 12.");
  await desk.getByRole("button", { name: say("handovers:answer.button") }).click();
  await expect(desk.getByText(say("handovers:answer.done"), { exact: true })).toBeVisible();

  // Without a reload: the chat polls for it.
  const answer = page.getByRole("article", { name: sayAny("chat:handover.answerBy", { name: /.+/ }) });
  await expect(answer).toContainText("Call the porter at 12.");
  await expect(answer).toContainText(say("handovers:transcript.ofTheTeam"));
  const mail = await mailTo(email);
  expect(mail.text).toContain("Call the porter at 12.");
  await page.goto(/https?:\S+\/chats\/\S+/.exec(mail.text ?? "")?.[0] ?? "");
  await expect(
    page.getByRole("article", { name: sayAny("chat:handover.answerBy", { name: /.+/ }) }),
  ).toBeVisible();
  expect(address).toContain("chatId=");

  // A colleague who had opened it before reads that answer first, and keeps their own.
  const own = colleague.getByLabel(say("handovers:answer.label"));
  await own.fill("Or ask the cook.");
  await colleague.getByRole("button", { name: say("handovers:answer.button") }).click();
  await expect(colleague.getByText(say("handovers:answer.meanwhile"))).toBeVisible();
  await expect(colleague.getByText("Call the porter at 12.")).toBeVisible();
  await expect(own).toHaveValue("Or ask the cook.");
  await colleague.getByRole("button", { name: say("handovers:answer.button") }).click();
  await expect(colleague.getByText(say("handovers:answer.done"), { exact: true })).toBeVisible();

  await desk.getByRole("button", { name: say("handovers:close.button") }).click();
  await expect(desk.getByText(say("handovers:close.done"), { exact: true })).toBeVisible();
  await office.close();
});

test("an answer that is sent twice arrives once, from one tab and from two", async ({ page, browser }) => {
  const { desk, id, visitor } = await requestedByVisitor(page, browser);
  const send = (tab: Page) => tab.getByRole("button", { name: say("handovers:answer.button") });
  const other = await desk.context().newPage();
  for (const tab of [desk, other]) {
    await tab.goto(`/teams/demo/handovers/${id}`);
    await tab.getByLabel(say("handovers:answer.label")).fill("Once.");
  }
  await Promise.all([send(desk).dblclick(), send(other).click()]);
  for (const tab of [desk, other])
    await expect(
      tab
        .getByText(say("handovers:answer.done"), { exact: true })
        .or(tab.getByText(say("handovers:answer.meanwhile"))),
    ).toBeVisible();
  const { data } = await (await visitor.get()).json();
  expect(data.filter(({ content }: { content: string }) => content === "Once.")).toHaveLength(1);
});

test("a visitor reads that the team closed their request without an answer", async ({ page, browser }) => {
  const { desk, id } = await requestedByVisitor(page, browser);
  const closed = await desk.request.post(`/v1/teams/demo/handovers/${id}/close`);
  expect(closed.status()).toBe(200);
  await page.reload();
  await expect(page.getByText(say("chat:handover.closed"))).toBeVisible();
  await expect(page.getByRole("button", { name: say("chat:handover.ask") })).toBeVisible();
  await expectAccessible(page);
});

test("the offer of a person and its whole form are in view below a long chat", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`/chats/${await handbook(page)}`);
  await expect(island(page)).toBeAttached();
  await page.getByRole("textbox").fill("What may a hotel cost?");
  await page.keyboard.press("Enter");
  const ask = page.getByRole("button", { name: say("chat:handover.ask") });
  await expect(ask).toBeVisible();
  // It arrives after the messages, whose end is in view then.
  await page.reload();
  await expect(ask).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 620 });
  await ask.click();
  const form = page.getByRole("form", { name: say("chat:handover.ask") });
  await expect(form.getByLabel(say("chat:handover.email"))).toBeFocused();
  await expect(form.getByRole("button", { name: say("chat:send") })).toBeInViewport({ ratio: 1 });
});

test("the settings store the recipients, and show a secret once", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/handovers/settings");
  const webhook = page.locator('form:has(input[value="webhook"])');
  await webhook.getByLabel(say("handovers:settings.webhook.label")).fill("http://127.0.0.1:1/x");
  await webhook.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("errors:refusals.webhookNotPublic"))).toBeVisible();
  await webhook.getByLabel(say("handovers:settings.webhook.label")).fill("https://example.com/parley");
  await webhook.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  // The island comes with the webhook.
  await expect(page.locator("[data-island=HandoverSecret][data-hydrated]")).toBeAttached();
  await page.getByRole("button", { name: say("handovers:settings.secret.again") }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText(/^whsec_/)).toHaveCount(0);
  await expect(webhook.getByLabel(say("handovers:settings.webhook.label"))).toHaveValue(
    "https://example.com/parley",
  );
  await webhook.getByLabel(say("handovers:settings.webhook.label")).fill("");
  await webhook.getByRole("button", { name: say("app:save") }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
});
