// The pages of a team's agents, roles, people, keys, files and settings: what each changes, that it is accessible, and what
// somebody sees who may only look.
import type { Page } from "@playwright/test";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const hydrated = (page: Page, island: string) =>
  expect(page.locator(`[data-island=${island}]:not([data-hydrated])`)).toHaveCount(0);
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();

async function newTeam(page: Page, name: string): Promise<{ id: string; path: string }> {
  await register(page, someone());
  const made = await page.request.post("/v1/teams", { data: { name } });
  const { id, codename } = await made.json();
  return { id, path: `/teams/${codename}` };
}

test("an agent: suggested questions and numbers keep their laws, and are kept", async ({ page }) => {
  test.setTimeout(180_000);
  await logIn(page, demo);
  const teams = await (await page.request.get("/v1/teams?search=demo")).json();
  const base = `/v1/teams/${teams.data[0].id}/agents`;
  const agent = await (await page.request.post(base, { data: { name: `Inputs ${Date.now()}` } })).json();
  await page.goto(`/teams/demo/agents/${agent.id}`);
  await hydrated(page, "TagsInput");
  await hydrated(page, "NumberInput");

  await page.getByText("Greeting and suggestions").click();
  const field = page.getByRole("textbox", { name: "Suggested questions" });
  const chips = page.getByRole("list", { name: "Added" }).getByRole("listitem");
  await field.fill("In France, too?");
  await field.press("Enter");
  await expect(chips).toHaveText(["In France, too?"]);
  await field.fill("In France, too?");
  await field.press("Enter");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await said(page, "That one is there already.");
  await field.fill("And in Spain?");
  await field.press("Tab");
  await expect(chips).toHaveCount(2);
  await page.getByRole("button", { name: "Remove In France, too?" }).click();
  await expect(field).toBeFocused();

  await page.getByText("Model and retrieval").click();
  const passages = page.getByRole("spinbutton", { name: "Passages" });
  await passages.press("PageUp");
  await expect(passages).toHaveValue("16");
  await passages.fill("900");
  await passages.blur();
  await expect(passages).toHaveValue("50");
  const temperature = page.getByRole("spinbutton", { name: "Temperature" });
  await temperature.press("ArrowUp");
  await expect(temperature).toHaveValue("0.3");
  await page.getByRole("button", { name: "Less: Temperature" }).click();
  await expect(temperature).toHaveValue("0.2");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "Saved");
  const stored = await (await page.request.get(`${base}/${agent.id}`)).json();
  expect(stored).toMatchObject({
    suggestedPrompts: ["And in Spain?"],
    retrieval: { topK: 50, mode: "hybrid" },
  });
  await page.request.delete(`${base}/${agent.id}`);
});

test("roles, invitations, keys and the team's name are managed by its owner; a viewer looks", async ({
  page,
  browser,
}) => {
  test.setTimeout(360_000);
  const { id, path } = await newTeam(page, `Pages ${Date.now()}`);

  await page.goto(`${path}/roles`);
  await expect(page.getByRole("columnheader", { name: "Viewer" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "New role" }).click();
  await page.getByLabel("Role name").fill("Analyst");
  await page.getByLabel("See insights").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create role" }).click();
  await said(page, "Role created");
  await page.getByRole("link", { name: "Analyst" }).click();
  await expect(page.getByLabel("See insights")).toBeChecked();
  await expect(page.getByLabel("Delete team")).not.toBeChecked();

  await page.goto(`${path}/users`);
  await hydrated(page, "TagsInput");
  const emails = page.getByRole("textbox", { name: "Email addresses" });
  await emails.fill("one@parley.test");
  await emails.press(",");
  await emails.fill("two@parley.test");
  await emails.press("Enter");
  await page.getByLabel("Role", { exact: true }).selectOption({ label: "Analyst" });
  await page.getByRole("button", { name: "Invite" }).click();
  await said(page, "2 invitations sent");
  await expect(page.getByRole("row").filter({ hasText: "Analyst" })).toHaveCount(2);
  await hydrated(page, "TagsInput");
  await emails.fill("two@parley.test");
  await page.getByRole("button", { name: "Invite" }).click();
  await said(page, "two@parley.test: already in the team or invited.");
  await expectAccessible(page);
  await page.getByRole("link", { name: "two@parley.test" }).click();
  // The address that was refused is still in the form.
  await page.getByRole("button", { name: "Leave page" }).click();
  await expect(heading(page)).toHaveText("two@parley.test");
  await page.getByRole("button", { name: "Resend invitation" }).click();
  await said(page, "Invitation resent");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel invitation…" }).click();
  await page.getByRole("button", { name: "Cancel invitation", exact: true }).click();
  await page.waitForURL(`**${path}/users`);
  await expect(page.getByRole("link", { name: "two@parley.test" })).toHaveCount(0);

  const key = await (await page.request.post(`/v1/teams/${id}/apiKeys`, { data: { name: "Robot" } })).json();
  await page.goto(`${path}/apiKeys`);
  await page.getByRole("link", { name: "Robot" }).click();
  // The list has a field for a name too: what follows is for the key's own page.
  await expect(heading(page)).toHaveText("Robot");
  await expect(page.getByText(`prl_${key.prefix}_…`)).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("Machine");
  await page.getByLabel("Role", { exact: true }).selectOption({ label: "Viewer" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(heading(page)).toHaveText("Machine");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.waitForURL(`**${path}/apiKeys`);

  // Somebody who may only look.
  const elsewhere = await browser.newContext({ locale: "en-US" });
  const other = await elsewhere.newPage();
  const viewer = someone("Vera Viewer");
  await register(other, viewer);
  const roles = await (await page.request.get(`/v1/roles?teamId=${id}`)).json();
  const roleId = roles.data.find(({ codename }: { codename: string }) => codename === "viewer").id;
  const agent = await (
    await page.request.post(`/v1/teams/${id}/agents`, {
      data: { name: "Only read", instructions: "Be kind." },
    })
  ).json();
  const member = await (
    await page.request.post(`/v1/teamUsers/${id}/users`, { data: { email: viewer.email, roleId } })
  ).json();
  await other.request.put(`/v1/teamUsers/${id}/users/${member.id}/invites`, {
    data: { status: "accepted", roleId: "" },
  });
  for (const [list, action] of [
    ["agents", "Create agent"],
    ["knowledges", "Create knowledge base"],
    ["files", "Add files"],
    ["roles", "New role"],
  ] as const) {
    await other.goto(`${path}/${list}`);
    await expect(heading(other)).toBeVisible();
    await expect(other.getByRole("link", { name: action })).toHaveCount(0);
  }
  await other.goto(`${path}/agents/${agent.id}`);
  await expect(other.getByText("Be kind.")).toBeVisible();
  await expect(other.getByRole("button", { name: /Save|Delete…/ })).toHaveCount(0);
  await other.goto(`${path}/settings`);
  await expect(other.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expect(other.locator("#sidebar").getByRole("link", { name: "Insights" })).toHaveCount(0);
  for (const refused of ["insights", "apiKeys"]) {
    const answer = await other.goto(`${path}/${refused}`);
    expect(answer?.status()).toBe(403);
    await expect(heading(other)).toHaveText("Not Allowed");
    await expect(other.getByText("Ask an owner or admin of the team.")).toBeVisible();
  }
  await elsewhere.close();

  const codename = `renamed-${Date.now()}`;
  await page.goto(`${path}/settings`);
  await page.getByLabel("Slug").fill("demo");
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "Another team uses this slug.");
  await page.getByLabel("Team name").fill("Renamed");
  await page.getByLabel("Slug").fill(codename);
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(`**/teams/${codename}/settings`);
  await expect(page.locator("#sidebar")).toContainText("Renamed");
  await expectAccessible(page);
});

test("a file shows what was read of it and the knowledge that loses it", async ({ page }) => {
  await logIn(page, demo);
  await page.goto("/teams/demo/files?name=time-off");
  await page.getByRole("link", { name: "time-off.md" }).click();
  await expect(page.getByRole("heading", { name: "Extracted text" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Handbook", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("dialog")).toContainText("also from Handbook");
  await page.keyboard.press("Escape");
  await expectAccessible(page);
});
