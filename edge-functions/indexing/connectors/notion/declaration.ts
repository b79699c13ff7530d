// What a Notion source is set up with. Which pages it reads is chosen in Notion, where a connection is added to them.
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
    /** Pictures of pages, each of which a model reads. */
    withPictures: flag(),
    /** Open comments, which cost a call for each page. */
    withComments: flag(),
    /** Where Notion's API is: everyone's but a test's. */
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
