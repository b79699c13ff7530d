// A file dropped again under its name: replaced or added separately, its versions listed, and an earlier one restored; a document re-indexed.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const rules = (text: string) => ({ name: "rules.md", mimeType: "text/markdown", buffer: Buffer.from(text) });

async function drop(page: Page, text: string) {
  await page.locator("main input[type=file]").setInputFiles(rules(text));
}

test("a newer version replaces a file, or is added beside it, and an earlier one is restored", async ({
  page,
}) => {
  await register(page, someone());
  const team = await (await page.request.post("/v1/teams", { data: { name: "Versions" } })).json();
  const knowledge = await (
    await page.request.post(`/v1/teams/${team.id}/knowledges`, { data: { name: "Rules" } })
  ).json();
  const knowledgePage = `/teams/${team.codename}/knowledges/${knowledge.id}`;
  const uploads = page.getByRole("list", { name: say("files:uploads") });
  const rows = page.getByRole("list", { name: say("app:palette.documents") }).getByRole("listitem");
  await page.goto(knowledgePage);
  await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toHaveCount(1);
  await drop(page, "The first rule is to ask.");
  await expect(rows).toHaveCount(1);
  await expect(rows.getByText(say("app:status.ready"), { exact: true })).toBeVisible();

  await drop(page, "The second rule is to answer.");
  await expect(uploads.getByRole("alert")).toHaveText(say("files:known.found"));
  await expectAccessible(page);
  await page.getByRole("button", { name: say("files:known.replaceNamed", { name: "rules.md" }) }).click();
  await expect(uploads).toHaveCount(0);
  await expect(rows.getByText(say("app:status.ready"), { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(1);

  await drop(page, "The third rule is to stay.");
  await page.getByRole("button", { name: say("files:known.keepBothNamed", { name: "rules.md" }) }).click();
  await expect(rows).toHaveCount(2);

  const { data: files } = await (await page.request.get(`/v1/teams/${team.id}/files`)).json();
  const replaced = files.find(({ version }: { version: number }) => version === 2);
  await page.goto(`/teams/${team.codename}/files/${replaced.id}`);
  const versions = page.getByRole("region", { name: say("files:versions.title") });
  await expect(versions.getByRole("listitem")).toHaveCount(2);
  await expect(versions.getByRole("listitem").first()).toContainText(say("files:versions.current"));
  await expect(versions).toContainText("The latest 20 are kept.");
  await expectAccessible(page);
  await versions.getByRole("button", { name: say("files:versions.restore") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("files:versions.restoreConfirm"), exact: true })
    .click();
  await expect(
    page.getByText(say("files:versions.restored", { number: "1" }), { exact: true }),
  ).toBeVisible();
  await expect(versions.getByRole("listitem")).toHaveCount(3);
  await expect(versions.getByRole("listitem").first()).toContainText(
    say("agentTests:versions.restoredFrom", { number: "1" }),
  );
});

test("files whose names are known are all replaced, or all kept, in one click", async ({ page }) => {
  await register(page, someone());
  const team = await (await page.request.post("/v1/teams", { data: { name: "Many versions" } })).json();
  const knowledge = await (
    await page.request.post(`/v1/teams/${team.id}/knowledges`, { data: { name: "Rules" } })
  ).json();
  const uploads = page.getByRole("list", { name: say("files:uploads") });
  const rows = page.getByRole("list", { name: say("app:palette.documents") }).getByRole("listitem");
  const dropAll = (text: string) =>
    page.locator("main input[type=file]").setInputFiles(
      ["one.md", "two.md", "three.md"].map((name) => ({
        name,
        mimeType: "text/markdown",
        buffer: Buffer.from(`${text} ${name}`),
      })),
    );
  await page.goto(`/teams/${team.codename}/knowledges/${knowledge.id}`);
  await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toHaveCount(1);
  await dropAll("The first text of");
  await expect(rows).toHaveCount(3);

  await dropAll("The second text of");
  await page.getByRole("button", { name: say("files:known.replaceAll", { count: 3 }) }).click();
  await expect(page.locator("main input[type=file]")).toBeFocused();
  await expect(uploads).toHaveCount(0);
  await expect(rows).toHaveCount(3);

  await dropAll("The third text of");
  await expectAccessible(page);
  await page.getByRole("button", { name: say("files:known.keepBothAll", { count: 3 }) }).click();
  await expect(uploads).toHaveCount(0);
  await expect(rows).toHaveCount(6);
});

test("a document that is ready is re-indexed on its page", async ({ page }) => {
  await register(page, someone());
  const team = await (await page.request.post("/v1/teams", { data: { name: "Read again" } })).json();
  const knowledge = await (
    await page.request.post(`/v1/teams/${team.id}/knowledges`, { data: { name: "Rules" } })
  ).json();
  await page.goto(`/teams/${team.codename}/knowledges/${knowledge.id}`);
  await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toHaveCount(1);
  await drop(page, "The first rule is to ask.");
  const row = page.getByRole("list", { name: say("app:palette.documents") }).getByRole("listitem");
  await expect(row.getByText(say("app:status.ready"), { exact: true })).toBeVisible();
  await row.getByRole("link", { name: "rules.md" }).click();
  await page.waitForURL("**/documents/*");
  const reindex = page.getByRole("button", { name: say("documents:readAgain") });
  await reindex.click();
  await expect(page.getByText(say("documents:documentQueued"), { exact: true })).toBeVisible();
  // The button gives way to the progress, and returns by itself.
  await expect(reindex).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("main").getByText(say("app:status.ready"), { exact: true })).toBeVisible();
  const tasks = await (await page.request.get(`/v1/teams/${team.id}/tasks?perPage=1`)).json();
  const documentId = new URL(page.url()).pathname.split("/").at(-1);
  expect(tasks.data).toMatchObject([{ type: "index", status: "succeeded", documentId }]);
});
