// Texts that break layouts, on the narrowest screen: unbreakable words, right-to-left scripts, and the longest possible reply.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { findStack } from "../support/stack.ts";
import { say, sayAny } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";

const word = "Unbroken".repeat(600);
const arabic = "كم يومًا من الإجازة السنوية لدي؟";
const hebrew = "יש לך עשרים ושבעה ימי חופשה בשנה.";
const awkward = [
  `${hebrew}\n\n- ${hebrew}\n- ${hebrew}\n\n> ${hebrew}`,
  `# ${word}\n\n${word}\n\n- ${word}\n\n> ${word}`,
  `[${word}](https://example.com/${word})`,
  `\`${word}\``,
  `\`\`\`js\nconst x = "${word}";\n\`\`\``,
  `| ${word} | b |\n| --- | --- |\n| a | ${word} |`,
].join("\n\n");
const paragraph =
  "A reply may be as long as a book, with **bold words**, `code` and [links](https://example.com). ";
const LONGEST = 200_000;

/** The questions and replies of a new chat with the demo's public agent, inserted without the model. */
async function chatOf(page: Page, texts: string[]): Promise<string> {
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const made = await page.request.post(`/v1/agents/${data[0].id}/chats`, { data: {} });
  const { id } = await made.json();
  const { databaseUrl } = await findStack();
  const sql = postgres(databaseUrl("postgres"), { max: 1 });
  const start = randomUUID().slice(0, 24);
  for (const [at, content] of texts.entries()) {
    const role = at % 2 === 0 ? "user" : "assistant";
    await sql`insert into public.messages (id, chat_id, role, content)
              values (${start + String(at).padStart(12, "0")}, ${id}, ${role}, ${content})`;
  }
  await sql.end();
  return id;
}

/** Horizontal overflow of each part of the page; blocks that scroll sideways are exempt. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const wide = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth;
    const log = document.querySelector("[role=log]");
    const head = document.querySelector("main header, main h1");
    return [document.documentElement, log, head].map((element) => (element ? wide(element) : 0));
  });

test.use({ viewport: { width: 360, height: 740 } });

test("no text is wider than the screen, each has its own direction, and the longest reply blocks nothing", async ({
  page,
}) => {
  await logIn(page, demo);
  const longest = `${"# A book\n\n"}${paragraph.repeat(10)}\n\n`
    .concat(`${paragraph.repeat(10)}\n\n- one\n- two\n\n`.repeat(400))
    .slice(0, LONGEST);
  const id = await chatOf(page, [`${arabic} ${word}`, awkward, word, longest]);
  await page.goto(`/chats/${id}`);
  await expect(
    page.locator("[data-island][data-hydrated]").filter({ has: page.getByRole("log") }),
  ).toBeAttached();
  await expect(page.getByRole("article")).toHaveCount(2);
  expect(await overflow(page)).toEqual([0, 0, 0]);
  const [start = "", end = ""] = [longest.slice(2, 8), "two"];
  await expect(page.getByRole("article").last()).toContainText(start);
  await expect(page.getByRole("article").last()).toContainText(end);

  const direction = (text: string, tag: string) =>
    page
      .locator(tag, { hasText: text })
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  expect(await direction(arabic, "[data-message] p")).toBe("rtl");
  for (const tag of ["article p", "article ul", "article blockquote"])
    expect(await direction(hebrew, tag), tag).toBe("rtl");
  expect(await direction("Unbroken", "article h1, article h2, article h3, article h4")).toBe("ltr");
  // A list marker is inside the reply, on the side where its line begins.
  const marks = await page
    .locator("article ul", { hasText: hebrew })
    .first()
    .evaluate((list) => {
      const { paddingRight, paddingLeft } = getComputedStyle(list);
      return Number.parseFloat(paddingRight) > Number.parseFloat(paddingLeft);
    });
  expect(marks).toBe(true);
  await page.getByText(hebrew).first().scrollIntoViewIfNeeded();
  await screenshot(page, "heavy-texts");

  // On paper the chat runs to its end, without controls.
  await page.emulateMedia({ media: "print" });
  const log = page.getByRole("log");
  expect(await log.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(10_000);
  await expect(page.getByRole("button", { name: say("chat:copy") }).first()).toBeHidden();
  await expect(page.locator("textarea[name=content]")).toBeHidden();
  await expect(page.getByRole("link", { name: say("app:skip") })).toBeHidden();
  await page.emulateMedia({ media: null });

  // The page still responds: typed text appears, and a question is sent under the long reply.
  const field = page.getByRole("textbox", { name: sayAny("chat:label", { agentName: /.+/ }) });
  await field.fill(arabic);
  await expect(field).toHaveValue(arabic);
  expect(await field.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  await field.press("Enter");
  await expect(page.getByRole("article")).toHaveCount(3);
  await expect(page.getByRole("button", { name: say("chat:retry"), exact: true })).toBeVisible();
  expect(await overflow(page)).toEqual([0, 0, 0]);
});

test("names of the maximum length fit every list and heading", async ({ page }) => {
  await logIn(page, demo);
  const name = "Unbroken".repeat(25);
  const made = await page.request.post("/v1/teams", { data: { name } });
  const team = await made.json();
  try {
    const path = `/v1/teams/${team.id}`;
    const agent = await (
      await page.request.post(`${path}/agents`, { data: { name, description: name } })
    ).json();
    const key = await (await page.request.post(`${path}/apiKeys`, { data: { name } })).json();
    await page.request.post(`${path}/apps`, { data: { name, type: "slack", agentId: agent.id } });
    await page.request.post(`${path}/knowledges`, { data: { name, description: name } });
    const at = `/teams/${team.codename}`;
    for (const address of [
      "/teams",
      "/dashboard",
      "/onboarding",
      `${at}/agents`,
      `${at}/agents/${agent.id}`,
      `${at}/playground?agentId=${agent.id}`,
      `${at}/apps`,
      `${at}/apiKeys`,
      `${at}/apiKeys/${key.id}`,
      `${at}/knowledges`,
      `${at}/insights`,
      `${at}/settings`,
    ]) {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
        address,
      ).toBeLessThanOrEqual(0);
    }
  } finally {
    await page.request.delete(`/v1/teams/${team.id}`);
  }
});
