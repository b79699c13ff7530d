// Confluence Cloud's REST API, version 2, as far as it is read, and the one call of version 1 that gives an attachment's bytes.
// Source: developer.atlassian.com/cloud/confluence/rest/v2. Knows nothing of documents.
import { Buffer } from "node:buffer";
import { z } from "zod";
import { isAllowedPlace } from "../../../_shared/outbound/outbound.ts";
import { type ConnectorContext, ItemUnreadable, SourceUnavailable } from "../connector.ts";
import { askBytes, askJson } from "../http.ts";
import { mayNotDownload, mostFileBytes } from "../readable.ts";
import { connect } from "../settings.ts";
import * as answers from "./answers.ts";
import { type ConfluenceConfig, type ConfluenceContent, declaration } from "./declaration.ts";

/** Their bodies come along. */
const pagesAtOnce = 25;
const attachmentsAtOnce = 100;
/** Confluence gives no more of anything at once. */
export const mostAtOnce = 250;
const mostListBytes = 48 * 1024 * 1024;

export const nothingShown =
  "Confluence shows this account nothing to read. See that the token is of an account that may use Confluence and sees the spaces.";

interface Listed {
  /** As they came: each is still to be checked. */
  results: unknown[];
  /** Confluence's cursor. */
  next?: string;
  /** By Confluence's clock. */
  askedAt?: string;
}

export interface Confluence {
  config: ConfluenceConfig;
  /** The named spaces that the account sees; without names the first of all. */
  spaces(keys: readonly string[]): Promise<answers.Space[]>;
  /** @param isLatestFirst by the last change; otherwise in an order that does not move @param spaceIds all when empty */
  list(
    kind: ConfluenceContent,
    spaceIds: readonly string[],
    isLatestFirst: boolean,
    cursor?: string,
  ): Promise<Listed>;
  /** How many there are in a space; undefined for more than can be told at once. */
  count(kind: "pages" | "posts", spaceId: string): Promise<number | undefined>;
  /** @throws ItemGone */
  one(kind: ConfluenceContent, id: string): Promise<unknown>;
  /** Those of some pages that are there, without their bodies. */
  containers(kind: "pages" | "posts", ids: string[]): Promise<unknown[]>;
  /** @throws ItemGone, ItemUnreadable */
  bytes(attachmentId: string, containerId: string): Promise<Uint8Array>;
}

const pathOf = { pages: "pages", posts: "blogposts", attachments: "attachments" } as const;

/** @throws SourceRefused for settings that cannot work */
export function confluenceOf(context: ConnectorContext): Confluence {
  const { config, service } = connect(context, declaration, {
    renew:
      "Make a new API token without scopes at id.atlassian.com, for an account that sees the spaces, and enter it at the source.",
    login: ({ email, apiToken }) => ({
      authorization: `Basic ${Buffer.from(`${email}:${apiToken}`).toString("base64")}`,
    }),
  });
  const addressOf = (path: string, query: Record<string, string | undefined> = {}) => {
    const url = new URL(`/wiki/${path}`, config.site);
    for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
    return url;
  };
  const list = async (path: string, query: Record<string, string | undefined>): Promise<Listed> => {
    const url = addressOf(`api/v2/${path}`, query);
    const { data, headers } = await askJson(service, url, {
      schema: answers.listed,
      maxBytes: mostListBytes,
    });
    const date = Date.parse(headers.get("date") ?? "");
    return {
      results: data.results,
      ...nextOf(data._links?.next),
      ...(Number.isNaN(date) ? {} : { askedAt: new Date(date).toISOString() }),
    };
  };

  return {
    config,
    async spaces(keys) {
      const named = keys.length > 0 ? { keys: keys.join(",") } : {};
      const { results } = await list("spaces", { ...named, limit: String(mostAtOnce) });
      return results.flatMap((raw) => answers.space.safeParse(raw).data ?? []);
    },
    list(kind, spaceIds, isLatestFirst, cursor) {
      const isFile = kind === "attachments";
      const steady = isFile ? "created-date" : "id";
      return list(pathOf[kind], {
        status: "current",
        sort: isLatestFirst ? "-modified-date" : steady,
        limit: String(isFile ? attachmentsAtOnce : pagesAtOnce),
        ...(isFile ? {} : { "body-format": "storage", "space-id": spaceIds.join(",") }),
        cursor,
      });
    },
    async count(kind, spaceId) {
      const query = { status: "current", "space-id": spaceId, limit: String(mostAtOnce) };
      const { results, next } = await list(pathOf[kind], query);
      return next ? undefined : results.length;
    },
    async one(kind, id) {
      const url = addressOf(
        `api/v2/${pathOf[kind]}/${id}`,
        kind === "attachments" ? {} : { "body-format": "storage" },
      );
      return (await askJson(service, url, { schema: z.unknown(), maxBytes: mostListBytes })).data;
    },
    async containers(kind, ids) {
      if (ids.length === 0) return [];
      const query = { id: ids.join(","), status: "current", limit: String(mostAtOnce) };
      return (await list(pathOf[kind], query)).results;
    },
    bytes(attachmentId, containerId) {
      const url = addressOf(`rest/api/content/${containerId}/child/attachment/${attachmentId}/download`);
      return askBytes(service, url, {
        maxBytes: mostFileBytes,
        leadsTo: (to) => isOfFiles(to, config.site),
        explain: (status) =>
          status === 403 || status < 400 ? new ItemUnreadable(mayNotDownload) : undefined,
      });
    },
  };
}

/** Confluence names the next page by its address; its cursor is what counts. @throws SourceUnavailable where there is none in it */
function nextOf(address: string | null | undefined): { next?: string } {
  if (!address) return {};
  const next = URL.parse(address, "https://confluence.invalid")?.searchParams.get("cursor");
  if (!next) throw new SourceUnavailable("Confluence answered in a form that cannot be read.");
  return { next };
}

/** Where files lie that Confluence sends callers to, and never a page to log in at. Nothing of the credentials leaves the site. */
const isOfFiles = (url: URL, site: string) =>
  url.origin === site
    ? url.pathname.startsWith("/wiki/download/")
    : isAllowedPlace(url) ||
      (url.protocol === "https:" && /(?:^|\.)[a-z0-9-]*media[a-z0-9-]*\.atlassian\.com$/.test(url.hostname));
