// Owns the type of a language's declaration in LANGUAGE/language.ts. Does not list the languages: languages.ts does.
import type { Reading } from "./reading.ts";
import type { Words } from "./translate.ts";

/** The files of messages that the API uses, in answers, tasks, mails and Slack. Only screens use the others. */
type MessageFile = "answers" | "errors" | "mails" | "names" | "problems" | "slack" | "taskMessages";

export interface Language {
  /** BCP 47, without a region. URLs, cookies and rows contain it. */
  code: string;
  /** Its name in itself. */
  name: string;
  /** Postgres's text search configuration for its documents, if there is one (`\dF` lists them). */
  search?: string;
  /** The rules for parsing its documents and questions without a language model. */
  reading?: Reading;
  messages: Record<MessageFile, Words>;
}
