// A team's pages for agents, roles, people, keys, files and settings: changes, accessibility, and a viewer's read-only view.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const expectHydrated = (page: Page, island: string) =>
  expect(page.locator(`[data-island=${island}]:not([data-hydrated])`)).toHaveCount(0);
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const expectText = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();

async function newTeam(page: Page, name: string): Promise<{ id: string; path: string }> {
  await register(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name } });
  const { id, codename } = await made.json();
  return { id, path: `/teams/${codename}` };
}

test("an agent's suggested questions and numbers are validated and saved", async ({ page }) => {
  await logIn(page, demo);
  const teams = await (await page.request.get("/v1/teams?search=demo")).json();
  const base = `/v1/teams/${teams.data[0].id}/agents`;
  const agent = await (await page.request.post(base, { data: { name: `Inputs ${Date.now()}` } })).json();
  await page.goto(`/teams/demo/agents/${agent.id}`);
  await expectHydrated(page, "TagsInput");
  await expectHydrated(page, "NumberInput");

  await page.getByText(say("agents:sections.front")).click();
  const field = page.getByRole("textbox", { name: say("agents:prompts.label") });
  const chips = page.getByRole("list", { name: say("inputs:tags.list") }).getByRole("listitem");
  await field.fill("In France, too?");
  await field.press("Enter");
  await expect(chips).toHaveText(["In France, too?"]);
  await field.fill("In France, too?");
  await field.press("Enter");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expectText(page, say("inputs:tags.duplicate"));
  await field.fill("And in Spain?");
  await field.press("Tab");
  await expect(chips).toHaveCount(2);
  await page.getByRole("button", { name: say("inputs:tags.remove", { tag: "In France, too?" }) }).click();
  await expect(field).toBeFocused();

  await page.getByText(say("agents:sections.model")).click();
  const passages = page.getByRole("spinbutton", { name: say("agents:topK.label") });
  await passages.press("PageUp");
  await expect(passages).toHaveValue("16");
  await passages.fill("900");
  await passages.blur();
  await expect(passages).toHaveValue("50");
  const temperature = page.getByRole("spinbutton", { name: say("agents:temperature.label") });
  await temperature.press("ArrowUp");
  await expect(temperature).toHaveValue("0.3");
  await page.getByRole("button", { name: say("inputs:number.less", { label: "Temperature" }) }).click();
  await expect(temperature).toHaveValue("0.2");
  await expectAccessible(page);
  await page.getByRole("button", { name: say("app:save") }).click();
  await expectText(page, say("app:toast.saved"));
  const stored = await (await page.request.get(`${base}/${agent.id}`)).json();
  expect(stored).toMatchObject({
    suggestedPrompts: ["And in Spain?"],
    retrieval: { topK: 50, mode: "hybrid" },
  });
  await page.request.delete(`${base}/${agent.id}`);
});

test("roles, invitations, keys and the team's name are managed by its owner, and read by a viewer", async ({
  page,
  browser,
}) => {
  const { id, path } = await newTeam(page, `Pages ${Date.now()}`);

  await page.goto(`${path}/roles`);
  await expect(page.getByRole("columnheader", { name: say("teams:roles.viewer") })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: say("roles:list.create") }).click();
  await page.getByLabel(say("roles:name")).fill("Analyst");
  await page.getByLabel(say("roles:permission.insights.read")).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: say("roles:create.submit") }).click();
  await expectText(page, say("roles:create.done"));
  await page.getByRole("link", { name: "Analyst" }).click();
  await expect(page.getByLabel(say("roles:permission.insights.read"))).toBeChecked();
  await expect(page.getByLabel(say("roles:permission.team.delete"))).not.toBeChecked();

  await page.goto(`${path}/users`);
  await expectHydrated(page, "TagsInput");
  const emails = page.getByRole("textbox", { name: say("users:invite.emails") });
  await emails.fill("one@parley.test");
  await emails.press(",");
  await emails.fill("two@parley.test");
  await emails.press("Enter");
  await page.getByLabel(say("users:role"), { exact: true }).selectOption({ label: "Analyst" });
  await page.getByRole("button", { name: say("users:invite.submit") }).click();
  await expectText(page, say("users:invited", { count: 2 }));
  await expect(page.getByRole("row").filter({ hasText: "Analyst" })).toHaveCount(2);
  await expectHydrated(page, "TagsInput");
  await emails.fill("two@parley.test");
  await page.getByRole("button", { name: say("users:invite.submit") }).click();
  await expectText(page, `two@parley.test: ${say("users:invite.known")}`);
  await expectAccessible(page);
  await page.getByRole("link", { name: "two@parley.test" }).click();
  // The rejected address is still in the form.
  await page.getByRole("button", { name: say("app:leaving.go") }).click();
  await expect(heading(page)).toHaveText("two@parley.test");
  await page.getByRole("button", { name: say("users:sendAgain") }).click();
  await expectText(page, say("users:sentAgain"));
  await expectAccessible(page);
  await page.getByRole("button", { name: say("users:cancel.button") }).click();
  await page.getByRole("button", { name: say("users:cancel.confirm"), exact: true }).click();
  await page.waitForURL(`**${path}/users`);
  await expect(page.getByRole("link", { name: "two@parley.test" })).toHaveCount(0);

  const key = await (await page.request.post(`/v1/teams/${id}/apiKeys`, { data: { name: "Robot" } })).json();
  await page.goto(`${path}/apiKeys`);
  await page.getByRole("link", { name: "Robot" }).click();
  // The list has a name field too: the next steps are on the key's own page.
  await expect(heading(page)).toHaveText("Robot");
  await expect(page.getByText(`prl_${key.prefix}_…`)).toBeVisible();
  await page.getByLabel(say("apiKeys:name"), { exact: true }).fill("Machine");
  await page
    .getByLabel(say("apiKeys:role"), { exact: true })
    .selectOption({ label: say("teams:roles.viewer") });
  await page.getByRole("button", { name: say("app:save") }).click();
  await expect(heading(page)).toHaveText("Machine");
  await expectAccessible(page);
  await page.getByRole("button", { name: say("apiKeys:revoke.button") }).click();
  await page.getByRole("button", { name: say("apiKeys:revoke.confirm") }).click();
  await page.waitForURL(`**${path}/apiKeys`);

  // A viewer.
  const elsewhere = await browser.newContext({ locale: "en-US" });
  const other = await elsewhere.newPage();
  const viewer = someone("Vera Viewer");
  await register(other, viewer);
  const roles = await (await page.request.get(`/v1/roles?teamId=${id}`)).json();
  const idOf = (role: string) =>
    roles.data.find(({ codename }: { codename: string }) => codename === role).id;
  const roleId = idOf("viewer");
  const member = await (
    await page.request.post(`/v1/teamUsers/${id}/users`, { data: { email: viewer.email, roleId } })
  ).json();
  await other.request.put(`/v1/teamUsers/${id}/users/${member.id}/invites`, {
    data: { status: "accepted", roleId: "" },
  });
  await other.goto("/dashboard");
  await expect(other.getByText(say("agents:list.emptyRead"))).toBeVisible();
  const agent = await (
    await page.request.post(`/v1/teams/${id}/agents`, {
      data: { name: "Only read", instructions: "Be kind." },
    })
  ).json();
  for (const [list, action] of [
    ["agents", say("agents:list.create")],
    ["knowledges", say("knowledgePlayground:create")],
    ["files", say("files:add")],
    ["roles", say("roles:list.create")],
  ] as const) {
    await other.goto(`${path}/${list}`);
    await expect(heading(other)).toBeVisible();
    await expect(other.getByRole("link", { name: action })).toHaveCount(0);
    await expect(other.getByRole("button", { name: action })).toHaveCount(0);
  }
  await other.goto(`${path}/agents/${agent.id}`);
  await expect(other.getByText("Be kind.")).toBeVisible();
  await expect(
    other.getByRole("button", { name: new RegExp(`${say("app:save")}|${say("agents:delete.button")}`) }),
  ).toHaveCount(0);
  await other.goto(`${path}/settings`);
  await expect(other.getByRole("button", { name: say("app:save") })).toHaveCount(0);
  await expect(other.locator("#sidebar").getByRole("link", { name: say("app:nav.insights") })).toHaveCount(0);
  for (const refused of ["insights", "apiKeys"]) {
    const answer = await other.goto(`${path}/${refused}`);
    expect(answer?.status()).toBe(403);
    await expect(heading(other)).toHaveText(say("errors:FORBIDDEN.title"));
    await expect(other.getByText(say("errors:FORBIDDEN.description"))).toBeVisible();
  }

  // An empty list does not ask for what the role does not permit.
  for (const [list, text] of [
    ["knowledges", say("knowledges:list.emptyRead")],
    ["sources", say("sources:list.emptyRead")],
    ["playground/knowledge", say("knowledges:list.emptyRead")],
    [`agents/${agent.id}/tests`, say("agentTests:tests.emptyRead")],
  ] as const) {
    await other.goto(`${path}/${list}`);
    await expect(other.getByText(text)).toBeVisible();
  }
  await page.request.put(`/v1/teamUsers/${id}/users/${member.id}`, { data: { roleId: idOf("editor") } });
  await other.goto(`${path}/apps`);
  await expect(other.getByText(say("apps:list.emptyRead"))).toBeVisible();
  await elsewhere.close();

  const codename = `renamed-${Date.now()}`;
  await page.goto(`${path}/settings`);
  await page.getByLabel(say("teamSettings:name.codename")).fill("demo");
  await page.getByRole("button", { name: say("app:save") }).click();
  await expectText(page, say("errors:refusals.slugTaken"));
  await page.getByLabel(say("teamSettings:name.label")).fill("Renamed");
  await page.getByLabel(say("teamSettings:name.codename")).fill(codename);
  await page.getByRole("button", { name: say("app:save") }).click();
  await page.waitForURL(`**/teams/${codename}/settings`);
  await expect(page.locator("#sidebar")).toContainText("Renamed");
  await expectAccessible(page);
});

test("a file shows its parsed text and the knowledge base that loses it", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/files?name=time-off");
  await page.getByRole("link", { name: "time-off.md" }).click();
  await expect(page.getByRole("heading", { name: say("files:preview") })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Handbook", exact: true })).toBeVisible();
  await page.getByRole("button", { name: say("files:delete.button") }).click();
  await expect(page.getByRole("dialog")).toContainText(say("files:delete.used", { names: "Handbook" }));
  await page.keyboard.press("Escape");
  await expectAccessible(page);
});
