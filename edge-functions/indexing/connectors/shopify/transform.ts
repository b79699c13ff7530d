// Converts what a shop publishes to items. Marks what is not or no longer published, so that its document is deleted. Pure.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { SourceItem } from "../connector.ts";
import { asContent, joinBlocks, markdownOfHtml, revisionOf, titleOf } from "../markup.ts";
import type { Content } from "./declaration.ts";

export interface Shop {
  currency: string;
  /** The URL that shoppers see. */
  storefront: string;
}

const id = z.string().min(1).max(512);
const text = z.string().nullish();
const product = z.object({
  id,
  title: z.string(),
  handle: text,
  descriptionHtml: text,
  vendor: text,
  productType: text,
  tags: z.array(z.string()).nullish(),
  status: z.string(),
  updatedAt: z.string(),
  onlineStoreUrl: text,
  options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).nullish(),
  variants: z
    .object({
      nodes: z.array(z.object({ title: z.string(), sku: text, price: text })),
      pageInfo: z.object({ hasNextPage: z.boolean() }).nullish(),
    })
    .nullish(),
});
const page = z.object({
  id,
  title: z.string(),
  handle: z.string(),
  body: text,
  updatedAt: z.string(),
  isPublished: z.boolean(),
});
const article = page.extend({
  summary: text,
  tags: z.array(z.string()).nullish(),
  author: z.object({ name: text }).nullish(),
  blog: z.object({ title: z.string(), handle: z.string() }).nullish(),
});
const policy = z.object({ id, title: z.string(), body: text, url: text, updatedAt: text });

export type Read =
  | { kind: "item"; item: SourceItem & { text: string }; updated?: string }
  | { kind: "gone"; id: string; updated?: string }
  /** The object exists but is malformed. */
  | { kind: "damaged"; item: SourceItem }
  | { kind: "unknown" };

/** Reads a node of a list of the given kind. */
export function readNode(content: Content, raw: unknown, shop: Shop): Read {
  switch (content) {
    case "products":
      return read(product, raw, (one) => ({ isPublic: one.status === "ACTIVE", ...ofProduct(one, shop) }));
    case "pages":
      return read(page, raw, (one) => ({
        isPublic: one.isPublished,
        url: new URL(`/pages/${one.handle}`, shop.storefront).href,
        body: markdownOfHtml(one.body ?? "", one.title),
      }));
    case "articles":
      return read(article, raw, (one) => ({ isPublic: one.isPublished, ...ofArticle(one, shop) }));
    case "policies":
      return read(policy, raw, (one) => ({
        isPublic: (one.body ?? "").trim() !== "",
        url: one.url ?? shop.storefront,
        body: markdownOfHtml(one.body ?? "", one.title),
      }));
  }
}

/** The kind in a global id: gid://shopify/Product/1. */
export function contentOfId(globalId: string): Content | undefined {
  const kinds: Record<string, Content> = {
    Product: "products",
    Page: "pages",
    Article: "articles",
    OnlineStoreArticle: "articles",
    OnlineStorePage: "pages",
    ShopPolicy: "policies",
  };
  return kinds[/^gid:\/\/shopify\/(\w+)\/\d{1,20}$/.exec(globalId)?.[1] ?? ""];
}

interface Body {
  isPublic: boolean;
  url: string;
  body: string;
  note?: string;
}

const variantsCut = sentenceOf("shopifyVariants");

function read<T extends { id: string; title: string; updatedAt?: string | null | undefined }>(
  schema: z.ZodType<T>,
  raw: unknown,
  bodyOf: (one: T) => Body,
): Read {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const known = z.object({ id, title: text.catch(undefined) }).safeParse(raw);
    if (!known.success) return { kind: "unknown" };
    const { id: externalId, title } = known.data;
    const revision = revisionOf(JSON.stringify(raw));
    return { kind: "damaged", item: { externalId, title: titleOf(title ?? "", externalId), revision } };
  }
  const one = parsed.data;
  const updated = one.updatedAt ?? undefined;
  const { isPublic, url, body, note } = bodyOf(one);
  if (!isPublic) return { kind: "gone", id: one.id, ...(updated ? { updated } : {}) };
  const title = titleOf(one.title, one.id);
  const item = {
    externalId: one.id,
    title,
    url,
    ...(updated ? { changedAt: updated } : {}),
    ...asContent(joinBlocks(`# ${title}`, body)),
    ...(note ? { note } : {}),
  };
  return { kind: "item", item, ...(updated ? { updated } : {}) };
}

function ofProduct(one: z.infer<typeof product>, { currency, storefront }: Shop) {
  const variants = one.variants?.nodes ?? [];
  const price = (value: string | null | undefined) => (value ? `${value} ${currency}` : "");
  const only = variants.length === 1 ? variants[0] : undefined;
  const facts = [
    ["Vendor", one.vendor],
    ["Type", one.productType],
    ["Price", price(only?.price)],
    ["SKU", only?.sku],
    ["Tags", one.tags?.join(", ")],
    ...(one.options ?? [])
      .filter(({ values }) => values.length > 1)
      .map(({ name, values }) => [name, values.join(", ")]),
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  const cell = (value: string | null | undefined) => (value ?? "").replaceAll("|", "\\|");
  const rows = only ? [] : variants.map((v) => `| ${cell(v.title)} | ${price(v.price)} | ${cell(v.sku)} |`);
  return {
    ...(one.variants?.pageInfo?.hasNextPage ? { note: variantsCut } : {}),
    url: one.onlineStoreUrl ?? new URL(`/products/${one.handle ?? ""}`, storefront).href,
    body: joinBlocks(
      facts.join("\n"),
      markdownOfHtml(one.descriptionHtml ?? "", one.title),
      rows.length > 0 ? ["| Variant | Price | SKU |", "| --- | --- | --- |", ...rows].join("\n") : "",
    ),
  };
}

function ofArticle(one: z.infer<typeof article>, { storefront }: Shop) {
  const facts = [one.blog?.title, one.author?.name].filter(Boolean).join(", ");
  return {
    url: new URL(`/blogs/${one.blog?.handle ?? "news"}/${one.handle}`, storefront).href,
    body: joinBlocks(facts, markdownOfHtml(one.body ?? one.summary ?? "", one.title)),
  };
}
