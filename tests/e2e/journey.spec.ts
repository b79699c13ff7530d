// The main flow, in both languages: a stranger's agent answers from a stranger's files, with its source passage.
import type { Page } from "@playwright/test";
import { type Say, sayIn } from "../support/words.ts";
import { registerByForm, someone } from "./support/accounts.ts";
import { brokenPdf, dropFiles, goodFiles, type SampleFile } from "./support/files.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test, withMotion } from "./support/test.ts";

const languages = [
  { language: "en", locale: "en-US" },
  { language: "fr", locale: "fr-FR" },
] as const;

// Long enough that streaming its quote takes a while.
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
    test.use({ locale, ...withMotion });

    test("a stranger creates an agent that anyone can ask", async ({ page, browser, expectedErrors }) => {
      expectedErrors.push(/status of 404/);
      const t = sayIn(language);
      await registerByForm(page, someone());
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await page.getByLabel(t("teams:create.name")).fill("Observatory");
      await page.getByRole("button", { name: t("teams:create.submit") }).click();
      await page.waitForURL("**/onboarding");
      const agentId = await test.step("dropped files become documents, an agent and questions", () =>
        firstFiles(page, t));
      await test.step("more files, a second tab and a reload create nothing twice", () => moreFiles(page, t));

      await test.step("a private agent gives 404 to a stranger", async () => {
        const stranger = await browser.newContext({ locale });
        const answer = await (await stranger.newPage()).goto(`/chats/${agentId}`);
        expect(answer?.status()).toBe(404);
        await stranger.close();
      });

      await test.step("a suggested question continues in the chat, and Back returns", () =>
        askSuggested(page, t));
      await page.goto(`/teams/${await teamOf(page)}/playground?agentId=${agentId}`);
      await test.step("the agent answers with the passage", () => askAndFollow(page, t, language));
      await test.step("Escape stops a reply and keeps its text", () => stopReply(page, t));

      await page.goto("/onboarding");
      await page
        .getByRole("main")
        .getByRole("link", { name: t("onboarding:agent.publish"), exact: true })
        .click();
      await expect(page.getByLabel(t("agents:visibility.label"))).toBeFocused();
      await expect(page.getByText(t("agents:visibility.toPublish"))).toBeVisible();
      await page.getByLabel(t("agents:visibility.label")).selectOption("public");
      await page.getByRole("button", { name: t("app:save") }).click();
      await expect(page.getByText(t("app:toast.saved"), { exact: true })).toBeVisible();
      // The link that was wanted comes next.
      await expect(page.getByText(new RegExp(`/chats/${agentId}$`)).first()).toBeInViewport();
      await page.goto("/onboarding");
      await expect(page.getByText(t("onboarding:agent.public"), { exact: true })).toBeVisible();

      await test.step("a visitor asks it", async () => {
        const visitors = await browser.newContext({ locale });
        const visitor = await visitors.newPage();
        await visitor.goto(`/chats/${agentId}`);
        await ask(visitor, t, "Who gets a yellow badge?");
        const reply = visitor.getByRole("article", { name: t("chat:reply") });
        await expect(reply).toContainText("yellow badge");
        await waitUntilSettled(visitor);
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

/** "7 documents, 182 passages", as the page shows them; the second number is any. */
const countOf = (page: Page, t: Say, documents: number) =>
  page.getByRole("main").getByRole("heading", {
    level: 2,
    name: new RegExp(
      `^${t("onboarding:documents", { count: documents, number: documents })}, \\d+ passages?$`,
    ),
  });
const rowsOf = (page: Page, t: Say) =>
  page.getByRole("list", { name: t("onboarding:files.label") }).getByRole("listitem");
const suggestions = (page: Page, t: Say) =>
  page.getByRole("region", { name: t("onboarding:questions.title") }).locator("h3");

/** Drops files of each format and an unreadable one. @returns the agent's id */
async function firstFiles(page: Page, t: Say): Promise<string> {
  await expect(page.locator("[data-island=FirstSteps]")).toHaveAttribute("data-hydrated", "");
  const bad = brokenPdf();
  await dropFiles(page, "main label:has(input[type=file])", [...goodFiles(), bad]);
  await expect(page.getByRole("progressbar").first()).toBeVisible();
  await expect(countOf(page, t, goodFiles().length)).toBeVisible({ timeout: 120_000 });
  expect(new URL(page.url()).pathname).toBe("/onboarding");

  const unread = rowsOf(page, t).filter({ hasText: bad.name });
  await expect(unread).toContainText(t("onboarding:files.status.failed"));
  await expect(unread).toContainText(t("onboarding:files.mend"));
  await expect(page.getByText(t("onboarding:agent.private"), { exact: true })).toBeVisible();

  const questions = page.getByRole("region", { name: t("onboarding:questions.title") });
  await expect(questions.getByText(t("onboarding:questions.found"), { exact: true })).toBeVisible();
  await expect(suggestions(page, t)).toHaveCount(3);
  for (const found of await questions
    .getByRole("listitem")
    .filter({ has: page.locator("h3") })
    .all()) {
    await expect(found).toContainText(/140 euros|eighteen weeks|first Monday|55 12 34 56/);
    await expect(found.locator("a[href*='quote=']").first()).toBeVisible();
  }
  await screenshot(page, `onboarding-${await page.locator("html").getAttribute("lang")}`);
  const chat = page.getByRole("main").getByRole("link", { name: t("onboarding:agent.ask"), exact: true });
  return (await chat.getAttribute("href"))?.split("/").at(-1) ?? "";
}

/** Two tabs at once, each with a file. */
async function moreFiles(page: Page, t: Say): Promise<void> {
  const before = await suggestions(page, t).allTextContents();
  const other = await page.context().newPage();
  await other.goto("/onboarding");
  const extra: SampleFile = {
    ...rules,
    name: "Roof.md",
    buffer: Buffer.from("# Roof\n\nThe roof is green.\n"),
  };
  await Promise.all(
    [page, other].map(async (tab, at) => {
      await expect(tab.locator("[data-island=FirstSteps]")).toHaveAttribute("data-hydrated", "");
      await tab.locator("main input[type=file]").setInputFiles(at === 0 ? rules : extra);
    }),
  );
  for (const { name } of [rules, extra])
    await expect(rowsOf(other, t).filter({ hasText: name })).toBeVisible();
  await page.reload();
  await expect(countOf(page, t, goodFiles().length + 2)).toBeVisible({ timeout: 120_000 });
  await expect(suggestions(page, t)).toHaveText(before);
  await other.close();
  for (const path of ["agents", "knowledges"]) {
    await page.goto(`/teams/${await teamOf(page)}/${path}`);
    await expect(
      page.getByRole("main").getByRole("row").getByRole("link", { name: "Observatory", exact: true }),
    ).toHaveCount(1);
  }
  await page.goto("/onboarding");
}

async function askSuggested(page: Page, t: Say): Promise<void> {
  await page.goto("/onboarding");
  const question = (await suggestions(page, t).first().textContent()) ?? "";
  await page
    .getByRole("link", { name: t("onboarding:questions.askNamed", { question }), exact: true })
    .click();
  await page.waitForURL("**/chats/**");
  await expect(page.getByRole("log").getByText(question, { exact: true })).toBeVisible();
  await expect(page.getByRole("article", { name: t("chat:reply") })).toHaveCount(1);
  await waitUntilSettled(page);
  await page.goBack();
  await page.waitForURL("**/onboarding");
  await expect(suggestions(page, t).first()).toHaveText(question);
}

const teamOf = async (page: Page) =>
  (await page.locator('#sidebar a[href$="/agents"]').first().getAttribute("href"))?.split("/")[2] ?? "";

async function ask(page: Page, t: Say, question: string): Promise<void> {
  await expect(page.locator("[data-island]").filter({ has: page.getByRole("log") })).toHaveAttribute(
    "data-hydrated",
    "",
  );
  await page
    .getByRole("main")
    .getByRole("textbox", { name: t("chat:label", { agentName: "Observatory" }) })
    .fill(question);
  await page.keyboard.press("Enter");
}

const waitUntilSettled = (page: Page) => expect(page.locator("[data-busy=false]")).toBeVisible();

/** Asks, opens the passage in the document, returns and reloads. */
async function askAndFollow(page: Page, t: Say, language: string): Promise<void> {
  const question = "How many weeks of parental leave does every parent take?";
  await page.waitForURL("**/playground?*");
  await ask(page, t, question);
  const reply = page.getByRole("article", { name: t("chat:reply") });
  await expect(reply).toContainText("eighteen weeks");
  await waitUntilSettled(page);
  const evidence = page.getByRole("complementary", { name: t("passages:evidence.title") });
  await expect(evidence).toHaveCount(0);
  await reply
    .getByRole("button", { name: /Parental leave/ })
    .first()
    .click();
  await expect(evidence.locator("mark").first()).toContainText("eighteen weeks");
  await screenshot(page, `playground-${language}`);
  const chat = page.url();

  await evidence.getByRole("link", { name: t("passages:evidence.document") }).click();
  await page.waitForURL("**/documents/**");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Parental leave");
  await expect(page.locator("mark#quote")).toBeInViewport();
  expect((await page.locator("main mark").allTextContents()).join("")).toContain("eighteen weeks");
  await screenshot(page, `document-${language}`);

  await page.goBack();
  await page.waitForURL(chat);
  await expect(reply).toContainText("eighteen weeks");
  await page.reload();
  await expect(page.getByText(question, { exact: true })).toBeVisible();
  await expect(reply).toContainText("eighteen weeks");
}

async function stopReply(page: Page, t: Say): Promise<void> {
  await ask(page, t, "What do the rules of the observatory say about telescope cleaning by the keeper?");
  // Text is shown while more is streaming.
  await page.locator("[data-busy=true] [data-live] article").waitFor();
  await page.keyboard.press("Escape");
  await waitUntilSettled(page);
  const reply = page.getByRole("article", { name: t("chat:reply") }).last();
  await expect(reply).toContainText(t("chat:stopped"));
  const said = (await reply.locator("p").first().textContent()) ?? "";
  expect(said).not.toBe("");
  await page.reload();
  await expect(reply).toContainText(t("chat:stopped"));
  await expect(reply.locator("p").first()).toHaveText(said);
}
