// A website, synced by the worker through the real queue: pages read and skipped, changed and deleted ones, and a killed worker.
import { expect, it } from "vitest";
import { pageOf, sitemapOf, type WebsiteFake } from "../support/fakes/website.ts";
import type { IndexingStand } from "../support/indexing-stand.ts";
import { openWebsiteStand } from "../support/website-stand.ts";
import { say } from "../support/words.ts";

let site: WebsiteFake;
let stand: IndexingStand;
const { addSource, listPaths, listSkipped } = openWebsiteStand((opened) => {
  ({ site, stand } = opened);
});

it("a website is crawled through links and compressed sitemaps; skipped pages have the reason", async () => {
  site.robots = `User-agent: *\nDisallow: /secret\nSitemap: ${site.url}/index.xml`;
  site.pages = {
    "/index.xml": sitemapOf([`${site.url}/map.xml.gz`, `${site.url}/missing.xml`], "sitemapindex"),
    "/map.xml.gz": sitemapOf([`${site.url}/from-the-map`, "https://elsewhere.example/x"]),
    "/": pageOf("Home", "Welcome.", [
      "/docs/a",
      "/docs/a?utm_source=x#part",
      "/secret",
      "/moved",
      "/turned",
      "/away",
      "/shell",
      "/file",
      "/login",
      "/same",
      "/broken",
      "/old-letters",
      "/caf%E9.txt",
      "/huge",
    ]),
    "/from-the-map": pageOf("Map", "Only the sitemap names it."),
    "/docs/a": pageOf("A", "Wash it cold.", ["/docs/b"]),
    "/docs/b": pageOf("B", "Dry it flat."),
    "/moved": { status: 301, headers: { location: "/docs/b" } },
    "/turned": { status: 301, headers: { location: "/left-out" } },
    "/left-out": pageOf("Out", "Not for this source."),
    "/away": { status: 302, headers: { location: "https://elsewhere.example/" } },
    "/shell": { body: '<div id="root"></div><script src="/a.js"></script>' },
    "/file": { headers: { "content-type": "application/pdf" }, body: "%PDF-" },
    "/same": pageOf("Same", "A copy.", [], '<link rel="canonical" href="/docs/a">'),
    "/old-letters": {
      headers: { "content-type": "text/html; charset=windows-1252" },
      body: Buffer.concat([
        Buffer.from("<main><h1>Caf"),
        Buffer.from([0xe9]),
        Buffer.from(`</h1><p>${"Long enough to be the main text. ".repeat(9)}</p></main>`),
      ]),
    },
    "/caf%E9.txt": { headers: { "content-type": "text/plain" }, body: "Open from nine to five." },
    "/huge": { body: "x".repeat(9 * 2 ** 20) },
  };
  const source = await addSource({ exclude: ["/left-out"] });
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await listPaths(source)).toEqual([
    "/",
    "/caf%E9.txt",
    "/docs/a",
    "/docs/b",
    "/from-the-map",
    "/old-letters",
  ]);
  const documents = await source.documents();
  const page = documents.find(({ title }) => title === "A");
  expect(page?.content).toMatch(/^# A\n\nWash it cold\./);
  expect(page?.content).not.toMatch(/Menu words|cookies|Imprint/);
  expect(documents.map(({ title }) => title)).toEqual(expect.arrayContaining(["Café", "caf%E9.txt"]));
  expect(await listSkipped(source)).toMatchObject({
    "/secret": expect.stringContaining("robots.txt"),
    "/away": expect.stringContaining("elsewhere.example"),
    "/shell": expect.stringContaining("empty without JavaScript"),
    "/file": expect.stringContaining("application/pdf"),
    "/same": expect.stringContaining("the same as"),
    "/broken": expect.stringContaining("(404)"),
    "/huge": expect.stringContaining("too large"),
    "/missing.xml": say("problems:sentences.websiteSitemap", { status: "404" }),
    "/map.xml.gz": say("problems:sentences.websiteSitemapHosts", { count: "1" }),
    "/turned": say("problems:sentences.websiteLeadsOut", { address: `${site.url}/left-out` }),
  });
  expect(site.calls.filter((call) => call.endsWith("/secret"))).toEqual([]);
  await stand.expectWhole();
});

it("a website is requested by entity tags; deleted pages are removed when confirmed or after a full crawl; failed ones stay", async () => {
  const withTag = (page: ReturnType<typeof pageOf>, etag: string) => ({ ...page, headers: { etag } });
  site.pages = {
    "/": withTag(pageOf("Home", "Welcome.", ["/a", "/b", "/c"]), '"1"'),
    "/a": withTag(pageOf("A", "First."), '"1"'),
    "/b": pageOf("B", "Second."),
    "/c": pageOf("C", "Third."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/", "/a", "/b", "/c"]);
  const chunks = () => stand.sql`select id from public.chunks where team_id = ${stand.team} order by id`;
  const before = await chunks();
  site.calls.length = 0;
  await source.sync({ whole: true });
  expect(site.calls).toEqual(expect.arrayContaining(["304 /", "304 /a", "GET /b"]));
  expect(await chunks()).toEqual(before);
  // Deleted, and requested twice; the page that is refused for now stays.
  delete site.pages["/b"];
  site.pages["/c"] = { status: 403 };
  site.calls.length = 0;
  await source.sync({ whole: true });
  expect(site.calls.filter((call) => call === "GET /b")).toHaveLength(2);
  expect(await listPaths(source)).toEqual(["/", "/a", "/c"]);
  expect((await listSkipped(source))["/c"]).toContain("(403)");
  // No longer linked: removed after a full crawl.
  site.pages["/"] = withTag(pageOf("Home", "Welcome.", ["/c"]), '"2"');
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/", "/c"]);
});

it("a sync records when each page last matched the site, and when it changed there", async () => {
  const withChange = (at: string, page = pageOf("A", "First.")) => ({
    ...page,
    headers: { "last-modified": at },
  });
  site.pages = {
    "/": pageOf("Home", "Welcome.", ["/a", "/b", "/now"]),
    "/a": withChange("Tue, 05 Mar 2024 10:00:00 GMT"),
    "/b": pageOf("B", "Second."),
    "/now": withChange(new Date().toUTCString(), pageOf("Now", "Made anew.")),
  };
  const source = await addSource();
  const ages = async () => {
    const rows = await stand.sql<{ url: string; changed: string | null; before: boolean | null }[]>`
      select d.url, to_char(d.changed_at at time zone 'UTC', 'YYYY-MM-DD') as changed, d.synced_at < s.synced_at as before
        from public.documents d join public.sources s on s.id = d.source_id where s.id = ${source.id} order by d.url`;
    return rows.map(({ url, changed, before }) => [url.slice(site.url.length), changed, before]);
  };
  await source.sync({ whole: true });
  const fresh = [
    ["/", null, null],
    ["/a", "2024-03-05", null],
    ["/b", null, null],
    ["/now", null, null],
  ];
  expect(await ages()).toEqual(fresh);
  // A page that fails keeps the date of the sync before, however often it fails.
  const [was] = await stand.sql`select synced_at from public.sources where id = ${source.id}`;
  const page = site.pages["/a"];
  site.pages["/a"] = { status: 403 };
  await source.sync({ whole: true });
  await source.sync({ whole: true });
  expect(await ages()).toEqual(fresh.map(([url, day]) => [url, day, url === "/a" ? true : null]));
  const [now] =
    await stand.sql`select synced_at from public.documents where source_id = ${source.id} and synced_at is not null`;
  expect(now?.synced_at).toEqual(was?.synced_at);
  site.pages["/a"] = page ?? {};
  await source.sync({ whole: true });
  expect(await ages()).toEqual(fresh);
});

it("a sync removes nothing when a crawl ends early: at the page limit, or because the site fails", async () => {
  site.pages = {
    "/": pageOf("Home", "Welcome.", ["/a", "/b"]),
    "/a": pageOf("A", "First."),
    "/b": pageOf("B", "Second."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  await source.configure({ maxPages: 2 });
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/", "/a", "/b"]);
  expect((await listSkipped(source))["/b"]).toContain("limit of 2 pages");
  await stand.sql`update public.sources set config = config - 'maxPages' where id = ${source.id}`;
  site.pages["/"] = pageOf("Home", "Welcome.", ["/b", "/a"]);
  site.pages["/b"] = { status: 503, headers: { "retry-after": "120" } };
  const waiting = await source.sync({ whole: true });
  expect(waiting).toMatchObject({ status: "waiting" });
  expect(await listPaths(source)).toEqual(["/", "/a", "/b"]);
  site.pages["/b"] = pageOf("B", "Mended.");
  await stand.passTime();
  await stand.settle();
  expect((await source.documents()).find(({ title }) => title === "B")?.content).toContain("Mended.");
  expect(await listSkipped(source)).toEqual({});
});

it("a sync resumes after a killed worker, without a duplicate document", async () => {
  site.pages = {
    "/": pageOf(
      "Home",
      "Welcome.",
      Array.from({ length: 40 }, (_, n) => `/page-${n}`),
    ),
  };
  for (let n = 0; n < 40; n++)
    site.pages[`/page-${n}`] = { ...pageOf(`Page ${n}`, `Number ${n}.`), delayMs: 60 };
  const source = await addSource();
  const id = await source.queue();
  const first = await stand.spawnFunction();
  first.tick().catch(() => {});
  await expect.poll(async () => (await listPaths(source)).length).toBeGreaterThan(5);
  await first.end("SIGKILL");
  const known = await listPaths(source);
  expect(known.length).toBeLessThan(41);
  site.calls.length = 0;
  await stand.passTime();
  await stand.settle();
  expect(await stand.task(id)).toMatchObject({ status: "succeeded" });
  expect(await listPaths(source)).toHaveLength(41);
  // Stored pages are not requested again.
  expect(site.calls.filter((call) => call.startsWith("GET /page-")).length).toBeLessThanOrEqual(
    41 - known.length + 1,
  );
  await stand.expectWhole();
});

it("a sync logs in where it is told to, and nowhere else", async () => {
  site.login = "ada:lovelace";
  site.pages = {
    "/": pageOf("Home", "Welcome.", ["/away"]),
    "/away": { status: 302, headers: { location: "http://127.0.0.1:9/" } },
  };
  const open = await addSource();
  expect(await open.sync({ whole: true })).toMatchObject({
    status: "failed",
    error: expect.stringContaining("Enter the name and the password"),
  });
  const source = await addSource({}, { name: "ada", password: "lovelace" });
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await listPaths(source)).toEqual(["/"]);
});

it("a sync ignores one answer repeated for every URL, and ends in endless links", async () => {
  site.nothing = pageOf("Oops", "We could not find that.");
  site.pages = { "/": pageOf("Home", "Welcome.", ["/missing"]) };
  const source = await addSource();
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/"]);
  expect((await listSkipped(source))["/missing"]).toContain("nothing is here");
});

it("a sync counts addresses that lead to a page it has read as progress, so that thousands of them are no endless site", async () => {
  const links = Array.from({ length: 19 }, (_, n) => `/old-${n}`);
  site.pages = { "/": pageOf("Home", "Welcome.", links), "/sitemap.xml": sitemapOf([]) };
  for (const path of links) site.pages[path] = { status: 301, headers: { location: "/" } };
  const source = await addSource();
  const task = await source.sync({ whole: true });
  expect(task).toMatchObject({ status: "succeeded" });
  const [listing] = await stand.sql`select pages, barren from private.listings where task_id = ${task.id}`;
  expect(listing?.pages).toBeGreaterThan(1);
  expect(listing?.barren).toBe(0);
});

it("a sync reads pages that only a sitemap names, and skips robots.txt when told to", async () => {
  site.robots = "User-agent: *\nDisallow: /docs/";
  site.pages = {
    "/map.xml": sitemapOf([`${site.url}/docs/a`, `${site.url}/b`, "https://elsewhere.example/x"]),
    "/docs/a": pageOf("A", "Wash it cold.", ["/c"]),
    "/b": pageOf("B", "Dry it flat."),
    "/c": pageOf("C", "Only a link names it."),
  };
  const settings = { startUrl: undefined, sitemapUrl: `${site.url}/map.xml` };
  const heeding = await addSource(settings);
  expect(await heeding.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await listPaths(heeding)).toEqual(["/b"]);
  site.calls.length = 0;
  const free = await addSource({ ...settings, respectRobots: false });
  expect(await free.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await listPaths(free)).toEqual(["/b", "/docs/a"]);
  expect(site.calls.filter((call) => call.endsWith("/robots.txt"))).toEqual([]);
  const narrow = await addSource({ startUrl: undefined, sitemapUrl: `${site.url}/none.xml` });
  expect(await narrow.sync({ whole: true })).toMatchObject({
    status: "failed",
    error: expect.stringContaining("nothing to read"),
  });
});
