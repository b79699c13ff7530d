// The widget on a page of another origin, under that page's own strict policy.
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { say, sayIn } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { layoutFaults } from "./support/layout-faults.ts";
import { screenshot } from "./support/screenshots.ts";
import { expect, test } from "./support/test.ts";

const sayInFrench = sayIn("fr");

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const sdk = process.env.SDK_URL ?? `http://127.0.0.1:${3001 + offset}`;

/** A website that admits only the widget, with CSS that restyles every element. */
async function startSite(agentId: string, language = "fr"): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; script-src ${sdk}; frame-src ${sdk}; style-src 'nonce-x'`,
    });
    response.end(`<!doctype html><html lang="${language}"><head><title>A site</title>
<style nonce="x">* { color: #8b0000 !important; } button { width: 300px !important; transform: rotate(45deg); }</style></head>
<body><main><h1>A site</h1><a href="/">Home</a></main><script src="${sdk}/widget.js" data-agent="${agentId}" async></script></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

test("the widget asks an agent from another site, and is blocked on sites that may not embed it", async ({
  page,
  browser,
}) => {
  // Many pages, on a busy machine.
  await logIn(page, demo);
  const teams = await (await page.request.get("/v1/teams?search=demo")).json();
  const team = `/v1/teams/${teams.data[0].id}`;
  const { data } = await (await page.request.get(`${team}/agents?name=handbook`)).json();
  // An agent of this test's own: its allowed origins change below.
  const { knowledgeIds } = data[0];
  const name = `Widget ${randomUUID().slice(0, 8)}`;
  const made = await page.request.post(`${team}/agents`, {
    data: { name, visibility: "public", knowledgeIds },
  });
  expect(made.status()).toBe(201);
  const agent = `${team}/agents/${(await made.json()).id}`;
  const site = await startSite(agent.split("/").at(-1) ?? "");
  const context = await browser.newContext();
  const visitor = await context.newPage();
  try {
    await visitor.goto(site.origin);
    // The page is French, and so is the widget; the page's own style does not reach it.
    const button = visitor.getByRole("button", { name: sayInFrench("widget:open") });
    await expect(button).toHaveCSS("width", "56px");
    await expect(button).toHaveCSS("color", "rgb(255, 255, 255)");
    await expectAccessible(visitor);
    await button.press("Enter");
    const frame = visitor.frameLocator("parley-chat iframe");
    const field = frame.getByRole("textbox");
    await expect(frame.locator("[data-island][data-hydrated]")).toBeAttached();
    await expect(field).toBeFocused();
    await visitor.keyboard.type("How many days of paid leave do I have?");
    await visitor.keyboard.press("Enter");
    const reply = frame.getByRole("article");
    await expect(reply).toContainText("27 days");
    await expect(frame.locator("[data-busy=false]")).toBeAttached();
    await expectAccessible(visitor);
    const { data: chats } = await (await page.request.get(`${team}/chats?perPage=50`)).json();
    expect(chats.find(({ agentId }: { agentId: string }) => agent.endsWith(agentId))).toMatchObject({
      channel: "widget",
      userId: null,
    });

    // The visitor's token is no longer valid: there is no login to return to.
    await visitor.route(
      "**/v1/chats/*/messages",
      (route) => route.continue({ headers: { ...route.request().headers(), "x-visitor-token": "old" } }),
      { times: 1 },
    );
    await field.fill("And parental leave?");
    await field.press("Enter");
    await expect(frame.getByRole("alert")).toContainText(sayInFrench("chat:endedText"));
    await expect(field).toHaveValue("And parental leave?");
    await field.press("Enter");
    await expect(reply).toHaveCount(2);
    await expect(frame.locator("[data-busy=false]")).toBeAttached();
    await expect(frame.getByRole("alert")).toHaveCount(0);

    await field.press("Escape");
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute("aria-expanded", "false");

    await page.request.put(agent, { data: { allowedOrigins: ["https://elsewhere.test", site.origin] } });
    await visitor.reload();
    await button.press("Enter");
    await expect(field).toBeVisible();

    await page.request.put(agent, { data: { allowedOrigins: ["https://elsewhere.test"] } });
    await visitor.reload();
    await button.press("Enter");
    await expect(visitor.getByText(sayInFrench("widget:unavailable"))).toBeVisible();
    await expect(visitor.locator("parley-chat iframe")).toHaveCount(0);
  } finally {
    site.server.close();
    await context.close();
    await page.request.delete(agent);
  }
});

test("an open widget asks no further question from a site that may no longer embed it, or while nobody may ask", async ({
  page,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[34]/);
  await logIn(page, demo);
  const { data } = await (await page.request.get("/v1/teams/demo/agents?name=handbook")).json();
  const made = await page.request.post("/v1/teams/demo/agents", {
    data: { name: "Framed", visibility: "public", knowledgeIds: data[0].knowledgeIds },
  });
  const agent = `/v1/teams/demo/agents/${(await made.json()).id}`;
  const change = (values: object) => page.request.put(agent, { data: values });
  const site = await startSite(agent.split("/").at(-1) ?? "", "en");
  const context = await browser.newContext();
  const visitor = await context.newPage();
  try {
    await visitor.goto(site.origin);
    await visitor.getByRole("button", { name: say("widget:open") }).press("Enter");
    const frame = visitor.frameLocator("parley-chat iframe");
    const field = frame.getByRole("textbox");
    const replies = frame.getByRole("article");
    const alert = frame.getByRole("alert");
    const ask = async (question: string) => {
      await expect(frame.locator("[data-hydrated] [data-busy=false]")).toBeAttached();
      await field.fill(question);
      await field.press("Enter");
    };
    const expectRefusal = async (question: string, sentence: string) => {
      const before = await replies.count();
      await ask(question);
      await expect(alert).toContainText(sentence);
      await expect(frame.getByRole("log")).toContainText(question);
      await expect(replies).toHaveCount(before);
    };
    await ask("How many days of paid leave do I have?");
    await expect(replies).toContainText("27 days");

    const refused = say("errors:refusals.siteNotAllowed");
    await change({ allowedOrigins: ["https://elsewhere.test"] });
    await expectRefusal("Who approves my travel?", refused);
    await change({ allowedOrigins: [site.origin] });
    await ask("And who approves my leave?");
    await expect(replies).toHaveCount(2);
    await change({ allowedOrigins: ["https://elsewhere.test"] });
    await frame.getByRole("button", { name: say("chat:new") }).click();
    await expectRefusal("And parental leave?", refused);
    await change({ allowedOrigins: [], visibility: "private" });
    await expectRefusal("And sick leave?", say("chat:goneText"));
    await change({ visibility: "public" });
    await page.request.delete(agent);
    await expectRefusal("And unpaid leave?", say("chat:goneText"));
  } finally {
    site.server.close();
    await context.close();
    await page.request.delete(agent);
  }
});

test("the widget keeps its place for the keyboard: closed and opened again, and where it covers the page", async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const site = await startSite(data[0].id, "en");
  const button = page.locator("parley-chat").getByRole("button", { name: say("widget:open") });
  const frame = page.frameLocator("parley-chat iframe");
  const field = frame.getByRole("textbox");
  const link = page.getByRole("link", { name: "Home" });
  try {
    await page.goto(site.origin);
    await expect(button).toBeVisible();
    await context.setOffline(true);
    await button.press("Enter");
    await expect(page.getByRole("status")).toHaveText(say("widget:unreachable"));
    await context.setOffline(false);
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(frame.locator("[data-island][data-hydrated]")).toBeAttached();
    await expect(field).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(field).toBeFocused();
    // Beside the page, the chat leaves it usable.
    await link.focus();
    await expect(link).toBeFocused();
    await page.keyboard.press("Shift+Tab");

    await page.setViewportSize({ width: 360, height: 720 });
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.reload();
    await button.press("Enter");
    await expect(frame.locator("[data-island][data-hydrated]")).toBeAttached();
    await expect(page.locator("parley-chat[data-ready]")).toBeAttached();
    await link.focus();
    await expect(link).not.toBeFocused();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      await expect(link).not.toBeFocused();
    }
    await expectAccessible(page);
    await screenshot(page, "widget-narrow");
    await field.focus();
    await page.keyboard.press("Escape");
    await expect(button).toBeFocused();
    await link.focus();
    await expect(link).toBeFocused();
    // A phone on its side has no room beside the chat either.
    await page.setViewportSize({ width: 640, height: 360 });
    await button.press("Enter");
    await expect(page.locator("parley-chat dialog:modal")).toBeVisible();
    await expect(page.locator("parley-chat iframe")).toHaveJSProperty("clientHeight", 360);
  } finally {
    site.server.close();
  }
});

test("two tabs keep their own conversations", async ({ page, context }) => {
  const { data } = await (await page.request.get("/v1/agents?name=handbook")).json();
  const tabs = [page, await context.newPage()];
  const questions = ["How many days of paid leave do I have?", "Who approves my travel?"];
  // The frame by itself: inside another site, a private window blocks its storage.
  for (const tab of tabs) await tab.goto(`${sdk}/widget/${data[0].id}`);
  for (const [at, tab] of tabs.entries()) {
    await tab.getByRole("textbox").fill(questions[at] ?? "");
    await tab.keyboard.press("Enter");
    await expect(tab.getByRole("article")).not.toBeEmpty();
    await expect(tab.locator("[data-busy=false]")).toBeAttached();
  }
  for (const [at, tab] of tabs.entries()) {
    await tab.reload();
    await expect(tab.getByRole("log")).toContainText(questions[at] ?? "");
  }
});

test.describe("of an agent that is gone", () => {
  test.use({ viewport: { width: 360, height: 640 } });

  test("the widget says so in its frame, in the page's language, and closes", async ({
    page,
    browser,
    expectedErrors,
  }) => {
    expectedErrors.push(/status of 404/);
    await logIn(page, demo);
    const made = await page.request.post("/v1/teams/demo/agents", {
      data: { name: "Gone", visibility: "private" },
    });
    const { id } = await made.json();
    const nobodys = randomUUID();
    for (const [agent, language] of [
      [id, "en"],
      [nobodys, "fr"],
    ] as const) {
      const sayIts = sayIn(language);
      const site = await startSite(agent, language);
      const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
      const visitor = await context.newPage();
      try {
        await visitor.goto(site.origin);
        const button = visitor.getByRole("button", { name: sayIts("widget:open") });
        await button.press("Enter");
        const frame = visitor.frameLocator("parley-chat iframe");
        await expect(frame.getByRole("heading", { level: 1 })).toHaveText(sayIts("chat:gone"));
        await expect(frame.getByText(sayIts("chat:goneText"), { exact: true })).toBeVisible();
        await expect(frame.locator("html")).toHaveAttribute("lang", language);
        // Nothing of the site: no navigation, no link that would leave the frame, no words about a page.
        await expect(frame.locator("a, nav, header, footer")).toHaveCount(0);
        const shown = visitor.frames().find((one) => one.url().includes("/widget/"));
        expect(await shown?.evaluate(layoutFaults, true)).toEqual([]);
        await expectAccessible(visitor);
        await screenshot(visitor, `widget-gone-${language}`);
        await frame.getByRole("button", { name: sayIts("widget:close") }).click();
        await expect(button).toHaveAttribute("aria-expanded", "false");
        await expect(button).toBeFocused();
      } finally {
        site.server.close();
        await context.close();
      }
    }
    await page.request.delete(`/v1/teams/demo/agents/${id}`);
  });
});

test("the widget is a small script with a demo page, and gives access to nothing else", async ({
  page,
  request,
}) => {
  const script = await request.get(`${sdk}/widget.js`);
  expect(script.headers()["content-type"]).toContain("text/javascript");
  expect(gzipSync(await script.body()).length).toBeLessThan(12_000);
  for (const path of ["/v1/teams", "/v1/auth/me", "/v1/agents", "/teams/demo/agents", "/login"]) {
    expect((await request.get(sdk + path)).status(), path).toBe(404);
  }
  const { data } = await (await request.get("/v1/agents?perPage=1")).json();
  const chat = { data: { channel: "widget" }, headers: { origin: "https://elsewhere.test" } };
  expect((await request.post(`${sdk}/v1/agents/${data[0].id}/chats`, chat)).status()).toBe(403);
  await page.goto(sdk);
  await page.getByRole("button", { name: say("widget:open") }).click();
  const frame = page.frameLocator("parley-chat iframe");
  await expect(frame.getByRole("textbox")).toBeVisible();
  await screenshot(page, "widget");
});
