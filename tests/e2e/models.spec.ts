// An owner connects a model in two clicks, asks an agent, sees which model answered, and what it cost. The model is a fake that
// speaks OpenAI's protocol, at the one place that the stack lets calls through to.
import { startOpenAiFake } from "../support/fakes/openai.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

/** The port that the stack lets calls through to: tests/support/runner/one-stack.mjs. */
const servicePort = 54341 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

test("a model is connected in two clicks, tested before it is kept", async ({ page, expectedErrors }) => {
  const fake = await startOpenAiFake(servicePort);
  try {
    await register(page, someone("Models"));
    const { origin } = new URL(page.url());
    const codename = `models-${Date.now()}`;
    const made = await page.request.post(`${origin}/v1/teams`, {
      data: { name: "Models", codename },
      headers: { origin },
    });
    expect(made.status(), await made.text()).toBe(201);
    await page.goto(`/teams/${codename}/models`);
    await expect(page.getByText("The built-in model answers")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Another service" }).first().click();
    await page.getByLabel("Address").fill(fake.baseUrl);
    await page.getByLabel("API key").fill("sk-wrong");
    await page.getByLabel("Model", { exact: true }).fill("test-model");
    fake.next({ how: "status", status: 401 });
    expectedErrors.push(/status of 400/);
    await page.getByRole("button", { name: "Test and connect" }).click();
    await expect(page.getByText("The provider does not accept this key.")).toBeVisible();
    await page.getByLabel("API key").fill("sk-right");
    await page.getByLabel("Price of input").fill("1");
    await page.getByRole("button", { name: "Test and connect" }).click();
    await expect(page.getByText("test-model is connected", { exact: true })).toBeVisible();
    await expect(page.getByText("Connected by this team")).toBeVisible();
    await expect(page.getByText("The built-in model answers")).toBeHidden();
    expect(fake.requests.at(-1)?.authorization).toBe("Bearer sk-right");
    await expectAccessible(page);
  } finally {
    await fake.stop();
  }
});
