// A fake Confluence Cloud over HTTP: version 2's lists with cursors and links to the next page, spaces, the trash, attachments of the whole
// site, and version 1's redirect to a file's bytes.
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { startUpstream } from "../upstream.ts";
import { type AtlassianLogins, asNobody, atlassianLogins, enterAtlassian } from "./atlassian.ts";

type Json = Record<string, unknown>;
export interface FakeContent {
  id: string;
  title: string;
  space: string;
  changed: string;
  /** In the storage format. */
  storage?: string;
  status?: string;
  version?: number;
}
export interface FakeAttachment {
  id: string;
  title: string;
  on: string;
  changed: string;
  bytes: string | Uint8Array;
  mediaType?: string;
  size?: number;
  status?: string;
}

export interface ConfluenceFake extends AtlassianLogins {
  url: string;
  spaces: { id: string; key: string; name: string }[];
  /** Anything else in the list is sent unchanged. */
  pages: (FakeContent | Json)[];
  posts: (FakeContent | Json)[];
  attachments: (FakeAttachment | Json)[];
  /** Ids hidden from the account: spaces, pages, attachments. */
  hidden: Set<string>;
  /** Ids that are refused when requested individually. */
  forbidden: Set<string>;
  /** Pages whose text fails to load, and every list that contains one. */
  failing: Set<string>;
  /** People's names by account id. */
  people: Record<string, string>;
  /** Lists name the next page in a header only; the gateway gives the site's full URL. */
  linksByHeader: boolean;
  /** Attachments that may not be downloaded. */
  locked: Set<string>;
  /** Lists are answered as for an anonymous caller. */
  isAnonymous: boolean;
  refusals: { status: number; headers?: Record<string, string>; body?: unknown; path?: string }[];
  /** "pages id", "pages -modified-date", "page 12", "download att1" … */
  calls: string[];
  /** One entry per download: the credentials sent, if any. */
  media: (string | undefined)[];
  headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const perPage = 2;

export async function startConfluenceFake(port?: number): Promise<ConfluenceFake> {
  const upstream = await startUpstream(port);
  const media = await startUpstream();
  const fake: ConfluenceFake = {
    ...atlassianLogins("ada@acme.example", "ATATT_of_the_tests"),
    url: upstream.url,
    spaces: [],
    pages: [],
    posts: [],
    attachments: [],
    hidden: new Set(),
    forbidden: new Set(),
    failing: new Set(),
    people: {},
    linksByHeader: false,
    locked: new Set(),
    isAnonymous: false,
    refusals: [],
    calls: [],
    media: [],
    headers: [],
    close: async () => {
      await upstream.close();
      await media.close();
    },
  };

  const isContent = (one: FakeContent | Json): one is FakeContent => typeof one.changed === "string";
  const version = (changed: string, number = 1) => ({
    createdAt: changed,
    number,
    minorEdit: false,
    authorId: "1",
  });
  const contentShown = (hasBody: boolean) => (one: FakeContent | Json) => {
    if (!isContent(one)) return one;
    const { id, title, space, changed, storage = "", status = "current" } = one;
    return {
      id,
      status,
      title,
      spaceId: space,
      createdAt: "2026-01-01T00:00:00.000Z",
      version: version(changed, one.version),
      ...(hasBody ? { body: { storage: { representation: "storage", value: storage } } } : { body: {} }),
      _links: { webui: `/spaces/S${space}/pages/${id}/${encodeURIComponent(title)}`, editui: "/x" },
    };
  };
  const isAttachment = (one: FakeAttachment | Json): one is FakeAttachment => typeof one.changed === "string";
  const attachmentShown = (one: FakeAttachment | Json): Json => {
    if (!isAttachment(one)) return one;
    const { id, title, on, changed, bytes, mediaType, size, status = "current" } = one;
    return {
      id,
      status,
      title,
      ...(fake.posts.some((post) => post.id === on) ? { blogPostId: on } : { pageId: on }),
      mediaType: mediaType ?? "application/octet-stream",
      fileSize: size ?? bytes.length,
      version: version(changed),
      webuiLink: `/pages/viewpageattachments.action?pageId=${on}&preview=${id}`,
      downloadLink: `/download/attachments/${on}/${encodeURIComponent(title)}?version=1`,
    };
  };

  const isSeen = (one: { id?: unknown; space?: unknown; on?: unknown }) =>
    !fake.isAnonymous && ![one.id, one.space, one.on].some((id) => fake.hidden.has(String(id)));
  const statusOf = (one: { status?: unknown }) => String(one.status ?? "current");

  /** Returns fewer items than requested, as Confluence may. */
  function listOf<T extends { id?: unknown; changed?: unknown }>(
    all: T[],
    url: URL,
    shown: (one: T) => unknown,
  ): Answer {
    const ids = url.searchParams.get("id")?.split(",");
    const limit = perPage;
    const sort = url.searchParams.get("sort");
    const time = (one: T) => Date.parse(String(one.changed)) || 0;
    const found = ids ? all.filter((one) => ids.includes(String(one.id))) : all;
    const sorted = sort === "-modified-date" ? found.toSorted((a, b) => time(b) - time(a)) : found;
    const from = Number(url.searchParams.get("cursor")?.replace("c-", "") ?? 0);
    const end = from + limit;
    const next = new URL(url);
    next.searchParams.set("cursor", `c-${end}`);
    const address = end < sorted.length ? `${next.pathname}${next.search}` : undefined;
    const some = sorted.slice(from, end);
    if (url.searchParams.has("body-format") && some.some((one) => fake.failing.has(String(one.id))))
      return failed;
    const _links = address && !fake.linksByHeader ? { next: address, base: `${upstream.url}/wiki` } : {};
    return {
      status: 200,
      body: { results: some.map(shown), _links },
      ...(address ? { headers: { link: `<${address}>; rel="next"` } } : {}),
    };
  }
  const failed = { status: 500, body: { errors: [{ status: 500, code: "INTERNAL_SERVER_ERROR" }] } };
  const missing = { status: 404, body: { errors: [{ status: 404, code: "NOT_FOUND", title: "Not Found" }] } };

  function answer(url: URL): Answer {
    const [, kind = "", id] =
      /^\/wiki\/api\/v2\/(spaces|pages|blogposts|attachments)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    const { searchParams: query } = url;
    if (kind === "spaces") {
      fake.calls.push("spaces");
      const keys = query.get("keys")?.split(",");
      const seen = fake.spaces.filter((one) => isSeen(one) && (!keys || keys.includes(one.key)));
      return listOf(seen, url, (one) => one);
    }
    const hasBody = query.get("body-format") === "storage";
    const contents: (FakeContent | Json)[] = kind === "pages" ? fake.pages : fake.posts;
    if (id) {
      fake.calls.push(`${kind} ${id}`);
      if (fake.forbidden.has(id))
        return { status: 403, body: { errors: [{ status: 403, code: "FORBIDDEN" }] } };
      if (fake.failing.has(id) && hasBody) return failed;
      if (kind === "attachments") {
        const found = fake.attachments.find((one) => one.id === id && isSeen(one));
        return found ? { status: 200, body: attachmentShown(found) } : missing;
      }
      const found = contents.find((one) => one.id === id && isSeen(one));
      return found ? { status: 200, body: contentShown(hasBody)(found) } : missing;
    }
    if (kind === "") return missing;
    const isCurrent = (one: { status?: unknown }) => statusOf(one) === (query.get("status") ?? "current");
    fake.calls.push(`${kind} ${query.get("sort") ?? (query.has("id") ? "of" : "count")}`);
    if (kind === "attachments")
      return listOf(
        fake.attachments.filter((one) => isSeen(one) && isCurrent(one)),
        url,
        attachmentShown,
      );
    const spaces = query.get("space-id")?.split(",");
    const found = contents.filter(
      (one) => isSeen(one) && isCurrent(one) && (!spaces || !isContent(one) || spaces.includes(one.space)),
    );
    return listOf(found, url, contentShown(hasBody));
  }

  upstream.handle(async (request, response) => {
    const entry = enterAtlassian("confluence", fake, request, scopeOf);
    fake.headers.push(request.headers);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    const at = fake.refusals.findIndex(({ path }) => !path || (request.url ?? "").includes(path));
    const [refusal] = at < 0 ? [] : fake.refusals.splice(at, 1);
    if (refusal) return send(refusal.status, refusal.body ?? {}, refusal.headers);
    if ("status" in entry) return send(entry.status, entry.body, entry.headers);
    const url = new URL(entry.path, upstream.url);
    if (entry.isNobody) return send(200, { results: [], _links: {} }, asNobody);
    const [, on, id] =
      /^\/wiki\/rest\/api\/content\/(\d+)\/child\/attachment\/(att\d+)\/download$/.exec(url.pathname) ?? [];
    if (id) {
      fake.calls.push(`download ${id}`);
      const found = fake.attachments.find((one) => one.id === id && one.on === on && isSeen(one));
      if (!found) return send(404, {});
      if (fake.locked.has(id)) return send(403, {});
      return void response.writeHead(302, { location: `${media.url}/file/${id}/binary?token=signed` }).end();
    }
    if (url.pathname === "/wiki/api/v2/users-bulk") {
      const { accountIds } = (await json(request)) as { accountIds: string[] };
      const results = accountIds.flatMap((accountId) => {
        const displayName = fake.people[accountId];
        return displayName ? [{ accountId, displayName }] : [];
      });
      return send(200, { results });
    }
    const { status, body, headers = {} } = answer(url);
    const link = entry.isAtGateway ? headers.link?.replace("<", `<${upstream.url}`) : headers.link;
    send(status, body, link ? { ...headers, link } : headers);
  });
  media.handle((request, response) => {
    fake.media.push(request.headers.authorization);
    const [, id] = /^\/file\/(att\d+)\//.exec(request.url ?? "") ?? [];
    const found = fake.attachments.filter(isAttachment).find((one) => one.id === id);
    response
      .writeHead(found ? 200 : 404, { "content-type": found?.mediaType ?? "text/plain" })
      .end(found?.bytes);
  });
  mediaOf.set(fake, media.url);
  return fake;
}

function scopeOf(path: string): string {
  const [, kind = ""] = /^\/wiki\/api\/v2\/([a-z-]+)/.exec(path) ?? [];
  const scopes: Record<string, string> = {
    spaces: "read:space:confluence",
    pages: "read:page:confluence",
    blogposts: "read:page:confluence",
    "users-bulk": "read:user:confluence",
  };
  return scopes[kind] ?? "read:attachment:confluence";
}

const mediaOf = new WeakMap<ConfluenceFake, string>();
/** The fake's hosts, for PARLEY_OUTBOUND_ALLOW. */
export const placesOf = (fake: ConfluenceFake) =>
  [fake.url, mediaOf.get(fake) ?? ""].map((url) => new URL(url).host).join(",");
