// A service becomes a source: tested, connected, read while one watches, given to a knowledge, quoted in an answer; and the
// tasks that did it. The service is a fake that speaks its protocol, at the one place that the stack lets calls through to.
import type { Page } from "@playwright/test";
import { commentOf, issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { pageOf, startWebsiteFake } from "../support/fakes/website.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

/** The port that the stack lets calls through to: tests/support/runner/one-stack.mjs. */
const servicePort = 54341 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const slow = { timeout: 90_000 };
// There is one such port.
test.describe.configure({ mode: "default" });

/** As the page's own scripts call the API, with the session's cookie. */
async function call(page: Page, method: "GET" | "POST", path: string, data?: object) {
  const { origin } = new URL(page.url());
  const answer = await page.request.fetch(`${origin}/v1${path}`, { method, data, headers: { origin } });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return await answer.json();
}

function fill(jira: JiraFake): void {
  jira.issues = Array.from({ length: 12 }, (_, at) =>
    issueOf(
      at + 1,
      `Telescope ${at + 1}`,
      `The mirror of telescope ${at + 1} is cleaned with vinegar.`,
      `2026-03-${String(at + 1).padStart(2, "0")}T10:00:00.000+0000`,
    ),
  );
  jira.issues[1] = {
    ...issueOf(2, "Telescope 2", "See below.", "2026-03-02T10:00:00.000+0000"),
    comments: [1, 2, 3].map((n) =>
      commentOf(String(n), "Grace", `Lens ${n} of the second telescope needs beeswax.`),
    ),
  };
  // One that is not as issues are: it fails alone.
  jira.issues[11] = { id: "10012", key: "OPS-12", fields: { summary: 12 } };
}

test("Jira is tested, connected, read and quoted; its tasks and documents tell how it went", async ({
  page,
  browser,
  expectedErrors,
}) => {
  test.setTimeout(400_000);
  // A refused form comes back with its status.
  expectedErrors.push(/status of 4(00|22)/);
  const jira = await startJiraFake(servicePort);
  try {
    fill(jira);
    await register(page, someone());
    await page.getByLabel("Team name").fill("Observatory");
    await page.getByRole("button", { name: "Create team" }).click();
    await page.waitForURL("**/onboarding");

    await test.step("says what it reads, and tests what was entered", async () => {
      await page.locator("#sidebar").getByRole("link", { name: "Sources" }).click();
      await page.getByRole("link", { name: "Add source" }).first().click();
      await page.getByRole("link", { name: /^Jira/ }).click();
      const reads = page.getByRole("region", { name: "What is synced" });
      await expect(reads.getByRole("listitem")).toHaveCount(5);
      await expect(reads).toContainText("Comments, with who wrote them and when");
      await page.getByLabel("Site").fill(jira.url);
      await page.getByLabel("Email of the account").fill(jira.email);
      await page.getByLabel("API token").fill("wrong");
      await page.getByRole("button", { name: "Test connection" }).click();
      await expect(page.getByText("does not accept these credentials").first()).toBeVisible();
      await expect(page.getByLabel("Site")).toHaveValue(jira.url);
      await page.getByLabel("API token").fill(jira.apiToken);
      await page.getByRole("button", { name: "Test connection" }).click();
      const tested = page.getByRole("region", { name: "The connection works" });
      await expect(tested).toBeFocused();
      await expect(tested.getByRole("listitem")).toContainText(["Issues · Operations (OPS)12"]);
      await expectAccessible(page);
      // Nothing is kept by a test, and what was entered is still there.
      await expect(page.getByLabel("API token")).toHaveValue(jira.apiToken);
      expect((await call(page, "GET", `/teams/${teamIn(page)}/sources`)).total).toBe(0);
    });

    await test.step("tests without JavaScript too, and never sends the secret back", async () => {
      const bare = await browser.newContext({
        javaScriptEnabled: false,
        storageState: await page.context().storageState(),
        locale: "en-US",
      });
      const form = await bare.newPage();
      await form.goto(page.url());
      await form.getByLabel("Site").fill(jira.url);
      await form.getByLabel("Email of the account").fill(jira.email);
      await form.getByLabel("API token").fill(jira.apiToken);
      await form.getByRole("button", { name: "Test connection" }).click();
      await expect(form.getByText("The connection works")).toBeVisible();
      await expect(form.getByLabel("Email of the account")).toHaveValue(jira.email);
      await expect(form.getByLabel("API token")).toHaveValue("");
      await expect(form.getByText("enter it once more")).toBeVisible();
      await bare.close();
    });

    const team = teamIn(page);
    await test.step("is connected, and read while one watches", async () => {
      // Jira asks for pauses until the progress was seen, however slow the machine is.
      const pause = { status: 429, headers: { "retry-after": "6" }, path: "search/jql" };
      jira.refusals.push(pause, pause, pause);
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/);
      await expect(page.getByRole("progressbar", { name: "Sync" })).toBeVisible();
      await expect(page.locator("[data-island=TaskProgress]")).toContainText(
        /Waiting for the source until \d\d:\d\d UTC/,
        slow,
      );
      jira.refusals.length = 0;
      await expect(page.getByText("12 documents").first()).toBeVisible(slow);
      await expect(page.getByRole("progressbar")).toHaveCount(0, slow);
    });
    const sourceId = new URL(page.url()).pathname.split("/").at(-1);

    await test.step("its documents are searched, filtered, sorted and tried again", async () => {
      await page.getByRole("link", { name: "See all 12 documents" }).click();
      await page.waitForURL(/\/documents$/);
      const titles = page.getByRole("row").getByRole("link", { name: /^OPS/ });
      const header = page.getByRole("columnheader", { name: "Document" });
      await header.getByRole("link").click();
      await page.waitForURL(/sort=title/);
      await expect(header).toHaveAttribute("aria-sort", "ascending");
      await expect(titles.nth(1)).toContainText("OPS-2");
      await header.getByRole("link").click();
      await page.waitForURL(/sort=-title/);
      await expect(header).toHaveAttribute("aria-sort", "descending");
      await expect(titles.first()).toContainText("OPS-12");
      await page.getByLabel("Search documents by title").fill("telescope 1");
      await page.keyboard.press("Enter");
      await page.waitForURL(/search=telescope/);
      expect(new URL(page.url()).searchParams.get("sort")).toBe("-title");
      await expect(titles).toHaveText([/OPS-11/, /OPS-10/, /OPS-1 /]);
      await page.getByRole("link", { name: "Clear filters" }).click();
      await page.waitForURL(({ search }) => search === "");
      await page.getByLabel("Status").selectOption({ label: "Failed" });
      await page.waitForURL(/status=failed/);
      await expect(titles).toHaveText([/OPS-12.*form that cannot be read/s]);
      await expectAccessible(page);
      jira.issues[11] = issueOf(12, "Telescope 12", "Repaired.", "2026-03-12T10:00:00.000+0000");
      await page.getByRole("button", { name: "Re-index “OPS-12”" }).click();
      await expect
        .poll(
          async () =>
            (await call(page, "GET", `/teams/${team}/sources/${sourceId}/documents?status=failed`)).data,
          slow,
        )
        .toEqual([]);
      await page.goto(`/teams/${team}/source/${sourceId}/documents?status=failed`);
      await expect(page.getByText("No document matches these filters")).toBeVisible();
    });

    await test.step("is quoted by an agent, and the mark leads to the issue", async () => {
      const knowledge = await call(page, "POST", `/teams/${team}/knowledges`, { name: "Instruments" });
      await page.goto(`/teams/${team}/sources/${sourceId}`);
      await page.getByLabel("Add to a knowledge base").selectOption({ label: "Instruments" });
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await expect(page.getByRole("link", { name: "Instruments" })).toBeVisible();
      const path = `/teams/${team}/knowledges/${knowledge.id}`;
      await expect.poll(async () => (await call(page, "GET", path)).documentsCount, slow).toBe(12);
      const agent = await call(page, "POST", `/teams/${team}/agents`, {
        name: "Keeper",
        knowledgeIds: [knowledge.id],
      });
      await page.goto(`/teams/${team}/playground?agentId=${agent.id}`);
      const chat = page.locator("[data-island]").filter({ has: page.getByRole("log") });
      await expect(chat).toHaveAttribute("data-hydrated", "");
      await page
        .getByRole("main")
        .getByRole("textbox", { name: /Keeper/ })
        .fill("What does the lens of the second telescope need?");
      await page.keyboard.press("Enter");
      const reply = page.getByRole("article", { name: "Reply" });
      await expect(reply).toContainText("beeswax", slow);
      await expect(page.locator("[data-busy=false]")).toBeVisible(slow);
      await reply
        .getByRole("button", { name: /OPS-2 Telescope 2/ })
        .first()
        .click();
      await page.getByRole("link", { name: "Open the document" }).click();
      await page.waitForURL("**/documents/**");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("OPS-2 Telescope 2");
      await expect(page.locator("main mark").first()).toContainText("beeswax");
      await expect(page.getByRole("link", { name: "Original" })).toHaveAttribute(
        "href",
        `${jira.url}/browse/OPS-2`,
      );
    });

    await test.step("its tasks are filtered, and each tells of its attempts", async () => {
      await page.goto(`/teams/${team}/tasks`);
      await page.getByLabel("Type").selectOption("sync");
      await page.waitForURL(/type=sync/);
      await page.getByLabel("Status").selectOption("succeeded");
      await page.waitForURL(/status=succeeded/);
      const days = page.locator("[data-island=DateRange]");
      await expect(days).toHaveAttribute("data-hydrated", "");
      await days.getByRole("button").click();
      await page.getByRole("button", { name: "Last 7 days" }).click();
      await page.waitForURL(/dateStart=/);
      const rows = page.getByRole("row").filter({ hasText: "Sync" });
      await expect(rows).toHaveCount(1);
      await expectAccessible(page);
      await rows.getByRole("link").click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sync");
      const attempts = page.getByRole("table", { name: "History" }).getByRole("row");
      await expect(attempts.nth(1)).toContainText("Done");
      await expect(attempts.last()).toContainText(/Attempt 1.*Waiting for the source until \d\d:\d\d UTC/s);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(page.getByText("Related tasks")).toBeVisible();
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      await page.goto(`/teams/${team}/tasks?taskId=${id}`);
      await expect(page.getByRole("row")).toHaveCount(2);
      await page.goto(`/teams/${team}/tasks?dateEnd=2020-01-01`);
      await expect(page.getByText("No task matches these filters")).toBeVisible();
    });

    await test.step("is deleted", async () => {
      await page.goto(`/teams/${team}/source/${sourceId}`);
      await expect(page).toHaveURL(new RegExp(`/sources/${sourceId}$`));
      await page.getByRole("button", { name: "Delete source" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.waitForURL(/\/sources$/);
      await expect(page.getByText("No sources yet")).toBeVisible();
    });
  } finally {
    await jira.close();
  }
});

test("a website is tested, connected and quoted; what was left out is told", async ({
  page,
  expectedErrors,
}, testInfo) => {
  test.setTimeout(300_000);
  expectedErrors.push(/status of 4(00|22)/);
  const site = await startWebsiteFake(servicePort);
  try {
    site.pages = {
      "/": pageOf("Handbook", "Welcome to the workshop.", ["/care/wool", "/care/silk", "/none"]),
      "/care/wool": pageOf("Wool", "Woollen gloves are washed with lanolin soap."),
      "/care/silk": pageOf("Silk", "Silk scarves are ironed from the back."),
    };
    await register(page, someone());
    await page.getByLabel("Team name").fill("Workshop");
    await page.getByRole("button", { name: "Create team" }).click();
    await page.waitForURL("**/onboarding");
    await page.locator("#sidebar").getByRole("link", { name: "Sources" }).click();
    await page.getByRole("link", { name: "Add source" }).first().click();
    await page.getByRole("link", { name: /^Website/ }).click();
    await page.waitForURL(/type=website/);
    const team = teamIn(page);
    await page.getByLabel("Start address").fill("http://localhost:1/");
    await page.getByRole("button", { name: "Test connection" }).click();
    await expect(page.getByLabel("Start address")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Start address").fill(site.url);
    await page.getByRole("button", { name: "Test connection" }).click();
    const tested = page.getByRole("region", { name: /The connection works/ });
    await expect(tested.getByRole("listitem")).toContainText([
      "Pages · /1",
      "Pages · /care/2",
      /Left out · \/none/,
    ]);
    await expectAccessible(page);
    await testInfo.attach("preview", {
      body: await page.screenshot({ fullPage: true }),
      contentType: "image/png",
    });
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/);
    await expect(page.getByText("3 documents").first()).toBeVisible(slow);
    await expect(page.getByRole("progressbar")).toHaveCount(0, slow);
    await page.reload();
    await expect(page.getByRole("region", { name: "1 document or address skipped" })).toContainText(
      "nothing at this address (404)",
    );
    await expectAccessible(page);
    const sourceId = new URL(page.url()).pathname.split("/").at(-1);
    const knowledge = await call(page, "POST", `/teams/${team}/knowledges`, {
      name: "Care",
      sourceIds: [sourceId],
    });
    await call(page, "POST", `/teams/${team}/knowledges/${knowledge.id}/index`);
    const path = `/teams/${team}/knowledges/${knowledge.id}`;
    await expect.poll(async () => (await call(page, "GET", path)).documentsCount, slow).toBe(3);
    const agent = await call(page, "POST", `/teams/${team}/agents`, {
      name: "Keeper",
      knowledgeIds: [knowledge.id],
    });
    await page.goto(`/teams/${team}/playground?agentId=${agent.id}`);
    const chat = page.locator("[data-island]").filter({ has: page.getByRole("log") });
    await expect(chat).toHaveAttribute("data-hydrated", "");
    await page
      .getByRole("main")
      .getByRole("textbox", { name: /Keeper/ })
      .fill("What are woollen gloves washed with?");
    await page.keyboard.press("Enter");
    const reply = page.getByRole("article", { name: "Reply" });
    await expect(reply).toContainText("lanolin", slow);
    await expect(page.locator("[data-busy=false]")).toBeVisible(slow);
    await reply.getByRole("button", { name: /Wool/ }).first().click();
    await page.getByRole("link", { name: "Open the document" }).click();
    await page.waitForURL("**/documents/**");
    await expect(page.getByRole("link", { name: "Original" })).toHaveAttribute(
      "href",
      `${site.url}/care/wool`,
    );
  } finally {
    await site.close();
  }
});

const teamIn = (page: Page) => new URL(page.url()).pathname.split("/")[2] ?? "";
