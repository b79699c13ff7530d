// A fake HubSpot over HTTP: paged records, a sorted search whose pages go by number and end at 10,000, expiring tokens, missing scopes, a
// knowledge base behind the site search.
import type { IncomingMessage } from "node:http";
import { startUpstream } from "../upstream.ts";

interface FakeRecord {
  id: string;
  properties: Record<string, string | null>;
  archived?: boolean;
}

export interface HubspotFake {
  url: string;
  accessToken: string;
  records: Record<string, (FakeRecord | Record<string, unknown>)[]>;
  articles: { id: number; title: string; url: string; html: string }[] | undefined;
  /** The pipelines of each kind. */
  pipelines: Record<string, { id: string; label: string; stages: { id: string; label: string }[] }[]>;
  /** Kinds that the token may not read. */
  denied: Set<string>;
  /** The results of a search end here, however many match. */
  ceiling: number;
  /** Articles that HubSpot fails to return. */
  brokenArticles: Set<number>;
  /** Runs before each call is answered: "SEARCH contacts". */
  meanwhile: ((call: string) => void) | undefined;
  refusals: { status: number; headers?: Record<string, string>; body: unknown }[];
  /** "GET contacts", "SEARCH contacts". */
  calls: string[];
  close(): Promise<void>;
}

const perPage = 2;

export async function startHubspotFake(): Promise<HubspotFake> {
  const upstream = await startUpstream();
  const fake: HubspotFake = {
    url: upstream.url,
    accessToken: "pat-of-the-tests",
    records: {},
    articles: undefined,
    pipelines: {},
    denied: new Set(),
    ceiling: 10_000,
    brokenArticles: new Set(),
    meanwhile: undefined,
    refusals: [],
    calls: [],
    close: () => upstream.close(),
  };

  const note = (call: string) => {
    fake.calls.push(call);
    fake.meanwhile?.(call);
  };
  upstream.handle(async (request, response) => {
    const url = new URL(request.url ?? "", upstream.url);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    const refusal = fake.refusals.shift();
    if (refusal) return send(refusal.status, refusal.body, refusal.headers);
    if (request.headers.authorization !== `Bearer ${fake.accessToken}`)
      return send(401, { status: "error", category: "EXPIRED_AUTHENTICATION", message: "The token expired" });
    if (url.pathname === "/account-info/2026-03/details") return send(200, { portalId: 4711 });
    if (url.pathname === "/cms/v3/site-search/search") {
      note("GET articles");
      if (!fake.articles) return send(403, { category: "MISSING_SCOPES", message: "missing scopes" });
      const from = Number(url.searchParams.get("offset") ?? 0);
      const results = fake.articles.slice(from, from + perPage).map(({ html: _, ...one }) => one);
      return send(200, { total: fake.articles.length, offset: from, results });
    }
    const article = /^\/cms\/v3\/site-search\/indexed-data\/(\d+)$/.exec(url.pathname)?.[1];
    if (article) {
      if (fake.brokenArticles.has(Number(article))) return send(500, { message: "internal error" });
      const found = fake.articles?.find(({ id }) => String(id) === article);
      if (!found) return send(404, { message: "not found" });
      return send(200, { fields: { html_title: { value: found.title }, body: { value: found.html } } });
    }
    const pipelinesOf = /^\/crm\/pipelines\/2026-03\/(\w+)$/.exec(url.pathname)?.[1];
    if (pipelinesOf) {
      fake.calls.push(`PIPELINES ${pipelinesOf}`);
      const found = fake.pipelines[pipelinesOf];
      return found ? send(200, { results: found }) : send(403, { category: "MISSING_SCOPES" });
    }
    const [, object = "", rest = ""] =
      /^\/crm\/objects\/2026-03\/(\w+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    note(`${rest === "search" ? "SEARCH" : "GET"} ${object}`);
    if (fake.denied.has(object)) return send(403, { category: "MISSING_SCOPES", message: "missing scopes" });
    const all = fake.records[object] ?? [];
    if (rest && rest !== "search") {
      const found = all.find((one) => one.id === rest);
      return found ? send(200, found) : send(404, { message: "not found" });
    }
    const body = rest === "search" ? await bodyOf(request) : {};
    const filters = body.filterGroups?.[0]?.filters ?? [];
    const matching = all.filter((one) =>
      filters.every(({ propertyName, operator, value }) => {
        const found = numberIn(one, propertyName);
        return operator === "GT" ? found > Number(value) : found >= Number(value);
      }),
    );
    const [sort] = body.sorts ?? [];
    if (sort) matching.sort((a, b) => numberIn(a, sort.propertyName) - numberIn(b, sort.propertyName));
    const from = Number((rest === "search" ? body.after : url.searchParams.get("after")) ?? 0);
    if (rest === "search" && from >= fake.ceiling)
      return send(400, { message: `the search stops at ${fake.ceiling}` });
    const results = matching.slice(from, from + perPage);
    const end = from + perPage;
    const paging = end < matching.length ? { paging: { next: { after: String(end) } } } : {};
    const total = rest === "search" ? { total: matching.length } : {};
    send(200, { results, ...paging, ...total });
  });
  return fake;
}

/** Matches only the property that stores the date, or the id: another name finds nothing. */
function numberIn(record: FakeRecord | Record<string, unknown>, property: string): number {
  const { id, properties } = record as FakeRecord;
  if (property === "hs_object_id") return Number(id);
  return Date.parse(properties?.[property] ?? "");
}

async function bodyOf(request: IncomingMessage) {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text) as {
    after?: string;
    filterGroups?: { filters: { propertyName: string; operator: string; value: string }[] }[];
    sorts?: { propertyName: string }[];
  };
}
