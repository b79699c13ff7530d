// Owns a fake website beside an indexing stand, for the tests of one file: both start before them and end after them.
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type ConnectedSource, connectSource } from "./connected-source.ts";
import { startWebsiteFake, type WebsiteFake } from "./fakes/website.ts";
import { type IndexingStand, startIndexingStand } from "./indexing-stand.ts";

export interface WebsiteStand {
  /** Empty before each test. */
  site: WebsiteFake;
  stand: IndexingStand;
}

/** @param use receives both once they run */
export function openWebsiteStand(use: (opened: WebsiteStand) => void) {
  let opened: WebsiteStand | undefined;
  const current = () => {
    if (!opened) throw new Error("the website has not started");
    return opened;
  };
  beforeAll(async () => {
    const site = await startWebsiteFake();
    process.env.PARLEY_OUTBOUND_ALLOW = new URL(site.url).host;
    opened = { site, stand: await startIndexingStand() };
    use(opened);
  });
  afterAll(async () => {
    await opened?.stand.stop();
    await opened?.site.close();
    delete process.env.PARLEY_OUTBOUND_ALLOW;
  });
  beforeEach(() => {
    Object.assign(current().site, {
      pages: {},
      robots: "",
      login: undefined,
      refusals: [],
      calls: [],
      authorizations: [],
      nothing: { status: 404, body: "<h1>Not found</h1>" },
    });
  });
  return {
    addSource: (config: object = {}, credentials?: Record<string, string>) => {
      const { site, stand } = current();
      return connectSource(stand, "website", { startUrl: `${site.url}/`, ...config }, credentials);
    },
    /** The paths of a source's documents, in order. */
    listPaths: async ({ id }: ConnectedSource) => {
      const { site, stand } = current();
      const rows = await stand.sql<
        { url: string }[]
      >`select url from public.documents where source_id = ${id} order by url`;
      return rows.map(({ url }) => url.slice(site.url.length));
    },
    /** The problems of skipped pages, by path. */
    listSkipped: async ({ id }: ConnectedSource) => {
      const { site, stand } = current();
      const rows = await stand.sql<{ address: string; problem: string }[]>`
        select address, problem from private.source_pages where source_id = ${id} and problem is not null`;
      return Object.fromEntries(
        rows.map(({ address, problem }) => [address.slice(site.url.length), problem]),
      );
    },
  };
}
