// What a connector is: a way to list and fetch what a source holds. Connectors never write to the database.
import type { Transaction } from "../../_shared/database/db.ts";
import type { Declaration } from "./declaration.ts";

export interface Source {
  id: string;
  teamId: string;
  type: string;
  config: Record<string, unknown>;
  /** What to log in with; null where none was given. */
  credentials: Record<string, string> | null;
}

/** One thing at the source that becomes a document. */
export interface SourceItem {
  externalId: string;
  title: string;
  url?: string;
  /** Changes whenever the content does: a hash, a version, a time stamp hashed; 64 hex digits. */
  revision: string;
  /** When it was last changed there, as a moment that Date.parse() reads; absent where the source does not say. */
  changedAt?: string;
  /** Its content as Markdown, where the list brings it along; without it the item is fetched. */
  text?: string;
  /** Of its text: what of it could not be read, and what to do, in a sentence. */
  note?: string;
}

export interface ListPage {
  items: SourceItem[];
  /** Where to go on; absent on the last page. */
  next?: string;
  /** On the last page: from where a later listing need only bring what changed since. Absent where there is no such way. */
  cursor?: string;
  /** Items that are known to be gone. */
  gone?: string[];
  /** External ids of documents that could not be asked for: they stay as they are. */
  kept?: string[];
  /** Something here could not be told apart from what is gone: nothing is swept after this listing. */
  isUncertain?: boolean;
  /** How many things were met, read or not: a listing that meets nothing any more for long is taken for one without an end. */
  passedOver?: number;
  /** What was found out about single addresses, for the next listing and for people. */
  notes?: PageNote[];
}

/** What is remembered of one address of a source. */
export interface PageNote {
  address: string;
  /** Of the document that is made of it; absent where none is. */
  title?: string;
  revision?: string;
  etag?: string;
  lastModified?: string;
  /** Where it leads, so that an unchanged page need not be read for them. */
  links?: string[];
  /** Why it was left out, and what to do, in a sentence. */
  problem?: string;
}

/** Where a listing is: at its beginning, or at `next`; all of the source, or what changed since `cursor`. */
export interface ListPosition {
  next?: string;
  cursor?: string;
  /**
   * External ids of documents that this listing has not named so far, where it is of everything: for a service whose lists leave
   * things out, so that each is asked for before it is removed. What the next page names or calls gone does not come again.
   */
  unlisted?: (most: number) => Promise<string[]>;
  /** Which of some external ids are documents of the source. */
  known?: (externalIds: string[]) => Promise<string[]>;
}

/** What stands behind an item: bytes for a parser to read, or text that needs none. */
export type Fetched = Pick<SourceItem, "revision" | "changedAt"> &
  ({ bytes: Uint8Array; name: string; contentType?: string } | { text: string; note?: string });

/** The source's side failed in a way that passes: the task waits and tries again. */
export class SourceUnavailable extends Error {
  override readonly name = "SourceUnavailable";
  constructor(
    message: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether a source failed, rather than asked to be left alone for a while: what failed may be one thing of it. */
export const hasFailed = (error: unknown): error is SourceUnavailable =>
  error instanceof SourceUnavailable && error.retryAfterMs === undefined;

/** The source says no and will go on saying it until somebody changes something. `message` says what, in a sentence. */
export class SourceRefused extends Error {
  override readonly name = "SourceRefused";
  constructor(
    message: string,
    /** The field of the source's settings that is to blame: "credentials", "config.site". */
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The item is no longer at the source. */
export class ItemGone extends Error {
  override readonly name = "ItemGone";
}

/** The item is there, and is nothing that can be read. `message` is a sentence. */
export class ItemUnreadable extends Error {
  override readonly name = "ItemUnreadable";
}

export interface ConnectorContext {
  source: Source;
  signal: AbortSignal;
  /** For connectors whose source is the database itself. */
  read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** One line of what a source would bring: how many of what. */
export interface PreviewLine {
  /** What it is: "issues", "products", "contacts", "chats" … */
  kind: string;
  /** Which, where there are several of a kind: a project's key and name. */
  name?: string;
  /** How many, where the source tells. */
  count?: number;
  /** Why it can't be read, in a sentence. */
  problem?: string;
}

export interface Connector {
  declaration: Declaration;
  /**
   * What the source holds, page by page. After a listing from the beginning without a cursor, documents of items that no page
   * listed are removed, so it must throw rather than end early.
   * @throws SourceUnavailable, SourceRefused
   */
  list(context: ConnectorContext, position: ListPosition): Promise<ListPage>;
  /**
   * @param externalId whatever a client has written there: only what the source's settings cover is fetched
   * @throws SourceUnavailable, SourceRefused, ItemGone, ItemUnreadable
   */
  fetch(context: ConnectorContext, externalId: string): Promise<Fetched>;
  /**
   * What would be read with these settings, asked of the source itself. Absent where there is nothing to ask.
   * @throws SourceUnavailable, SourceRefused
   */
  preview?(context: ConnectorContext): Promise<PreviewLine[]>;
}
