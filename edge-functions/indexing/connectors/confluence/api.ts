// The client for Confluence Cloud's REST API, version 2, and the one call of version 1 that returns an attachment's bytes. Source:
// developer.atlassian.com/cloud/confluence/rest/v2. Knows nothing of documents.
import { z } from "zod";
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import { retryAfterMs } from "../../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { atlassianSite, basicLogin } from "../atlassian.ts";
import {
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { answerTime } from "../moments.ts";
import { mayNotDownload, mostFileBytes } from "../readable.ts";
import { connect } from "../settings.ts";
import * as answers from "./answers.ts";
import { type ConfluenceConfig, type ConfluenceContent, declaration } from "./declaration.ts";

/** The scopes of a scoped token; posts are covered by pages. Source: each call's page below …/cloud/confluence/rest/v2. */
const scopes = {
  spaces: "read:space:confluence",
  pages: "read:page:confluence",
  attachments: "read:attachment:confluence",
  people: "read:user:confluence",
};
/** Few, because the response includes their bodies. */
const pagesAtOnce = 25;
const attachmentsAtOnce = 100;
/** Confluence's maximum for every list. */
export const mostAtOnce = 250;
const mostListBytes = 48 * 1024 * 1024;

export const nothingShown = sentenceOf("confluenceNone");

interface Listed {
  /** Unvalidated. */
  results: unknown[];
  /** Confluence's cursor. */
  next?: string;
  /** By Confluence's clock. */
  askedAt?: string;
}

export interface Confluence {
  config: ConfluenceConfig;
  /** The named spaces that the account can see; without names, at most 250 of all. */
  spaces(keys: readonly string[]): Promise<answers.Space[]>;
  /**
   * Pages and posts with their text, except those too large for one response.
   * @param isLatestFirst sorts by last change; otherwise the order is stable
   * @param spaceIds all spaces when empty
   */
  list(
    kind: ConfluenceContent,
    spaceIds: readonly string[],
    isLatestFirst: boolean,
    cursor?: string,
  ): Promise<Listed>;
  /** The number of pages or posts in a space; undefined above what one call can count. */
  count(kind: "pages" | "posts", spaceId: string): Promise<number | undefined>;
  /** @throws ItemGone, also for what the account cannot see; ItemUnreadable when Confluence cannot return its text */
  one(kind: ConfluenceContent, id: string): Promise<unknown>;
  /** The users' names by account id, as far as the account may read them. */
  names(accounts: string[]): Promise<Map<string, string>>;
  /** Those of the given pages that exist, without their bodies. */
  containers(kind: "pages" | "posts", ids: string[]): Promise<unknown[]>;
  /** @throws ItemGone, ItemUnreadable */
  bytes(attachmentId: string, containerId: string): Promise<Uint8Array>;
}

export const illegible = () => new SourceUnavailable(sentenceOf("illegible", { service: "Confluence" }));

const pathOf = { pages: "pages", posts: "blogposts", attachments: "attachments" } as const;

/** @throws SourceRefused for invalid settings */
export function confluenceOf(context: ConnectorContext): Confluence {
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewConfluence"),
    login: basicLogin,
  });
  const site = atlassianSite(service, config.site, {
    product: "confluence",
    scopes: Object.values(scopes),
    scopeOf: (path) => {
      if (path.startsWith("/wiki/api/v2/spaces")) return scopes.spaces;
      if (path.startsWith("/wiki/api/v2/users-bulk")) return scopes.people;
      return path.includes("/attachment") ? scopes.attachments : scopes.pages;
    },
  });
  const pathTo = (path: string, query: Record<string, string | undefined> = {}) => {
    const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
    return given.length > 0 ? `/wiki/${path}?${new URLSearchParams(given)}` : `/wiki/${path}`;
  };
  const list = async (path: string, query: Record<string, string | undefined>): Promise<Listed> => {
    const { data, headers } = await site.json(pathTo(`api/v2/${path}`, query), {
      schema: answers.listed,
      maxBytes: mostListBytes,
      explain: limitError,
    });
    const askedAt = answerTime(headers);
    return {
      results: data.results,
      ...nextOf(data._links?.next ?? linkOf(headers)),
      ...(askedAt ? { askedAt } : {}),
    };
  };

  /** Confluence may return fewer entries than requested and have more: stopping early would make the rest look deleted. */
  const allOf = async (path: string, query: Record<string, string>): Promise<unknown[]> => {
    const all: unknown[] = [];
    let cursor: string | undefined;
    for (let call = 0; call < mostAtOnce && all.length <= 2 * mostAtOnce; call++) {
      const { results, next } = await list(path, { ...query, limit: String(mostAtOnce), cursor });
      all.push(...results);
      if (!next) return all;
      cursor = next;
    }
    throw illegible();
  };

  return {
    config,
    async spaces(keys) {
      const results =
        keys.length > 0
          ? await allOf("spaces", { keys: keys.join(",") })
          : (await list("spaces", { limit: String(mostAtOnce) })).results;
      const spaces = z.array(answers.space).safeParse(results);
      // A space left out would take its pages with it.
      if (!spaces.success) throw illegible();
      return spaces.data;
    },
    async list(kind, spaceIds, isLatestFirst, cursor) {
      const isFile = kind === "attachments";
      const steady = isFile ? "created-date" : "id";
      const query = {
        status: "current",
        sort: isLatestFirst ? "-modified-date" : steady,
        limit: String(isFile ? attachmentsAtOnce : pagesAtOnce),
        ...(isFile ? {} : { "space-id": spaceIds.join(",") }),
        cursor,
      };
      if (isFile) return await list(pathOf[kind], query);
      const withText = { ...query, "body-format": "storage" };
      // If that fails, lists without text: each page is then fetched alone, and one that is too large fails alone.
      return await list(pathOf[kind], withText).catch(whereItFailed(() => list(pathOf[kind], query)));
    },
    async count(kind, spaceId) {
      const query = { status: "current", "space-id": spaceId, limit: String(mostAtOnce) };
      const { results, next } = await list(pathOf[kind], query);
      return next ? undefined : results.length;
    },
    async one(kind, id) {
      const ask = async (query: Record<string, string>) => {
        const path = pathTo(`api/v2/${pathOf[kind]}/${id}`, query);
        return (await site.json(path, { schema: z.unknown(), maxBytes: mostListBytes, explain: hiddenError }))
          .data;
      };
      if (kind === "attachments") return await ask({});
      return await ask({ "body-format": "storage" }).catch(
        whereItFailed(async () => {
          await ask({});
          throw new ItemUnreadable(sentenceOf("confluenceText"));
        }),
      );
    },
    async names(accounts) {
      const found = new Map<string, string>();
      for (let from = 0; from < accounts.length; from += mostAtOnce) {
        const { data } = await site
          .json(pathTo("api/v2/users-bulk"), {
            method: "POST",
            body: JSON.stringify({ accountIds: accounts.slice(from, from + mostAtOnce) }),
            schema: answers.people,
            explain: limitError,
          })
          .catch((error) => {
            // Names are optional: the account or the token may not be allowed to read them.
            if (error instanceof SourceRefused || error instanceof ItemGone) return { data: { results: [] } };
            throw error;
          });
        for (const { accountId, displayName } of data.results)
          if (displayName) found.set(accountId, displayName);
      }
      return found;
    },
    async containers(kind, ids) {
      if (ids.length === 0) return [];
      return await allOf(pathOf[kind], { id: ids.join(","), status: "current" });
    },
    bytes(attachmentId, containerId) {
      const path = pathTo(`rest/api/content/${containerId}/child/attachment/${attachmentId}/download`);
      return site.bytes(path, {
        maxBytes: mostFileBytes,
        leadsTo: (to) => isOfFiles(to, config.site),
        explain: (status) =>
          status === 403 || status < 400 ? new ItemUnreadable(mayNotDownload) : undefined,
      });
    },
  };
}

/** Calls `instead` when the request itself failed, but not when Confluence asks to wait. */
const whereItFailed =
  <T>(instead: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (hasFailed(error)) return instead();
    throw error;
  };

/** A rate limit gives seconds to wait, or the moment of its reset. Source: …/cloud/confluence/rate-limiting. */
function limitError(status: number, _body: unknown, headers: Headers): Error | undefined {
  if (status !== 429 || retryAfterMs(headers) !== undefined) return undefined;
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const ms = Date.parse(headers.get("x-ratelimit-reset") ?? "") - now;
  if (Number.isNaN(ms)) return undefined;
  return new SourceUnavailable(
    sentenceOf("calledTooOften", { service: "Confluence" }),
    Math.min(Math.max(ms, 1000), 86_400_000),
  );
}

const told = z.object({ message: z.string() });

/** A restricted page counts as missing, but an account without access to Confluence does not. */
function hiddenError(status: number, body: unknown, headers: Headers): Error | undefined {
  const isAll = /not permitted to use/i.test(told.safeParse(body).data?.message ?? "");
  if (status === 403 && !isAll) return new ItemGone("the account may not see this");
  return limitError(status, body, headers);
}

const linkOf = (headers: Headers) => /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(headers.get("link") ?? "")?.[1];

/** The cursor in the URL of the next page. @throws SourceUnavailable when the URL has none */
function nextOf(address: string | null | undefined): { next?: string } {
  if (!address) return {};
  const next = URL.parse(address, "https://confluence.invalid")?.searchParams.get("cursor");
  if (!next) throw illegible();
  return { next };
}

/** The hosts of files that Confluence redirects to, never its login page. Credentials stay at the site. */
const isOfFiles = (url: URL, site: string) =>
  url.origin === site
    ? url.pathname.startsWith("/wiki/download/")
    : isAllowedPlace(url) ||
      (url.protocol === "https:" && /(?:^|\.)[a-z0-9-]*media[a-z0-9-]*\.atlassian\.com$/.test(url.hostname));
