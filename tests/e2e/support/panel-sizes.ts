// Owns when a view's panel sizes are kept, so that the next request carries them.
import type { Page } from "@playwright/test";
import { panelCookie } from "../../../web/browser/panel-sizes.ts";
import { expect } from "./test.ts";

/**
 * Waits until the browser keeps `size` for the first panel of a view. It stores what a script writes into a cookie a moment
 * later: a page that is reloaded at once is asked for without it.
 */
export async function expectKeptSize(page: Page, view: string, size: number): Promise<void> {
  const kept = async () => {
    const cookies = await page.context().cookies();
    return Number.parseFloat(cookies.find(({ name }) => name === panelCookie(view))?.value ?? "");
  };
  await expect.poll(kept, { message: `the kept size in ${panelCookie(view)}` }).toBeCloseTo(size, 0);
}
