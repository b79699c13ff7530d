// Reads CRM records and knowledge base articles of HubSpot. Read-only. Lists everything first, then searches records by last
// change. Articles are always listed in full, by a search whose pages shift: what a full listing leaves out is asked for.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  type ListPage,
  type PreviewLine,
  type SourceItem,
  SourceRefused,
} from "../connector.ts";
import { cursorAfter, later } from "../moments.ts";
import { requestUnlisted } from "../unlisted.ts";
import { type Hubspot, hubspotOf } from "./api.ts";
import { declaration, objects } from "./declaration.ts";
import type { CrmObject } from "./records.ts";
import {
  articleItem,
  bareArticle,
  changeOf,
  damagedItem,
  externalIdOf,
  itemOf,
  parseRecord,
  partsOfId,
} from "./transform.ts";

/** A search of changes starts this long before the last change seen: the search index lags behind edits. */
const overlapMs = 10 * 60_000;

const position = z.object({
  /** The kind being listed; absent past the last: documents that no list named. */
  object: z.enum(objects).optional(),
  after: z.string().optional(),
  /** Of the listing: the last change seen, when it began, whether it met anything. */
  latest: z.string().optional(),
  begunAt: z.string().optional(),
  hasMet: z.boolean().default(true),
  account: z.string().optional(),
});
type Position = z.infer<typeof position>;

export const hubspot: Connector = {
  declaration,

  async list(context, listing) {
    const { next, cursor, findUnlisted } = listing;
    const api = hubspotOf(context);
    const wanted = objects.filter((one) => api.config.objects.includes(one));
    const at: Position = next
      ? position.parse(JSON.parse(next))
      : { object: wanted[0] ?? "companies", account: await api.account(), latest: cursor, hasMet: false };
    if (!at.object) return await requestUnlisted(hubspot, context, at, listing);
    const { after, latest, ...page } =
      at.object === "articles" ? await articles(api, at) : await records(api, at.object, at, cursor);
    const now: Position = {
      object: after !== undefined ? at.object : wanted[wanted.indexOf(at.object) + 1],
      after,
      latest,
      begunAt: at.begunAt ?? api.firstAnswerTime(),
      hasMet: at.hasMet || page.items.length + (page.gone?.length ?? 0) > 0,
      account: at.account,
    };
    const isOver = !now.object && !findUnlisted;
    return { ...page, ...(isOver ? cursorAfter(now) : { next: JSON.stringify(now) }) };
  },

  async fetch(context, externalId) {
    const api = hubspotOf(context);
    const parts = partsOfId(externalId);
    if (!parts) throw new ItemUnreadable(sentenceOf("hubspotKind"));
    const { object, id } = parts;
    if (!api.config.objects.includes(object)) throw new ItemGone("the source does not read this kind");
    if (object === "articles") return articleItem(id, await api.article(id));
    const record = parseRecord(await api.record(object, id));
    if (!record) throw new ItemUnreadable(sentenceOf("hubspotForm"));
    if (record.archived) throw new ItemGone("the record was deleted");
    return itemOf(object, record, { labels: await api.pipelineLabels(object) });
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = hubspotOf(context);
    const lines: PreviewLine[] = [];
    for (const kind of objects.filter((one) => api.config.objects.includes(one))) {
      try {
        const count = kind === "articles" ? (await api.articles(0)).total : await api.count(kind);
        lines.push({ kind, count });
      } catch (error) {
        // A missing scope says nothing about the others; an invalid token does.
        if (!(error instanceof SourceRefused) || error.field === "credentials") throw error;
        lines.push({ kind, problem: error.message });
      }
    }
    return lines;
  },
};

type Page = Pick<ListPage, "items" | "gone" | "isUncertain"> & Pick<Position, "after" | "latest">;

async function records(
  api: Hubspot,
  object: CrmObject,
  at: Position,
  cursor: string | undefined,
): Promise<Page> {
  const found =
    cursor === undefined
      ? await api.list(object, at.after)
      : await api.listChanged(object, new Date(Date.parse(cursor) - overlapMs).toISOString(), at.after);
  const labels = found.records.length > 0 ? await api.pipelineLabels(object) : new Map<string, string>();
  const items: SourceItem[] = [];
  const gone: string[] = [];
  let isUncertain = false;
  let latest = at.latest;
  for (const raw of found.records) {
    const record = parseRecord(raw);
    const item = record ? itemOf(object, record, { account: at.account, labels }) : damagedItem(object, raw);
    if (record?.archived) gone.push(externalIdOf(object, record.id));
    else if (item) items.push(item);
    else isUncertain = true;
    latest = later(latest, record && changeOf(object, record));
  }
  return { items, gone, isUncertain, latest, after: found.after };
}

/** Fetches each article's text: the list has neither the text nor the time of its change. */
async function articles(api: Hubspot, at: Position): Promise<Page> {
  const offset = Number(at.after ?? 0);
  const { articles, total } = await api.articles(offset);
  const items: SourceItem[] = [];
  for (const { id, title, url } of articles) {
    try {
      const article = await api.article(id);
      items.push(articleItem(id, { ...(url ? { url } : {}), ...article, title: article.title || title }));
    } catch (error) {
      // One that HubSpot fails to return is fetched alone later, and fails alone.
      if (hasFailed(error)) items.push(bareArticle(id, { title, ...(url ? { url } : {}) }));
      // Deleted since the list was read.
      else if (!(error instanceof ItemGone)) throw error;
    }
  }
  const reached = offset + articles.length;
  const isLast = articles.length === 0 || reached >= total;
  return { items, latest: at.latest, after: isLast ? undefined : String(reached) };
}
