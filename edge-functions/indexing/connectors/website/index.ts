// Reads pages of a website from a start URL or a sitemap. Read-only, at the pace that the site asks for. A listing crawls the
// whole site with conditional requests, so that unchanged pages are not sent again; one soon after the last crawl does nothing.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  ItemGone,
  ItemUnreadable,
  type PreviewLine,
  SourceRefused,
} from "../connector.ts";
import { asContent } from "../markup.ts";
import { begin, isAbsent, isReadable, type Known, openSite, refusalOf, visitSome } from "./crawl.ts";
import { declaration } from "./declaration.ts";
import { Frontier } from "./frontier.ts";
import { readPage } from "./page.ts";
import { textOf, visit } from "./visit.ts";

/** A site crawled this recently is not crawled again: adding a source to a knowledge base queues a sync at once. */
const recentlyMs = 10 * 60_000;
/** More than a source may read (`maxPages`): further ones end the crawl early, which deletes nothing. */
const mostUnlisted = 6_000;
const previewMs = 12_000;
const mostLines = 40;

export const website: Connector = {
  declaration,

  async list(context, { next, cursor, findUnlisted, acceptsEmpty }) {
    if (!next && cursor && Date.now() - Date.parse(cursor) < recentlyMs) return { items: [], cursor };
    const site = await openSite(context);
    const findKnown = (address: string) => readKnown(context, address);
    const frontier = next ? new Frontier(site.config, next) : await begin(site, findKnown);
    if (frontier.waiting.length === 0 && frontier.wantsUnlisted)
      frontier.addUnlisted((await findUnlisted?.(mostUnlisted)) ?? []);
    const found = await visitSome(site, frontier, findKnown);
    const { isOver } = frontier;
    // A site may answer every address with the same page: a login, or words about an outage.
    if (isOver && !frontier.hasMet && !acceptsEmpty && ((await findUnlisted?.(1)) ?? []).length > 0)
      throw new SourceRefused(sentenceOf("listedNothing", { service: declaration.name }), "config");
    return { ...found, ...(isOver ? { cursor: new Date().toISOString() } : { next: frontier.serialize() }) };
  },

  async fetch(context, externalId) {
    const site = await openSite(context);
    if (!isReadable(site, externalId)) throw new ItemGone("the source does not read this address");
    const ask = () => visit(site.service, new URL(externalId), site.delayMs);
    let answer = await ask();
    // Requests it once more, so that a single wrong response deletes nothing.
    if (isAbsent(answer.status)) answer = await ask();
    if (isAbsent(answer.status)) throw new ItemGone("the page is gone");
    if (answer.status === 401 || answer.status === 403) {
      if (externalId === site.start.href) throw refusalOf(site.service, answer.status);
      throw new ItemUnreadable(sentenceOf("websiteForbidden", { status: answer.status }));
    }
    if (answer.status !== 200 || answer.url.origin !== site.start.origin)
      throw new ItemUnreadable(sentenceOf("websiteNotShown"));
    const text = textOf(answer);
    if (!/html/i.test(answer.headers.get("content-type") ?? "html")) return asContent(text);
    const page = readPage(text, answer.url);
    if (page.problem) throw new ItemUnreadable(page.problem);
    const { text: content, revision, note } = page;
    return { text: content, revision, ...(note ? { note } : {}) };
  },

  /** The site's tree as far as a few seconds of crawling show it, and what is left out. */
  async preview(context): Promise<PreviewLine[]> {
    const site = await openSite(context);
    const frontier = await begin(site, async () => undefined);
    const until = Date.now() + previewMs;
    const pages = new Set<string>();
    const problems = new Map<string, { address: string; count: number }>();
    while (frontier.waiting.length > 0 && Date.now() < until) {
      const { items, notes } = await visitSome(site, frontier, async () => undefined);
      for (const { externalId } of items) pages.add(externalId);
      for (const { address, problem } of notes ?? []) {
        if (!problem) continue;
        const { count } = problems.get(problem) ?? { count: 0 };
        problems.set(problem, { address, count: count + 1 });
      }
    }
    const isOver = frontier.waiting.length === 0;
    for (const { address, isSitemap } of frontier.waiting) if (!isSitemap) pages.add(address);
    const left = [...problems].map(([problem, { address, count }]) => ({
      kind: "skipped",
      name: new URL(address).pathname,
      count,
      problem,
    }));
    const lines = treeOf([...pages]).slice(0, mostLines);
    return [...lines, ...left.slice(0, mostLines), ...(isOver ? [] : [{ kind: "more" }])];
  },
};

/** The number of pages below each path, two levels deep. */
export function treeOf(addresses: string[]): PreviewLine[] {
  const counts = new Map<string, number>();
  for (const address of addresses) {
    const parts = new URL(address).pathname.split("/").slice(1);
    const folders = parts.slice(0, -1).slice(0, 2);
    const name = folders.length === 0 ? "/" : `/${folders.join("/")}/`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => ({ kind: "pages", name, count }));
}

async function readKnown({ source, read }: ConnectorContext, address: string): Promise<Known | undefined> {
  const [row] = await read(
    (tx) => tx<Known[]>`
      select address, title, revision, etag, last_modified, links from private.source_pages
       where source_id = ${source.id} and address = ${address} and revision is not null`,
  );
  return row;
}
