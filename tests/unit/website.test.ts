// A website's URLs, pages, sitemaps and limits, each separately.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configSchema } from "../../edge-functions/indexing/connectors/declaration.ts";
import {
  fits,
  isCircular,
  isCovered,
  isLogin,
  normalizeAddress,
} from "../../edge-functions/indexing/connectors/website/address.ts";
import { declaration } from "../../edge-functions/indexing/connectors/website/declaration.ts";
import { Frontier } from "../../edge-functions/indexing/connectors/website/frontier.ts";
import { treeOf } from "../../edge-functions/indexing/connectors/website/index.ts";
import { readPage } from "../../edge-functions/indexing/connectors/website/page.ts";
import { readSitemap } from "../../edge-functions/indexing/connectors/website/sitemap.ts";
import { movesCredentials } from "../../edge-functions/v1/sources/types.ts";
import fc from "../support/property-cases.ts";

const at = (path: string) => new URL(path, "https://acme.example");
const long = "Every sentence here is long enough to be the main text of a page. ".repeat(4);

describe("a URL", () => {
  it("has one form, for any order of parameters, session or fragment", () => {
    const forms = [
      "https://ACME.example:443/a?b=2&a=1&utm_source=x#part",
      "https://acme.example/a;jsessionid=99?a=1&b=2&PHPSESSID=1",
    ];
    expect(forms.map((one) => normalizeAddress(one)?.href)).toEqual(
      Array(2).fill("https://acme.example/a?a=1&b=2"),
    );
    for (const none of [
      "mailto:a@b.c",
      "javascript:1",
      "https://a:b@acme.example/",
      `https://acme.example/${"a".repeat(500)}`,
    ])
      expect(normalizeAddress(none)).toBeUndefined();
  });

  it("is unchanged when normalised again", () => {
    const law = fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const once = normalizeAddress(text);
      if (once) expect(normalizeAddress(once.href)?.href).toBe(once.href);
    });
    fc.assert(law);
  });

  it("matches a pattern as a prefix, with stars as wildcards, in linear time", () => {
    expect(fits("/docs/", "/docs/a")).toBe(true);
    expect(fits("/docs/", "/doc")).toBe(false);
    expect(fits("/docs/*", "/docs/a/b?page=2")).toBe(true);
    expect(fits("/docs/*", "/doc")).toBe(false);
    expect(fits("/*/comments", "/blog/7/comments?page=2")).toBe(true);
    expect(fits("*.pdf", "/a/b.pdf")).toBe(true);
    expect(fits("/a*b*c", "/acb")).toBe(false);
    const before = performance.now();
    expect(fits(`/${"a*".repeat(100)}b`, `/${"a".repeat(500)}`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it("is covered only on the start's host, when included and not excluded", () => {
    const scope = { startUrl: "https://acme.example/docs", include: ["/docs/"], exclude: ["/docs/old"] };
    const covered = ["/docs", "/docs/a", "/docs/old/a", "/blog"].filter((path) => isCovered(at(path), scope));
    expect(covered).toEqual(["/docs", "/docs/a"]);
    expect(isCovered(new URL("https://other.example/docs/a"), scope)).toBe(false);
    expect(isCovered(new URL("http://acme.example/docs/a"), scope)).toBe(false);
  });

  it("is distinguished from a cycle and from a login", () => {
    expect(isCircular(at("/a/b/a/b/a"))).toBe(true);
    expect(isCircular(at("/2026/01/01/01"))).toBe(true);
    expect(isCircular(at("/a/b/a"))).toBe(false);
    expect(["/login", "/user/sign-in?next=/", "/sso/start"].map((path) => isLogin(at(path)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(["/blog/logins-explained", "/assign-insurance"].map((path) => isLogin(at(path)))).toEqual([
      false,
      false,
    ]);
  });
});

describe("a page", () => {
  const html = (main: string, head = "") =>
    `<html><head><title>Care</title>${head}</head><body><nav>Menu</nav><div class="cookie-banner">Cookies</div>${main}<footer>Imprint</footer></body></html>`;

  it("has its main text with headings, tables and code, its date and its links", () => {
    const page = readPage(
      html(
        `<main><h1>Care</h1><p>${long}</p><h2>Wool</h2><pre>wash --cold</pre><table><tr><th>Size</th><th>Days</th></tr><tr><td>S</td><td>2</td></tr></table>
         <a href="next?b=1&a=2#x">Next</a><a href="mailto:a@b.c">Mail</a></main>`,
        '<meta property="article:modified_time" content="2026-03-01T10:00:00Z"><link rel="canonical" href="/care">',
      ),
      at("/care/?utm_source=x"),
    );
    expect(page).toMatchObject({
      title: "Care",
      canonical: "https://acme.example/care",
      links: ["https://acme.example/care/next?a=2&b=1"],
    });
    expect(page.problem).toBeUndefined();
    for (const part of ["Date of the page: 2026-03-01", "## Wool", "```\nwash --cold\n```", "Size | Days"])
      expect(page.text).toContain(part);
    for (const part of ["Menu", "Cookies", "Imprint"]) expect(page.text).not.toContain(part);
  });

  it.each([
    ["a shell", '<div id="root"></div><script src="a.js"></script>', "", "empty without JavaScript"],
    ["a login", '<form><input name="u"><input type="password"></form>Log in', "", "login page"],
    ["a soft 404", "<h1>Page not found</h1>", "", "nothing is here"],
    [
      "noindex",
      `<main>${long}</main>`,
      '<meta name="robots" content="noindex, follow">',
      "not to be indexed",
    ],
    ["nothing", "<div></div>", "", "no text"],
  ])("that is %s is reported", (_name, body, head, problem) => {
    expect(readPage(`<html><head>${head}</head><body>${body}</body></html>`, at("/x")).problem).toContain(
      problem,
    );
  });

  it("never throws, for any input", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof readPage(text, at("/x")).text === "string"));
  });
});

describe("a sitemap", () => {
  it("names pages, or sitemaps, or is a list of lines", () => {
    const xml =
      "<urlset><url><loc> https://acme.example/a?x=1&amp;y=2 </loc></url><url><loc>https://acme.example/b</loc></url></urlset>";
    expect(readSitemap(xml, 10).pages).toEqual(["https://acme.example/a?x=1&y=2", "https://acme.example/b"]);
    const index = "<sitemapindex><sitemap><loc>https://acme.example/1.xml</loc></sitemap></sitemapindex>";
    expect(readSitemap(index, 10)).toEqual({
      pages: [],
      sitemaps: ["https://acme.example/1.xml"],
      isWhole: true,
    });
    expect(readSitemap("https://acme.example/a\nhttps://acme.example/b\n", 1).pages).toHaveLength(1);
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(readSitemap(text, 5).pages)));
  });
});

describe("a sitemap is whole", () => {
  it.each([
    [
      "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url/></urlset>\n<!-- made by a tool -->",
      true,
    ],
    ["<urlset/>", true],
    ["<sitemapindex></sitemapindex>", true],
    ["https://acme.example/a", true],
    ["<urlset><url><loc>https://acme.example/a</loc></url>", false],
    ["<!doctype html><title>Log in</title>", false],
    ["Not found", false],
    ["", false],
  ])("%s: %s", (text, isWhole) => expect(readSitemap(text, 10).isWhole).toBe(isWhole));
});

describe("the settings", () => {
  // A URL is checked against PARLEY_OUTBOUND_ALLOW.
  beforeAll(() => {
    const settings = {
      DATABASE_URL: "postgres://127.0.0.1:1/none",
      SUPABASE_URL: "http://127.0.0.1:1",
      SUPABASE_ANON_KEY: "anon",
      SUPABASE_SERVICE_ROLE_KEY: "service",
      WEB_URL: "http://127.0.0.1:2",
      SECRETS_KEY: "0123456789abcdef0123456789abcdef",
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  });
  afterAll(() => vi.unstubAllEnvs());
  const parse = (config: object) => configSchema(declaration).safeParse(config);

  it("need a start or a sitemap, on one host when both are given, and obey robots.txt by default", () => {
    expect(parse({ sitemapUrl: "https://acme.example/map.xml" }).data).toEqual({
      sitemapUrl: "https://acme.example/map.xml",
      include: [],
      exclude: [],
      maxDepth: 8,
      maxPages: 500,
      respectRobots: true,
    });
    const fieldsRefused = (config: object) => parse(config).error?.issues.map(({ path }) => path.join("."));
    expect(fieldsRefused({})).toEqual(["startUrl"]);
    const startUrl = "https://acme.example/";
    expect(fieldsRefused({ startUrl, sitemapUrl: "https://other.example/map.xml" })).toEqual(["sitemapUrl"]);
    expect(fieldsRefused({ startUrl, sitemapUrl: "https://acme.example/map.xml" })).toBeUndefined();
    expect(fieldsRefused({ startUrl, respectRobots: "no" })).toEqual(["respectRobots"]);
  });

  it("keep credentials only while no URL changes", () => {
    const kept = { startUrl: "https://acme.example/" };
    expect(movesCredentials("website", kept, { ...kept, maxPages: 2 })).toBe(false);
    expect(movesCredentials("website", kept, { ...kept, sitemapUrl: "https://acme.example/m.xml" })).toBe(
      true,
    );
  });
});

describe("the frontier", () => {
  const config = {
    startUrl: "https://acme.example/",
    include: [],
    exclude: [],
    maxDepth: 2,
    maxPages: 30,
    respectRobots: true,
  };

  it("reports each skipped URL once, and the first thousand of an endless number", () => {
    const frontier = new Frontier(config);
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 1100; i++) frontier.addPage(`https://acme.example/deep/${i}`, 3);
    expect(new Set(frontier.takeNotes().map(({ address }) => address)).size).toBe(1000);
    const next = new Frontier(config, frontier.serialize());
    next.addPage("https://acme.example/deep/1", 3);
    expect(next.takeNotes()).toEqual([]);
    // As an earlier release stored it.
    const older = new Frontier(
      config,
      frontier.serialize().replace(/"told":\{[^}]*\}/, '"told":{"depth":20}'),
    );
    older.addPage("https://acme.example/deep/1", 3);
    expect(older.takeNotes()).toHaveLength(1);
  });

  it("ends at its limits and reports the skipped URLs", () => {
    const frontier = new Frontier(config);
    for (let i = 0; i < 25; i++) frontier.addPage(`https://acme.example/calendar?month=${i}`, 1);
    expect(frontier.waiting).toHaveLength(20);
    expect(frontier.takeNotes().map(({ problem }) => problem)[0]).toContain("too many variants");
    frontier.addPage("https://acme.example/a/b/a/b/a/b", 1);
    frontier.addPage("https://acme.example/deep", 3);
    frontier.addPage(`https://acme.example/${"long".repeat(130)}`, 1);
    expect(frontier.isCut).toBe(false);
    for (let i = 0; i < 15; i++) frontier.addPage(`https://acme.example/page-${i}`, 1);
    expect(frontier.waiting).toHaveLength(30);
    expect(frontier.isCut).toBe(true);
    const problems = frontier.takeNotes().map(({ problem }) => problem);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining("repeats itself"),
        expect.stringContaining("2 links away"),
        expect.stringContaining("limit of 30 pages"),
        expect.stringContaining("more than 500 characters"),
      ]),
    );
  });

  it("stays small, however many URLs a site names", () => {
    const frontier = new Frontier(config);
    for (let i = 0; i < 5000; i++) {
      frontier.addPage(`https://acme.example/${i}`, 0);
      frontier.addPage(`https://acme.example/calendar?day=${i}`, 0);
    }
    expect(frontier.serialize().length).toBeLessThan(25_000);
  });

  it("resumes from its stored form, and visits no URL twice", () => {
    const frontier = new Frontier(config);
    frontier.addPage("https://acme.example/a", 0);
    frontier.addPage("https://acme.example/b", 1);
    expect(frontier.next()?.address).toBe("https://acme.example/a");
    const again = new Frontier(config, frontier.serialize());
    again.addPage("https://acme.example/a", 1);
    again.addPage("https://acme.example/c", 1);
    expect(again.waiting.map(({ address }) => address)).toEqual([
      "https://acme.example/b",
      "https://acme.example/c",
    ]);
  });
});

it("a preview is a tree of two levels", () => {
  const pages = ["/", "/about", "/docs/", "/docs/a", "/docs/api/x", "/docs/api/deep/y"].map(
    (path) => at(path).href,
  );
  expect(treeOf(pages).map(({ name, count }) => [name, count])).toEqual([
    ["/", 2],
    ["/docs/", 2],
    ["/docs/api/", 2],
  ]);
});
