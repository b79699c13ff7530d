// Unreadable files among good ones: each is named with its problem, the rest is indexed, nothing is lost.
import type { Page } from "@playwright/test";
import { say, sayAny, sayIn } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import {
  brokenPdf,
  emptyFile,
  encryptedPdf,
  goodFiles,
  type SampleFile,
  zipNamedPdf,
} from "./support/files.ts";
import { expect, test } from "./support/test.ts";

const oddName: SampleFile = {
  name: "<b>“Ünï & cødé” 'x' % # ? 日本語 🙂 …...md",
  mimeType: "text/markdown",
  buffer: Buffer.from("# Odd\n\nThe lantern hangs in the third window.\n"),
};

test("unreadable files are named, and do not block the others", async ({ page, expectedErrors }) => {
  // A file rejected on upload.
  expectedErrors.push(/status of 4\d\d/);
  const good = [...goodFiles().slice(2, 5), oddName];
  const bad = [encryptedPdf(), brokenPdf(), emptyFile(), zipNamedPdf()];
  await register(page, someone());
  await page.goto("/teams/create");
  await page.getByLabel(say("teams:create.name")).fill("Sorting office");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  await page.goto(`/teams/${await teamCode(page)}/knowledges/create`);
  await page.getByRole("button", { name: say("knowledges:create.submit") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sorting office");
  await expect(page.locator("[data-island=KnowledgeDocuments]")).toHaveAttribute("data-hydrated", "");

  const mixed = good.flatMap((file, index) => [file, bad[index] ?? file]);
  await page.locator("main input[type=file]").setInputFiles(mixed);

  // Each bad file ends as a rejected upload or as a failed document; either way its name and a reason are shown.
  for (const { name } of bad) {
    const row = page.getByRole("main").getByRole("listitem").filter({ hasText: name }).first();
    await expect(row.locator(".text-bad"), name).toHaveText(/\w+ .*\w+/, { timeout: 90_000 });
  }
  const documents = page.getByRole("list", { name: say("knowledges:documents") });
  for (const { name } of good) {
    const row = documents.getByRole("listitem").filter({ hasText: name }).first();
    await expect(row.getByText(say("app:status.ready"), { exact: true }), name).toBeVisible({
      timeout: 90_000,
    });
  }
  const failed = documents
    .getByRole("listitem")
    .filter({ has: page.getByText(say("app:status.failed"), { exact: true }) });
  const before = await failed.count();
  expect(before).toBeGreaterThan(0);
  await page.reload();
  await expect(documents.getByText(say("app:status.ready"), { exact: true })).toHaveCount(good.length);
  await expect(failed).toHaveCount(before);
  for (const row of await failed.all()) {
    await expect(
      row.getByRole("button", { name: sayAny("knowledges:readAgain", { title: /.+/ }) }),
    ).toBeVisible();
    await expect(row.locator(".text-bad")).not.toBeEmpty();
  }
  const { name } = zipNamedPdf();
  const reason = await failed.filter({ hasText: name }).locator(".text-bad").first().textContent();
  await page.goto(`/teams/${await teamCode(page)}/files`);
  await page.getByRole("main").getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(reason ?? "no reason");
});

test("the first page after the account's language has changed elsewhere is in that language alone", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d/);
  await register(page, someone());
  const send = async (method: "post" | "put", path: string, data: object) =>
    await (await page.request[method](path, { data })).json();
  const team = await send("post", "/v1/teams", { name: "Two languages" });
  const knowledge = await send("post", `/v1/teams/${team.id}/knowledges`, { name: "Rules" });
  const address = `/teams/${team.codename}/knowledges/${knowledge.id}`;
  await page.goto(address);
  await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toHaveCount(1);
  await page.locator("main input[type=file]").setInputFiles(encryptedPdf());
  const reason = page.getByRole("main").locator(".text-bad").first();
  await expect(reason).toHaveText(/\w+ .*\w+/);
  const inEnglish = (await reason.textContent()) ?? "";
  await page.reload();
  await expect(reason).toHaveText(inEnglish);
  const { id, name } = await (await page.request.get("/v1/auth/me")).json();
  await send("put", `/v1/users/${id}`, { name, locale: "fr" });
  await page.goto(address);
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(reason).not.toHaveText(inEnglish);
});

test("a file's page says what was guessed when it was read, in the reader's language", async ({ page }) => {
  await register(page, someone());
  const send = async (method: "post" | "put", path: string, data: object) =>
    await (await page.request[method](path, { data })).json();
  const team = await send("post", "/v1/teams", { name: "Guessed" });
  const buffer = Buffer.from("Le déjeuner est servi à midi, près de la fenêtre.", "latin1");
  const file = { name: "menu.txt", mimeType: "text/plain", buffer };
  const path = `/v1/teams/${team.id}/files`;
  const { id } = await (await page.request.post(`${path}/upload`, { multipart: { file } })).json();
  await send("post", `/v1/teams/${team.id}/knowledges`, { name: "Menus", fileIds: [id] });
  const title = page.getByText(say("documents:warnings"), { exact: true });
  await expect(async () => {
    await page.goto(`/teams/${team.codename}/files/${id}`);
    await expect(title).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  const words = say("problems:sentences.encodingGuessed", { encoding: "windows-1252" });
  await expect(page.getByText(words, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: say("files:asRead") }).click();
  await expect(title).toBeVisible();
  await expect(page.getByText(words, { exact: true })).toBeVisible();
  const me = await (await page.request.get("/v1/auth/me")).json();
  await send("put", `/v1/users/${me.id}`, { name: me.name, locale: "fr" });
  await page.goto(`/teams/${team.codename}/files/${id}`);
  await expect(page.getByText(sayIn("fr")("documents:warnings"), { exact: true })).toBeVisible();
});

async function teamCode(page: Page): Promise<string> {
  const href = await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.agents") })
    .first()
    .getAttribute("href");
  return href?.split("/")[2] ?? "";
}
