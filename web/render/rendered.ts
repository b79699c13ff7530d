// The result of one render. The web server sends it whole as a document, or as JSON when the browser navigates.
import type { Words } from "../../locales/translate.ts";

export interface IslandUse {
  /** Prefix of the ids inside the island; identical on the server and in the browser. */
  id: string;
  name: string;
  load: "load" | "idle" | "visible";
}

export interface Toast {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** Shown for longer: it says how to save typed text. */
  isLong?: boolean;
  /** How to undo the deletion that the toast reports. */
  restoring?: Restoring;
  /** The session has ended: the toast links to the login, and back to the page. */
  leadsToLogin?: boolean;
}

/** A deletion that can be undone, and the texts for the outcome of undoing it. */
export interface Restoring {
  /** The address of the /v1 call that restores it. */
  call: string;
  /** The page of the restored resource. */
  href: string;
  done: string;
  /** Shown when it is too late, and when something is in the way. */
  late: { title: string; description: string };
  blocked: { title: string; description: string };
  /** Shown while there is no room: where to make some, by the code of the refusal, whose params are named in double braces. */
  full: { title: string; descriptions: Record<string, string> };
  /** Shown when the resource is restored without one of its places, which is full. */
  leftOut: string;
}

/** Response of GET {path}/_payload.json. `layout` covers everything outside the main region. */
export interface Payload {
  buildId: string;
  status: number;
  title: string;
  /** Inner HTML of <main>. */
  html: string;
  islands: IslandUse[];
  /** Translations that the islands read: namespace to messages. */
  messages: Record<string, Words>;
  /**
   * Identifies everything around <main>: layout, user, team, language, theme. When it changes, the client loads the
   * document.
   */
  layout: string;
  /** href of the navigation entry to mark as current. */
  current: string | null;
  toast: Toast | null;
  /** Why the page of a posted form cannot be shown: a form with typed text then stays. */
  problem?: { title: string; description: string };
}

/** The same address's response when the page redirects. */
export interface RedirectPayload {
  buildId: string;
  redirect: string;
}

export type Rendered = Omit<Payload, "buildId" | "status" | "toast" | "problem">;
