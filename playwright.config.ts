// The browser suite. It starts nothing: WEB_URL names a running, seeded stack (the test runner's, or `npm start`).
import { existsSync } from "node:fs";
import { defineConfig, firefox, webkit } from "@playwright/test";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
// The machine's own Chromium where there is one; else the one that `npx playwright install chromium` puts in place.
const browsers = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const executablePath = browsers.find((path) => path && existsSync(path));

// The look of every page is held in the other engines, too, where they are installed: `npx playwright install firefox webkit`.
const others = { firefox, webkit };
const found = Object.entries(others).filter(([, browser]) => existsSync(browser.executablePath()));

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // One stack, two cores: more workers would only wait for each other.
  workers: Number(process.env.E2E_WORKERS ?? 2),
  fullyParallel: true,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  // Only of GALLERY_BASE, and made anew by each run.
  snapshotPathTemplate: "test-results/gallery/{projectName}/{arg}{ext}",
  projects: [
    { name: "chromium" },
    ...found.map(([name]) => ({
      name,
      testMatch: "gallery.spec.ts",
      use: { browserName: name as "firefox" | "webkit", launchOptions: {} },
    })),
  ],
  use: {
    baseURL: process.env.WEB_URL ?? `http://127.0.0.1:${3000 + offset}`,
    locale: "en-US",
    timezoneId: "UTC",
    viewport: { width: 1440, height: 900 },
    // A trace takes a third of the computing and is thrown away where the test passes: `--trace on` records one. What fails leaves
    // its screenshot and the page as a reader hears it.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
