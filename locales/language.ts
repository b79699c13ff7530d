// What a language of screens and messages declares: LANGUAGE/language.ts beside its words.
import type { Words } from "./translate.ts";

/** The files that the API says words from: in tasks, mails and Slack. The other files are of the screens alone. */
type MessageFile = "mails" | "names" | "problems" | "slack" | "taskMessages";

export interface Language {
  /** BCP 47, without a region: it stands in addresses, cookies and rows. */
  code: string;
  /** In its own words. */
  name: string;
  /** The text search configuration of Postgres for documents in it (`\dF` lists them), where there is one. */
  search?: string;
  messages: Record<MessageFile, Words>;
}
