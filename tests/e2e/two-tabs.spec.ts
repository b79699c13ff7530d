// Two tabs save one form: the second is refused, keeps its text, and shows the saved one.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn, register, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

async function newAgent(page: Page): Promise<string> {
  await logIn(page, demo);
  await page.goto("/teams/demo/agents/create");
  await page.getByLabel(say("agents:name")).fill(`Twice ${Date.now()}`);
  await page.getByRole("button", { name: say("agents:create.submit") }).click();
  await page.waitForURL(/agents\/[0-9a-f-]{36}/);
  return page.url();
}

const save = (page: Page) =>
  page
    .getByRole("button", { name: say("app:save"), exact: true })
    .first()
    .click();
const conflictAlert = (page: Page) =>
  page.getByRole("alert").filter({ hasText: say("errors:refusals.changedMeanwhile") });

test("a form saved in another tab keeps its text and saves it on confirmation", async ({ page, context }) => {
  const address = await newAgent(page);
  const other = await context.newPage();
  await Promise.all([page.goto(address), other.goto(address)]);
  await page.getByLabel(say("agents:instructions.label")).fill("From the first tab.");
  await save(page);
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();

  const field = other.getByLabel(say("agents:instructions.label"));
  await field.fill("From the second tab.");
  // A refresh of the page's data must not give the form the newer version.
  const read = other.waitForResponse(/_payload\.json/);
  await other.evaluate(
    () => void dispatchEvent(new CustomEvent("parley:visit", { detail: location.pathname })),
  );
  await (await read).finished();
  await save(other);
  await expect(conflictAlert(other)).toBeVisible();
  await expect(field).toHaveValue("From the second tab.");
  await expect(other.getByText(say("errors:changed.value", { value: "From the first tab." }))).toBeVisible();
  await expect(conflictAlert(other).getByRole("link", { name: say("errors:changed.newer") })).toHaveAttribute(
    "target",
    "_blank",
  );
  await page.goto(address);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("From the first tab.");

  await conflictAlert(other)
    .getByRole("button", { name: say("errors:changed.mine") })
    .click();
  await expect(other.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await expect(conflictAlert(other)).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("From the second tab.");
});

test("the playground does the same, and saves its settings on confirmation", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const address = await newAgent(page);
  const id = address.match(/agents\/([0-9a-f-]{36})/)?.[1];
  const other = await context.newPage();
  await Promise.all([page.goto(address), other.goto(`/teams/demo/playground?agentId=${id}`)]);
  await page.getByLabel(say("playground:instructions")).fill("From the form.");
  await save(page);
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();

  const field = other.getByLabel(say("playground:instructions"));
  await field.fill("From the playground.");
  await other.getByRole("button", { name: say("playground:save") }).click();
  await expect(conflictAlert(other)).toBeVisible();
  await expect(conflictAlert(other)).toContainText(say("errors:changed.value", { value: "From the form." }));
  await expect(field).toHaveValue("From the playground.");
  await conflictAlert(other)
    .getByRole("button", { name: say("errors:changed.mine") })
    .click();
  await expect(other.getByText(say("playground:saved"), { exact: true })).toBeVisible();
  await expect(conflictAlert(other)).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("From the playground.");
});

test("two forms of one page do not conflict", async ({ page }) => {
  const address = await newAgent(page);
  await page.goto(address);
  await page.getByLabel(say("agents:instructions.label")).fill("Typed first.");
  await page
    .locator("summary")
    .filter({ hasText: say("embed:title") })
    .first()
    .click();
  const embed = page.locator("form", { has: page.locator("input[name=form][value=embed]") });
  await embed.getByRole("textbox").fill("https://example.com");
  await embed.getByRole("button", { name: say("app:save"), exact: true }).click();
  await expect(page.getByText(say("app:toast.saved"), { exact: true })).toBeVisible();
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Typed first.");
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await save(page);
  await answered;
  await expect(conflictAlert(page)).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByLabel(say("agents:instructions.label"))).toHaveValue("Typed first.");
});

test("a form of a page that another account opened is refused, and keeps its text", async ({
  page,
  context,
}) => {
  await logIn(page, demo);
  await page.goto("/account");
  const field = page.getByLabel(say("account:name"), { exact: true });
  await field.fill("For the first account");
  await context.clearCookies();
  const other = await context.newPage();
  await logIn(other, { name: "", email: "admin@parley.test", password: "admin-parley-1" });
  const before = await (await other.request.get("/v1/auth/me")).json();
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await field.press("Enter");
  await answered;
  await expect(page.getByText(say("app:otherAccount.title"), { exact: true })).toBeVisible();
  await expect(field).toHaveValue("For the first account");
  expect((await (await other.request.get("/v1/auth/me")).json()).name).toBe(before.name);
});

test("two tabs show two teams, each on the pages without a team in their address too", async ({
  page,
  context,
}) => {
  await register(page, someone());
  const newTeam = async (name: string) =>
    (await (await page.request.post("/v1/teams", { data: { name } })).json()) as { codename: string };
  const [north, south] = [await newTeam("North"), await newTeam("South")];
  const heading = page.getByRole("heading", { level: 1 });
  const openDashboard = () =>
    page
      .locator("#sidebar")
      .getByRole("link", { name: say("app:nav.dashboard") })
      .click();
  await page.goto(`/teams/${north.codename}/agents`);
  const other = await context.newPage();
  await other.goto(`/teams/${south.codename}/agents`);
  await openDashboard();
  await expect(heading).toHaveText("North");
  await page.getByRole("link", { name: say("app:nav.onboarding") }).click();
  await page.waitForURL("**/onboarding");
  await expect(page.locator("#sidebar")).toContainText("North");
  // The one that was used last, when a page does not say which.
  await other.reload();
  await page.goto("/dashboard");
  await expect(heading).toHaveText("South");
});
