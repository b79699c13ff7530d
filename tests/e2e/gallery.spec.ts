// What every page holds whatever it shows: the gallery's views with names that nobody has thought of, in each language, narrow and
// wide. No picture is needed for it. With GALLERY_BASE=COMMIT the pictures of that commit are compared, too, made by the same browser.
import { languageCodes } from "../../locales/registry.ts";
import { addressOfView, views } from "../../web/gallery/views.ts";
import { expectAccessible } from "./support/axe.ts";
import { folderOf, startGallery } from "./support/gallery.ts";
import { headingEdge, layoutFaults, placesOf } from "./support/layout-faults.ts";
import { expect, test } from "./support/test.ts";

const WIDTHS = [360, 768, 1440];
/** Another language has longer words: they are too wide for a phone first. */
const widthsIn = (lang: string) => (lang === languageCodes[0] ? WIDTHS : WIDTHS.slice(0, 1));
/** From here on lists show their secondary columns. */
const WIDE = 1024;
const HEIGHT = 900;
/** Of each view the state that strains its layout most. */
const strained = views.map(({ path, states }) => ({
  path,
  state: states.includes("long") ? "long" : (states[0] ?? "full"),
}));
const base = process.env.GALLERY_BASE;

// What moves without end would never be still.
test.use({ locale: "en-US", contextOptions: { reducedMotion: "reduce" } });

let gallery: { origin: string; stop(): Promise<void> };
test.beforeAll(async ({ browserName: _ }, info) => {
  info.setTimeout(180_000);
  if (!base) console.log("The gallery's pictures are compared with nothing: GALLERY_BASE names no commit.");
  gallery = await startGallery();
});
test.afterAll(async () => await gallery.stop());

for (const lang of languageCodes) {
  test(`every page holds its layout (${lang})`, async ({ page }) => {
    test.setTimeout(900_000);
    const faults: string[] = [];
    const edges = new Map<number, Map<number, string>>();
    for (const { path, state } of strained) {
      await page.goto(gallery.origin + addressOfView(path, state, lang, "light"));
      const isInShell = (await page.locator("body:not(:has([data-fills])) #sidebar").count()) > 0;
      for (const width of widthsIn(lang)) {
        await page.setViewportSize({ width, height: HEIGHT });
        // The frame after the one that knows its new size.
        await page.waitForFunction((wide) => innerWidth === wide, width);
        await page.evaluate(
          () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        );
        const found = await page.evaluate(layoutFaults, width < WIDE);
        faults.push(...found.map((fault) => `${path} at ${width}: ${fault}`));
        const edge = isInShell ? await page.evaluate(headingEdge) : null;
        if (edge !== null) edges.set(width, (edges.get(width) ?? new Map()).set(edge, path));
      }
      const placesIn = async (theme: string) => {
        await page.evaluate((name) => document.documentElement.setAttribute("data-theme", name), theme);
        return await page.evaluate(placesOf);
      };
      const [light, dark, again] = [await placesIn("light"), await placesIn("dark"), await placesIn("light")];
      // What stays where it moved to was moved by an island that came to life.
      const moved = dark.filter((place, at) => place !== light[at] && light[at] === again[at]);
      if (moved.length > 0) faults.push(`${path}: the dark theme moves ${moved[0]}`);
    }
    for (const [width, found] of edges)
      if (found.size > 1) faults.push(`at ${width} the left edge moves: ${JSON.stringify([...found])}`);
    expect(faults).toEqual([]);
  });
}

test("axe finds nothing grave on the admin pages and the parts", async ({ page }) => {
  test.setTimeout(900_000);
  const [first = "en", second = first] = languageCodes;
  const judged = strained.filter((view) => /^\/(admin|scene)\//.test(view.path));
  for (const [at, { path, state }] of judged.entries()) {
    // In turns: what is seen in one is seldom not seen in the other.
    const [width, lang, theme] = at % 2 === 0 ? [1440, first, "light"] : [360, second, "dark"];
    await page.setViewportSize({ width, height: HEIGHT });
    await page.goto(gallery.origin + addressOfView(path, state, lang, theme));
    await expectAccessible(page);
  }
});

test("the app itself has no gallery", async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  for (const path of ["/gallery", "/gallery/index"]) expect((await page.goto(path))?.status()).toBe(404);
});

// A change of the look is meant more often than not, so a commit to compare with is named by whoever wants to see what changed.
if (base) {
  test("every view looks as it did at GALLERY_BASE", async ({ page }, info) => {
    test.setTimeout(900_000);
    const folder = folderOf(base);
    const before = await startGallery(folder.path);
    try {
      for (const { path, states } of views) {
        for (const state of states) {
          for (const [lang, theme, width] of [
            ["en", "light", 1440],
            ["fr", "dark", 768],
            ["en", "light", 360],
          ] as const) {
            const address = addressOfView(path, state, lang, theme);
            const name = `${[path, state, lang, theme, width].join("-").replaceAll(/\W+/g, "-")}.png`;
            await page.setViewportSize({ width, height: HEIGHT });
            const there = await page.goto(before.origin + address);
            // It is new since.
            if (!there?.ok()) continue;
            await page.screenshot({ path: info.snapshotPath(name), animations: "disabled", caret: "hide" });
            await page.goto(gallery.origin + address);
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
