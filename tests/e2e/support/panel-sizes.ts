// Owns the wait until a view's panel sizes are stored, so that the next request has them.
import type { Page } from "@playwright/test";
import { panelCookie } from "../../../web/client/panel-sizes.ts";
import { expect } from "./test.ts";

/**
 * Waits until the browser stores `size` for the first panel of a view. A script's cookie is stored a moment later: an immediate reload
 * would be sent without it.
 */
export async function expectKeptSize(page: Page, view: string, size: number): Promise<void> {
  const readKeptSize = async () => {
    const cookies = await page.context().cookies();
    return Number.parseFloat(cookies.find(({ name }) => name === panelCookie(view))?.value ?? "");
  };
  await expect.poll(readKeptSize, { message: `the kept size in ${panelCookie(view)}` }).toBeCloseTo(size, 0);
}
