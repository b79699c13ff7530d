// Owns a site's robots.txt: requests it, and keeps it in memory for some minutes.
import { LRUCache } from "lru-cache";
import robotsParser from "robots-parser";
import type { ConnectorContext } from "../connector.ts";
import { isHtml, type SiteService, textOf, usualDelayMs, visit } from "./visit.ts";

interface Rules {
  isAllowed(url: string, userAgent?: string): boolean | undefined;
  getCrawlDelay(userAgent?: string): number | undefined;
  getSitemaps(): string[];
}
// The package is CommonJS, but its types declare an ES default export, which tsc and Deno interpret differently.
const parseRobots = robotsParser as unknown as (url: string, text: string) => Rules;

export interface Robots {
  address: string;
  rules: Rules;
  /** The status of the response that is no robots.txt; absent when it was read. */
  failure?: number;
}

const kept = new LRUCache<string, Robots>({ max: 100, ttl: 10 * 60_000 });

/** Allows everything. */
export const noRobots = (start: URL): Robots => robotsAt(start, "");

/** @throws SourceUnavailable, SourceRefused */
export async function keptRobots(
  context: ConnectorContext,
  service: SiteService,
  start: URL,
): Promise<Robots> {
  const key = `${context.source.id} ${start.origin}`;
  const known = kept.get(key);
  if (known) return known;
  const robots = await readRobots(service, start);
  kept.set(key, robots);
  return robots;
}

async function readRobots(service: SiteService, start: URL): Promise<Robots> {
  const answer = await visit(service, new URL("/robots.txt", start), usualDelayMs);
  // A site may answer every address with a page. Without a robots.txt, everything may be read.
  const isThere = answer.status === 200 && answer.url.origin === start.origin && !isHtml(answer);
  if (isThere) return robotsAt(start, textOf(answer).slice(0, 500_000));
  return { ...noRobots(start), failure: answer.status };
}

function robotsAt(start: URL, text: string): Robots {
  const address = new URL("/robots.txt", start).href;
  return { address, rules: parseRobots(address, text) };
}
