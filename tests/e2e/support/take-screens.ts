// Takes the screenshots of docs/screens/ from a running, seeded stack: `npm run screens`. Starts and compares nothing; creates a team for
// onboarding.
import { mkdirSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import config from "../../../playwright.config.ts";
import { say } from "../../support/words.ts";
import { demo, logIn } from "./accounts.ts";

const FOLDER = "docs/screens";
type Look = { dark?: boolean; width?: number; height?: number };
const PICTURES: [name: string, path: string, look: Look, prepare?: (page: Page) => Promise<void>][] = [
  ["playground", "/teams/demo/playground", {}, askFirst],
  ["onboarding", "/teams/create", { height: 1180 }, giveFirstFiles],
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

/** Asks the first of the suggested questions, and waits for the complete reply. */
async function askFirst(page: Page): Promise<void> {
  await page.getByRole("button", { name: "How many days of annual leave do I have?" }).click();
  await page
    .getByRole("button", { name: say("chat:copy") })
    .first()
    .waitFor();
}

const documents = "tests/bench/questions/documents";
const firstFiles = [
  "staff-handbook.md",
  "customer-service.html",
  "price-list-2026.csv",
  "retours-et-garantie.md",
  "information-security.md",
];

/** A fictional company's team, from its first files to suggested questions. */
async function giveFirstFiles(page: Page): Promise<void> {
  await page.locator("#name").fill("Hallerin");
  await page.getByRole("button", { name: say("teams:create.submit") }).click();
  await page.waitForURL("**/onboarding");
  await page.locator("[data-island=FirstSteps][data-hydrated]").waitFor();
  await page.locator("main input[type=file]").setInputFiles(firstFiles.map((name) => `${documents}/${name}`));
  await page.getByText(say("onboarding:questions.found"), { exact: true }).waitFor();
  await page
    .getByRole("region", { name: say("onboarding:questions.title") })
    .locator("h3")
    .nth(2)
    .waitFor();
}

async function main(): Promise<void> {
  const { baseURL, launchOptions } = config.use ?? {};
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  const first = await browser.newContext({ baseURL, locale: "en-US" });
  await logIn(await first.newPage(), demo);
  const cookies = (await first.cookies()).filter(({ name }) => name.startsWith("sb-"));
  for (const [name, path, { dark, width = 1440, height }, prepare] of PICTURES) {
    const context = await browser.newContext({
      baseURL,
      locale: "en-US",
      timezoneId: "UTC",
      colorScheme: dark ? "dark" : "light",
      viewport: { width, height: height ?? (width > 500 ? 900 : 720) },
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
