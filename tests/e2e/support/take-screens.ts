// Takes the pictures of docs/screens/ from a running, seeded stack: `npm run screens`. Starts nothing and compares nothing.
import { mkdirSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import config from "../../../playwright.config.ts";
import { demo, logIn } from "./accounts.ts";

const FOLDER = "docs/screens";
type Look = { dark?: boolean; width?: number };
const PICTURES: [name: string, path: string, look: Look, prepare?: (page: Page) => Promise<void>][] = [
  ["playground", "/teams/demo/playground", {}, askFirst],
  ["home", "/", {}],
  ["home-dark-narrow", "/", { dark: true, width: 360 }, askFirst],
  ["shopify", "/shopify", {}],
  ["dashboard", "/dashboard", {}],
  ["dashboard-dark", "/dashboard", { dark: true }],
  ["insights", "/teams/demo/insights", {}],
  ["agents-narrow", "/teams/demo/agents", { width: 360 }],
  ["knowledges", "/teams/demo/knowledges", {}],
  ["knowledge-search", "/teams/demo/playground/knowledge?query=work+from+home", {}],
  ["sources", "/teams/demo/sources/create", {}],
  ["account", "/account", {}],
];

/** Asks the first of the suggested questions, and waits for the reply to be whole. */
async function askFirst(page: Page): Promise<void> {
  await page.getByRole("button", { name: "How many days of annual leave do I have?" }).click();
  await page.getByRole("button", { name: "Copy" }).first().waitFor();
}

async function main(): Promise<void> {
  const { baseURL, launchOptions } = config.use ?? {};
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  const first = await browser.newContext({ baseURL, locale: "en-US" });
  await logIn(await first.newPage(), demo);
  const cookies = (await first.cookies()).filter(({ name }) => name.startsWith("sb-"));
  for (const [name, path, { dark, width = 1440 }, prepare] of PICTURES) {
    const context = await browser.newContext({
      baseURL,
      locale: "en-US",
      timezoneId: "UTC",
      colorScheme: dark ? "dark" : "light",
      viewport: { width, height: width > 500 ? 900 : 720 },
    });
    if (path !== "/" && path !== "/shopify") await context.addCookies(cookies);
    const page = await context.newPage();
    await page.goto(path, { waitUntil: "networkidle" });
    await page.evaluate(() => document.fonts.ready);
    await prepare?.(page);
    await page.screenshot({ path: `${FOLDER}/${name}.png` });
    await context.close();
  }
  await browser.close();
}

await main();
