// What names a website's pages fails: sitemaps, indexes of sitemaps, robots.txt. A failed read is no empty list.
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type FakePage, pageOf, sitemapOf, type WebsiteFake } from "../support/fakes/website.ts";
import type { IndexingStand } from "../support/indexing-stand.ts";
import { openWebsiteStand } from "../support/website-stand.ts";
import { say } from "../support/words.ts";

let site: WebsiteFake;
let stand: IndexingStand;
const { addSource, listPaths, listSkipped } = openWebsiteStand((opened) => {
  ({ site, stand } = opened);
});
beforeEach(() => {
  site.robots = undefined;
});
afterEach(() => void vi.restoreAllMocks());

const now = performance.now.bind(performance);
/** Lets time pass for what is kept in memory. A site's robots.txt is, for ten minutes. @param minutes since the test began */
const passRobots = (minutes: number) =>
  vi.spyOn(performance, "now").mockImplementation(() => now() + minutes * 60_000);

const unread = (status: number | string) =>
  say("problems:sentences.websiteSitemap", { status: String(status) });
const damaged = say("problems:sentences.websiteSitemapDamaged");
const illegible = say("problems:sentences.illegible", { service: "The website" });
const whole = gzipSync(
  `<?xml version="1.0"?><urlset>${"<url><loc>https://elsewhere.example/</loc></url>".repeat(50)}</urlset>`,
);

it("pages that only a sitemap names stay while it fails, however it does; what is gone goes", async () => {
  const failures: Record<string, { reply: FakePage; problem: string }> = {
    missing: { reply: { status: 404 }, problem: unread(404) },
    forbidden: { reply: { status: 403 }, problem: unread(403) },
    broken: {
      reply: { status: 500 },
      problem: say("problems:sentences.ownProblemStatus", { service: "The website", status: "500" }),
    },
    moved: {
      reply: { status: 302, headers: { location: "https://elsewhere.example/map.xml" } },
      problem: unread(302),
    },
    page: { reply: pageOf("Oops", "Something went wrong."), problem: damaged },
    cut: { reply: { body: `<urlset><url><loc>${site.url}/of-cut</loc></url><url><loc>` }, problem: damaged },
    zip: { reply: { body: whole.subarray(0, 60) }, problem: illegible },
    torn: { reply: { body: Buffer.from(whole).fill(0, 30, 50) }, problem: illegible },
    vast: {
      reply: { body: gzipSync(" ".repeat(9_000_000)) },
      problem: say("problems:sentences.websiteSitemapLarge"),
    },
  };
  const names = Object.keys(failures);
  const mapOf = (name: string) => [`/${name}.xml`, sitemapOf([`${site.url}/of-${name}`])];
  site.robots = `Sitemap: ${site.url}/index.xml`;
  site.pages = {
    "/index.xml": sitemapOf(
      [...names, "well"].map((name) => `${site.url}/${name}.xml`),
      "sitemapindex",
    ),
    ...Object.fromEntries([...names, "well"].map(mapOf)),
    ...Object.fromEntries(names.map((name) => [`/of-${name}`, pageOf(name, "Words.")])),
    "/": pageOf("Home", "Welcome.", ["/linked"]),
    "/linked": pageOf("Linked", "A link names it."),
    "/of-well": pageOf("Well", "A whole sitemap names it."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  const ofMaps = names.map((name) => `/of-${name}`);
  expect(await listPaths(source)).toEqual(["/", "/linked", ...ofMaps, "/of-well"].toSorted());
  expect(await listSkipped(source)).toEqual({});

  for (const [name, { reply }] of Object.entries(failures)) site.pages[`/${name}.xml`] = reply;
  site.pages["/well.xml"] = sitemapOf([]);
  site.pages["/"] = pageOf("Home", "Welcome.");
  site.pages["/of-missing"] = pageOf("missing", "Changed meanwhile.");
  delete site.pages["/linked"];
  delete site.pages["/of-forbidden"];
  delete site.pages["/of-well"];
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  const left = ofMaps.filter((path) => path !== "/of-forbidden");
  expect(await listPaths(source)).toEqual(["/", ...left].toSorted());
  expect(await source.contentOf("missing")).toContain("Changed meanwhile.");
  expect(await listSkipped(source)).toMatchObject(
    Object.fromEntries(Object.entries(failures).map(([name, { problem }]) => [`/${name}.xml`, problem])),
  );

  for (const name of names) site.pages[`/${name}.xml`] = sitemapOf([]);
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/"]);
  expect(await listSkipped(source)).toEqual({});
  await stand.expectWhole();
});

it("pages stay while the sitemap at the usual address fails, however long that takes", async () => {
  site.robots = "";
  site.pages = {
    "/sitemap.xml": sitemapOf([`${site.url}/a`]),
    "/": pageOf("Home", "Welcome."),
    "/a": pageOf("A", "First."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  delete site.pages["/sitemap.xml"];
  for (let day = 0; day < 3; day++) {
    await source.sync({ whole: true });
    expect(await listPaths(source)).toEqual(["/", "/a"]);
    expect(await listSkipped(source)).toEqual({ "/sitemap.xml": unread(404) });
  }
});

it("pages stay at the first listing that does not know of a sitemap, and go at the next one that finds none", async () => {
  site.robots = undefined;
  site.pages = {
    "/sitemap.xml": sitemapOf([`${site.url}/a`]),
    "/": pageOf("Home", "Welcome.", ["/b"]),
    "/a": pageOf("A", "First."),
    "/b": pageOf("B", "Second."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  // An imported team brings its documents, not what its sites were seen to have.
  await stand.sql`delete from private.source_pages where source_id = ${source.id}`;
  delete site.pages["/sitemap.xml"];
  delete site.pages["/b"];
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/", "/a"]);
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/"]);
  expect(Object.keys(await listSkipped(source))).toEqual(["/b"]);
});

it("a site that answers every address with one page removes nothing", async () => {
  site.pages = {
    "/": pageOf("Home", "Welcome.", ["/a"]),
    "/a": pageOf("A", "First."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  site.pages = {};
  site.nothing = pageOf("Back soon", "We are doing maintenance.");
  expect(await source.sync({ whole: true })).toMatchObject({
    status: "failed",
    error: say("problems:sentences.listedNothing", { service: "The website" }),
  });
  expect(await listPaths(source)).toEqual(["/", "/a"]);
  const copy = await addSource();
  await stand.sql`
    insert into public.documents (team_id, source_id, external_id, type, title)
    select team_id, ${copy.id}, external_id, type, title from public.documents where source_id = ${source.id}`;
  expect(await copy.sync({ whole: true, acceptsEmpty: true })).toMatchObject({ status: "succeeded" });
  expect(await copy.documents()).toEqual([]);
  // Or each with its own words, and a login.
  site.nothing = { body: `<title>Log in</title><form><input type="password"></form>` };
  site.pages = {
    "/": { body: `<title>Home: log in</title><form><input type="password"></form><a href="/a">A</a>` },
  };
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/", "/a"]);
});

it("a page that always fails holds no other: it is left for the end, and keeps its text", async () => {
  const links = ["/a", "/b", "/c", "/d", "/e", "/f"];
  site.pages = { "/": pageOf("Home", "Welcome.", links) };
  for (const path of links) site.pages[path] = pageOf(path.slice(1).toUpperCase(), "Words.");
  const source = await addSource();
  await source.sync({ whole: true });
  for (const path of links.slice(0, 5)) site.pages[path] = { status: 500 };
  site.pages["/d"] = { body: whole.subarray(0, 60) };
  site.pages["/e"] = { status: 302, headers: { location: "/e" } };
  site.pages["/f"] = pageOf("F", "Newer words.");
  expect(await source.sync({ whole: true })).toMatchObject({ status: "succeeded" });
  expect(await listPaths(source)).toEqual(["/", ...links]);
  expect(await source.contentOf("F")).toContain("Newer words.");
  expect(Object.keys(await listSkipped(source)).toSorted()).toEqual(links.slice(0, 5));
  // The site itself fails: the sync waits.
  site.pages["/"] = { status: 500 };
  expect(await source.sync({ whole: true })).toMatchObject({ status: "waiting" });
});

it("a page that is read again alone is deleted when it is gone twice, and keeps its text when it is forbidden", async () => {
  site.pages = {
    "/": pageOf("Home", "Welcome.", ["/a", "/b"]),
    "/a": pageOf("A", "First."),
    "/b": pageOf("B", "Second."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  const readAgain = async () => {
    await stand.sql`update public.documents set content_hash = null where source_id = ${source.id} and title = 'A'`;
    const task = await stand.enqueue("index", { knowledge: source.knowledge });
    await stand.settle();
    return await stand.task(task);
  };
  site.refusals = [{ status: 404 }];
  await readAgain();
  expect(site.refusals).toEqual([]);
  expect(await source.document("A")).toMatchObject({ status: "ready", error: null });
  site.pages["/a"] = { status: 403 };
  expect(await readAgain()).toMatchObject({ status: "succeeded", message_code: "indexedWithFailures" });
  const document = await source.document("A");
  expect(document?.error).toContain(say("problems:sentences.websiteForbidden", { status: "403" }));
  expect(document?.content).toContain("First.");
  expect((await source.row())?.error).toBeNull();
  delete site.pages["/a"];
  await readAgain();
  expect(await listPaths(source)).toEqual(["/", "/b"]);
});

it("pages of sitemaps that robots.txt named stay while it fails", async () => {
  site.robots = `Sitemap: ${site.url}/map.xml`;
  site.pages = {
    "/map.xml": sitemapOf([`${site.url}/a`]),
    "/": pageOf("Home", "Welcome."),
    "/a": pageOf("A", "First."),
  };
  const source = await addSource();
  await source.sync({ whole: true });
  site.robots = undefined;
  passRobots(11);
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/", "/a"]);
  expect(await listSkipped(source)).toEqual({
    "/robots.txt": say("problems:sentences.websiteRobotsUnread", { status: "404" }),
  });
  // It names none: the site's decision.
  site.robots = "User-agent: *";
  passRobots(22);
  await source.sync({ whole: true });
  expect(await listPaths(source)).toEqual(["/"]);
  expect(await listSkipped(source)).toEqual({});
});
