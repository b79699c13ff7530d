// Where files may go that are dropped on a page. Shared by the server, which lists it, and the browser, which offers it.
import type { DocumentLanguage } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";

interface Place {
  id: string;
  name: string;
}

/** Answer of GET /places.json. */
export interface Places {
  /** Whether somebody is logged in. */
  isKnown: boolean;
  /** Null where the reader may add no file. */
  team: (Place & { codename: string }) | null;
  /** Null where the reader may not add to any. */
  knowledges: Place[] | null;
  /** Sources of files. */
  sources: Place[];
  /** What a new knowledge base is in. */
  language: DocumentLanguage;
  words: Record<string, Words>;
}
