// Declares the settings of a Shopify source.
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, choices, token } from "../fields.ts";

export const contents = ["products", "pages", "articles", "policies"] as const;
export type Content = (typeof contents)[number];

export const declaration = declare({
  type: "shopify",
  name: "Shopify",
  icon: "M6 2 3 6v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V6l-3-4ZM3 6h18M16 10a4 4 0 0 1-8 0",
  origin: "service",
  settings: {
    /** The shop's own Shopify URL: https://acme.myshopify.com. */
    shop: address({ suffix: ".myshopify.com", placeholder: "https://acme.myshopify.com" }),
    content: choices(contents, contents),
  },
  credentials: { accessToken: token() },
  login: "required",
  addresses: ["shop"],
  schedules,
  reads: ["products", "pages", "articles", "policies"],
  kinds: contents,
});
export type ShopifyConfig = ConfigOf<typeof declaration>;
