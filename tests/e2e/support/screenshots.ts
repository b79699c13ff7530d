// Owns screenshots for people. Only taken with SCREENSHOTS_DIR set; nothing is compared.
import { join } from "node:path";
import type { Page } from "@playwright/test";

/** Saves a screenshot as NAME.png in SCREENSHOTS_DIR, if set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS_DIR;
  if (directory) await page.screenshot({ path: join(directory, `${name}.png`) });
}
