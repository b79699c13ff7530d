// An owner connects a model in two clicks, asks an agent, and sees which model answered and its cost. The model is a fake that speaks
// OpenAI's protocol, at the one address that the stack may call.
import { startOpenAiFake } from "../support/fakes/openai.ts";
import { say } from "../support/words.ts";
import { register, someone } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

/** The port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54341 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

test("a model is connected in two clicks, and tested before it is stored", async ({
  page,
  browser,
  expectedErrors,
}) => {
  const fake = await startOpenAiFake(servicePort);
  try {
    await register(page, someone("Models"));
    const codename = `models-${Date.now()}`;
    const made = await page.request.post("/v1/teams", { data: { name: "Models", codename } });
    expect(made.status(), await made.text()).toBe(201);
    await page.goto(`/teams/${codename}/models`);
    await expect(page.getByText(say("models:offline.title"))).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole("link", { name: say("models:providers.custom") })
      .first()
      .click();
    await page.getByLabel(say("models:form.baseUrl")).fill(fake.baseUrl);
    await page.getByLabel(say("models:form.apiKey")).fill("sk-wrong");
    await page.getByLabel(say("models:form.model"), { exact: true }).fill("test-model");
    fake.next({ how: "status", status: 401 });
    expectedErrors.push(/status of 400/);
    await page.getByRole("button", { name: say("models:form.submit") }).click();
    await expect(page.getByText(say("errors:refusals.modelKeyRefused"))).toBeVisible();
    await page.getByLabel(say("models:form.apiKey")).fill("sk-right");
    await page.getByLabel(say("models:form.promptPrice")).fill("1");
    await page.getByRole("button", { name: say("models:form.submit") }).click();
    await expect(
      page.getByText(say("models:done.connected", { model: "test-model" }), { exact: true }),
    ).toBeVisible();
    await expect(page.getByText(say("models:from.team"))).toBeVisible();
    await expect(page.getByText(say("models:offline.title"))).toBeHidden();
    expect(fake.requests.at(-1)?.authorization).toBe("Bearer sk-right");
    await expectAccessible(page);

    // A visitor of its agent is not told that no AI service is used.
    const agent = await page.request.post(`/v1/teams/${codename}/agents`, {
      data: { name: "Modelled", visibility: "public" },
    });
    const visitor = await (await browser.newContext({ locale: "en-US" })).newPage();
    await visitor.goto(`/chats/${(await agent.json()).id}`);
    await expect(visitor.getByText(say("chat:visitorNote", { agentName: "Modelled" }))).toBeVisible();
    await expect(visitor.getByText(say("app:offlineModels"))).toHaveCount(0);
  } finally {
    await fake.stop();
  }
});
