// Reads what a Shopify shop publishes: products, pages, blog articles, policies. Read-only.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  ItemGone,
  ItemUnreadable,
  type PreviewLine,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { cursorAfter, later } from "../moments.ts";
import { requestUnlisted } from "../unlisted.ts";
import { type Shopify, shopifyOf } from "./api.ts";
import { type Content, contents, declaration } from "./declaration.ts";
import { counted, countQuery, listQuery, nodeQuery, nodes, policies, shop, shopQuery } from "./queries.ts";
import { contentOfId, readNode, type Shop } from "./transform.ts";

/** A listing of changes starts this long before the last change seen: lists lag behind edits. */
const overlapMs = 10 * 60_000;

const position = z.object({
  /** The kind being listed; absent past the last: documents that no list named. */
  content: z.enum(contents).optional(),
  after: z.string().optional(),
  /** Of the listing: the last change seen, when it began, whether it met anything. */
  latest: z.string().optional(),
  begunAt: z.string().optional(),
  hasMet: z.boolean().default(true),
  shop: z.object({ currency: z.string(), storefront: z.string() }),
});
type Position = z.infer<typeof position>;

export const shopify: Connector = {
  declaration,

  async list(context, listing) {
    const { next, cursor, findUnlisted } = listing;
    const api = shopifyOf(context);
    const wanted = contents.filter((one) => api.config.content.includes(one));
    const at: Position = next
      ? position.parse(JSON.parse(next))
      : { content: wanted[0] ?? "products", shop: await shopOf(api), latest: cursor, hasMet: false };
    const { content } = at;
    if (!content) return await requestUnlisted(shopify, context, at, listing);
    const since = cursor && new Date(Date.parse(cursor) - overlapMs).toISOString();
    const page = await pageOf(api, content, at.after, since);
    const read = page.nodes.map((node) => readNode(content, node, at.shop));
    const now: Position = {
      content: page.after ? content : wanted[wanted.indexOf(content) + 1],
      after: page.after,
      latest: read.reduce(
        (latest, one) => later(latest, "updated" in one ? one.updated : undefined),
        at.latest,
      ),
      begunAt: at.begunAt ?? api.firstAnswerTime(),
      hasMet: at.hasMet || page.nodes.length > 0,
      shop: at.shop,
    };
    const isOver = !now.content && !findUnlisted;
    return {
      items: read.flatMap((one) => (one.kind === "item" || one.kind === "damaged" ? [one.item] : [])),
      gone: read.flatMap((one) => (one.kind === "gone" ? [one.id] : [])),
      isUncertain: read.some(({ kind }) => kind === "unknown"),
      ...(isOver ? cursorAfter(now) : { next: JSON.stringify(now) }),
    };
  },

  async fetch(context, externalId) {
    const api = shopifyOf(context);
    const content = contentOfId(externalId);
    if (!content) throw new ItemUnreadable(sentenceOf("shopifyKind"));
    if (!api.config.content.includes(content)) throw new ItemGone("the source does not read this kind");
    const { node } = await api.ask(nodeQuery(externalId), z.object({ node: z.unknown() }));
    if (node === null || node === undefined) throw new ItemGone("the shop no longer has it");
    const read = readNode(content, node, await shopOf(api));
    if (read.kind === "gone") throw new ItemGone("the shop no longer publishes it");
    if (read.kind !== "item") throw new ItemUnreadable(sentenceOf("shopifyForm"));
    const { text, revision, note } = read.item;
    return { text, revision, ...(note ? { note } : {}) };
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = shopifyOf(context);
    const { shop: found } = await api.ask(shopQuery, shop);
    const lines: PreviewLine[] = [];
    for (const content of contents.filter((one) => api.config.content.includes(one)))
      lines.push(await previewOf(api, content, found.name));
    return lines;
  },
};

async function previewOf(api: Shopify, content: Content, shopName: string): Promise<PreviewLine> {
  const line = { kind: content, name: shopName };
  try {
    const query = countQuery(content);
    if (query) return { ...line, count: (await api.ask(query, counted)).count.count };
    if (content === "policies") {
      const { shop } = await api.ask(listQuery(content, undefined, undefined), policies);
      return { ...line, count: shop.shopPolicies.length };
    }
    await api.ask(listQuery(content, undefined, undefined), z.object({ [content]: nodes }));
    return line;
  } catch (error) {
    // A missing scope says nothing about the others.
    if (error instanceof SourceRefused && error.field === "config.content")
      return { ...line, problem: error.message };
    throw error;
  }
}

async function shopOf(api: Shopify): Promise<Shop> {
  const found = await api.ask(shopQuery, shop);
  return { currency: found.shop.currencyCode, storefront: found.shop.primaryDomain.url };
}

async function pageOf(
  api: Shopify,
  content: Content,
  after: string | undefined,
  since: string | undefined,
): Promise<{ nodes: unknown[]; after?: string }> {
  const query = listQuery(content, after, since);
  if (content === "policies") return { nodes: (await api.ask(query, policies)).shop.shopPolicies };
  const found = (await api.ask(query, z.object({ [content]: nodes })))[content];
  if (!found) return { nodes: [] };
  const { hasNextPage, endCursor } = found.pageInfo;
  // A list that ended here would look complete.
  if (hasNextPage && !endCursor) throw new SourceUnavailable(sentenceOf("illegible", { service: "Shopify" }));
  return { nodes: found.nodes, ...(hasNextPage && endCursor ? { after: endCursor } : {}) };
}
