// What a language of screens and messages declares: LANGUAGE/language.ts beside its words.
import type { Reading } from "./reading.ts";
import type { Words } from "./translate.ts";

/** The files that the API says words from: in answers, tasks, mails and Slack. The other files are of the screens alone. */
type MessageFile = "answers" | "mails" | "names" | "problems" | "slack" | "taskMessages";

export interface Language {
  /** BCP 47, without a region: it stands in addresses, cookies and rows. */
  code: string;
  /** In its own words. */
  name: string;
  /** The text search configuration of Postgres for documents in it (`\dF` lists them), where there is one. */
  search?: string;
  /** How documents and questions in it are read without a language model, where that is declared. */
  reading?: Reading;
  messages: Record<MessageFile, Words>;
}
