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

    // A search model that fails is no search without a hit.
    const team = `/v1/teams/${codename}`;
    const { id } = await (
      await page.request.post(`${team}/knowledges`, { data: { name: "Searched" } })
    ).json();
    await page.goto(`/teams/${codename}/knowledges/${id}`);
    await expect(page.locator("[data-island=KnowledgeDocuments][data-hydrated]")).toHaveCount(1);
    await page
      .locator("main input[type=file]")
      .setInputFiles({ name: "otter.txt", mimeType: "text/plain", buffer: Buffer.from("An otter swims.") });
    const rows = page.getByRole("list", { name: say("app:palette.documents") });
    await expect(rows.getByText(say("app:status.ready"), { exact: true })).toBeVisible();
    const search = { role: "embedding", provider: "custom", baseUrl: fake.baseUrl, model: "search-model" };
    const connected = await page.request.post(`${team}/models`, { data: search });
    expect(connected.status(), await connected.text()).toBe(201);
    const records = `${team}/knowledges/${id}/records?query=otter`;
    await expect(async () => {
      const before = fake.requests.length;
      await page.request.get(records);
      expect(fake.requests.slice(before).map(({ path }) => path)).toEqual(["/v1/embeddings"]);
    }).toPass();
    const playground = `/teams/${codename}/playground/knowledge?knowledgeId=${id}&query=otters`;
    await page.goto(playground);
    await expect(page.getByText("An otter swims.")).toBeVisible();
    await expect(page.getByText(say("knowledgePlayground:wordsAlone"))).toHaveCount(0);
    fake.next(...Array.from({ length: 5 }, () => ({ how: "status" as const, status: 401 })));
    await page.goto(playground.replace("otters", "otter"));
    await expect(page.getByText(say("knowledgePlayground:wordsAlone"))).toBeVisible();
    await expect(page.getByText("An otter swims.")).toBeVisible();
  } finally {
    await fake.stop();
  }
});
