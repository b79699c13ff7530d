// What a Shopify source is set up with.
import { z } from "zod";
import { secret, serviceAddress } from "../settings.ts";

export const contents = ["products", "pages", "articles", "policies"] as const;
export type Content = (typeof contents)[number];

export const config = z.strictObject({
  /** The shop's own address at Shopify: https://acme.myshopify.com. */
  shop: serviceAddress(".myshopify.com"),
  content: z
    .array(z.enum(contents))
    .min(1)
    .max(contents.length)
    .default([...contents]),
});
export type ShopifyConfig = z.infer<typeof config>;

export const credentials = z.strictObject({ accessToken: secret });
