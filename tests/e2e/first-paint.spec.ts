// A visitor's document brings the rules of its own elements: without its stylesheet a page looks as it does with it.
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

/** Opposite looks: a rule of the stylesheet depends on the width or on the theme. */
const LOOKS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
] as const;

/** A visitor's page without scripts and font files. */
async function openPage(browser: Browser, how: BrowserContextOptions, hasStylesheet: boolean): Promise<Page> {
  const context = await browser.newContext({ ...how, javaScriptEnabled: false, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.route(/\.(woff2|css)$/, (route) =>
    hasStylesheet && route.request().url().endsWith(".css") ? route.continue() : route.abort(),
  );
  return page;
}

/** Every computed property of every element and its drawn pseudo-elements. */
async function lookOf(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  // The first field has the focus, and its transition has ended.
  const isSettled = () =>
    (document.querySelector("[autofocus]") === null || document.activeElement?.matches("[autofocus]")) &&
    document.getAnimations().length === 0;
  await expect.poll(() => page.evaluate(isSettled)).toBe(true);
  return await page.evaluate(() => {
    // A registered custom property is listed whether or not anything uses it.
    const names = [...getComputedStyle(document.body)].filter((name) => !name.startsWith("--"));
    const read = (element: Element, pseudo: string) => {
      const style = getComputedStyle(element, pseudo);
      const isDrawn = !["::before", "::after"].includes(pseudo) || style.content !== "none";
      const values = (isDrawn ? names : ["content"]).map((name) => `${name}:${style.getPropertyValue(name)}`);
      return `${element.tagName}.${element.getAttribute("class") ?? ""}${pseudo} ${values.join(";")}`;
    };
    return [...document.querySelectorAll("html, body, body *:not(script, link)")].flatMap((element) => [
      ...["", "::before", "::after"].map((pseudo) => read(element, pseudo)),
      ...(element.matches("input, textarea") ? [read(element, "::placeholder")] : []),
      ...(element.matches("dialog, [popover]") ? [read(element, "::backdrop")] : []),
    ]);
  });
}

function differences(one: string, other: string): string[] {
  const values = new Set(other.split(";"));
  return one
    .split(";")
    .flatMap((value) => (values.has(value) ? [] : [`${one.split(/ (?:accent|content:)/)[0]} ${value}`]));
}

test("a visitor's page looks the same before its stylesheet has arrived", async ({
  browser,
  baseURL,
  request,
}) => {
  const { data } = (await (await request.get("/v1/agents?name=handbook")).json()) as {
    data: { id: string }[];
  };
  const paths = ["/", "/login", "/register", "/nowhere", "/support", `/chats/${data[0]?.id}`];
  for (const look of LOOKS) {
    const how = { baseURL, ...look };
    const [without, whole] = [await openPage(browser, how, false), await openPage(browser, how, true)];
    for (const path of paths) {
      const [first, then] = [await lookOf(without, path), await lookOf(whole, path)];
      expect(first.length, path).toBeGreaterThan(50);
      const other = first.flatMap((one, at) => differences(one, then[at] ?? ""));
      expect(other, `${path}, ${look.viewport.width} px, ${look.colorScheme}`).toEqual([]);
    }
    await Promise.all([without.context().close(), whole.context().close()]);
  }
});

/** How many lines each text of a page takes. */
async function linesOf(browser: Browser, how: BrowserContextOptions, hasFont: boolean): Promise<string[]> {
  const context = await browser.newContext({ ...how, javaScriptEnabled: false });
  const page = await context.newPage();
  if (!hasFont) await page.route(/\.woff2$/, (route) => route.abort());
  await page.goto("/");
  await page.evaluate(() => document.fonts.ready);
  const lines = await page.evaluate(() =>
    [...document.querySelectorAll("body *:not(script, style)")].flatMap((element) =>
      [...element.childNodes].flatMap((node) => {
        if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) return [];
        const range = document.createRange();
        range.selectNodeContents(node);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return [`${tops.size}: ${node.textContent}`];
      }),
    ),
  );
  await context.close();
  return lines;
}

for (const locale of ["en", "fr"])
  test(`no line of the front page breaks elsewhere once its font has loaded: ${locale}`, async ({
    browser,
    baseURL,
  }) => {
    const how = { baseURL, locale, viewport: { width: 360, height: 740 } };
    expect(await linesOf(browser, how, false)).toEqual(await linesOf(browser, how, true));
  });

test("a page is shown before its stylesheet, and its islands start after it", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.css$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const island = page.locator("[data-island]").first();
  await expect(island).toBeAttached();
  await expect(island).not.toHaveAttribute("data-hydrated");
  release();
  await expect(island).toHaveAttribute("data-hydrated");
  await page.getByRole("link", { name: "Log in" }).first().click();
  await expect(page).toHaveURL(/\/login$/);
  // The next page brings its stylesheet last, too: its address is there before.
  await expect.poll(() => page.evaluate(() => [...document.styleSheets].some(({ href }) => href))).toBe(true);
});

test("a logged-in person's page links its stylesheet in the head, and has no style element", async ({
  page,
}) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill("demo@parley.test");
  await page.getByLabel("Password", { exact: true }).fill("demo-parley-1");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).not.toHaveURL(/\/login/);
  const html = await (await page.request.get("/")).text();
  expect(html).not.toContain("<style");
  expect(html.indexOf('rel="stylesheet"')).toBeLessThan(html.indexOf("</head>"));
});
