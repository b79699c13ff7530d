// The client for Notion's API: search, pages, blocks, data sources and their rows. Knows nothing of documents. Source:
// developers.notion.com/reference, version 2025-09-03.
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConnectorContext, ItemGone, SourceRefused, SourceUnavailable } from "../connector.ts";
import { type JsonAnswer, type JsonRequest, requestJson, requestLinkedFile } from "../http.ts";
import { mostFileBytes } from "../readable.ts";
import { connect } from "../settings.ts";
import * as answers from "./answers.ts";
import type { PageBlocks } from "./blocks.ts";
import { declaration, type NotionConfig } from "./declaration.ts";
import { readBlocks } from "./page-blocks.ts";
import { databaseOfNumbers } from "./transform.ts";

const pageSize = 100;
/** A larger database is read up to here. */
const mostRows = 5_000;
const mostComments = 1_000;
/** For one list, whose pages may be short or empty: none goes on for ever. */
const mostCalls = 200;
const restarts = 2;

const columns = new LRUCache<string, { properties: answers.DataSource["properties"] }>({
  max: 500,
  ttl: 60_000,
});

export const noPage = sentenceOf("notionNone");

/** The connection may not read comments. */
export class CommentsRefused extends Error {
  override readonly name = "CommentsRefused";
}

/** Notion no longer accepts a cursor: the list has to be read from its start. */
export class PositionLost extends Error {
  override readonly name = "PositionLost";
}

interface Listed {
  /** Unvalidated. */
  results: unknown[];
  next?: string;
  /** Notion reports that it left some out. */
  isIncomplete: boolean;
  /** By Notion's clock. */
  askedAt?: string;
}

export interface Notion {
  config: NotionConfig;
  /** Sorted by last edit. @throws PositionLost */
  search(
    object: "page" | "data_source",
    direction: "ascending" | "descending",
    after?: string,
  ): Promise<Listed>;
  /** @throws ItemGone */
  page(id: string): Promise<{ found: unknown; askedAt: number }>;
  /** All blocks of a page at any depth, within a limit of calls and of time. */
  blocks(id: string): Promise<PageBlocks>;
  /** The open comments on a page itself, not on its blocks. @throws ItemGone, CommentsRefused */
  comments(id: string): Promise<{ results: unknown[]; isCut: boolean }>;
  /** @throws ItemGone */
  block(id: string): Promise<unknown>;
  /** A file from any host. @throws ItemUnreadable */
  file(url: URL): Promise<Uint8Array>;
  /** @throws ItemGone */
  dataSource(id: string): Promise<unknown>;
  /** The properties of the database that a page is a row of, when they tell something of the page. Cached for a minute. */
  columnsOf(page: answers.NotionPage): Promise<answers.DataSource["properties"]>;
  rows(id: string): Promise<{ rows: unknown[]; isCut: boolean }>;
}

/** @throws SourceRefused for invalid settings */
export function notionOf(context: ConnectorContext): Notion {
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewNotion"),
    login: ({ accessToken }) => ({
      authorization: `Bearer ${accessToken}`,
      "notion-version": "2025-09-03",
    }),
  });
  const ask = <T>(path: string, request: JsonRequest<T>) =>
    requestJson(service, new URL(`/v1/${path}`, config.apiUrl), { ...request, explain });
  const list = async (path: string, body?: object): Promise<Listed> => {
    const request = body ? { method: "POST" as const, body: JSON.stringify(body) } : {};
    return readList(await ask(path, { schema: answers.listed, ...request }));
  };
  const readList = ({ data, headers }: JsonAnswer<z.infer<typeof answers.listed>>): Listed => {
    const { results, has_more, next_cursor, request_status } = data;
    if (has_more && !next_cursor) throw new SourceUnavailable(sentenceOf("illegible", { service: "Notion" }));
    const askedAt = dateOf(headers);
    return {
      results,
      ...(has_more && next_cursor ? { next: next_cursor } : {}),
      isIncomplete: request_status?.type === "incomplete",
      ...(askedAt === undefined ? {} : { askedAt: new Date(askedAt).toISOString() }),
    };
  };

  return {
    config,
    search: (object, direction, after) =>
      list("search", {
        filter: { property: "object", value: object },
        sort: { timestamp: "last_edited_time", direction },
        page_size: pageSize,
        ...(after ? { start_cursor: after } : {}),
      }),
    async page(id) {
      const url = new URL(`/v1/pages/${id}`, config.apiUrl);
      const { data, headers } = await requestJson(service, url, {
        schema: z.unknown(),
        explain: explainPage,
      });
      return { found: data, askedAt: dateOf(headers) ?? Date.now() };
    },
    blocks: (id) =>
      readBlocks(id, (of, after) => {
        const query = `page_size=${pageSize}${after ? `&start_cursor=${encodeURIComponent(after)}` : ""}`;
        return list(`blocks/${encodeURIComponent(of)}/children?${query}`).catch(readAgain);
      }),
    async comments(id) {
      const results: unknown[] = [];
      for (let call = 1, after: string | undefined; ; call++) {
        const query = new URLSearchParams({ block_id: id, page_size: String(pageSize) });
        if (after) query.set("start_cursor", after);
        const url = new URL(`/v1/comments?${query}`, config.apiUrl);
        const explainComments = (status: number, body: unknown) =>
          status === 403 ? new CommentsRefused() : explain(status, body);
        const request = { schema: answers.listed, explain: explainComments };
        const found = readList(await requestJson(service, url, request).catch(readAgain));
        results.push(...found.results);
        if (!found.next || results.length >= mostComments || call >= mostCalls)
          return { results: results.slice(0, mostComments), isCut: found.next !== undefined };
        after = found.next;
      }
    },
    async block(id) {
      return (await ask(`blocks/${id}`, { schema: z.unknown() })).data;
    },
    file: (url) => requestLinkedFile(service.signal, url, mostFileBytes),
    async dataSource(id) {
      return (await ask(`data_sources/${id}`, { schema: z.unknown() })).data;
    },
    async columnsOf(page) {
      const id = databaseOfNumbers(page);
      if (id === undefined) return undefined;
      const place = `${context.source.id} ${id}`;
      const known = columns.get(place);
      if (known) return known.properties;
      const found = await ask(`data_sources/${encodeURIComponent(id)}`, { schema: z.unknown() }).catch(
        (error: unknown) => {
          // The connection may see the page alone.
          if (!(error instanceof ItemGone || error instanceof SourceRefused)) throw error;
        },
      );
      const { properties } = answers.dataSource.safeParse(found?.data).data ?? {};
      columns.set(place, { properties });
      return properties;
    },
    async rows(id) {
      for (let attempt = 0; ; attempt++) {
        try {
          const rows: unknown[] = [];
          for (let call = 1, after: string | undefined; ; call++) {
            const body = { page_size: pageSize, ...(after ? { start_cursor: after } : {}) };
            const found: Listed = await list(`data_sources/${id}/query`, body);
            rows.push(...found.results);
            after = found.next;
            if (!after || rows.length >= mostRows || call >= mostCalls)
              return { rows, isCut: after !== undefined || found.isIncomplete };
          }
        } catch (error) {
          if (!(error instanceof PositionLost) || attempt >= restarts) throw error;
        }
      }
    },
  };
}

function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}

/** Source: developers.notion.com/reference/status-codes. */
function explain(status: number, body: unknown): Error | undefined {
  const { code = "", message = "" } = answers.failure.safeParse(body).data ?? {};
  if (status === 400 && code === "validation_error" && /cursor/i.test(message))
    return new PositionLost(message);
  if (status === 409) return ownFailure();
  return undefined;
}

/** A page that was turned into a database has its id, and is no page any more. */
function explainPage(status: number, body: unknown): Error | undefined {
  const { message = "" } = answers.failure.safeParse(body).data ?? {};
  if (status === 400 && /\bnot a page\b/i.test(message)) return new ItemGone(message);
  return explain(status, body);
}

const ownFailure = (options?: ErrorOptions) =>
  new SourceUnavailable(sentenceOf("ownProblem", { service: "Notion" }), undefined, options);

/** A list that is not restarted here, because its page or its comments were changed while they were read. */
function readAgain(cause: unknown): never {
  throw cause instanceof PositionLost ? ownFailure({ cause }) : cause;
}
