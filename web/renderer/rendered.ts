// What one render produces. The web server sends it whole as a document, or as JSON when the browser navigates.
import type { Words } from "../../locales/translate.ts";

export interface IslandUse {
  /** Prefix of the ids inside the island; equal on both sides. */
  id: string;
  name: string;
  load: "load" | "idle" | "visible";
}

export interface Toast {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** How what it tells of is taken back, where it was a deletion. */
  restoring?: Restoring;
}

/** A deletion that can be taken back, and the words for what comes of that. */
export interface Restoring {
  /** The call of /v1 that does it. */
  call: string;
  /** The page of what comes back. */
  href: string;
  done: string;
  /** Where it is too late, or no longer possible. */
  refused: { title: string; description: string };
}

/** Answer of GET {path}/_payload.json. Everything outside the main region is covered by `layout`. */
export interface Payload {
  buildId: string;
  status: number;
  title: string;
  /** Inner HTML of <main>. */
  html: string;
  islands: IslandUse[];
  /** Translations that the islands read: namespace to messages. */
  messages: Record<string, Words>;
  /** Names everything around <main>: layout, user, team, language, theme. Another one means a full page load. */
  layout: string;
  /** href of the navigation entry to mark as current. */
  current: string | null;
  toast: Toast | null;
}

/** The same address answers this when the page sends the browser elsewhere. */
export interface RedirectPayload {
  buildId: string;
  redirect: string;
}

export type Rendered = Omit<Payload, "buildId" | "status" | "toast">;
