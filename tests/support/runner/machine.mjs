// Owns what tests need installed: the packages, a Chromium, and programs from Debian's archive.
import { existsSync } from "node:fs";
import { install } from "../../../supabase/local/set-up.mjs";
import { run } from "./process.mjs";

/** Has no tabs, windows or menus of its own: the suite's browser takes 40 % less CPU time than a whole Chromium. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
/** Preferred first. */
const BROWSERS = [
  HEADLESS_SHELL,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Installs the packages as `npm start` does: when they are missing or differ from package-lock.json. */
export async function ensurePackages() {
  await install({ begin: (title, what) => console.log(`${title}: ${what}`) });
}

/**
 * The path of a Chromium: CHROMIUM_PATH, Debian's headless shell, another installed one, or a new installation.
 * @throws when there is none and none can be installed.
 */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH is "${named}", where there is no file.`);
  await ensureFont();
  if (named) return named;
  if (!existsSync(HEADLESS_SHELL)) await installFromDebian("chromium-headless-shell");
  const found = BROWSERS.find((path) => existsSync(path));
  if (found) return found;
  const { chromium } = await import("playwright-core");
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  console.log("Installing Chromium …");
  await run("npx", ["playwright", "install", "chromium"], { timeoutMs: 180_000, quiet: true });
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  // Not every release of Debian has the headless shell.
  if ((await installFromDebian("chromium")) && existsSync("/usr/bin/chromium")) return "/usr/bin/chromium";
  throw new Error("No Chromium was found or could be installed: install one, or set CHROMIUM_PATH to it.");
}

/** Installs a font of Arial's widths, which Debian's Chromium only recommends: pages are set in it until theirs has loaded. */
async function ensureFont() {
  if (!existsSync("/usr/share/fonts/truetype/liberation")) await installFromDebian("fonts-liberation");
}

let update;
/** Installs a package of Debian where this can be done: as root, with apt-get. @returns whether it was done */
export async function installFromDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  update ??= run("apt-get", ["update"], { timeoutMs: 120_000, quiet: true });
  await update;
  // Two parts of a run may install at once: the later waits for the lock.
  const options = ["-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=240"];
  const { ok } = await run("apt-get", ["install", ...options, name], {
    timeoutMs: 300_000,
    quiet: true,
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
  return ok;
}
