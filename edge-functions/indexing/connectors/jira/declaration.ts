// Declares the settings of a Jira source.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, email, flag, list, token } from "../fields.ts";

export const declaration = declare({
  type: "jira",
  name: "Jira",
  icon: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M8 7v7M12 7v4M16 7v9",
  origin: "service",
  settings: {
    /** The site's URL: https://acme.atlassian.net. */
    site: address({ placeholder: "https://acme.atlassian.net" }),
    /** Keys of the projects to read; when empty, every project that the account sees. */
    projects: list({
      pattern: "[A-Z][A-Z0-9_]{0,99}",
      most: 100,
      message: sentenceOf("notAProjectKey"),
      placeholder: "OPS, HELP",
      keep: (key) => key.toUpperCase(),
    }),
    /** Leaves out the comments of issues. */
    withoutComments: flag(),
  },
  credentials: { email: email(), apiToken: token() },
  login: "required",
  addresses: ["site"],
  schedules,
  reads: ["issues", "facts", "comments"],
  kinds: ["issues"],
});
export type JiraConfig = ConfigOf<typeof declaration>;
