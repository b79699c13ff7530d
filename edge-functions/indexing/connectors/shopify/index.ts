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
} from "../connector.ts";
import { type Shopify, shopifyOf } from "./api.ts";
import { type Content, contents, declaration } from "./declaration.ts";
import { counted, countQuery, listQuery, nodeQuery, nodes, policies, shop, shopQuery } from "./queries.ts";
import { contentOfId, type Read, readNode, type Shop } from "./transform.ts";

/** A listing of changes starts this long before the last change seen: lists lag behind edits. */
const overlapMs = 10 * 60_000;

const position = z.object({
  content: z.enum(contents),
  after: z.string().optional(),
  latest: z.string().optional(),
  shop: z.object({ currency: z.string(), storefront: z.string() }),
});
type Position = z.infer<typeof position>;

export const shopify: Connector = {
  declaration,

  async list(context, { next, cursor }) {
    const api = shopifyOf(context);
    const wanted = contents.filter((one) => api.config.content.includes(one));
    const at: Position = next
      ? position.parse(JSON.parse(next))
      : { content: wanted[0] ?? "products", shop: await shopOf(api), ...(cursor ? { latest: cursor } : {}) };
    const since = cursor && new Date(Date.parse(cursor) - overlapMs).toISOString();
    const page = await pageOf(api, at, since);
    const read = page.nodes.map((node) => readNode(at.content, node, at.shop));
    const latest = latestOf(read, at.latest);
    const following = page.after
      ? { ...at, after: page.after, latest }
      : { ...at, after: undefined, latest, content: wanted[wanted.indexOf(at.content) + 1] };
    return {
      items: read.flatMap((one) => (one.kind === "item" || one.kind === "damaged" ? [one.item] : [])),
      gone: read.flatMap((one) => (one.kind === "gone" ? [one.id] : [])),
      isUncertain: read.some(({ kind }) => kind === "unknown"),
      ...(following.content ? { next: JSON.stringify(following) } : latest ? { cursor: latest } : {}),
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
  { content, after }: Position,
  since: string | undefined,
): Promise<{ nodes: unknown[]; after?: string }> {
  const query = listQuery(content, after, since);
  if (content === "policies") return { nodes: (await api.ask(query, policies)).shop.shopPolicies };
  const found = (await api.ask(query, z.object({ [content]: nodes })))[content];
  if (!found) return { nodes: [] };
  const { hasNextPage, endCursor } = found.pageInfo;
  return { nodes: found.nodes, ...(hasNextPage && endCursor ? { after: endCursor } : {}) };
}

function latestOf(read: Read[], known: string | undefined): string | undefined {
  const times = [known, ...read.map((one) => ("updated" in one ? one.updated : undefined))]
    .map((time) => Date.parse(time ?? ""))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 ? new Date(Math.max(...times)).toISOString() : undefined;
}
