// Layout rules of every page, whatever it shows: the gallery's views with unexpected names, in each language, narrow and wide, without
// reference images. With GALLERY_BASE=COMMIT it also compares screenshots with that commit's, made by the same browser.
import type { Page } from "@playwright/test";
import { languageCodes } from "../../locales/registry.ts";
import { addressOfView, type View, views } from "../../web/gallery/views.ts";
import { expectAccessible } from "./support/axe.ts";
import { folderOf, startGallery } from "./support/gallery.ts";
import { headingEdge, layoutFaults, placesOf } from "./support/layout-faults.ts";
import { expect, test } from "./support/test.ts";

const WIDTHS = [360, 768, 1440];
/** Another language has longer words: they overflow a phone first. */
const widthsIn = (lang: string) => (lang === languageCodes[0] ? WIDTHS : WIDTHS.slice(0, 1));
/** From this width lists show their secondary columns. */
const WIDE = 1024;
const HEIGHT = 900;
/** Each view in the state that strains its layout most. */
const strained = views.map((view) => ({
  ...view,
  state: view.states.includes("long") ? "long" : (view.states[0] ?? "full"),
}));
const base = process.env.GALLERY_BASE;

// An endless animation would never settle.
test.use({ locale: "en-US", contextOptions: { reducedMotion: "reduce" } });

// One server takes ten seconds to bundle: not one for each worker.
test.describe.configure({ mode: "default" });

let gallery: { origin: string; stop(): Promise<void> };
test.beforeAll(async () => {
  if (!base) console.log("The gallery's pictures are compared with nothing: GALLERY_BASE names no commit.");
  gallery = await startGallery();
});
test.afterAll(async () => await gallery.stop());

/** Shows a view, with its overlays open. @returns whether the gallery has it */
async function show(
  page: Page,
  origin: string,
  view: View,
  [state, lang, theme]: [state: string, lang: string, theme: string],
): Promise<boolean> {
  const answer = await page.goto(origin + addressOfView(view, state, lang, theme));
  if (!answer?.ok()) return false;
  const isOpening = (await answer.text()).includes("dataset.opened");
  if (isOpening) await page.waitForFunction(() => "opened" in document.documentElement.dataset);
  return isOpening || !view.opened;
}

/** Sets the width, and waits for the frame after it takes effect. */
async function widen(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.waitForFunction((wide) => innerWidth === wide, width);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** A box that only the dark theme has. Most views move none, which spares them the second look at the light one. */
async function boxMovedByTheme(page: Page): Promise<string | undefined> {
  const placesIn = async (theme: string) => {
    await page.evaluate((name) => document.documentElement.setAttribute("data-theme", name), theme);
    return await page.evaluate(placesOf);
  };
  const [light, dark] = [await placesIn("light"), await placesIn("dark")];
  const moved = [...dark.keys()].filter((at) => dark[at] !== light[at]);
  if (moved.length === 0) return undefined;
  // What differs in one theme only once comes from a hydrated island, or from a chat that scrolls to its end.
  const [lightAgain, darkAgain] = [await placesIn("light"), await placesIn("dark")];
  const lasting = moved.find((at) => light[at] === lightAgain[at] && dark[at] === darkAgain[at]);
  return lasting === undefined ? undefined : dark[lasting];
}

for (const lang of languageCodes) {
  test(`every page keeps its layout (${lang})`, async ({ page }) => {
    const faults: string[] = [];
    const edges = new Map<number, Map<number, string>>();
    // By turns from wide to narrow and back: a view opens at the width at which the one before it ended.
    let widths = widthsIn(lang);
    for (const view of strained.filter(({ opened }) => !opened)) {
      const { path } = view;
      widths = widths.toReversed();
      await show(page, gallery.origin, view, [view.state, lang, "light"]);
      const isInShell = (await page.locator("body:not(:has([data-fills])) #sidebar").count()) > 0;
      for (const width of widths) {
        await widen(page, width);
        const found = await page.evaluate(layoutFaults, width < WIDE);
        faults.push(...found.map((fault) => `${path} at ${width}: ${fault}`));
        const edge = isInShell ? await page.evaluate(headingEdge) : null;
        if (edge !== null) edges.set(width, (edges.get(width) ?? new Map()).set(edge, path));
        // Themes are compared in one language, on a wide screen.
        if (lang !== languageCodes[0] || width !== WIDTHS.at(-1)) continue;
        const moved = await boxMovedByTheme(page);
        if (moved) faults.push(`${path}: the dark theme moves ${moved}`);
        await page.evaluate(() => document.documentElement.setAttribute("data-theme", "light"));
      }
    }
    for (const [width, found] of edges)
      if (found.size > 1) faults.push(`at ${width} the left edge moves: ${JSON.stringify([...found])}`);
    expect(faults).toEqual([]);
  });
}

/** Language, theme and width in turns: a fault in one is seldom missing in the others. */
function turnsOf(at: number) {
  const [first = "en", second = first] = languageCodes;
  return at % 2 === 0
    ? { lang: first, theme: "light", width: 1440 }
    : { lang: second, theme: "dark", width: 360 };
}

test("axe finds nothing serious on the admin pages and the parts", async ({ page }) => {
  const shown = strained.filter(({ path }) => /^\/(admin|scene)\//.test(path));
  // One of the lists, as it is before there is anything in it.
  const empty = shown.filter(({ path }) => path === "/admin/tasks");
  const all = [...shown, ...empty.map((view) => ({ ...view, state: "empty" }))];
  for (const [at, view] of all.entries()) {
    const { lang, theme, width } = turnsOf(at);
    await page.setViewportSize({ width, height: HEIGHT });
    await show(page, gallery.origin, view, [view.state, lang, theme]);
    await expectAccessible(page);
  }
});

test("overlays keep a page's layout, and axe finds nothing serious in them", async ({ page }) => {
  const faults: string[] = [];
  for (const [at, view] of strained.filter(({ opened }) => opened).entries()) {
    const { lang, theme, width } = turnsOf(at);
    await page.setViewportSize({ width, height: HEIGHT });
    expect(await show(page, gallery.origin, view, [view.state, lang, theme])).toBe(true);
    await expectAccessible(page);
    // It stays open while the window is resized.
    for (const wide of [width, width === 360 ? 1440 : 360]) {
      await widen(page, wide);
      const found = await page.evaluate(layoutFaults, wide < WIDE);
      faults.push(...found.map((fault) => `${view.path} · ${view.opened} at ${wide} (${lang}): ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});

test("the app itself has no gallery", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  for (const path of ["/gallery", "/gallery/index"]) expect((await page.goto(path))?.status()).toBe(404);
});

// A changed look is usually intended, so the commit to compare with is set explicitly.
if (base) {
  test("every view looks as it did at GALLERY_BASE", async ({ page }, info) => {
    const folder = folderOf(base);
    const before = await startGallery(folder.path);
    try {
      for (const view of views) {
        for (const state of view.states) {
          for (const [lang, theme, width] of [
            ["en", "light", 1440],
            ["fr", "dark", 768],
            ["en", "light", 360],
          ] as const) {
            const name = `${[view.path, view.opened ?? "", state, lang, theme, width].join("-").replaceAll(/\W+/g, "-")}.png`;
            await page.setViewportSize({ width, height: HEIGHT });
            // A newer view.
            if (!(await show(page, before.origin, view, [state, lang, theme]))) continue;
            await page.screenshot({ path: info.snapshotPath(name), animations: "disabled", caret: "hide" });
            await show(page, gallery.origin, view, [state, lang, theme]);
            await expect.soft(page).toHaveScreenshot(name, { maxDiffPixels: 20 });
          }
        }
      }
    } finally {
      await before.stop();
      folder.remove();
    }
  });
}
