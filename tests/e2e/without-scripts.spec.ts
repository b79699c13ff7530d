// The app without JavaScript: what works, and that the rest says so or is not shown.
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logInByForm, registerByForm, someone } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("what needs it says so instead of taking what is typed", async ({ page }) => {
    await logInByForm(page, demo);
    for (const path of ["/teams/demo/apiKeys", "/teams/create"]) {
      await page.goto(path);
      await expect(page.getByText(say("app:needsScripts"))).toBeVisible();
    }
    await page.goto("/teams/demo/apiKeys");
    await expect(page.getByRole("button", { name: say("apiKeys:create") })).toHaveCount(0);
    await page.goto("/teams/demo/knowledges/create");
    await expect(page.getByText(say("files:drop.needsScripts"))).toBeVisible();
    await expect(page.getByText(say("files:drop.title"))).toBeHidden();
    // The first steps have a form of their own.
    await page.goto("/onboarding");
    await expect(page.getByText(say("files:drop.title"))).toBeVisible();
  });

  test("the playground says that trying settings needs it, and takes none", async ({ page }) => {
    await logInByForm(page, demo);
    await page.goto("/teams/demo/playground");
    await expect(page.getByText(say("playground:needsScripts"))).toBeVisible();
    await expect(
      page.locator("main").locator("input, select, textarea").filter({ visible: true }),
    ).toHaveCount(0);
  });

  test("a chat says that asking needs it, and offers nothing to press", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByText(say("chat:needsScripts"))).toBeVisible();
    await expect(page.locator("main").getByRole("textbox")).toHaveCount(0);
    await expect(page.locator("main").getByRole("button")).toHaveCount(0);
  });

  test("a reply keeps its text and sources, without what would do nothing", async ({ page }) => {
    await logInByForm(page, demo);
    const { agentId, chatId } = await beginChat(page, "How many days of annual leave do I have?");
    await page.goto(`/chats/${agentId}?chatId=${chatId}`);
    await expect(page.getByRole("button", { name: say("chat:makeTest") })).toBeVisible();
    await expect(page.getByRole("button", { name: /time-off\.md/ }).first()).toBeVisible();
    for (const key of [
      "rename",
      "summary",
      "goodChat",
      "badChat",
      "copy",
      "retry",
      "good",
      "bad",
      "why",
    ] as const)
      await expect(page.getByRole("button", { name: say(`chat:${key}`) }), key).toHaveCount(0);
  });

  test("log in, read, filter, create an agent, and log out", async ({ page }) => {
    await logInByForm(page, demo);
    await page.goto("/teams/demo/agents/create");
    await page.getByLabel(say("agents:name")).fill("Made without scripts");
    await page.getByRole("button", { name: say("agents:create.submit") }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Made without scripts");
    await expect(
      page.getByText(say("agents:create.doneText", { name: "Made without scripts" })),
    ).toBeVisible();
    await page.goto("/teams/demo/agents");
    await page.getByRole("searchbox").fill("without scripts");
    await page.getByRole("searchbox").press("Enter");
    await page.getByRole("link", { name: "Made without scripts" }).first().click();
    await page.getByRole("button", { name: say("agents:delete.button") }).click();
    await page.getByRole("button", { name: say("agents:delete.confirm") }).click();
    await page.waitForURL("**/teams/demo/agents");

    const question = `How many days of annual leave do I have? ${Date.now()}`;
    await beginChat(page, question);
    await page.goto("/teams/demo/chats");
    await page.getByRole("link", { name: question }).click();
    await expect(page.getByRole("log").getByText(question, { exact: true })).toBeVisible();
    await expect(page.getByRole("article", { name: say("chat:reply") })).toContainText("27 days");
    await page.goto("/logout");
    expect(new URL(page.url()).pathname).toBe("/login");
  });

  test("public pages are readable, a stranger registers, and a file becomes an agent", async ({ page }) => {
    for (const path of ["/", "/shopify", "/guides/first-agent", "/privacy-policy", "/support"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("link", { name: say("auth:login.title") })).toBeVisible();
    }
    await registerByForm(page, someone());
    await page.getByLabel(say("teams:create.name")).fill("Scriptless");
    await page.getByRole("button", { name: say("teams:create.submit") }).click();
    await page.waitForURL("**/onboarding");
    const field = page.locator("main input[type=file]");
    const send = page.getByRole("button", { name: say("onboarding:add") });
    await field.setInputFiles({ name: "Empty.txt", mimeType: "text/plain", buffer: Buffer.from("") });
    await send.click();
    await expect(page.getByText(say("errors:refusals.fileEmpty", { name: "Empty.txt" }))).toBeVisible();
    await expect(page.getByRole("link", { name: say("onboarding:agent.ask") })).toHaveCount(0);
    const words = "Bicycles are parked in the courtyard.";
    await field.setInputFiles({ name: "Bicycles.txt", mimeType: "text/plain", buffer: Buffer.from(words) });
    await send.click();
    await expect(page.getByText(say("onboarding:received", { name: "Bicycles.txt" }))).toBeVisible();
    await expect(async () => {
      await page.goto("/onboarding");
      await expect(page.getByText(say("onboarding:questions.none"))).toBeVisible({
        timeout: 1000,
      });
    }).toPass();
    await expect(
      page.getByRole("heading", {
        name: `${say("onboarding:documents", { count: 1, number: 1 })}, ${say("onboarding:passages", { count: 1, number: 1 })}`,
      }),
    ).toBeVisible();
    await page.getByRole("link", { name: say("onboarding:agent.ask") }).click();
    // The agent belongs to the team, and has its name.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Scriptless");
  });

  test("a refused login shows the form again with its message", async ({ page, expectedErrors }) => {
    expectedErrors.push(/status of 401/);
    await page.goto("/login");
    await page.getByLabel(say("auth:email")).fill("nobody@parley.test");
    await page.getByLabel(say("auth:password")).fill("not-the-password");
    await page.locator("main form button").click();
    await expect(page.getByRole("alert")).toContainText("Incorrect Email or Password");
    await expect(page.getByLabel(say("auth:email"))).toHaveValue("nobody@parley.test");
  });
});

/** Asks the demo's public agent as the page's logged-in user, without the page. */
async function beginChat(page: Page, question: string) {
  const headers = { origin: new URL(page.url()).origin };
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const agentId: string = data[0].id;
  const made = await page.request.post(`/v1/agents/${agentId}/chats`, { data: {}, headers });
  const { id } = await made.json();
  const asked = await page.request.post(`/v1/chats/${id}/messages`, {
    data: { content: question },
    headers,
  });
  expect(asked.status()).toBe(200);
  return { agentId, chatId: String(id) };
}
