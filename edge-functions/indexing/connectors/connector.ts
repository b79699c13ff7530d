// Owns the interface of a connector: how to list and fetch what a source holds. Connectors never write to the database.

import type { Transaction } from "../../_shared/database/db.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import type { Declaration } from "./declaration.ts";

export interface Source {
  id: string;
  teamId: string;
  type: string;
  config: Record<string, unknown>;
  /** The login; null when none was entered. */
  credentials: Record<string, string> | null;
  /** Changes with the stored credentials and reveals nothing of them. Absent while unsaved settings are tested. */
  login?: string | null;
}

/** One object at the source that becomes a document. */
export interface SourceItem {
  externalId: string;
  title: string;
  url?: string;
  /** Changes whenever the content does: the SHA-256 of the content, a version or a time; 64 hex digits. */
  revision: string;
  /** The time of the last change at the source, as Date.parse() reads it; absent when the source does not say. */
  changedAt?: string;
  /** The content as Markdown, when the listing includes it; otherwise the item is fetched. */
  text?: string;
  /** What of the text could not be read, and what to do, in a sentence. */
  note?: string;
}

/** The revision of an item whose content the listing does not tell: no content has it, so the item is fetched. */
export const unknownRevision = "0".repeat(64);

/** An item for an object that exists but could not be parsed. It is fetched later, and fails alone. */
export const unreadableItem = (externalId: string, title = "Untitled"): SourceItem => ({
  externalId,
  title,
  revision: unknownRevision,
});

export interface ListPage {
  items: SourceItem[];
  /** The position of the next page; absent on the last page. */
  next?: string;
  /** On the last page: the position from which a later listing needs only the changes. Absent when the source cannot list changes. */
  cursor?: string;
  /** External ids of items known to be deleted. */
  gone?: string[];
  /** External ids of documents that could not be checked: they stay as they are. */
  kept?: string[];
  /** Something could not be told from a deleted item: nothing is deleted after this listing. */
  isUncertain?: boolean;
  /** The number of objects met, read or not. A listing that meets nothing for long is taken to be endless. */
  passedOver?: number;
  /** Findings about single addresses, for the next listing and for users. */
  notes?: PageNote[];
}

/** What is stored about one address of a source. */
export interface PageNote {
  address: string;
  /** The title of the address's document; absent when there is none. */
  title?: string;
  revision?: string;
  etag?: string;
  lastModified?: string;
  /** The links of the page, so that an unchanged page need not be read for them. */
  links?: string[];
  /** Why the address was left out, and what to do, in a sentence. */
  problem?: string;
}

/** The position of a listing: at its start or at `next`; of the whole source, or of the changes since `cursor`. */
export interface ListPosition {
  next?: string;
  cursor?: string;
  /**
   * Returns documents that this full listing has not named so far, by external id: for services whose lists are incomplete, so that
   * each is requested before it is deleted. What the next page lists or reports as gone is not returned again.
   */
  findUnlisted?: (most: number) => Promise<string[]>;
  /** Somebody confirmed that the service may show nothing at all: what it does not show is then requested and deleted as ever. */
  acceptsEmpty?: boolean;
  /** Returns those of the external ids that are documents of the source. */
  findKnown?: (externalIds: string[]) => Promise<string[]>;
}

/** The content of an item: bytes for a parser, or text that needs none. */
export type Fetched = Pick<SourceItem, "revision" | "changedAt"> &
  ({ bytes: Uint8Array; name: string; contentType?: string } | { text: string; note?: string });

/** A temporary failure of the source: the task waits and retries. */
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

/** The file storage does not answer: the task waits for it. */
export class StorageUnavailable extends SourceUnavailable {
  constructor(cause: unknown) {
    super(sentenceOf("storage"), undefined, { cause });
  }
}

/** The source refuses, and retrying is useless until somebody changes something. `message` says what, in a sentence. */
export class SourceRefused extends Error {
  override readonly name = "SourceRefused";
  constructor(
    message: string,
    /** The settings field at fault: "credentials", "config.site". */
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The source does not take a request. If that is about one object, only this object may be concerned. */
export class RequestRefused extends SourceRefused {}

/** True when a source failed without asking to wait: the failure may be due to a single object. */
export const hasFailed = (error: unknown): error is SourceUnavailable | RequestRefused =>
  error instanceof RequestRefused || (error instanceof SourceUnavailable && error.retryAfterMs === undefined);

/** The item no longer exists at the source. */
export class ItemGone extends Error {
  override readonly name = "ItemGone";
}

/** The item exists, but cannot be read. `message` is a sentence. */
export class ItemUnreadable extends Error {
  override readonly name = "ItemUnreadable";
}

export interface ConnectorContext {
  source: Source;
  signal: AbortSignal;
  /** For connectors whose source is the database itself. */
  read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** One line of a source's preview: how many objects of what. */
export interface PreviewLine {
  /** What they are: "issues", "products", "contacts", "chats" … */
  kind: string;
  /** Which of several of a kind: a project's key and name. */
  name?: string;
  /** The count, if the source reports one. */
  count?: number;
  /** Why it cannot be read, in a sentence. */
  problem?: string;
}

export interface Connector {
  declaration: Declaration;
  /**
   * Lists the source's items page by page. After a listing from the start without a cursor, documents that no page listed are
   * deleted, so it must throw rather than end early.
   * @throws SourceUnavailable, SourceRefused
   */
  list(context: ConnectorContext, position: ListPosition): Promise<ListPage>;
  /**
   * @param externalId written by any client: fetch it only if the source's settings cover it
   * @throws SourceUnavailable, SourceRefused, ItemGone, ItemUnreadable
   */
  fetch(context: ConnectorContext, externalId: string): Promise<Fetched>;
  /**
   * Asks the source what these settings would read. Absent when there is nothing to ask.
   * @throws SourceUnavailable, SourceRefused
   */
  preview?(context: ConnectorContext): Promise<PreviewLine[]>;
}
