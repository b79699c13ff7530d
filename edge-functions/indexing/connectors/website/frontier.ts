// Owns which addresses of a website are still to be visited, and where it must end: depth, number of pages, endless variants. It is
// kept between turns as text. Pure.
import { createHash } from "node:crypto";
import type { PageNote } from "../connector.ts";
import {
  beginningOf,
  inOneForm,
  isCircular,
  isCovered,
  isLogin,
  longestAddress,
  normalised,
} from "./address.ts";
import type { WebsiteConfig } from "./declaration.ts";

/** An address to visit, how many links away from the start it is, and whether it is a sitemap. */
export interface Waiting {
  address: string;
  depth: number;
  isSitemap?: true;
}

interface State {
  queue: Waiting[];
  /** Short hashes of the addresses that were queued or visited. */
  seen: string[];
  pages: number;
  /** How many queries each path has. */
  variants: Record<string, number>;
  /** Short hashes of the addresses that were left out for each limit, as far as they are told. */
  told: Record<string, string[]>;
  /** What the site answers for an address that is not there, where it answers as if it were. */
  nothing?: string;
  /** Not everything that is there was visited: what was not met may be there all the same. */
  isCut: boolean;
}

const shortened = (address: string) => createHash("sha256").update(address).digest("base64url").slice(0, 14);

const mostVariants = 20;
const mostSitemaps = 200;
/** Addresses that are told for each limit: a trap has no end of them. */
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

  next(): Waiting | undefined {
    return this.#state.queue.shift();
  }

  putBack(waiting: Waiting): void {
    this.#state.queue.unshift(waiting);
  }

  /** Whether an address was met before; from now on it was. */
  meet(address: string): boolean {
    const short = shortened(address);
    const was = this.#seen.has(short);
    this.#seen.add(short);
    return was;
  }

  addSitemap(address: string): void {
    const url = normalised(address);
    if (!url) return;
    if (url.origin !== beginningOf(this.#config).origin) {
      this.#tell("hosts", url, `The address redirects to ${url.hostname}, another site, which is not read.`);
      return;
    }
    if (this.meet(`sitemap ${url.href}`)) return;
    const { queue } = this.#state;
    if (queue.filter(({ isSitemap }) => isSitemap).length >= mostSitemaps) {
      this.#state.isCut = true;
      this.#tell(
        "sitemaps",
        url,
        `The site has more than ${mostSitemaps} sitemaps, which is the limit. Enter one sitemap, or read fewer paths.`,
      );
      return;
    }
    // Before the pages: what they name are the site's own words for what it has.
    queue.unshift({ address: url.href, depth: 0, isSitemap: true });
  }

  /** Takes up where a page leads. Where a sitemap alone is given, that says what is read, and no link does. */
  addLinks(links: readonly string[], depth: number): void {
    if (this.#config.startUrl !== undefined) for (const link of links) this.addPage(link, depth + 1);
  }

  /** Takes an address up, where it is one to visit and was not met. */
  addPage(address: string, depth: number): void {
    const url = inOneForm(address);
    if (!url || !isCovered(url, this.#config) || isLogin(url)) return;
    if (url.href.length > longestAddress) {
      this.#tell(
        "long",
        url,
        `This address has more than ${longestAddress} characters, which is the limit, so the page was not read. Upload it to have it read.`,
      );
      return;
    }
    const { maxPages, maxDepth } = this.#config;
    if (depth > maxDepth) {
      this.#tell(
        "depth",
        url,
        `This page is more than ${maxDepth} links away from the start. Increase the limit, or start elsewhere.`,
      );
      return;
    }
    // Only what is taken up is met: what is kept stays small, however many addresses a site names.
    if (this.#seen.has(shortened(url.href))) return;
    if (isCircular(url)) {
      this.#tell(
        "circle",
        url,
        "The address repeats itself, as endless links do. Exclude its path if it is not a page of yours.",
      );
      return;
    }
    if (this.#state.pages >= maxPages) {
      this.#state.isCut = true;
      this.#tell(
        "pages",
        url,
        `The limit of ${maxPages} pages was reached before this page. Increase the limit, or read fewer paths.`,
      );
      return;
    }
    if (url.search !== "") {
      const count = this.#state.variants[url.pathname] ?? 0;
      if (count >= mostVariants) {
        this.#tell(
          "variants",
          url,
          "The path has too many variants, as calendars and filters do. Exclude it, or add a sitemap.",
        );
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
    // A crawl that an earlier release began kept a number.
    const told: string[] = Array.isArray(kept) ? kept : [];
    const short = shortened(url.href);
    if (told.length >= mostTold || told.includes(short)) return;
    this.#state.told[limit] = [...told, short];
    this.#notes.push({ address: url.href.slice(0, longestAddress), problem });
  }

  /** What was left out since the last time. */
  takeNotes(): PageNote[] {
    return this.#notes.splice(0);
  }

  kept(): string {
    return JSON.stringify({ ...this.#state, seen: [...this.#seen] });
  }
}
