// What a HubSpot source is set up with.
import { z } from "zod";
import { secret, serviceAddress } from "../settings.ts";

export const objects = [
  "companies",
  "contacts",
  "deals",
  "tickets",
  "products",
  "notes",
  "articles",
] as const;
export type HubspotObject = (typeof objects)[number];

export const config = z.strictObject({
  /** Which kinds of records to read; "articles" are those of the knowledge base, where the account has one. */
  objects: z
    .array(z.enum(objects))
    .min(1)
    .max(objects.length)
    .default(["companies", "deals", "tickets", "products"]),
  /** Where HubSpot's API is: everyone's but a test's. */
  apiUrl: serviceAddress(".hubapi.com").default("https://api.hubapi.com"),
});
export type HubspotConfig = z.infer<typeof config>;

export const credentials = z.strictObject({ accessToken: secret });
