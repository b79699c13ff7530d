// Search and drop: the palette searches the whole team and asks an agent, dropped files find a target, and tasks are in the menu and on the
// dashboard.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

interface Team {
  id: string;
  codename: string;
  name: string;
}

async function newTeam(page: Page, name: string): Promise<Team> {
  await register(page, someone());
  return (await (await page.request.post("/v1/teams", { data: { name } })).json()) as Team;
}

async function post<Answer = { id: string }>(page: Page, path: string, data: object): Promise<Answer> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return (await answer.json()) as Answer;
}

/** Drops files on an element, as the browser does. */
async function drop(page: Page, selector: string, files: Record<string, string>): Promise<boolean> {
  return await page.evaluate(
    ([at = "", given]) => {
      const data = new DataTransfer();
      for (const [name, text] of Object.entries(given as Record<string, string>))
        data.items.add(new File([text], name, { type: "text/plain" }));
      const element = document.querySelector(at as string);
      const init = { dataTransfer: data, bubbles: true, cancelable: true };
      const over = element?.dispatchEvent(new DragEvent("dragover", init));
      const dropped = element?.dispatchEvent(new DragEvent("drop", init));
      return over === false && dropped === false;
    },
    [selector, files] as const,
  );
}

const open = async (page: Page) => {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: say("app:palette.title") });
  await expect(field).toBeFocused();
  return field;
};

test("the palette finds documents, passages and messages, and its last row asks an agent", async ({
  page,
}) => {
  const team = await newTeam(page, `Platypus ${Date.now()}`);
  const at = `/v1/teams/${team.id}`;
  const agent = await post(page, `${at}/agents`, { name: "Animal helper" });
  await page.goto(`/teams/${team.codename}/chats`);

  expect(
    await drop(page, "h1", {
      "platypus.md": "# Platypus\n\nA platypus lays eggs and senses electric fields.",
      "other.md": "# Other\n\nNothing of interest.",
    }),
  ).toBe(true);
  const dialog = page.getByRole("dialog", { name: say("files:place.title", { count: 2 }) });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole("combobox", { name: say("files:place.label") })).toHaveValue("new:");
  await dialog.getByRole("button", { name: say("files:place.add", { count: 2 }) }).click();
  // Its first knowledge base is named after the team.
  await expect(page.getByRole("heading", { level: 1, name: team.name })).toBeVisible();
  const documents = page.getByRole("list", { name: say("app:palette.documents") });
  await expect(documents.getByRole("listitem")).toHaveCount(2);
  await expect(documents.getByText(say("app:status.ready"), { exact: true })).toHaveCount(2);
  const { data } = await (await page.request.get(`${at}/knowledges`)).json();
  expect(data.map(({ name }: { name: string }) => name)).toEqual([team.name]);
  await page.request.put(`${at}/agents/${agent.id}`, { data: { knowledgeIds: [data[0].id] } });

  const field = await open(page);
  await field.fill("electric fields");
  const option = (group: string) => page.locator(`[role=option][id^="palette-${group}-"]`);
  await expect(option("passages")).toContainText("senses electric fields");
  await field.fill("platyp");
  await expect(option("documents")).toContainText("platypus.md");
  await expectAccessible(page);
  await field.fill("platypus eggs?");
  const last = page.getByRole("option").last();
  await expect(last).toHaveText("Ask Animal helper: “platypus eggs?”");
  await page.keyboard.press("ArrowUp");
  await expect(last).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByText("lays eggs", { exact: false }).first()).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/chats/${agent.id}\\?chatId=`));
  const chatId = new URL(page.url()).searchParams.get("chatId");
  // Once: a reload asks nothing.
  await page.goto(`/chats/${agent.id}`);
  await page.waitForLoadState("networkidle");
  expect((await (await page.request.get(`/v1/agents/${agent.id}/chats`)).json()).data).toHaveLength(1);

  await page.goto(`/teams/${team.codename}/agents`);
  const again = await open(page);
  await again.fill("eggs platypus");
  await option("chats").click();
  await expect(page).toHaveURL(new RegExp(`/teams/${team.codename}/chats/review\\?chatId=${chatId}$`));
});

test("a file dropped on a page with a target goes there, and on a public page nowhere", async ({ page }) => {
  await page.goto("/support");
  expect(await drop(page, "h1", { "a.txt": "Words." })).toBe(true);
  await expect(page.getByText(say("files:place.nobody"), { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/support$/);

  const team = await newTeam(page, `Dropped ${Date.now()}`);
  const knowledge = await post(page, `/v1/teams/${team.id}/knowledges`, { name: "Laws" });
  await page.goto(`/teams/${team.codename}/knowledges/${knowledge.id}`);
  await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toBeVisible();
  // On its own field, without a dialog.
  await drop(page, "[data-island=KnowledgeDocuments] label", { "law.txt": "First law." });
  await expect(page.getByRole("link", { name: "law.txt" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // Beside it: the dialog proposes this knowledge base, and Cancel changes nothing.
  await drop(page, "h1", { "second.txt": "Second law." });
  const dialog = page.getByRole("dialog", { name: say("files:place.title", { count: 1 }) });
  await expect(dialog.getByRole("combobox", { name: say("files:place.label") })).toHaveValue(
    `knowledge:${knowledge.id}`,
  );
  await dialog.getByRole("button", { name: say("app:cancel") }).click();
  await expect(dialog).toBeHidden();
  await drop(page, "h1", { "third.txt": "Third law." });
  await dialog.getByRole("combobox", { name: say("files:place.label") }).selectOption("files:");
  await dialog.getByRole("button", { name: say("files:place.add", { count: 1 }) }).click();
  await expect(page).toHaveURL(new RegExp(`/teams/${team.codename}/files$`));
  await expect(page.getByRole("link", { name: "third.txt" })).toBeVisible();
});

test("the files of a team are added to the knowledge base that it has", async ({ page }) => {
  const team = await newTeam(page, `Added ${Date.now()}`);
  const knowledge = await post(page, `/v1/teams/${team.id}/knowledges`, { name: "Laws" });
  await page.goto(`/teams/${team.codename}/files`);
  const chosen = page.waitForEvent("filechooser");
  await page
    .getByRole("button", { name: say("files:add") })
    .first()
    .click();
  await (await chosen).setFiles({
    name: "law.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("First law."),
  });
  const dialog = page.getByRole("dialog", { name: say("files:place.title", { count: 1 }) });
  await expect(dialog.getByRole("combobox", { name: say("files:place.label") })).toHaveValue(
    `knowledge:${knowledge.id}`,
  );
  await dialog.getByRole("button", { name: say("files:place.add", { count: 1 }) }).click();
  await expect(page).toHaveURL(new RegExp(`/knowledges/${knowledge.id}$`));
  await expect(page.getByRole("link", { name: "law.txt" })).toBeVisible();
});

test("a file dropped on a source stays beside one that somebody else adds meanwhile", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const team = await newTeam(page, `Shared ${Date.now()}`);
  const at = `/v1/teams/${team.id}`;
  const source = await post(page, `${at}/sources`, { type: "file", name: "Folder", config: { fileIds: [] } });
  const multipart = { file: { name: "theirs.txt", mimeType: "text/plain", buffer: Buffer.from("Theirs.") } };
  const theirs = await (await page.request.post(`${at}/files/upload`, { multipart })).json();
  await page.goto(`/teams/${team.codename}/sources/${source.id}`);
  let isFirst = true;
  await page.route(`**${at}/sources/${source.id}`, async (route) => {
    if (isFirst && route.request().method() === "PUT") {
      isFirst = false;
      await page.request.put(`${at}/sources/${source.id}`, { data: { config: { fileIds: [theirs.id] } } });
    }
    await route.continue();
  });
  await drop(page, "h1", { "ours.txt": "Ours." });
  const dialog = page.getByRole("dialog", { name: say("files:place.title", { count: 1 }) });
  await dialog.getByRole("button", { name: say("files:place.add", { count: 1 }) }).click();
  await expect(dialog).toBeHidden();
  const { config } = await (await page.request.get(`${at}/sources/${source.id}`)).json();
  expect(config.fileIds).toHaveLength(2);
  expect(config.fileIds[0]).toBe(theirs.id);
});

test("tasks are in the menu, and the dashboard shows running ones, with a link and a stop", async ({
  page,
}) => {
  const team = await newTeam(page, `Working ${Date.now()}`);
  const at = `/v1/teams/${team.id}`;
  const source = await post(page, `${at}/sources`, {
    type: "jira",
    name: "Our tracker",
    config: { site: "https://example.atlassian.net", projects: ["A"] },
    credentials: { email: "a@example.com", apiToken: "token" },
  });
  const begin = () => post(page, `${at}/sources/${source.id}/loadDocuments`, {});
  await begin();
  await page.goto("/dashboard");
  const sidebar = page.getByRole("navigation", { name: say("app:nav.label") });
  const work = page.getByRole("region", { name: say("dashboard:work") });
  // Without a network the service is waited for: the task continues.
  await expect(work.getByRole("link", { name: "Loading documents: Our tracker" })).toHaveAttribute(
    "href",
    `/teams/${team.codename}/sources/${source.id}`,
  );
  await work
    .getByRole("button", { name: say("dashboard:stop", { name: "Loading documents: Our tracker" }) })
    .click();
  await expect(page.getByText(say("app:status.stopping"), { exact: true }).first()).toBeVisible();
  await sidebar.getByRole("link", { name: say("app:nav.tasks") }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("app:nav.tasks") })).toBeVisible();
  await expect(sidebar.locator("[aria-current=page]")).toHaveText(say("app:nav.tasks"));
});
