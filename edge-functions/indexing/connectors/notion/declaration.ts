// Declares the settings of a Notion source. Its pages are chosen in Notion, by adding a connection to them.
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, choices, flag, token } from "../fields.ts";

export const contents = ["pages", "databases", "attachments"] as const;
export type NotionContent = (typeof contents)[number];

export const declaration = declare({
  type: "notion",
  name: "Notion",
  icon: "M4 4h16v16H4zM8 16V8l8 8V8",
  origin: "service",
  settings: {
    content: choices(contents, contents),
    /** Reads pictures of pages, each with a model call. */
    withPictures: flag(),
    /** Reads open comments, with one call per page. */
    withComments: flag(),
    /** The address of Notion's API; only tests use another. */
    apiUrl: address({ suffix: ".notion.com", preset: "https://api.notion.com" }),
  },
  credentials: { accessToken: token() },
  login: "required",
  addresses: ["apiUrl"],
  schedules,
  reads: ["pages", "databases", "attachments", "comments"],
  kinds: contents,
});
export type NotionConfig = ConfigOf<typeof declaration>;
