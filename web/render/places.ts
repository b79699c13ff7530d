// The destinations of files that are dropped on a page. Shared by the server, which lists them, and the browser, which
// offers them.
import type { DocumentLanguage } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";
import type { Option } from "../ui/Select.tsx";

/** The first places of a kind, and the one that the page shows. Partial ones are searched. */
interface PlaceList {
  options: Option[];
  isPartial: boolean;
}

/** Response of GET /places.json. */
export interface Places {
  /** True when somebody is logged in. */
  isKnown: boolean;
  /** Null when the reader may not add files. */
  team: { id: string; name: string; codename: string } | null;
  /** Null when the reader may not add files to knowledge bases. */
  knowledges: PlaceList | null;
  /** Sources that consist of files. */
  sources: PlaceList;
  /** The language of a new knowledge base. */
  language: DocumentLanguage;
  words: Record<string, Words>;
}
