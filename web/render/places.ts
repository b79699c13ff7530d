// The destinations of files that are dropped on a page. Shared by the server, which lists them, and the browser, which
// offers them.
import type { DocumentLanguage } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";

interface Place {
  id: string;
  name: string;
}

/** Response of GET /places.json. */
export interface Places {
  /** True when somebody is logged in. */
  isKnown: boolean;
  /** Null when the reader may not add files. */
  team: (Place & { codename: string }) | null;
  /** Null when the reader may not add files to knowledge bases. */
  knowledges: Place[] | null;
  /** Sources that consist of files. */
  sources: Place[];
  /** The language of a new knowledge base. */
  language: DocumentLanguage;
  words: Record<string, Words>;
}
