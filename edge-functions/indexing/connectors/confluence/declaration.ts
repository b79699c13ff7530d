// Declares the settings of a Confluence source.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, choices, email, flag, list, token } from "../fields.ts";

export const contents = ["pages", "posts", "attachments"] as const;
export type ConfluenceContent = (typeof contents)[number];

export const declaration = declare({
  type: "confluence",
  name: "Confluence",
  icon: "M4 4h11l5 5v11H4zM14 4v6h6M8 13h8M8 17h5",
  origin: "service",
  settings: {
    /** The site's URL: https://acme.atlassian.net. */
    site: address({ suffix: ".atlassian.net", placeholder: "https://acme.atlassian.net" }),
    /** Keys of the spaces to read; when empty, every space that the account sees. Keys of personal spaces begin with a tilde. */
    spaces: list({
      pattern: "([A-Za-z0-9]{1,255}|~[A-Za-z0-9._:-]{1,254})",
      most: 100,
      message: sentenceOf("confluenceKey"),
      placeholder: "DOCS, HR",
    }),
    content: choices(contents, contents),
    /** Reads pictures among the attachments, each with a model call. */
    withPictures: flag(),
  },
  credentials: { email: email(), apiToken: token() },
  login: "required",
  addresses: ["site"],
  schedules,
  reads: ["pages", "posts", "attachments"],
  kinds: contents,
});
export type ConfluenceConfig = ConfigOf<typeof declaration>;
