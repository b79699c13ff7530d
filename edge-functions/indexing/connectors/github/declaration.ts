// Declares the settings of a GitHub source.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConfigOf, declare, schedules } from "../declaration.ts";
import { address, choices, flag, list, paths, token } from "../fields.ts";

export const contents = ["files", "issues", "discussions"] as const;
export type GithubContent = (typeof contents)[number];

export const declaration = declare({
  type: "github",
  name: "GitHub",
  icon: "M6 3v12M18 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6M18 9a9 9 0 0 1-9 9",
  origin: "service",
  settings: {
    /** "owner/name". */
    repositories: list({
      pattern: "[A-Za-z0-9][A-Za-z0-9_-]{0,38}/[._-]*[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
      least: 1,
      most: 50,
      message: sentenceOf("githubName"),
      placeholder: "acme/handbook, acme/product",
      keep: (name) => name.replace(/^https:\/\/[^/]+\//i, "").replace(/\.git$|\/$/, ""),
    }),
    content: choices(contents, ["files", "issues"]),
    /** Prefixes of the paths to read; all files when empty. */
    folders: paths({ most: 50, placeholder: "/docs/" }),
    /** Reads pictures among the files, each with a model call. */
    withPictures: flag(),
    /** The API's address: GitHub's own, or an Enterprise server's. */
    apiUrl: address({ preset: "https://api.github.com", isShown: true }),
  },
  credentials: { accessToken: token() },
  login: "required",
  addresses: ["apiUrl"],
  schedules,
  reads: ["files", "issues", "discussions"],
  kinds: contents,
});
export type GithubConfig = ConfigOf<typeof declaration>;
