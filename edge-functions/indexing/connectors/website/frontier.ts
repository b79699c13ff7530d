// Owns the frontier: the URLs of a website still to visit, and the limits on depth, pages and endless variants. Stored as text
// between turns. Pure.
import { createHash } from "node:crypto";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { PageNote } from "../connector.ts";
import {
  beginningOf,
  inOneForm,
  isCircular,
  isCovered,
  isLogin,
  longestAddress,
  normalizeAddress,
} from "./address.ts";
import type { WebsiteConfig } from "./declaration.ts";

/** A URL to visit, its number of links from the start, and whether it is a sitemap. */
export interface Waiting {
  address: string;
  depth: number;
  isSitemap?: true;
  /** Why its visit failed, in a sentence: it is the last one then. */
  failure?: string;
}

interface State {
  queue: Waiting[];
  /** Short hashes of URLs that were queued, and of those that a redirect or a canonical link led to. */
  seen: string[];
  pages: number;
  /** The number of queued URLs with a query, per path. */
  variants: Record<string, number>;
  /** Short hashes of the noted URLs that exceeded each limit. */
  told: Record<string, string[]>;
  /** The revision of the page that the site returns with a 200 for missing URLs. */
  nothing?: string;
  /** The crawl is incomplete: pages that were not visited may still exist. */
  isCut: boolean;
  /** A list of pages could not be read: documents that the crawl did not meet may still be on it. */
  isMissingList?: true;
  /** These documents are queued. */
  hasAddedUnlisted?: true;
  /** It found a page to read. */
  hasMet?: boolean;
  /** Consecutive failed visits. */
  failures?: number;
}

const shortenAddress = (address: string) =>
  createHash("sha256").update(address).digest("base64url").slice(0, 14);

const mostVariants = 20;
const mostSitemaps = 200;
/** Maximum noted URLs per limit, because the URLs of a crawler trap never end. */
const mostTold = 1000;

export class Frontier {
  readonly #config: WebsiteConfig;
  readonly #state: State;
  readonly #seen: Set<string>;
  readonly #notes: PageNote[] = [];

  constructor(config: WebsiteConfig, kept?: string) {
    this.#config = config;
    this.#state = kept
      ? JSON.parse(kept)
      : { queue: [], seen: [], pages: 0, variants: {}, told: {}, isCut: false };
    this.#seen = new Set(this.#state.seen);
  }

  get waiting(): readonly Waiting[] {
    return this.#state.queue;
  }
  get isCut(): boolean {
    return this.#state.isCut;
  }
  get nothing(): string | undefined {
    return this.#state.nothing;
  }
  set nothing(revision: string | undefined) {
    if (revision) this.#state.nothing = revision;
  }

  get hasMet(): boolean {
    return this.#state.hasMet ?? false;
  }
  set hasMet(hasMet: boolean) {
    this.#state.hasMet = hasMet;
  }
  get failures(): number {
    return this.#state.failures ?? 0;
  }
  set failures(count: number) {
    this.#state.failures = count;
  }
  /** True while documents that the crawl did not meet are still to be queued. */
  get wantsUnlisted(): boolean {
    return this.#state.isMissingList === true && !this.#state.hasAddedUnlisted;
  }
  get isOver(): boolean {
    return this.waiting.length === 0 && !this.wantsUnlisted;
  }

  next(): Waiting | undefined {
    return this.#state.queue.shift();
  }

  putBack(waiting: Waiting): void {
    this.#state.queue.unshift(waiting);
  }

  /** Leaves a failed URL for the end. */
  putLast(waiting: Waiting, failure: string): void {
    this.#state.queue.push({ ...waiting, failure });
  }

  note(note: PageNote): void {
    this.#notes.push(note);
  }

  /** Documents that the crawl will not have met may be on a list that could not be read. */
  missList(note: PageNote): void {
    this.#state.isMissingList = true;
    this.#notes.push(note);
  }

  /** Queues documents that the crawl did not meet, as the missing list would have. */
  addUnlisted(addresses: readonly string[]): void {
    this.#state.hasAddedUnlisted = true;
    for (const address of addresses) this.addPage(address, 0);
  }

  /** Marks a URL as met. Returns true when it was met before. */
  meet(address: string): boolean {
    const short = shortenAddress(address);
    const was = this.#seen.has(short);
    this.#seen.add(short);
    return was;
  }

  addSitemap(address: string): void {
    const url = normalizeAddress(address);
    if (!url) return;
    if (url.origin !== beginningOf(this.#config).origin) {
      this.#tell("hosts", url, sentenceOf("websiteElsewhere", { host: url.hostname }));
      return;
    }
    if (this.meet(`sitemap ${url.href}`)) return;
    const { queue } = this.#state;
    if (queue.filter(({ isSitemap }) => isSitemap).length >= mostSitemaps) {
      this.#state.isCut = true;
      this.#tell("sitemaps", url, sentenceOf("websiteSitemaps", { count: mostSitemaps }));
      return;
    }
    // Sitemaps go before pages: they are the site's own list of its pages.
    queue.unshift({ address: url.href, depth: 0, isSitemap: true });
  }

  /** Queues a page's links. With a sitemap alone, links are ignored. */
  addLinks(links: readonly string[], depth: number): void {
    if (this.#config.startUrl !== undefined) for (const link of links) this.addPage(link, depth + 1);
  }

  /** Queues a URL if it is to be visited and was not met before. */
  addPage(address: string, depth: number): void {
    const url = inOneForm(address);
    if (!url || !isCovered(url, this.#config) || isLogin(url)) return;
    if (url.href.length > longestAddress) {
      this.#tell("long", url, sentenceOf("websiteLong", { limit: longestAddress }));
      return;
    }
    const { maxPages, maxDepth } = this.#config;
    if (depth > maxDepth) {
      this.#tell("depth", url, sentenceOf("websiteDepth", { depth: maxDepth }));
      return;
    }
    // A URL that is not queued is not marked as met either, so that the state stays small however many URLs a site has.
    if (this.#seen.has(shortenAddress(url.href))) return;
    if (isCircular(url)) {
      this.#tell("circle", url, sentenceOf("websiteCircle"));
      return;
    }
    if (this.#state.pages >= maxPages) {
      this.#state.isCut = true;
      this.#tell("pages", url, sentenceOf("websitePages", { pages: maxPages }));
      return;
    }
    if (url.search !== "") {
      const count = this.#state.variants[url.pathname] ?? 0;
      if (count >= mostVariants) {
        this.#tell("variants", url, sentenceOf("websiteVariants"));
        return;
      }
      this.#state.variants[url.pathname] = count + 1;
    }
    this.meet(url.href);
    this.#state.pages++;
    this.#state.queue.push({ address: url.href, depth });
  }

  #tell(limit: string, url: URL, problem: string): void {
    const kept: unknown = this.#state.told[limit];
    // A crawl begun by an earlier release stored a number.
    const told: string[] = Array.isArray(kept) ? kept : [];
    const short = shortenAddress(url.href);
    if (told.length >= mostTold || told.includes(short)) return;
    this.#state.told[limit] = [...told, short];
    this.#notes.push({ address: url.href.slice(0, longestAddress), problem });
  }

  /** Returns the notes since the last call and clears them. */
  takeNotes(): PageNote[] {
    return this.#notes.splice(0);
  }

  serialize(): string {
    return JSON.stringify({ ...this.#state, seen: [...this.#seen] });
  }
}
