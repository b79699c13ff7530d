// A fake Notion over HTTP, version 2025-09-03: search by last edit, nested blocks, data sources with their rows, lost cursors, the trash,
// hidden pages, rate limits.
import type { IncomingMessage } from "node:http";
import { startUpstream } from "../upstream.ts";

type Json = Record<string, unknown>;
export interface FakePage {
  id: string;
  title: string;
  /** With Notion's resolution of one minute. */
  edited: string;
  /** The data source that it is a row of. */
  row?: string;
  properties?: Json;
  blocks?: FakeBlock[];
  isTrashed?: boolean;
  /** Missing from the search, though the connection may read it. */
  isUnsearched?: boolean;
}
export type FakeBlock = { id?: string; type: string; has?: FakeBlock[]; isTrashed?: boolean } & Json;
interface FakeSource {
  id: string;
  title: string;
  edited: string;
  columns: string[];
  /** Of columns of numbers, by name. The others are texts. */
  formats?: Record<string, string>;
  isTrashed?: boolean;
  /** A view of a hidden database: the search lists it, and reading it gives 404. */
  isLinked?: boolean;
}

export interface NotionFake {
  url: string;
  accessToken: string;
  /** Anything else in the list is sent unchanged. */
  pages: (FakePage | Json)[];
  sources: FakeSource[];
  /** Ids hidden from the connection. */
  hidden: Set<string>;
  /** Queued replies that replace the real ones; with a path, only for calls to it. */
  refusals: { status: number; headers?: Record<string, string>; body?: unknown; path?: string }[];
  /** Cursors that are no longer valid. */
  lost: Set<string>;
  /** Ids whose blocks and rows fail to load. */
  failing: Set<string>;
  /** Ids of blocks and pages whose children the API does not provide. */
  unsupported: Set<string>;
  /** Lists at this path are empty and go on for ever, each with another cursor. */
  endless: string | undefined;
  /** Comments by page id, and whether the connection may read them. */
  comments: Record<string, Json[]>;
  mayReadComments: boolean;
  /** The search reports that it is incomplete. */
  isIncomplete: boolean;
  /** By name. "hosted:NAME" in a page or a block becomes a URL that is signed anew in each answer, "elsewhere:NAME" one of another host. */
  files: Record<string, Uint8Array | { redirect: string }>;
  /** Requests to the files' host, with their credentials. */
  media: { url: string; authorization: string | undefined }[];
  /** "search page ascending", "page …", "block …", "blocks …", "source …", "rows …". */
  calls: string[];
  headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

const perPage = 2;

/** An id in Notion's format. */
export const notionId = (n: number) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
export const rich = (text: string, more: Json = {}) => [
  { type: "text", plain_text: text, href: null, annotations: {}, ...more },
];
export const paragraph = (text: string): FakeBlock => ({
  type: "paragraph",
  paragraph: { rich_text: rich(text) },
});

/** A comment as Notion sends it; the author's name is included when a connection wrote it. */
export const commentOf = (n: number, text: string, more: Json = {}): Json => ({
  object: "comment",
  id: notionId(9000 + n),
  parent: { type: "page_id" },
  discussion_id: notionId(9500),
  created_time: "2026-03-02T10:00:00.000Z",
  last_edited_time: "2026-03-02T10:00:00.000Z",
  created_by: { object: "user", id: notionId(9900) },
  rich_text: rich(text),
  ...more,
});

const isPage = (one: FakePage | Json): one is FakePage => typeof one.title === "string" && !("object" in one);
const failWith = (status: number, code: string, message: string) => ({
  status,
  body: { object: "error", status, code, message, request_id: "of the tests" },
});

export async function startNotionFake(port?: number): Promise<NotionFake> {
  const upstream = await startUpstream(port);
  const media = await startUpstream();
  let signature = 0;
  let cursors = 0;
  /** A signed URL is valid until the same file is listed again. */
  const signUrls = (text: string) =>
    text
      .replace(/"hosted:([^"]+)"/g, (_, name) => `"${media.url}/${name}?X-Amz-Signature=${++signature}"`)
      .replace(/"elsewhere:([^"]+)"/g, (_, name) => `"${media.url}/${name}"`);
  const fake: NotionFake = {
    url: upstream.url,
    accessToken: "ntn_of_the_tests",
    pages: [],
    sources: [],
    hidden: new Set(),
    refusals: [],
    lost: new Set(),
    failing: new Set(),
    unsupported: new Set(),
    endless: undefined,
    comments: {},
    mayReadComments: true,
    isIncomplete: false,
    files: {},
    media: [],
    calls: [],
    headers: [],
    close: async () => {
      await media.close();
      await upstream.close();
    },
  };

  const pageShown = (one: FakePage | Json): Json => {
    if (!isPage(one)) return one;
    const { id, title, edited, row, properties = {}, isTrashed = false } = one;
    return {
      object: "page",
      id,
      created_time: "2026-01-01T08:00:00.000Z",
      last_edited_time: edited,
      in_trash: isTrashed,
      archived: isTrashed,
      url: `https://www.notion.so/${id.replaceAll("-", "")}`,
      parent: row
        ? { type: "data_source_id", data_source_id: row, database_id: row }
        : { type: "workspace", workspace: true },
      properties: { Name: { id: "title", type: "title", title: title ? rich(title) : [] }, ...properties },
    };
  };
  const sourceShown = ({ id, title, edited, columns, formats = {}, isTrashed = false }: FakeSource) => ({
    object: "data_source",
    id,
    title: title ? rich(title) : [],
    description: rich("What we sell."),
    last_edited_time: edited,
    in_trash: isTrashed,
    archived: isTrashed,
    url: `https://www.notion.so/${id.replaceAll("-", "")}`,
    parent: { type: "database_id", database_id: id },
    properties: Object.fromEntries(
      [...columns, "Name"].map((name) => [
        name,
        formats[name]
          ? { id: name, name, type: "number", number: { format: formats[name] } }
          : { id: name, name, type: name === "Name" ? "title" : "rich_text" },
      ]),
    ),
  });
  const blockShown = ({ id, has = [], isTrashed = false, ...block }: FakeBlock) => ({
    object: "block",
    id,
    has_children: has.length > 0,
    in_trash: isTrashed,
    archived: isTrashed,
    ...block,
  });

  /** A cursor is the id of the next page's first item, as in Notion. */
  function page<T>(all: T[], idOf: (one: T) => string, after: unknown, shown: (one: T) => unknown) {
    const from = after ? all.findIndex((one) => idOf(one) === after) : 0;
    if (from < 0 || fake.lost.delete(String(after)))
      return failWith(400, "validation_error", `The start_cursor provided is invalid: ${String(after)}`);
    const next = all[from + perPage];
    return {
      status: 200,
      body: {
        object: "list",
        results: all.slice(from, from + perPage).map(shown),
        has_more: next !== undefined,
        next_cursor: next === undefined ? null : idOf(next),
        request_status: fake.isIncomplete
          ? { type: "incomplete", incomplete_reason: "query_result_limit_reached" }
          : { type: "complete" },
      },
    };
  }
  const idOf = (one: { id?: unknown }) => String(one.id);
  const visible = () => fake.pages.filter((one) => !fake.hidden.has(idOf(one)));
  const missing = (id: string) =>
    failWith(
      404,
      "object_not_found",
      `Could not find object with ID: ${id}. Make sure it is shared with your integration.`,
    );

  function allBlocks(blocks: FakeBlock[], path: string): FakeBlock[] {
    return blocks.flatMap((block, at) => {
      block.id ??= `${path}-${at}`;
      return [block, ...allBlocks(block.has ?? [], block.id)];
    });
  }
  function childrenOf(id: string): FakeBlock[] | undefined {
    for (const one of visible().filter(isPage)) {
      const blocks = allBlocks(one.blocks ?? [], `b${one.id.slice(6, 8)}`);
      if (one.id === id) return one.blocks ?? [];
      const found = blocks.find((block) => block.id === id);
      if (found) return found.has ?? [];
    }
    return undefined;
  }

  function search(body: Json) {
    const { filter, sort, start_cursor } = body as {
      filter: { value: string };
      sort: { direction: string };
      start_cursor?: string;
    };
    fake.calls.push(`search ${filter.value} ${sort.direction}`);
    const time = (one: { edited?: unknown; last_edited_time?: unknown }) =>
      Date.parse(String(one.edited ?? one.last_edited_time)) || 0;
    const turn = sort.direction === "ascending" ? 1 : -1;
    if (filter.value === "page") {
      const named = visible().filter((one) => !isPage(one) || (!one.isUnsearched && !one.isTrashed));
      return page(
        named.toSorted((a, b) => turn * (time(a) - time(b))),
        idOf,
        start_cursor,
        pageShown,
      );
    }
    const sources = fake.sources.filter(({ id, isTrashed }) => !fake.hidden.has(id) && !isTrashed);
    return page(
      sources.toSorted((a, b) => turn * (time(a) - time(b))),
      idOf,
      start_cursor,
      sourceShown,
    );
  }

  function commentsOf(url: URL): { status: number; body: unknown } {
    const id = url.searchParams.get("block_id") ?? "";
    fake.calls.push(`comments ${id}`);
    if (!fake.mayReadComments)
      return failWith(403, "restricted_resource", "Insufficient permissions for this endpoint.");
    const found = visible().find((one) => idOf(one) === id);
    if (!found || (isPage(found) && found.isTrashed)) return missing(id);
    if (fake.failing.has(id)) return failWith(500, "internal_server_error", "Unexpected error.");
    const after = url.searchParams.get("start_cursor") ?? undefined;
    return page(fake.comments[id] ?? [], idOf, after, (one) => one);
  }

  function answer(method: string, url: URL, body: Json): { status: number; body: unknown } {
    const [, what = "", id = "", then = ""] =
      /^\/v1\/([a-z_]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(url.pathname) ?? [];
    if (fake.endless && url.pathname.includes(fake.endless)) {
      fake.calls.push("endless");
      return { status: 200, body: { results: [], has_more: true, next_cursor: notionId(++cursors) } };
    }
    if (method === "POST" && what === "search") return search(body);
    if (what === "comments") return commentsOf(url);
    if (fake.hidden.has(id)) return missing(id);
    if (fake.failing.has(id) && then !== "")
      return failWith(500, "internal_server_error", "Unexpected error.");
    if (what === "pages") {
      fake.calls.push(`page ${id}`);
      if (fake.sources.some((one) => one.id === id))
        return failWith(400, "validation_error", `Provided ID ${id} is a database, not a page.`);
      const found = fake.pages.find((one) => idOf(one) === id);
      return found ? { status: 200, body: pageShown(found) } : missing(id);
    }
    if (what === "blocks" && then === "") {
      fake.calls.push(`block ${id}`);
      const blocks = visible().flatMap((one) => (isPage(one) ? allBlocks(one.blocks ?? [], "b") : []));
      const found = blocks.find((block) => block.id === id);
      return found ? { status: 200, body: blockShown(found) } : missing(id);
    }
    if (what === "blocks") {
      fake.calls.push(`blocks ${id}`);
      const found = childrenOf(id);
      if (!found) return missing(id);
      if (fake.unsupported.has(id))
        return failWith(400, "validation_error", "Block type ai_block is not supported via the API.");
      return page(found, idOf, url.searchParams.get("start_cursor") ?? undefined, blockShown);
    }
    const source = fake.sources.find((one) => one.id === id);
    if (what !== "data_sources" || !source || source.isLinked) return missing(id);
    fake.calls.push(`${then === "query" ? "rows" : "source"} ${id}`);
    if (then !== "query") return { status: 200, body: sourceShown(source) };
    const rows = fake.pages.filter((one) => isPage(one) && one.row === id && !one.isTrashed);
    return page(rows, idOf, body.start_cursor, pageShown);
  }

  upstream.handle(async (request, response) => {
    const url = new URL(request.url ?? "", upstream.url);
    fake.headers.push(request.headers);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(signUrls(JSON.stringify(body)));
    let text = "";
    for await (const part of request) text += part;
    const at = fake.refusals.findIndex(
      ({ path }) => !path || url.pathname.includes(path) || text.includes(path),
    );
    const [refusal] = at < 0 ? [] : fake.refusals.splice(at, 1);
    if (refusal) return send(refusal.status, refusal.body ?? {}, refusal.headers);
    if (request.headers.authorization !== `Bearer ${fake.accessToken}`)
      return send(401, failWith(401, "unauthorized", "API token is invalid.").body);
    if (request.headers["notion-version"] !== "2025-09-03")
      return send(400, failWith(400, "missing_version", "Notion-Version header failed validation.").body);
    const { status, body } = answer(request.method ?? "", url, text === "" ? {} : JSON.parse(text));
    send(status, body);
  });
  media.handle((request, response) => {
    const url = new URL(request.url ?? "", media.url);
    fake.media.push({ url: url.href, authorization: request.headers.authorization });
    const name = decodeURIComponent(url.pathname.slice(1));
    const signed = url.searchParams.get("X-Amz-Signature");
    const file = signed && Number(signed) <= signature - 20 ? undefined : fake.files[name];
    if (!file) return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    if ("redirect" in file) return void response.writeHead(302, { location: file.redirect }).end();
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(file);
  });
  mediaOf.set(fake, media.url);
  return fake;
}

const mediaOf = new WeakMap<NotionFake, string>();
/** The fake's hosts, for PARLEY_OUTBOUND_ALLOW. */
export const placesOf = (fake: NotionFake) =>
  [fake.url, mediaOf.get(fake) ?? ""].map((url) => new URL(url).host).join(",");
