// The widget on pages whose styles, layers, direction and policy work against it, and on a page that embeds it twice.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { say } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const sdk = process.env.SDK_URL ?? `http://127.0.0.1:${3001 + offset}`;

interface Site {
  head?: string;
  body?: string;
  policy?: string;
  agents: string[];
}

/** Opens a site with one line of the widget per agent. @returns what ends it */
async function visitSite(
  page: Page,
  { head = "", body = "", policy = "", agents }: Site,
): Promise<() => void> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `script-src ${sdk}; frame-src ${sdk}; ${policy}`,
    });
    const lines = agents.map((id) => `<script src="${sdk}/widget.js" data-agent="${id}" async></script>`);
    response.end(
      `<!doctype html><html lang="en" dir="rtl"><head><title>A site</title>${head}</head><body>${body}${lines.join("")}</body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`);
  return () => server.close();
}

/** Ids of two public agents. */
async function publicAgents(page: Page): Promise<[string, string]> {
  await logIn(page, demo);
  const create = async () => {
    const answer = await page.request.post("/v1/teams/demo/agents", {
      data: { name: `Hostile page ${Date.now()}`, visibility: "public" },
    });
    return (await answer.json()).id as string;
  };
  return [await create(), await create()];
}

/** Distances of the nth button from the window's right and bottom, and whether a click on it arrives. */
const placeOf = (page: Page, at = 0) =>
  page.evaluate((nth) => {
    const host = document.querySelectorAll("parley-chat")[nth];
    const button = host?.shadowRoot?.querySelector("button");
    if (!button) return null;
    const { left, top, right, bottom, width, height } = button.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    return {
      right: document.documentElement.clientWidth - right,
      bottom: innerHeight - bottom,
      isOnTop: over === host,
    };
  }, at);

const openButton = (page: Page) => page.getByRole("button", { name: say("widget:open") });

test("a page's reset, layers, direction and transformed body do not move or cover it", async ({ page }) => {
  const [agent] = await publicAgents(page);
  const leave = await visitSite(page, {
    head: `<style>
      * { position: relative !important; inset: auto !important; z-index: 0 !important; margin: 9px !important;
        max-width: 30px !important; overflow: hidden !important; opacity: .2 !important; letter-spacing: 1em !important; }
      html, body { height: 100%; }
      body { transform: translateX(-200px) }
      #wall { position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; max-width: none !important; }
    </style>`,
    body: '<div id="wall">A banner over everything</div>',
    agents: [agent],
  });
  await expect(openButton(page)).toBeVisible();
  expect(await placeOf(page)).toEqual({ right: 20, bottom: 20, isOnTop: true });
  await openButton(page).click();
  const panel = page.locator("parley-chat dialog");
  await expect(panel.locator("iframe")).toBeVisible();
  await expect(panel).toHaveCSS("direction", "ltr");
  const box = await panel.boundingBox();
  expect(box?.width).toBe(400);
  expect(box?.height).toBe(640);
  leave();
});

test("a page that requires trusted types gets it with the standard look", async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/TrustedScriptURL/);
  const [agent] = await publicAgents(page);
  const leave = await visitSite(page, { policy: "require-trusted-types-for 'script'", agents: [agent] });
  await expect(openButton(page)).toBeVisible();
  leave();
});

test("a line embedded twice makes one button, and two agents have one above the other", async ({ page }) => {
  const [agent, other] = await publicAgents(page);
  const leave = await visitSite(page, { agents: [agent, agent, other] });
  await expect(openButton(page)).toHaveCount(2);
  const places = [await placeOf(page, 0), await placeOf(page, 1)];
  expect(places).toEqual([
    { right: 20, bottom: 20, isOnTop: true },
    { right: 20, bottom: 92, isOnTop: true },
  ]);
  // The open chat is above both buttons, and one at a time is open.
  const panels = page.locator("parley-chat dialog");
  await openButton(page).first().click();
  await expect(panels.first()).toBeVisible();
  const room = await panels.first().boundingBox();
  const above = await page.locator("parley-chat button").nth(1).boundingBox();
  expect((room?.y ?? 0) + (room?.height ?? 0)).toBeLessThanOrEqual(above?.y ?? 0);
  await openButton(page).click();
  await expect(panels.nth(1)).toBeVisible();
  await expect(panels.first()).toBeHidden();
  leave();
});
