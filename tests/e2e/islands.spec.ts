// Scripts sent to the browser: no React for a page without islands, React and only the needed chunks for one with.
import { gzipSync } from "node:zlib";
import { expect, test } from "./support/test.ts";

test("a page without islands ships no React and at most 5 kB of script", async ({ page }) => {
  const scripts: { url: string; body: string }[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() !== "script") return;
    scripts.push({ url: response.url(), body: await response.text() });
  });
  // Code for navigation comes with the reader's first move; a browser reports the pointer's place by itself, too.
  await page.addInitScript(() =>
    addEventListener("pointermove", (event) => event.stopImmediatePropagation(), true),
  );
  await page.goto("/login", { waitUntil: "networkidle" });
  expect(scripts.length).toBeGreaterThan(0);
  const size = scripts.reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  expect(size, scripts.map(({ url }) => url).join("\n")).toBeLessThan(5_000);
  for (const { body } of scripts)
    expect(body).not.toMatch(/hydrateRoot|react\.transitional\.element|__reactFiber/);
});

test("an island works before and after hydration, and its chunks are preloaded", async ({ page }) => {
  const answer = await page.goto("/");
  const html = (await answer?.text()) ?? "";
  expect(html).toContain('data-island="Chat"');
  const preloads = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, href]) => href);
  expect(preloads.length).toBeGreaterThan(2);
  await expect(page.locator("[data-island=Chat]")).toHaveAttribute("data-hydrated", "");
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => new URL(entry.name).pathname.endsWith(".js"))
      .map((entry) => new URL(entry.name).pathname),
  );
  for (const file of preloads) expect(loaded).toContain(file);
});
