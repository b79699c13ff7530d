// Screenshots for people to look at. Only taken with SCREENSHOTS_DIR set; nothing is compared.
import { join } from "node:path";
import type { Page } from "@playwright/test";

/** Keeps what the page shows as NAME.png in SCREENSHOTS_DIR, if that is set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS_DIR;
  if (directory) await page.screenshot({ path: join(directory, `${name}.png`) });
}
