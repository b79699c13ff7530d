// A service becomes a source: tested, connected, synced while watched, linked to a knowledge base, quoted in an answer; with its tasks. The
// service is a fake that speaks its protocol, at the one address that the stack may call.
import type { Page } from "@playwright/test";
import { commentOf, issueOf, type JiraFake, startJiraFake } from "../support/fakes/jira.ts";
import { pageOf, startWebsiteFake } from "../support/fakes/website.ts";
import { say, sayAny } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

/** The port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54341 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const slow = { timeout: 90_000 };
// There is one such port.
test.describe.configure({ mode: "default" });

/** Calls the API as the page's own scripts do, with the session's cookie. */
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
  // A malformed issue: it fails alone.
  jira.issues[11] = { id: "10012", key: "OPS-12", fields: { summary: 12 } };
}

test("Jira is tested, connected, synced and quoted; its tasks and documents show the result", async ({
  page,
  browser,
  expectedErrors,
}) => {
  // A rejected form is shown again with its status.
  expectedErrors.push(/status of 4(00|22)/);
  const jira = await startJiraFake(servicePort);
  try {
    fill(jira);
    await register(page, someone());
    await page.goto("/teams/create");
    await page.getByLabel(say("teams:create.name")).fill("Observatory");
    await page.getByRole("button", { name: say("teams:create.submit") }).click();
    await page.waitForURL("**/onboarding");

    await test.step("shows a preview, and tests the entered settings", async () => {
      await page
        .locator("#sidebar")
        .getByRole("link", { name: say("app:nav.sources") })
        .click();
      await page
        .getByRole("link", { name: say("sources:list.create") })
        .first()
        .click();
      await page.getByRole("link", { name: new RegExp(`^${say("source-jira:name")}`) }).click();
      const reads = page.getByRole("region", { name: say("sources:reads.title") });
      await expect(reads.getByRole("listitem")).toHaveCount(5);
      await expect(reads).toContainText(say("source-jira:reads.comments"));
      await page.getByLabel(say("source-jira:fields.site.label")).fill(jira.url);
      await page.getByLabel(say("source-jira:fields.email.label")).fill(jira.email);
      await page.getByLabel(say("source-jira:fields.apiToken.label")).fill("wrong");
      await page.getByRole("button", { name: say("sources:test.submit") }).click();
      await expect(
        page
          .getByText(sayAny("problems:sentences.credentialsRefused", { service: "Jira", advice: /.+/ }))
          .first(),
      ).toBeVisible();
      await expect(page.getByLabel(say("source-jira:fields.site.label"))).toHaveValue(jira.url);
      await page.getByLabel(say("source-jira:fields.apiToken.label")).fill(jira.apiToken);
      await page.getByRole("button", { name: say("sources:test.submit") }).click();
      const tested = page.getByRole("region", { name: say("sources:test.works") });
      await expect(tested).toBeFocused();
      await expect(tested.getByRole("listitem")).toContainText(["Issues · Operations (OPS)12"]);
      await expectAccessible(page);
      // A test stores nothing, and the entered values remain.
      await expect(page.getByLabel(say("source-jira:fields.apiToken.label"))).toHaveValue(jira.apiToken);
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
      await form.getByLabel(say("source-jira:fields.site.label")).fill(jira.url);
      await form.getByLabel(say("source-jira:fields.email.label")).fill(jira.email);
      await form.getByLabel(say("source-jira:fields.apiToken.label")).fill(jira.apiToken);
      await form.getByRole("button", { name: say("sources:test.submit") }).click();
      await expect(form.getByText(say("sources:test.works"))).toBeVisible();
      await expect(form.getByLabel(say("source-jira:fields.email.label"))).toHaveValue(jira.email);
      await expect(form.getByLabel(say("source-jira:fields.apiToken.label"))).toHaveValue("");
      await expect(form.getByText(say("sources:fields.enterAgain"))).toBeVisible();
      await bare.close();
    });

    const team = teamIn(page);
    await test.step("is connected, and synced while watched", async () => {
      // Jira requests pauses until the progress was seen, on any machine.
      const pause = { status: 429, headers: { "retry-after": "6" }, path: "search/jql" };
      jira.refusals.push(pause, pause, pause);
      await page.getByRole("button", { name: say("sources:create.submit"), exact: true }).click();
      await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/);
      await expect(page.getByRole("progressbar", { name: say("tasks:type.sync") })).toBeVisible();
      await expect(page.locator("[data-island=TaskProgress]")).toContainText(
        /Waiting for the source until \d\d:\d\d UTC/,
        slow,
      );
      jira.refusals.length = 0;
      await expect(page.getByText(say("sources:documentsCount", { count: 12 })).first()).toBeVisible(slow);
      await expect(page.getByRole("progressbar")).toHaveCount(0, slow);
    });
    const sourceId = new URL(page.url()).pathname.split("/").at(-1);

    await test.step("its documents are searched, filtered, sorted and retried", async () => {
      await page.getByRole("link", { name: say("sources:allDocuments", { count: 12 }) }).click();
      await page.waitForURL(/\/documents$/);
      const titles = page.getByRole("row").getByRole("link", { name: /^OPS/ });
      const header = page.getByRole("columnheader", { name: say("documents:document") });
      await header.getByRole("link").click();
      await page.waitForURL(/sort=title/);
      await expect(header).toHaveAttribute("aria-sort", "ascending");
      await expect(titles.nth(1)).toContainText("OPS-2");
      await header.getByRole("link").click();
      await page.waitForURL(/sort=-title/);
      await expect(header).toHaveAttribute("aria-sort", "descending");
      await expect(titles.first()).toContainText("OPS-12");
      await page.getByLabel(say("documents:filter.search")).fill("telescope 1");
      await page.keyboard.press("Enter");
      await page.waitForURL(/search=telescope/);
      expect(new URL(page.url()).searchParams.get("sort")).toBe("-title");
      await expect(titles).toHaveText([/OPS-11/, /OPS-10/, /OPS-1 /]);
      await page.getByRole("link", { name: say("app:filter.clear") }).click();
      await page.waitForURL(({ search }) => search === "");
      await page.getByLabel(say("sources:status")).selectOption({ label: say("app:status.failed") });
      await page.waitForURL(/status=failed/);
      await expect(titles).toHaveText([new RegExp(`OPS-12.*${say("problems:sentences.jiraIssue")}`, "s")]);
      await expectAccessible(page);
      jira.issues[11] = issueOf(12, "Telescope 12", "Repaired.", "2026-03-12T10:00:00.000+0000");
      await page.getByRole("button", { name: say("sources:tryAgain", { title: "OPS-12" }) }).click();
      await expect
        .poll(
          async () =>
            (await call(page, "GET", `/teams/${team}/sources/${sourceId}/documents?status=failed`)).data,
          slow,
        )
        .toEqual([]);
      await page.goto(`/teams/${team}/source/${sourceId}/documents?status=failed`);
      await expect(page.getByText(say("documents:filter.none"))).toBeVisible();
    });

    await test.step("is quoted by an agent, and the mark links to the issue", async () => {
      const knowledge = await call(page, "POST", `/teams/${team}/knowledges`, { name: "Instruments" });
      await page.goto(`/teams/${team}/sources/${sourceId}`);
      await page.getByLabel(say("sources:addToKnowledge")).selectOption({ label: "Instruments" });
      await page.getByRole("button", { name: say("sources:addTo"), exact: true }).click();
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
      const reply = page.getByRole("article", { name: say("chat:reply") });
      await expect(reply).toContainText("beeswax", slow);
      await expect(page.locator("[data-busy=false]")).toBeVisible(slow);
      await reply
        .getByRole("button", { name: /OPS-2 Telescope 2/ })
        .first()
        .click();
      await page.getByRole("link", { name: say("passages:evidence.document") }).click();
      await page.waitForURL("**/documents/**");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("OPS-2 Telescope 2");
      await expect(page.locator("main mark").first()).toContainText("beeswax");
      await expect(page.getByRole("link", { name: say("documents:original") })).toHaveAttribute(
        "href",
        `${jira.url}/browse/OPS-2`,
      );
    });

    await test.step("its tasks are filtered, and each shows its attempts", async () => {
      await page.goto(`/teams/${team}/tasks`);
      await page.getByLabel(say("tasks:filter.type")).selectOption("sync");
      await page.waitForURL(/type=sync/);
      await page.getByLabel(say("sources:status")).selectOption("succeeded");
      await page.waitForURL(/status=succeeded/);
      const days = page.locator("[data-island=DateRange]");
      await expect(days).toHaveAttribute("data-hydrated", "");
      await days.getByRole("button").click();
      await page.getByRole("button", { name: say("calendar:lastDays", { count: 7 }) }).click();
      await page.waitForURL(/dateStart=/);
      const rows = page.getByRole("row").filter({ hasText: say("tasks:type.sync") });
      await expect(rows).toHaveCount(1);
      await expectAccessible(page);
      await rows.getByRole("link").click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("tasks:type.sync"));
      const attempts = page.getByRole("table", { name: say("sources:history") }).getByRole("row");
      await expect(attempts.nth(1)).toContainText(say("app:status.succeeded"));
      await expect(attempts.last()).toContainText(/Attempt 1.*Waiting for the source until \d\d:\d\d UTC/s);
      await expectAccessible(page);
      await page.getByRole("button", { name: say("tasks:again") }).click();
      await expect(page.getByText(say("tasks:queuedAgain"), { exact: true })).toBeVisible();
      await expect(page.getByText(say("tasks:others"))).toBeVisible();
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      await page.goto(`/teams/${team}/tasks?taskId=${id}`);
      await expect(page.getByRole("row")).toHaveCount(2);
      await page.goto(`/teams/${team}/tasks?dateEnd=2020-01-01`);
      await expect(page.getByText(say("tasks:filter.none"))).toBeVisible();
      // The sync that was asked for again: between two of its pages the next step would empty Jira.
      const statuses = async () => {
        const { data } = await call(page, "GET", `/teams/${team}/tasks?type=sync`);
        return data.map(({ status }: { status: string }) => status);
      };
      await expect.poll(statuses, slow).toEqual(["succeeded", "succeeded"]);
    });

    await test.step("keeps its documents when Jira shows nothing, until a person confirms that it is empty", async () => {
      jira.issues = [];
      const path = `/teams/${team}/sources/${sourceId}`;
      await page.goto(path);
      await page.getByRole("button", { name: say("sources:syncNow") }).click();
      const alert = page.getByRole("alert").filter({ hasText: say("sources:failed") });
      const words = say("problems:sentences.listedNothing", { service: "Jira" });
      await expect.poll(async () => (await call(page, "GET", path)).error, slow).toBe(words);
      await page.reload();
      await expect(alert).toContainText(words, slow);
      expect(await call(page, "GET", path)).toMatchObject({ showsNothing: true, documentsCount: 12 });
      await alert.getByRole("button", { name: say("sources:acceptEmpty.label") }).click();
      const dialog = page.getByRole("dialog", { name: say("sources:acceptEmpty.title") });
      await expect(dialog).toContainText(say("sources:acceptEmpty.text"));
      await expectAccessible(page);
      await dialog.getByRole("button", { name: say("sources:acceptEmpty.confirm") }).click();
      await expect(page.getByText(say("sources:toast.queued"), { exact: true })).toBeVisible();
      await expect.poll(async () => (await call(page, "GET", path)).documentsCount, slow).toBe(0);
      expect(await call(page, "GET", path)).toMatchObject({ showsNothing: false, error: null });
    });

    await test.step("is deleted", async () => {
      await page.goto(`/teams/${team}/source/${sourceId}`);
      await expect(page).toHaveURL(new RegExp(`/sources/${sourceId}$`));
      await page.getByRole("button", { name: say("sources:delete.button") }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("app:delete") })
        .click();
      await page.waitForURL(/\/sources$/);
      await expect(page.getByText(say("sources:list.emptyTitle"))).toBeVisible();
    });
  } finally {
    await jira.close();
  }
});

test("a website is tested, connected and quoted; skipped pages are listed", async ({
  page,
  expectedErrors,
}, testInfo) => {
  expectedErrors.push(/status of 4(00|22)/);
  const site = await startWebsiteFake(servicePort);
  try {
    site.pages = {
      "/": pageOf("Handbook", "Welcome to the workshop.", ["/care/wool", "/care/silk", "/none"]),
      "/care/wool": pageOf("Wool", "Woollen gloves are washed with lanolin soap."),
      "/care/silk": pageOf("Silk", "Silk scarves are ironed from the back."),
    };
    await register(page, someone());
    await page.goto("/teams/create");
    await page.getByLabel(say("teams:create.name")).fill("Workshop");
    await page.getByRole("button", { name: say("teams:create.submit") }).click();
    await page.waitForURL("**/onboarding");
    await page
      .locator("#sidebar")
      .getByRole("link", { name: say("app:nav.sources") })
      .click();
    await page
      .getByRole("link", { name: say("sources:list.create") })
      .first()
      .click();
    await page.getByRole("link", { name: new RegExp(`^${say("source-website:name")}`) }).click();
    await page.waitForURL(/type=website/);
    const team = teamIn(page);
    await page.getByLabel(say("source-website:fields.startUrl.label")).fill("http://localhost:1/");
    await page.getByRole("button", { name: say("sources:test.submit") }).click();
    await expect(page.getByLabel(say("source-website:fields.startUrl.label"))).toHaveAttribute(
      "aria-invalid",
      "true",
    );
    await page.getByLabel(say("source-website:fields.startUrl.label")).fill(site.url);
    await page.getByRole("button", { name: say("sources:test.submit") }).click();
    const tested = page.getByRole("region", { name: new RegExp(say("sources:test.works")) });
    await expect(tested.getByRole("listitem")).toContainText([
      `${say("source-website:kinds.pages")} · /1`,
      `${say("source-website:kinds.pages")} · /care/2`,
      `${say("source-website:kinds.skipped")} · /none`,
    ]);
    await expectAccessible(page);
    await testInfo.attach("preview", {
      body: await page.screenshot({ fullPage: true }),
      contentType: "image/png",
    });
    await page.getByRole("button", { name: say("sources:create.submit"), exact: true }).click();
    await page.waitForURL(/\/sources\/[0-9a-f-]{36}$/);
    await expect(page.getByText(say("sources:documentsCount", { count: 3 })).first()).toBeVisible(slow);
    await expect(page.getByRole("progressbar")).toHaveCount(0, slow);
    await page.reload();
    await expect(
      page.getByRole("region", { name: say("sources:skipped.title", { count: 1 }) }),
    ).toContainText(say("problems:sentences.websiteGone", { status: 404 }));
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
    const reply = page.getByRole("article", { name: say("chat:reply") });
    await expect(reply).toContainText("lanolin", slow);
    await expect(page.locator("[data-busy=false]")).toBeVisible(slow);
    await reply.getByRole("button", { name: /Wool/ }).first().click();
    await page.getByRole("link", { name: say("passages:evidence.document") }).click();
    await page.waitForURL("**/documents/**");
    await expect(page.getByRole("link", { name: say("documents:original") })).toHaveAttribute(
      "href",
      `${site.url}/care/wool`,
    );
  } finally {
    await site.close();
  }
});

const teamIn = (page: Page) => new URL(page.url()).pathname.split("/")[2] ?? "";
