// The sources of a knowledge base: added and removed on its page and on the source's, and stopped before they have a document.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

async function post<Answer = { id: string }>(page: Page, path: string, data: object): Promise<Answer> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return (await answer.json()) as Answer;
}

async function newTeam(page: Page) {
  await register(page, someone());
  const team = await post<{ id: string; codename: string }>(page, "/v1/teams", {
    name: `Reads ${Date.now()}`,
  });
  return { ...team, at: `/v1/teams/${team.id}` };
}

const section = (page: Page) =>
  page.locator("main").getByRole("region", { name: say("knowledges:sources.title") });

test("a source is added to a knowledge base and removed, on either's page", async ({ page }) => {
  const { at, codename } = await newTeam(page);
  const folder = (name: string) =>
    post(page, `${at}/sources`, { type: "file", name, config: { fileIds: [] } });
  const [first, second] = [await folder("Contracts"), await folder("Minutes")];
  const knowledge = await post(page, `${at}/knowledges`, { name: "Office", sourceIds: [first.id] });
  const sourceIds = async () =>
    (await (await page.request.get(`${at}/knowledges/${knowledge.id}`)).json()).sourceIds;

  await page.goto(`/teams/${codename}/knowledges/${knowledge.id}`);
  await expect(section(page).getByRole("listitem")).toHaveText([/Contracts/]);
  await section(page).getByLabel(say("knowledges:sources.add")).selectOption({ label: "Minutes" });
  await section(page)
    .getByRole("button", { name: say("knowledges:sources.addButton"), exact: true })
    .click();
  await expect(section(page).getByRole("listitem")).toHaveText([/Contracts/, /Minutes/]);
  await expectAccessible(page);
  expect(await sourceIds()).toEqual(expect.arrayContaining([first.id, second.id]));

  const remove = page.getByRole("button", { name: say("knowledges:sources.remove") });
  await section(page).getByRole("listitem").filter({ hasText: "Contracts" }).locator(remove).click();
  await page.getByRole("button", { name: say("knowledges:sources.removeConfirm") }).click();
  await expect(section(page).getByRole("listitem")).toHaveText([/Minutes/]);
  expect(await sourceIds()).toEqual([second.id]);

  await section(page).getByRole("link", { name: "Minutes" }).click();
  await page.waitForURL(`**/sources/${second.id}`);
  await remove.click();
  await page.getByRole("button", { name: say("knowledges:sources.removeConfirm") }).click();
  await expect(page.getByText(say("sources:usedByNone"))).toBeVisible();
  expect(await sourceIds()).toEqual([]);
});

test("of many tasks the dashboard shows five, and the list of tasks says what each is about", async ({
  page,
}) => {
  const { at, codename } = await newTeam(page);
  for (let n = 1; n <= 7; n++) {
    const { id } = await post(page, `${at}/sources`, {
      type: "jira",
      name: `Tracker ${n}`,
      config: { site: "https://example.atlassian.net", projects: ["A"] },
      credentials: { email: "a@example.com", apiToken: "token" },
    });
    await post(page, `${at}/sources/${id}/sync`, {});
  }
  await page.goto(`/teams/${codename}/tasks`);
  const running = page.getByRole("region", { name: say("tasks:atWork") });
  await expect(running.getByRole("link")).toHaveText([/Tracker \d$/, /Tracker \d$/, /Tracker \d$/]);
  await page.goto("/dashboard");
  const work = page.getByRole("region", { name: say("dashboard:work") });
  await expect(work.getByRole("progressbar")).toHaveCount(5);
  await work.getByRole("link", { name: say("dashboard:seeAllOf", { name: say("dashboard:work") }) }).click();
  await page.waitForURL(`**/teams/${codename}/tasks`);
});

test("Stop ends the first sync of a knowledge base that has no document yet", async ({ page }) => {
  const { at, codename } = await newTeam(page);
  // Without a network the service is waited for: the task continues.
  const source = await post(page, `${at}/sources`, {
    type: "jira",
    name: "Our tracker",
    config: { site: "https://example.atlassian.net", projects: ["A"] },
    credentials: { email: "a@example.com", apiToken: "token" },
  });
  const knowledge = await post(page, `${at}/knowledges`, { name: "Issues", sourceIds: [source.id] });
  await page.goto(`/teams/${codename}/knowledges/${knowledge.id}`);
  await page.getByRole("button", { name: say("knowledges:stop"), exact: true }).click();
  await expect
    .poll(async () => {
      const { data } = await (await page.request.get(`${at}/tasks?sourceId=${source.id}`)).json();
      return data.map(({ status }: { status: string }) => status);
    })
    .toContain("stopped");
  // Without a reload, in the part of the page that the server renders.
  await expect(section(page).getByRole("listitem")).toContainText(say("app:status.stopped"));
});
