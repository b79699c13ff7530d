// What a connector is: a way to list and fetch what a source holds. Connectors never write to the database.
import type { Transaction } from "../../_shared/db.ts";

export interface Source {
  id: string;
  teamId: string;
  type: string;
  config: Record<string, unknown>;
}

/** One thing at the source that becomes a document. */
export interface SourceItem {
  externalId: string;
  title: string;
  url?: string;
  /** Changes whenever the content does: a hash, a version, a time stamp hashed; 64 hex digits. */
  revision: string;
}

export interface ListPage {
  items: SourceItem[];
  /** Where to go on; absent on the last page. */
  next?: string;
}

/** What stands behind an item: bytes for a parser to read, or text that needs none. */
export type Fetched = { revision: string } & (
  | { bytes: Uint8Array; name: string; contentType?: string }
  | { text: string }
);

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

/** The item is no longer at the source. */
export class ItemGone extends Error {
  override readonly name = "ItemGone";
}

export interface ConnectorContext {
  source: Source;
  signal: AbortSignal;
  /** For connectors whose source is the database itself. */
  read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

export interface Connector {
  /** The source's type, and the type of the documents that are made of it. */
  type: string;
  /**
   * Everything the source holds, page by page. Documents of items that no page lists are removed afterwards, so it must
   * throw rather than end early.
   * @throws SourceUnavailable
   */
  list(context: ConnectorContext, cursor?: string): Promise<ListPage>;
  /** @throws SourceUnavailable, ItemGone */
  fetch(context: ConnectorContext, externalId: string): Promise<Fetched>;
}
