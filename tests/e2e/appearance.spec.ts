// An agent's appearance: set in the form, previewed, and shown on its page and in the widget, in both themes and on a phone.
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { contrast } from "../../web/client/brand-colors.ts";
import { say, sayAny } from "../support/words.ts";
import { demo, logIn } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
const sdk = process.env.SDK_URL ?? `http://127.0.0.1:${3001 + offset}`;
/** Pale: its text is black, and links in it are illegible on white. */
const PALE = "#f5b700";

const hex = (rgb: string) =>
  `#${(rgb.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")}`;
const paint = (of: Locator) =>
  of.evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return { backgroundColor, color };
  });

/** The visible part of page headers, from the top of the window. */
const heads = (page: Page) => page.locator("header").filter({ visible: true });

test("an agent's appearance is chosen, previewed and shown to visitors", async ({ page, browser }) => {
  await logIn(page, demo);
  const teams = await (await page.request.get("/v1/teams?search=demo")).json();
  const agents = `/v1/teams/${teams.data[0].id}/agents`;
  const made = await page.request.post(agents, { data: { name: "Look", visibility: "public" } });
  const { id } = await made.json();
  const address = `look-${randomUUID().slice(0, 8)}`;
  try {
    await page.goto(`/teams/demo/agents/${id}`);
    await page.getByRole("link", { name: say("appearance:title") }).click();
    await expect(page.locator("[data-island=AppearancePreview][data-hydrated]")).toBeAttached();
    await page.getByLabel(say("appearance:name.label")).fill("Ask Acme");
    await page.getByLabel(say("appearance:color.label"), { exact: true }).fill(PALE);
    await page.getByLabel(say("appearance:greeting.label")).fill("Hello from Acme.");
    await page.getByLabel(say("appearance:label.label")).fill("Help");
    await page.getByLabel(say("appearance:position.label")).selectOption("left");
    await page.getByLabel(say("appearance:address.label")).fill(address);
    // An image larger than allowed, as people have them.
    const big = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(900, 700);
      canvas.getContext("2d")?.fillRect(0, 0, 900, 700);
      const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
      return Array.from(bytes);
    });
    const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(big) };
    await page.getByLabel(say("appearance:avatar.label")).setInputFiles(file);
    for (const scheme of ["light", "dark"]) {
      const scene = page.locator(`[data-scene=${scheme}]`);
      await expect(scene.getByText("Hello from Acme.").first()).toBeVisible();
      await expect(scene.locator("img").first()).toHaveAttribute("src", /^blob:/);
      const launcher = await paint(scene.locator("[data-launcher]"));
      expect([hex(launcher.backgroundColor), hex(launcher.color)]).toEqual([PALE, "#000000"]);
    }
    await expect(
      page.getByRole("status").filter({ hasText: sayAny("appearance:color.light", { light: /#\w+/ }) }),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: say("app:save") }).click();
    await expect(page.getByRole("checkbox", { name: say("appearance:avatar.remove") })).toBeVisible();

    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 360, height: 720 },
        locale: "en-US",
      });
      const visitor = await context.newPage();
      await visitor.goto(`/c/${address}`);
      await expect(visitor.getByRole("heading", { level: 1, name: "Ask Acme" })).toBeVisible();
      await expect(visitor.getByText("Hello from Acme.")).toBeVisible();
      await expect(heads(visitor)).toHaveCount(1);
      await expect(heads(visitor).locator("img")).toHaveJSProperty("naturalWidth", 256);
      const send = await paint(visitor.getByRole("button", { name: say("chat:send") }));
      expect([hex(send.backgroundColor), hex(send.color)]).toEqual([PALE, "#000000"]);
      const [focus, ground] = await visitor.evaluate(() => {
        const probe = document.createElement("span");
        probe.style.color = "var(--color-accent-ink)";
        document.querySelector("[data-brand]")?.append(probe);
        const shown = [getComputedStyle(probe).color, getComputedStyle(document.body).backgroundColor];
        probe.remove();
        return shown;
      });
      expect(contrast(hex(focus ?? ""), hex(ground ?? ""))).toBeGreaterThanOrEqual(4.5);
      await expectAccessible(visitor);

      await visitor.goto(`${sdk}/?agent=${id}`);
      const button = visitor.getByRole("button", { name: `Help: ${say("widget:open")}` });
      const look = await paint(button);
      expect([hex(look.backgroundColor), hex(look.color)]).toEqual([PALE, "#000000"]);
      expect((await button.boundingBox())?.x).toBeLessThan(40);
      await button.click();
      const frame = visitor.frameLocator("parley-chat iframe");
      await expect(frame.getByText("Hello from Acme.")).toBeVisible();
      await expect(frame.locator("header").filter({ visible: true })).toHaveCount(1);
      await expectAccessible(visitor);
      await context.close();
    }
    // A former address redirects.
    await page.request.put(`${agents}/${id}`, { data: { appearance: { address: `${address}-2` } } });
    await page.goto(`/c/${address}`);
    await expect(page).toHaveURL(`/c/${address}-2`);
  } finally {
    await page.request.delete(`${agents}/${id}`);
  }
});
