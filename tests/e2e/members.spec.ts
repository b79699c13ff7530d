// People and programs in a team: an invitation that waits for its account, and a key that is shown once.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { linkIn, mailTo, register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const API = `${process.env.SUPABASE_URL ?? `http://127.0.0.1:${54321 + offset}`}/functions/v1`;

test("a person without an account is invited, registers and accepts", async ({ page, browser }) => {
  const guest = someone("Grace Example");
  const host = someone();
  await register(page, host);
  await page.goto("/teams/create");
  await page.getByLabel(say("teams:create.name")).fill("Hosts");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.users") })
    .click();
  await expect(page.locator("[data-island=TagsInput]")).toHaveAttribute("data-hydrated", "");
  await page.getByLabel(say("users:invite.emails")).fill(guest.email);
  // On a phone the address becomes a chip, which moves the button away from the finger.
  await page.setViewportSize({ width: 360, height: 720 });
  await page.getByRole("button", { name: say("users:invite.submit") }).click();
  await expect(page.getByText(say("users:invited", { count: 1 }), { exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: say("inputs:tags.list") }).getByRole("listitem")).toHaveCount(
    0,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  const row = page.getByRole("row").filter({ hasText: guest.email });
  await expect(row).toContainText(say("app:status.pending"));
  expect((await mailTo(guest.email)).subject).toContain("Hosts");

  const elsewhere = await browser.newContext({ locale: "en-US" });
  const other = await elsewhere.newPage();
  await other.goto("/register");
  await other.locator("#name").fill(guest.name);
  await other.locator("#email").fill(guest.email);
  await other.locator("#password").fill(guest.password);
  await other.locator("main form button").click();
  await other.waitForURL("**/confirm?*");
  await expect.poll(async () => (await mailTo(guest.email)).html?.includes("/confirm") ?? false).toBe(true);
  await other.goto(await linkIn(await mailTo(guest.email), "/confirm"));
  // Logged in by that, with the pending invitation shown.
  await other.waitForURL("**/teams/create");
  await expect(other.getByText(say("teams:create.invited", { count: 1 }))).toBeVisible();
  await inviteToAnotherTeam(page, "Rivals", guest.email);
  const withdraw = await inviteToAnotherTeam(page, "Fickle", guest.email);
  await other.goto("/teams");
  const invitation = (team: string) => other.getByRole("listitem").filter({ hasText: team });
  await withdraw();
  await invitation("Fickle")
    .getByRole("button", { name: say("teams:list.accept") })
    .click();
  await expect(other.getByText(say("teams:invitation.goneText"), { exact: true })).toBeVisible();
  await expect(other.getByText(say("teams:list.invitations", { count: 2 }))).toBeVisible();
  await invitation("Hosts")
    .getByRole("button", { name: say("teams:list.accept") })
    .click();
  await expect(other.getByText("Invitation Accepted", { exact: true })).toBeVisible();
  await expect(other.getByText("You've joined Hosts", { exact: true })).toBeVisible();
  await expect(other.getByRole("link", { name: "Hosts" })).toBeVisible();
  await expect(other.getByText(say("teams:list.invitations", { count: 1 }))).toBeVisible();
  await invitation("Rivals")
    .getByRole("button", { name: say("teams:list.decline") })
    .click();
  await expect(other.getByText("Invitation Declined", { exact: true })).toBeVisible();
  await expect(other.getByText("You've declined the invitation to Rivals", { exact: true })).toBeVisible();
  await expect(other.getByRole("link", { name: "Rivals" })).toHaveCount(0);
  await expect(other.getByRole("button", { name: say("teams:list.accept") })).toHaveCount(0);
  await other.goto("/onboarding");
  await expect(other.locator("#sidebar")).toContainText("Hosts");
  await elsewhere.close();

  await page.reload();
  await expect(row).toContainText(guest.name);
  await expect(row).not.toContainText(say("app:status.pending"));
});

test("the link of an invitation says that it is for another account, or no longer open", async ({ page }) => {
  const [me, invited] = [someone(), "invited@elsewhere.test"];
  await register(page, me);
  // Nobody has an account of this address: its link leads to the registration.
  await page.goto(`/register?email=${encodeURIComponent(invited)}`);
  const note = page.getByRole("status").filter({ hasText: say("teams:invitation.otherAddress") });
  await expect(note).toContainText(
    say("teams:invitation.otherAddressText", { email: invited, own: me.email }),
  );
  await expectAccessible(page);
  // Anyone can write such a link: a sentence in it is not shown.
  await page.goto(`/teams?email=${encodeURIComponent("Call us at once on 0900 1234")}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("0900 1234")).toHaveCount(0);
  await page.goBack();
  await note.getByRole("button", { name: say("app:notMember.login") }).click();
  await page.waitForURL(`**/login?next=${encodeURIComponent(`/teams?email=${encodeURIComponent(invited)}`)}`);
  await page.goto(`/login?next=${encodeURIComponent(`/teams?email=${encodeURIComponent(me.email)}`)}`);
  await page.locator("#email").fill(me.email);
  await page.locator("#password").fill(me.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText(say("teams:invitation.noneOpen"))).toBeVisible();
});

test("an API key is shown once, works, and stops at once when revoked", async ({ page, request }) => {
  await register(page, someone());
  await page.goto("/teams/create");
  await page.getByLabel(say("teams:create.name")).fill("Programs");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  await page
    .locator("#sidebar")
    .getByRole("link", { name: say("app:nav.apiKeys") })
    .click();
  await page.waitForURL("**/apiKeys");
  await expect(page.locator("[data-island=NewApiKey]")).toHaveAttribute("data-hydrated", "");
  const team = new URL(page.url()).pathname.split("/")[2];
  await page.getByLabel(say("apiKeys:name"), { exact: true }).fill("Website");
  await page.getByRole("button", { name: say("apiKeys:create") }).click();
  const key = await page.getByLabel(say("apiKeys:key")).inputValue();
  expect(key).toMatch(/^prl_\w{8}_[\w-]{43}$/);

  const agents = () =>
    request.get(`${API}/v1/teams/${team}/agents`, { headers: { authorization: `Bearer ${key}` } });
  expect((await agents()).status()).toBe(200);

  await page.getByRole("button", { name: say("apiKeys:made.done") }).click();
  await expect(page.getByText("Website", { exact: true })).toBeVisible();
  await expect(page.locator("[data-island=NewApiKey]")).toHaveAttribute("data-hydrated", "");
  expect(await page.content()).not.toContain(key);
  await page.reload();
  expect(await page.content()).not.toContain(key);

  await page.getByRole("button", { name: say("apiKeys:revoke.button") }).click();
  await page.getByRole("button", { name: say("apiKeys:revoke.confirm") }).click();
  await expect(page.getByText(say("apiKeys:revoke.done"), { exact: true })).toBeVisible();
  expect((await agents()).status()).toBe(401);
});

/** Creates a second team of the page's user, which invites somebody. @returns what withdraws the invitation */
async function inviteToAnotherTeam(page: Page, name: string, email: string): Promise<() => Promise<unknown>> {
  const headers = { origin: new URL(page.url()).origin };
  const { id } = await (await page.request.post("/v1/teams", { data: { name }, headers })).json();
  const roles = await (await page.request.get(`/v1/roles?teamId=${id}`)).json();
  const { id: roleId } = roles.data.find(({ codename }: { codename: string }) => codename === "viewer");
  const users = `/v1/teamUsers/${id}/users`;
  const invited = await page.request.post(users, { data: { email, roleId }, headers });
  expect(invited.status()).toBe(201);
  const member = await invited.json();
  return () => page.request.delete(`${users}/${member.id}`, { headers });
}

test("a link to another team says why it cannot be opened, and opens for the account that may", async ({
  page,
  browser,
}) => {
  const member = someone();
  await register(page, member);
  const team = await (await page.request.post("/v1/teams", { data: { name: "Linked" } })).json();
  const agents = `/teams/${team.codename}/agents?name=x`;
  const elsewhere = await browser.newContext({ locale: "en-US" });
  const other = await elsewhere.newPage();
  const guest = someone();
  await register(other, guest);

  // Without a team of their own.
  await other.goto(agents);
  await expect(other).toHaveURL(/\/teams\/create\?from=/);
  await expect(other.getByRole("status").getByText(say("app:notMember.title"))).toBeVisible();
  await expect(other.getByText(say("app:notMember.text", { email: guest.email }))).toBeVisible();
  await expectAccessible(other);
  // With one.
  await other.request.post("/v1/teams", { data: { name: "Own" } });
  await other.goto(agents);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(say("app:error.notFoundTitle"));
  await expect(other.getByText(say("app:notMember.text", { email: guest.email }))).toBeVisible();
  // With an invitation that waits.
  const roleId = "00000000-0000-7000-8000-000000000004";
  await page.request.post(`/v1/teamUsers/${team.id}/users`, { data: { email: guest.email, roleId } });
  await other.reload();
  await expect(other.getByText(say("app:notMember.invited", { email: guest.email }))).toBeVisible();
  await expect(other.getByRole("link", { name: say("teams:create.seeInvitations") })).toBeVisible();
  await other.getByRole("button", { name: say("app:notMember.login") }).click();
  await other.waitForURL("**/login?next=*");
  await other.getByLabel(say("auth:email")).fill(member.email);
  await other.getByLabel(say("auth:password")).fill(member.password);
  await other.keyboard.press("Enter");
  await other.waitForURL(`**${agents}`);
  await elsewhere.close();
});
