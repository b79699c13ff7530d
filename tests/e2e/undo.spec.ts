// A reversible deletion says so in a toast, and offers Undo while the toast is shown.

import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

test("a summary, a rating with its comment and tried settings are restored", async ({ page }) => {
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const agent = data[0].id;
  const { id } = await (await page.request.post(`/v1/agents/${agent}/chats`, { data: {} })).json();
  const asked = await page.request.post(`/v1/chats/${id}/messages`, {
    data: { content: "How many days of paid leave do I have?" },
  });
  const { reply } = await asked.json();
  const chat = `/v1/agents/${agent}/chats/${id}`;
  await page.request.put(`${chat}/summary`, { data: { summary: "About leave." } });
  await page.request.post(`/v1/chats/${id}/messages/${reply.id}/feedback`, {
    data: { rating: "down", comment: "Too short." },
  });
  const summary = async () => (await (await page.request.get(`/v1/chats/${id}`)).json()).summary;
  const feedback = async () => {
    const { data: messages } = await (await page.request.get(`/v1/chats/${id}/messages`)).json();
    return messages.at(-1).feedback;
  };

  await page.goto(`/chats/${agent}?chatId=${id}`);
  await expect(page.locator("[data-island=Chat][data-hydrated]")).toBeAttached();
  const toast = page.locator("#toasts li");
  const undo = toast.getByRole("button", { name: say("app:toast.undo") });
  await page.getByRole("button", { name: say("chat:summary"), exact: true }).click();
  await page.getByRole("button", { name: say("chat:clearSummary"), exact: true }).click();
  await expect(toast).toContainText(say("chat:summaryCleared"));
  // The toast stays while its region has the focus.
  await page.keyboard.press("F8");
  await expect.poll(summary).toBeNull();
  await expectAccessible(page);
  await undo.press("Enter");
  await expect(toast).toHaveCount(0);
  await expect.poll(summary).toBe("About leave.");
  await expect(page.getByRole("region", { name: say("chat:summary") })).toContainText("About leave.");

  await page.getByRole("button", { name: say("chat:bad") }).click();
  await expect(toast).toContainText(say("chat:ratingRemoved"));
  await expect.poll(feedback).toBeNull();
  await undo.click();
  await expect.poll(feedback).toEqual({ rating: "down", comment: "Too short." });

  await page.goto(`/teams/demo/playground?agentId=${agent}`);
  await expect(page.locator("[data-island=Playground][data-hydrated]")).toBeAttached();
  const instructions = page.getByLabel(say("playground:instructions"));
  const saved = await instructions.inputValue();
  await instructions.fill("Answer in verse.");
  await page.getByRole("button", { name: say("playground:discard") }).click();
  await expect(instructions).toHaveValue(saved);
  await undo.click();
  await expect(instructions).toHaveValue("Answer in verse.");
});

test("a deleted agent and its test are restored by a key press", async ({ page, expectedErrors }) => {
  await logIn(page, demo);
  const name = `Taken back ${Date.now()}`;
  const knowledges = await (await page.request.get("/v1/teams/demo/knowledges")).json();
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name, visibility: "public", knowledgeIds: [knowledges.data[0].id] },
  });
  const before = await made.json();
  const agent = `/v1/teams/demo/agents/${before.id}`;
  await page.request.post(`/v1/agents/${before.id}/chats`, { data: { title: "Kept" } });
  await page.request.post(`${agent}/tests`, { data: { question: "How much leave?", facts: ["27"] } });
  const toast = page.locator("#toasts li");
  const undo = toast.getByRole("button", { name: say("app:toast.undo") });

  await page.goto(`/teams/demo/agents/${before.id}`);
  await page.getByRole("button", { name: say("agents:delete.button") }).click();
  await page.getByRole("button", { name: say("agents:delete.confirm") }).click();
  await page.waitForURL("**/teams/demo/agents");
  await expect(toast).toContainText(say("agents:delete.done"));
  await page.keyboard.press("F8");
  expect((await page.request.get(agent)).status()).toBe(404);
  expect((await page.request.get(`/v1/agents/${before.id}`)).status()).toBe(404);
  await expectAccessible(page);
  await undo.press("Enter");
  await expect(toast).toContainText(say("agents:delete.restored"));
  await page.waitForURL(`**/teams/demo/agents/${before.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await (await page.request.get(agent)).json()).toEqual(before);
  const chats = await (await page.request.get(`/v1/agents/${before.id}/chats`)).json();
  expect(chats.data).toMatchObject([{ title: "Kept" }]);

  await page.goto(`/teams/demo/agents/${before.id}/tests`);
  const question = page.getByText("How much leave?", { exact: true }).first();
  const deleteTest = async () => {
    await question.click();
    await page.getByRole("button", { name: say("agentTests:form.delete") }).click();
    await expect(toast).toContainText(say("agentTests:form.deleted"));
    await page.keyboard.press("F8");
    await expect(question).toHaveCount(0);
  };
  await deleteTest();
  await undo.press("Enter");
  await expect(toast).toContainText(say("agentTests:form.restored"));
  await expect(question).toBeVisible();

  // Its parent is gone, so it cannot be restored.
  await deleteTest();
  await page.request.delete(agent);
  expectedErrors.push(/status of 409/);
  await undo.press("Enter");
  await expect(toast).toContainText(say("errors:refusals.restoreBlocked"));
  await expectAccessible(page);
});

test("a test whose agent has got as many as it may have waits for room", async ({ page, expectedErrors }) => {
  await logIn(page, demo);
  const made = await page.request.post("/v1/teams/demo/agents", { data: { name: `Full ${Date.now()}` } });
  const agent = `/v1/teams/demo/agents/${(await made.json()).id}`;
  await page.request.post(`${agent}/tests`, { data: { question: "How much leave?", facts: ["27"] } });
  await page.goto(`${agent.replace("/v1", "")}/tests`);
  await page.getByText("How much leave?", { exact: true }).first().click();
  await page.getByRole("button", { name: say("agentTests:form.delete") }).click();
  const toast = page.locator("#toasts li");
  const undo = toast.getByRole("button", { name: say("app:toast.undo") });
  await expect(toast).toContainText(say("agentTests:form.deleted"));
  await page.keyboard.press("F8");
  const rows = Array.from({ length: 500 }, (_, at) => `Question ${at}?,Fact ${at}`);
  const csv = ["question,facts", ...rows].join("\n");
  await page.request.post(`${agent}/tests/import`, { data: { csv } });
  expectedErrors.push(/status of 409/);
  await undo.press("Enter");
  await expect(toast).toContainText(say("app:toast.full"));
  await expect(toast).toContainText(say("errors:refusals.testsFull"));
  await page.keyboard.press("F8");
  const { data } = await (await page.request.get(`${agent}/tests`)).json();
  await page.request.delete(`${agent}/tests/${data[0].id}`);
  await undo.press("Enter");
  await expect(toast).toContainText(say("agentTests:form.restored"));
  await page.request.delete(agent);
});

test("a deleted file is restored by a key press, with its bytes and passages", async ({ page }) => {
  await logIn(page, demo);
  const name = `taken-back-${Date.now()}.md`;
  const text = "# Bicycles\n\nBicycles stand in the courtyard.";
  const given = { name, mimeType: "text/markdown", buffer: Buffer.from(text) };
  const uploaded = await page.request.post("/v1/teams/demo/files/upload", { multipart: { file: given } });
  const { id } = await uploaded.json();
  const file = `/v1/teams/demo/files/${id}`;
  const made = await page.request.post("/v1/teams/demo/knowledges", { data: { name, fileIds: [id] } });
  const knowledge = `/v1/teams/demo/knowledges/${(await made.json()).id}`;
  const records = async () =>
    (await (await page.request.get(`${knowledge}/records?query=bicycles`)).json()).data.length;
  await expect.poll(records).toBe(1);
  const bytes = async (url: string) => {
    const answer = await page.request.get(url);
    return answer.ok() ? await answer.text() : null;
  };
  const { url } = await (await page.request.get(file)).json();
  expect(await bytes(url)).toBe(text);

  await page.goto(`/teams/demo/files/${id}`);
  await page.getByRole("button", { name: say("files:delete.button") }).press("Enter");
  await page.getByRole("button", { name: say("files:delete.confirm") }).press("Enter");
  await page.waitForURL("**/teams/demo/files");
  const toast = page.locator("#toasts li");
  await expect(toast).toContainText(say("files:delete.done"));
  // The toast stays while its region has the focus.
  await page.keyboard.press("F8");
  expect((await page.request.get(file)).status()).toBe(404);
  expect(await bytes(url)).toBeNull();
  expect(await records()).toBe(0);
  await expectAccessible(page);
  await toast.getByRole("button", { name: say("app:toast.undo") }).press("Enter");
  await expect(toast).toContainText(say("files:delete.restored"));
  await page.waitForURL(`**/teams/demo/files/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const restored = await (await page.request.get(file)).json();
  expect(await bytes(restored.url)).toBe(text);
  expect(await bytes(url)).toBeNull();
  await expect.poll(records).toBe(1);
  await page.request.delete(knowledge);
  await page.request.delete(file);
});

test("a knowledge base is restored without an agent that is full by then, and the toast says so", async ({
  page,
}) => {
  await logIn(page, demo);
  const api = "/v1/teams/demo";
  const make = async (path: string, data: object): Promise<string> =>
    (await (await page.request.post(`${api}/${path}`, { data })).json()).id;
  const base = await make("knowledges", { name: `Taken back ${Date.now()}` });
  const agent = await make("agents", { name: "Full", knowledgeIds: [base] });
  await page.goto(`/teams/demo/knowledges/${base}`);
  await page.getByRole("button", { name: say("knowledges:delete.button") }).click();
  await page.getByRole("button", { name: say("knowledges:delete.confirm") }).click();
  await page.waitForURL("**/teams/demo/knowledges");
  const toast = page.locator("#toasts li");
  await expect(toast).toContainText(say("knowledges:delete.done"));
  await page.keyboard.press("F8");
  const others: string[] = [];
  for (let n = 1; n <= 50; n++) others.push(await make("knowledges", { name: `Other ${n}` }));
  await page.request.put(`${api}/agents/${agent}`, { data: { knowledgeIds: others } });
  await toast.getByRole("button", { name: say("app:toast.undo") }).press("Enter");
  await expect(toast).toContainText(say("app:toast.leftOut"));
  await page.waitForURL(`**/teams/demo/knowledges/${base}`);
  for (const path of [`agents/${agent}`, ...[base, ...others].map((id) => `knowledges/${id}`)])
    await page.request.delete(`${api}/${path}`);
});
