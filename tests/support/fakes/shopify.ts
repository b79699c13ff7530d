// A fake Shopify Admin API over HTTP: GraphQL connections with cursors, a bucket of points that each query costs, the version in a header,
// missing scopes. Parses only the parts of a query that the connector uses: the field and its arguments.
import type { IncomingMessage } from "node:http";
import { startUpstream } from "../upstream.ts";

type Node = Record<string, unknown> & { id: string };
type Kind = "products" | "pages" | "articles";

export interface ShopifyFake {
  url: string;
  accessToken: string;
  products: (Node | null)[];
  pages: Node[];
  articles: Node[];
  policies: Node[];
  /** Missing scopes, by the kind that they protect. */
  denied: Set<Kind | "policies">;
  /** The number of calls to answer with "throttled". */
  throttles: number;
  /** Its lists say that they go on, but not where. */
  losesCursors: boolean;
  /** Runs before each call is answered, with its field: "products". */
  meanwhile: ((field: string) => void) | undefined;
  version: string | undefined;
  /** How many requests had a wrong token. */
  refusals: number;
  calls: { field: string; variables: Record<string, unknown> }[];
  close(): Promise<void>;
}

const perPage = 2;

export async function startShopifyFake(): Promise<ShopifyFake> {
  const upstream = await startUpstream();
  const fake: ShopifyFake = {
    url: upstream.url,
    accessToken: "shpat_of_the_tests",
    products: [],
    pages: [],
    articles: [],
    policies: [],
    denied: new Set(),
    throttles: 0,
    losesCursors: false,
    meanwhile: undefined,
    version: undefined,
    refusals: 0,
    calls: [],
    close: () => upstream.close(),
  };

  function dataOf(field: string, variables: Record<string, unknown>): unknown {
    if (field === "shop")
      return { shop: { name: "Acme", currencyCode: "EUR", primaryDomain: { url: "https://acme.example" } } };
    if (field === "shopPolicies") return { shop: { shopPolicies: fake.policies } };
    if (field === "count") return { count: { count: fake.products.length } };
    if (field === "node") {
      const all = [...fake.products, ...fake.pages, ...fake.articles, ...fake.policies];
      return { node: all.find((one) => one?.id === variables.id) ?? null };
    }
    const since = /^updated_at:>='(.+)'$/.exec(String(variables.query ?? ""))?.[1];
    const all = fake[field as Kind].filter(
      (one) => since === undefined || Date.parse(String(one?.updatedAt)) >= Date.parse(since),
    );
    const from = variables.after ? Number(variables.after) : 0;
    const nodes = all.slice(from, from + perPage);
    const end = from + perPage;
    return {
      [field]: {
        nodes,
        pageInfo: { hasNextPage: end < all.length, endCursor: fake.losesCursors ? null : String(end) },
      },
    };
  }

  upstream.handle(async (request, response) => {
    const [, version] = /^\/admin\/api\/([\d-]+)\/graphql\.json$/.exec(request.url ?? "") ?? [];
    const send = (status: number, body: unknown) =>
      response
        .writeHead(status, {
          "content-type": "application/json",
          "x-shopify-api-version": fake.version ?? version ?? "",
        })
        .end(JSON.stringify(body));
    if (!version) return void send(404, { errors: "Not Found" });
    if (request.headers["x-shopify-access-token"] !== fake.accessToken) {
      fake.refusals++;
      return void send(401, { errors: "[API] Invalid API key or access token" });
    }
    const { query, variables } = await bodyOf(request);
    const field =
      /\b(shopPolicies|productsCount|pagesCount|products|pages|articles|node|shop)\b\s*[({]/.exec(
        query.replace(/query\s*\([^)]*\)/, "").replace("shop { shopPolicies", "shopPolicies"),
      )?.[1] ?? "";
    const name = field.endsWith("Count") ? "count" : field;
    fake.calls.push({ field: name, variables });
    fake.meanwhile?.(name);
    const cost = { requestedQueryCost: 100, throttleStatus: { currentlyAvailable: 1900, restoreRate: 2000 } };
    if (fake.throttles > 0) {
      fake.throttles--;
      cost.throttleStatus.currentlyAvailable = 0;
      const errors = [{ message: "Throttled", extensions: { code: "THROTTLED" } }];
      return void send(200, { errors, extensions: { cost } });
    }
    const denied = name === "shopPolicies" ? "policies" : (name as Kind);
    if (fake.denied.has(denied)) {
      const message = `Access denied for ${name} field. Required access: \`read_content\` access scope.`;
      return void send(200, { data: null, errors: [{ message, extensions: { code: "ACCESS_DENIED" } }] });
    }
    send(200, { data: dataOf(name, variables), extensions: { cost } });
  });
  return fake;
}

export const productOf = (number: number, title: string, html: string, updatedAt: string): Node => ({
  id: `gid://shopify/Product/${number}`,
  title,
  handle: `product-${number}`,
  descriptionHtml: html,
  vendor: "Acme",
  productType: "Tools",
  tags: ["new"],
  status: "ACTIVE",
  updatedAt,
  onlineStoreUrl: `https://acme.example/products/product-${number}`,
  options: [{ name: "Size", values: ["S", "L"] }],
  variants: {
    nodes: [
      { title: "S", sku: `P${number}-S`, price: "9.50" },
      { title: "L", sku: `P${number}-L`, price: "12.00" },
    ],
  },
});

async function bodyOf(
  request: IncomingMessage,
): Promise<{ query: string; variables: Record<string, unknown> }> {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text);
}
