// A connector outside the product: everything that a connector's folder must provide.
import { declare, schedules } from "../../../../edge-functions/indexing/connectors/declaration.ts";
import {
  address,
  choices,
  flag,
  list,
  token,
} from "../../../../edge-functions/indexing/connectors/fields.ts";

export const declaration = declare({
  type: "wiki",
  name: "Wiki",
  icon: "M4 4h16v16H4Z",
  origin: "service",
  settings: {
    base: address({ suffix: ".wiki.example", placeholder: "https://acme.wiki.example" }),
    spaces: list({ pattern: "[A-Z]{1,9}", most: 5, message: "This is not a space key." }),
    parts: choices(["pages", "posts"], ["pages"]),
    drafts: flag(),
  },
  credentials: { token: token() },
  login: "required",
  addresses: ["base"],
  schedules,
  reads: ["pages"],
  kinds: ["pages", "posts"],
});
