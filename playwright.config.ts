// The browser suite. Starts nothing: WEB_URL points to a running, seeded stack (the test runner's, or `npm start`).
import { existsSync } from "node:fs";
import { defineConfig, firefox, webkit } from "@playwright/test";

const offset = Number(process.env.PARLEY_PORT_OFFSET ?? 0);
// The machine's own Chromium if there is one; else that of `npx playwright install chromium`.
const browsers = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const executablePath = browsers.find((path) => path && existsSync(path));

// The look of every page is checked in the other engines too, if they are installed: `npx playwright install firefox webkit`.
const others = { firefox, webkit };
const found = Object.entries(others).filter(([, browser]) => existsSync(browser.executablePath()));

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  // One stack, two cores: more workers would only wait for each other.
  workers: Number(process.env.E2E_WORKERS ?? 2),
  fullyParallel: true,
  forbidOnly: true,
  // Limits end what hangs. They are far above what a busy machine needs, because no test measures time.
  timeout: 30 * 60_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  // Screenshots for GALLERY_BASE, taken again by each run.
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
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    baseURL: process.env.WEB_URL ?? `http://127.0.0.1:${3000 + offset}`,
    locale: "en-US",
    timezoneId: "UTC",
    viewport: { width: 1440, height: 900 },
    // Drawing transitions takes a fifth of the browser's processor time. Tests of visits, toasts, the shell and the chat,
    // and the whole journey, have them (withMotion in tests/e2e/support/test.ts).
    contextOptions: { reducedMotion: "reduce" },
    // A trace takes a third of the processor time and is discarded when the test passes: `--trace on` records one. A
    // failed test leaves its screenshot and the page's accessibility tree.
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
        // On two cores more threads that draw a page take a tenth more processor time.
        "--num-raster-threads=1",
        // Each test has new pages, which end before optimized code repays its compilation: a tenth of the processor time.
        "--js-flags=--no-opt,--no-maglev",
        // Hinted letters have whole widths, which depend on the machine and its build of Chromium.
        "--font-render-hinting=none",
      ],
    },
  },
});
