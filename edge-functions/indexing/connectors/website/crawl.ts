// Owns the crawl of a website: requests some URLs per turn, and finds items, notes and links. Holds nothing between turns but the
// frontier.
import { Buffer } from "node:buffer";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type ConnectorContext,
  hasFailed,
  type ListPage,
  type PageNote,
  type SourceItem,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import type { Service } from "../http.ts";
import { asContent, nameIn, revisionOf, titleOf } from "../markup.ts";
import { connect } from "../settings.ts";
import { beginningOf, isCovered, isLogin, normalizeAddress } from "./address.ts";
import { declaration, type WebsiteConfig } from "./declaration.ts";
import { Frontier, type Waiting } from "./frontier.ts";
import { askedToLogIn, readPage } from "./page.ts";
import { keptRobots, noRobots, type Robots } from "./robots.ts";
import { readSitemap } from "./sitemap.ts";
import { type Answer, isHtml, type SiteService, textOf, usualDelayMs, visit } from "./visit.ts";

/** What an earlier listing stored about a URL. */
export type Known = Omit<PageNote, "problem">;

const longestDelayMs = 30_000;
/** A Last-Modified this close to the response's Date belongs to a page generated per request. */
const madeAnewMs = 60_000;
const turnPages = 10;
const turnMs = 5_000;
const userAgent = "Parley";

export interface Site {
  config: WebsiteConfig;
  service: SiteService;
  start: URL;
  robots: Robots;
  delayMs: number;
}

/** @throws SourceRefused, SourceUnavailable */
export async function openSite(context: ConnectorContext): Promise<Site> {
  const { config, service: called } = connect(context, declaration, {
    renew: sentenceOf("renewWebsite"),
    login: ({ name, password }) => ({
      authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
    }),
  });
  const start = beginningOf(config);
  const field = config.startUrl === undefined ? "config.sitemapUrl" : "config.startUrl";
  const service = { ...called, field };
  const robots = config.respectRobots ? await keptRobots(context, service, start) : noRobots(start);
  const asked = (robots.rules.getCrawlDelay(userAgent) ?? 0) * 1000;
  return { config, service, start, robots, delayMs: Math.min(Math.max(asked, usualDelayMs), longestDelayMs) };
}

const mayRead = ({ robots }: Site, address: string) => robots.rules.isAllowed(address, userAgent) !== false;

type FindKnown = (address: string) => Promise<Known | undefined>;

/**
 * A new frontier with the start, and with the configured sitemap or those that the site names. Requests a page that does not exist, to
 * recognise a site that answers for those with 200.
 */
export async function begin(site: Site, findKnown: FindKnown): Promise<Frontier> {
  const { config, start, robots } = site;
  const frontier = new Frontier(config);
  const { startUrl, sitemapUrl } = config;
  // Also accepts a sitemap in the field for the start.
  const isSitemap = /\.xml(?:\.gz)?$|sitemap[^/]*\.txt$/i.test(start.pathname);
  if (startUrl && !isSitemap) frontier.addPage(startUrl, 0);
  if (startUrl && isSitemap) frontier.addSitemap(startUrl);
  if (sitemapUrl) frontier.addSitemap(sitemapUrl);
  else if (!isSitemap) await addNamedSitemaps(site, frontier, await findKnown(robots.address));
  await probe(site, frontier);
  return frontier;
}

async function addNamedSitemaps(
  { start, robots }: Site,
  frontier: Frontier,
  before: Known | undefined,
): Promise<void> {
  const { address, rules, failure } = robots;
  const named = rules.getSitemaps();
  if (named.length > 0) frontier.note(readList(address));
  else if (failure === undefined) frontier.note(noList(address));
  else if (isAbsent(failure) && !hadList(before)) findNoList(frontier, address, before);
  else
    frontier.missList({
      ...before,
      address,
      problem: sentenceOf("websiteRobotsUnread", { status: failure }),
    });
  for (const one of named.length > 0 ? named : [usualSitemap(start)]) frontier.addSitemap(one);
}

async function probe({ service, start, delayMs }: Site, frontier: Frontier): Promise<void> {
  const asked = visit(service, new URL("/parley-asks-for-nothing-404", start), delayMs);
  const answer = await asked.catch((error) => {
    // Some sites fail at addresses that they do not have.
    if (!hasFailed(error)) throw error;
  });
  if (answer?.status === 200 && answer.url.origin === start.origin && isHtml(answer))
    frontier.nothing = readPage(textOf(answer), answer.url).revision;
}

const usualSitemap = (start: URL) => new URL("/sitemap.xml", start).href;
export const isAbsent = (status: number) => status === 404 || status === 410;
/** The note on an address that named pages or sitemaps: if it cannot be read next time, they are not taken to be gone. */
const readList = (address: string): PageNote => ({ address, revision: revisionOf(address) });
/** The note on one where there is none. */
const noList = (address: string): PageNote => ({ address, revision: revisionOf("") });
const hadList = (before: Known | undefined): boolean =>
  before !== undefined && before.revision !== revisionOf("");

/** Where no listing has looked yet, as after a team's import, the list may be missing just now. */
function findNoList(frontier: Frontier, address: string, before: Known | undefined): void {
  if (before) frontier.note(noList(address));
  else frontier.missList(noList(address));
}

/** Consecutive failures without a success, after which the site itself is requested. */
const mostInARow = 5;

/**
 * Visits the next URLs. One that fails is visited again after all others, and then left as it is. If the site asks to wait, or fails
 * altogether, the URL is left for the next turn; if that turn begins with it, the failure is thrown.
 * @param findKnown returns what is stored about a URL
 */
export async function visitSome(
  site: Site,
  frontier: Frontier,
  findKnown: FindKnown,
): Promise<Pick<ListPage, "items" | "gone" | "notes" | "isUncertain" | "passedOver">> {
  const until = Date.now() + turnMs;
  const found = {
    items: [] as SourceItem[],
    gone: [] as string[],
    notes: [] as PageNote[],
    isUncertain: false,
    passedOver: 0,
  };
  for (let count = 0; count < turnPages && Date.now() < until; count++) {
    const waiting = frontier.next();
    if (!waiting) break;
    try {
      const before = await findKnown(waiting.address);
      if (waiting.isSitemap) await takeSitemap(site, frontier, waiting, before, found);
      else await takePage(site, frontier, waiting, before, found);
      frontier.failures = 0;
      found.passedOver++;
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      if (await goOn(site, frontier, waiting, error)) continue;
      if (count === 0) throw error;
      frontier.putBack(waiting);
      break;
    }
  }
  frontier.hasMet ||= found.items.length > 0;
  found.notes.push(...frontier.takeNotes());
  return { ...found, isUncertain: frontier.isCut };
}

/** Puts a failed URL off, or leaves it out. @returns false when the site has to be waited for */
async function goOn(
  site: Site,
  frontier: Frontier,
  waiting: Waiting,
  error: SourceUnavailable,
): Promise<boolean> {
  if (!hasFailed(error) || waiting.failure !== undefined || fieldOf(site, waiting.address)) return false;
  if (frontier.failures + 1 >= mostInARow && !(await answers(site))) return false;
  frontier.failures = (frontier.failures + 1) % mostInARow;
  frontier.putLast(waiting, error.message);
  return true;
}

/** True when the site responds where it was read from first. */
async function answers({ service, start, delayMs }: Site): Promise<boolean> {
  return await visit(service, start, delayMs).then(
    () => true,
    (error) => {
      if (error instanceof SourceUnavailable) return false;
      throw error;
    },
  );
}

/** The setting that contains a URL, if any. */
const fieldOf = ({ config: { startUrl, sitemapUrl } }: Site, address: string): string | undefined => {
  if (startUrl && address === normalizeAddress(startUrl)?.href) return "config.startUrl";
  return sitemapUrl && address === normalizeAddress(sitemapUrl)?.href ? "config.sitemapUrl" : undefined;
};

async function takeSitemap(
  site: Site,
  frontier: Frontier,
  { address, failure }: Waiting,
  before: Known | undefined,
  { notes }: Found,
): Promise<void> {
  const miss = (problem: string) => frontier.missList({ ...before, address, problem });
  const answer = await visit(site.service, new URL(address), site.delayMs).catch((error) => {
    if (failure === undefined || !hasFailed(error)) throw error;
  });
  if (!answer) return miss(failure ?? "");
  const { status, url } = answer;
  const field = fieldOf(site, address);
  if (status !== 200 || url.origin !== site.start.origin) {
    if (field && (status === 401 || status === 403)) throw refusalOf(site.service, status);
    if (field) throw new SourceRefused(sentenceOf("nothingToRead"), field);
    if (isOptional(site, address) && isAbsent(status) && !hadList(before))
      return findNoList(frontier, address, before);
    return miss(
      status === 413 ? sentenceOf("websiteSitemapLarge") : sentenceOf("websiteSitemap", { status }),
    );
  }
  const { pages, sitemaps, isWhole } = readSitemap(textOf(answer), 50_000);
  const isEmpty = pages.length + sitemaps.length === 0;
  if (field && isEmpty) throw new SourceRefused(sentenceOf("websiteNoSitemap"), field);
  // A site may answer every address with a page.
  if (isEmpty && !isWhole && isOptional(site, address) && !hadList(before))
    return findNoList(frontier, address, before);
  if (!isWhole) miss(sentenceOf("websiteSitemapDamaged"));
  else notes.push(readList(address));
  const elsewhere = pages.filter((page) => URL.parse(page)?.origin !== site.start.origin).length;
  if (elsewhere > 0)
    notes.push({
      ...readList(address),
      problem: sentenceOf("websiteSitemapHosts", { count: elsewhere }),
    });
  for (const one of sitemaps) frontier.addSitemap(one);
  for (const one of pages) frontier.addPage(one, 0);
}

/** A sitemap at the usual address, which nothing names. */
const isOptional = ({ start, robots }: Site, address: string) =>
  address === usualSitemap(start) && !robots.rules.getSitemaps().includes(address);

interface Found {
  items: SourceItem[];
  gone: string[];
  notes: PageNote[];
}

const askedNotTo = sentenceOf("websiteRobots");

async function takePage(
  site: Site,
  frontier: Frontier,
  { address, depth, failure }: Waiting,
  known: Known | undefined,
  found: Found,
): Promise<void> {
  const isStart = fieldOf(site, address) === "config.startUrl";
  const leaveOut = (problem: string) => void found.notes.push({ address, problem });
  /** Keeps what was read before, since the page may still exist. */
  const keep = (problem: string) => {
    if (known?.revision) keepItem(found, known, known.revision);
    found.notes.push({ ...known, address, problem });
    frontier.addLinks(known?.links ?? [], depth);
  };
  if (!mayRead(site, address)) return leaveOut(askedNotTo);
  const answer = await visit(site.service, new URL(address), site.delayMs, known).catch((error) => {
    if (failure === undefined || !hasFailed(error)) throw error;
  });
  if (!answer) return keep(failure ?? "");
  const { status, url } = answer;
  if (url.origin !== site.start.origin) {
    if (isStart && !isLogin(url)) throw elsewhere(url);
    if (isLogin(url)) return keep(sentenceOf("websiteLogin"));
    return leaveOut(sentenceOf("websiteElsewhere", { host: url.hostname }));
  }
  if (status === 304 && known?.revision) {
    keepItem(found, known, known.revision);
    found.notes.push(known);
    frontier.addLinks(known.links ?? [], depth);
    return;
  }
  if (status === 401 || status === 403) {
    if (isStart) throw refusalOf(site.service, status);
    return keep(sentenceOf("websiteForbidden", { status }));
  }
  if (status === 404 || status === 410) {
    if (isStart) throw new SourceRefused(sentenceOf("nothingToRead"), "config.startUrl");
    // Requests it once more, so that a single wrong response deletes nothing.
    const again = await visit(site.service, new URL(address), site.delayMs);
    if (again.status !== 404 && again.status !== 410) return keep(sentenceOf("websiteUnread", { status }));
    if (known) found.gone.push(address);
    return leaveOut(sentenceOf("websiteGone", { status }));
  }
  if (status === 413) return keep(sentenceOf("websiteLarge"));
  if (status !== 200) return keep(sentenceOf("websiteUnread", { status }));
  const own = normalizeAddress(url.href)?.href ?? address;
  if (own !== address && isLogin(url)) return keep(sentenceOf("websiteLogin"));
  if (own !== address && frontier.meet(own)) return;
  if (own !== address && !isCovered(new URL(own), site.config))
    return leaveOut(sentenceOf("websiteLeadsOut", { address: own }));
  if (own !== address && !mayRead(site, own)) return leaveOut(askedNotTo);
  takeText(site, frontier, { answer, address: own, depth }, found, keep);
}

function takeText(
  { config }: Site,
  frontier: Frontier,
  { answer, address, depth }: { answer: Answer; address: string; depth: number },
  found: Found,
  keep: (problem: string) => void,
): void {
  const { headers } = answer;
  const marks = {
    ...(headers.get("etag") ? { etag: headers.get("etag") ?? "" } : {}),
    ...(headers.get("last-modified") ? { lastModified: headers.get("last-modified") ?? "" } : {}),
  };
  const changedAt = changeOf(headers);
  const change = changedAt ? { changedAt } : {};
  if (!isHtml(answer)) {
    const type = headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    if (!/^text\/(?:plain|markdown)$/i.test(type)) {
      found.notes.push({
        address,
        problem: sentenceOf("websiteFile", { type: type || "?" }),
      });
      return;
    }
    const title = titleOf(nameIn(new URL(address)), address);
    const content = asContent(textOf(answer));
    found.items.push({ externalId: address, url: address, title, ...change, ...content });
    found.notes.push({ address, title, revision: content.revision, ...marks });
    return;
  }
  const page = readPage(textOf(answer), new URL(address));
  frontier.addLinks(page.links, depth);
  if (page.problem === askedToLogIn) {
    keep(page.problem);
    return;
  }
  const problem = /\bno(?:index|ne)\b/i.test(headers.get("x-robots-tag") ?? "")
    ? sentenceOf("websiteNoindex")
    : page.revision === frontier.nothing
      ? sentenceOf("websiteSoft404")
      : page.problem;
  if (problem) {
    found.notes.push({ address, problem, links: page.links });
    return;
  }
  let own = address;
  const canonical = page.canonical && normalizeAddress(page.canonical);
  if (canonical && canonical.href !== address && isCovered(canonical, config)) {
    if (frontier.meet(canonical.href)) {
      found.notes.push({
        address,
        problem: sentenceOf("websiteCanonical", { address: canonical.href }),
      });
      return;
    }
    own = canonical.href;
  }
  found.items.push({
    externalId: own,
    url: own,
    title: page.title,
    ...change,
    text: page.text,
    revision: page.revision,
    ...(page.note ? { note: page.note } : {}),
  });
  found.notes.push({ address: own, title: page.title, revision: page.revision, links: page.links, ...marks });
}

/** The time of a page's last change; undefined when that is the time of the request, as with pages generated each time. */
function changeOf(headers: Headers): string | undefined {
  const changed = Date.parse(headers.get("last-modified") ?? "");
  const asked = Date.parse(headers.get("date") ?? "");
  const isMadeAnew = Math.abs((Number.isNaN(asked) ? Date.now() : asked) - changed) < madeAnewMs;
  return Number.isNaN(changed) || isMadeAnew ? undefined : new Date(changed).toISOString();
}

function keepItem(found: Found, known: Known, revision: string): void {
  const { address } = known;
  found.items.push({ externalId: address, url: address, title: known.title ?? address, revision });
}

const elsewhere = (url: URL) =>
  new SourceRefused(sentenceOf("websiteMoved", { address: url.origin }), "config.startUrl");

export const refusalOf = ({ name, renew }: Service, status: number) =>
  status === 401
    ? new SourceRefused(sentenceOf("credentialsRefused", { service: name, advice: renew }), "credentials")
    : new SourceRefused(sentenceOf("credentialsTooFew", { service: name, advice: renew }), "credentials");

/** Never throws. True when the source covers a URL and the site allows reading it. */
export function isReadable(site: Site, address: string): boolean {
  const url = normalizeAddress(address);
  return url?.href === address && isCovered(url, site.config) && mayRead(site, address);
}
