// Declares the settings of a HubSpot source.
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, choices, token } from "../fields.ts";

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

export const declaration = declare({
  type: "hubspot",
  name: "HubSpot",
  icon: "M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M22 21v-2a4 4 0 0 0-3-3.87M16 3.13a4 4 0 0 1 0 7.75",
  origin: "service",
  settings: {
    /** The kinds of records to read; "articles" are those of the account's knowledge base, if it has one. */
    objects: choices(objects, ["companies", "deals", "tickets", "products"]),
    /** The address of HubSpot's API; only tests use another. */
    apiUrl: address({ suffix: ".hubapi.com", preset: "https://api.hubapi.com" }),
  },
  credentials: { accessToken: token() },
  login: "required",
  addresses: ["apiUrl"],
  schedules,
  reads: ["records", "notes", "articles"],
  kinds: objects,
});
export type HubspotConfig = ConfigOf<typeof declaration>;
