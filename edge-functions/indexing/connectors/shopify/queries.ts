// The GraphQL queries for Shopify and the schemas of the responses. They request only what shoppers can read.
import { z } from "zod";
import type { Content } from "./declaration.ts";

/** Keeps the cost of a page well under the 1,000 points that a query may have. */
const perPage = 25;
const variantsPerProduct = 20;

const parts: Record<Content, string> = {
  products: `... on Product { id title handle descriptionHtml vendor productType tags status updatedAt onlineStoreUrl
    options { name values } variants(first: ${variantsPerProduct}) { nodes { title sku price } pageInfo { hasNextPage } } }`,
  pages: "... on Page { id title handle body updatedAt isPublished }",
  articles:
    "... on Article { id title handle body summary tags updatedAt isPublished author { name } blog { title handle } }",
  policies: "... on ShopPolicy { id title type body url updatedAt }",
};

/** A page of one kind. @param since limits the list to changes since then */
export function listQuery(content: Content, after: string | undefined, since: string | undefined) {
  if (content === "policies")
    return {
      query: `query { shop { shopPolicies { ${parts.policies} } } }`,
      variables: {},
    };
  const query = `query($after: String, $query: String) {
    ${content}(first: ${perPage}, after: $after, query: $query, sortKey: ID) {
      nodes { ${parts[content]} } pageInfo { hasNextPage endCursor } } }`;
  return { query, variables: { after: after ?? null, query: since ? `updated_at:>='${since}'` : null } };
}

export function nodeQuery(id: string) {
  return {
    query: `query($id: ID!) { node(id: $id) { ${Object.values(parts).join(" ")} } }`,
    variables: { id },
  };
}

export const shopQuery = {
  query: "query { shop { name currencyCode primaryDomain { url } } }",
  variables: {},
};

/** The counts that Shopify offers; articles have none. */
export function countQuery(content: Content) {
  const counted: Partial<Record<Content, string>> = {
    products: 'count: productsCount(query: "status:active", limit: null) { count }',
    pages: "count: pagesCount(limit: null) { count }",
  };
  return counted[content] && { query: `query { ${counted[content]} }`, variables: {} };
}

export const shop = z.object({
  shop: z.object({ name: z.string(), currencyCode: z.string(), primaryDomain: z.object({ url: z.url() }) }),
});
export const nodes = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});
export const policies = z.object({ shop: z.object({ shopPolicies: z.array(z.unknown()) }) });
export const counted = z.object({ count: z.object({ count: z.number() }) });
