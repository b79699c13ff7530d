// The main job, in both languages: a stranger's agent answers from a stranger's files, with the passage it came from.
import type { Page } from "@playwright/test";
import type { TFunction } from "i18next";
import { register, someone } from "./support/accounts.ts";
import { dropFiles, goodFiles, type SampleFile } from "./support/files.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";
import { wordsOf } from "./support/words.ts";

const languages = [
  { language: "en", locale: "en-US" },
  { language: "fr", locale: "fr-FR" },
] as const;

// Long enough that its quotation takes a while to be streamed.
const rules: SampleFile = {
  name: "House rules.md",
  mimeType: "text/markdown",
  buffer: Buffer.from(
    `# House rules\n\n${Array.from(
      { length: 60 },
      (_, i) =>
        `Rule ${i + 1} of the observatory says that telescope number ${i + 1} is cleaned by the keeper with a dry cloth${" and then once more with another cloth that is as dry as the first one was".repeat(4)}.`,
    ).join(" ")}\n`,
  ),
};

for (const { language, locale } of languages) {
  test.describe(language, () => {
    test.use({ locale });

    test("from a stranger to an agent that anyone can ask", async ({ page, browser, expectedErrors }) => {
      test.setTimeout(240_000);
      expectedErrors.push(/status of 404/);
      const t = await wordsOf(language);
      const stepsDone = (count: number) =>
        expect(page.getByText(t("onboarding:progress", { count, total: 4 }))).toBeVisible();

      await register(page, someone());
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await page.getByLabel(t("teams:create.name")).fill("Observatory");
      await page.getByRole("button", { name: t("teams:create.submit") }).click();
      await page.waitForURL("**/onboarding");
      await stepsDone(0);

      await test.step("files dropped into the first step become documents, and it ticks itself", async () => {
        await expect(page.locator("[data-island=NewKnowledge]")).toHaveAttribute("data-hydrated", "");
        await dropFiles(page, "main label:has(input[type=file])", goodFiles().slice(0, 4));
        await expect(page.getByRole("progressbar").first()).toBeVisible();
        // Nobody left the page, nobody loads it again.
        await expect(page.getByText(t("onboarding:progress", { count: 1, total: 4 }))).toBeVisible({
          timeout: 120_000,
        });
        expect(new URL(page.url()).pathname).toBe("/onboarding");
      });
      await test.step("more files, on the knowledge's own page", () => bringMoreFiles(page, t));
      const knowledge = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
      await page.goto("/onboarding");
      await stepsDone(1);

      await page
        .getByRole("main")
        .getByRole("link", { name: t("onboarding:agent.action"), exact: true })
        .click();
      await page.getByLabel(t("agents:name"), { exact: true }).fill("Concierge");
      await expect(page.getByLabel(t("agents:knowledge"))).toContainText(knowledge);
      await page.getByRole("button", { name: t("agents:create.submit") }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Concierge");
      const agentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

      await test.step("a private agent does not exist for a stranger", async () => {
        const stranger = await browser.newContext({ locale });
        const answer = await (await stranger.newPage()).goto(`/chats/${agentId}`);
        expect(answer?.status()).toBe(404);
        await stranger.close();
      });

      await page.goto("/onboarding");
      await stepsDone(2);
      await page
        .getByRole("main")
        .getByRole("link", { name: t("onboarding:ask.action"), exact: true })
        .click();
      await test.step("the agent answers with the passage", () => askAndFollow(page, t, language));
      await test.step("Escape stops a reply and keeps it", () => stopReply(page, t));

      await page.goto("/onboarding");
      await stepsDone(3);
      await page
        .getByRole("main")
        .getByRole("link", { name: t("onboarding:share.action"), exact: true })
        .click();
      await page.getByLabel(t("agents:visibility.label")).selectOption("public");
      await page.getByRole("button", { name: t("app:save") }).click();
      await expect(page.getByText(t("app:toast.saved"), { exact: true })).toBeVisible();
      await page.goto("/onboarding");
      await stepsDone(4);

      await test.step("a visitor asks it", async () => {
        const visitors = await browser.newContext({ locale });
        const visitor = await visitors.newPage();
        await visitor.goto(`/chats/${agentId}`);
        await ask(visitor, t, "Who gets a yellow badge?");
        const reply = visitor.getByRole("article", { name: t("chat:reply") });
        await expect(reply).toContainText("yellow badge");
        await settled(visitor);
        await visitor.reload();
        await expect(reply).toContainText("yellow badge");
        await expect(
          visitor.getByRole("log").getByText("Who gets a yellow badge?", { exact: true }),
        ).toBeVisible();
        await visitors.close();
      });
    });
  });
}

/** Chooses the rest on the knowledge that the first step has made; ends there with every document ready. */
async function bringMoreFiles(page: Page, t: TFunction): Promise<void> {
  const files = [...goodFiles(), rules];
  await page
    .getByRole("main")
    .getByRole("link", { name: t("onboarding:knowledge.again"), exact: true })
    .click();
  await page.waitForURL("**/knowledges");
  await page
    .getByRole("row")
    .getByRole("link", { name: /^Travel policy|^Parental leave|^Kitchen|^Visitors/ })
    .click();
  await page.waitForURL(/\/knowledges\/[0-9a-f-]{36}$/);
  await expect(page.locator("[data-island=KnowledgeDocuments]")).toHaveAttribute("data-hydrated", "");
  await page.locator("main input[type=file]").setInputFiles(files.slice(4));
  await expect(page.getByRole("progressbar").first()).toBeVisible();
  await expect(page.getByRole("list", { name: t("files:uploads") })).toHaveCount(0, { timeout: 60_000 });
  await page.reload();

  const rows = page.getByRole("list", { name: t("knowledges:documents") }).getByRole("listitem");
  await expect(rows).toHaveCount(files.length, { timeout: 60_000 });
  await expect(rows.getByText(t("app:status.ready"), { exact: true })).toHaveCount(files.length, {
    timeout: 120_000,
  });
  await expect(page.getByRole("progressbar")).toHaveCount(0);
}

async function ask(page: Page, t: TFunction, question: string): Promise<void> {
  await expect(page.locator("[data-island]").filter({ has: page.getByRole("log") })).toHaveAttribute(
    "data-hydrated",
    "",
  );
  await page
    .getByRole("main")
    .getByRole("textbox", { name: t("chat:label", { agentName: "Concierge" }) })
    .fill(question);
  await page.keyboard.press("Enter");
}

const settled = (page: Page) => expect(page.locator("[data-busy=false]")).toBeVisible({ timeout: 30_000 });

/** Asks, opens its passage in the document, comes back and reloads. */
async function askAndFollow(page: Page, t: TFunction, language: string): Promise<void> {
  const question = "How many weeks of parental leave does every parent take?";
  await page.waitForURL("**/playground?*");
  await ask(page, t, question);
  await expect(page.locator("[data-busy=true]")).toBeVisible();
  const reply = page.getByRole("article", { name: t("chat:reply") });
  await expect(reply).toContainText("eighteen weeks");
  await settled(page);
  const passage = reply.getByRole("region", { name: t("chat:sources") }).getByRole("blockquote");
  await expect(passage).toHaveCount(0);
  await reply
    .getByRole("button", { name: /Parental leave/ })
    .first()
    .click();
  await expect(passage).toContainText("eighteen weeks");
  const quote = ((await passage.textContent()) ?? "").trim();
  await screenshot(page, `playground-${language}`);
  const chat = page.url();

  await reply.getByRole("link", { name: t("chat:openDocument") }).click();
  await page.waitForURL("**/documents/**");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Parental leave");
  await expect(page.locator("mark#quote")).toBeInViewport();
  expect((await page.locator("main mark").allTextContents()).join("")).toContain("eighteen weeks");
  expect(quote).toContain("eighteen weeks");
  await screenshot(page, `document-${language}`);

  await page.goBack();
  await page.waitForURL(chat);
  await expect(reply).toContainText("eighteen weeks");
  await page.reload();
  await expect(page.getByText(question, { exact: true })).toBeVisible();
  await expect(reply).toContainText("eighteen weeks");
}

async function stopReply(page: Page, t: TFunction): Promise<void> {
  await ask(page, t, "What do the rules of the observatory say about telescope cleaning by the keeper?");
  // Words are there while more are on their way.
  await page.locator("[data-busy=true] [data-live] article").waitFor();
  await page.keyboard.press("Escape");
  await settled(page);
  const reply = page.getByRole("article", { name: t("chat:reply") }).last();
  await expect(reply).toContainText(t("chat:stopped"));
  const said = (await reply.locator("p").first().textContent()) ?? "";
  expect(said).not.toBe("");
  await page.reload();
  await expect(reply).toContainText(t("chat:stopped"));
  await expect(reply.locator("p").first()).toHaveText(said);
}
