// Owns the listing of a Notion source: pages, databases with their rows, then each known document that was not listed, because
// Notion's search is incomplete. Writes nothing.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type ConnectorContext,
  hasFailed,
  ItemGone,
  type ListPage,
  type ListPosition,
  SourceRefused,
  SourceUnavailable,
  unreadableItem,
} from "../connector.ts";
import { changesFrom, later } from "../moments.ts";
import { dataSource, type NotionPage, page as pageSchema } from "./answers.ts";
import { CommentsRefused, type Notion, noPage, PositionLost } from "./api.ts";
import { commentsIdOf, commentsItem, pageOfComments } from "./comments.ts";
import type { NotionConfig } from "./declaration.ts";
import { addressOf, fileItem, filesOf, picturesLeftOut } from "./files.ts";
import { knownPages } from "./known.ts";
import {
  damagedItem,
  databaseItem,
  externalIdOf,
  hiddenDatabase,
  isTrashed,
  pageContent,
  pageItem,
  pageRevision,
  partsOfId,
} from "./transform.ts";

/** A listing of changes starts this long before the last edit seen: the search lags behind edits. */
const overlapMs = 60 * 60_000;
/** Maximum calls per listed page when they bring no items. */
const questionsPerPage = 12;
const mostRestarts = 3;
/** Documents per round of individual requests. */
const askedAtOnce = 20;
/** Pages read for their files within this time form one listed page. */
const readingMs = 10_000;

const position = z.object({
  stage: z.enum(["pages", "databases", "rows", "unlisted"]),
  /** Of a search: Notion's cursor, the last edit of its results so far, the number of restarts. */
  after: z.string().optional(),
  reached: z.string().optional(),
  /** Set after a restart: results edited before this time are already listed. */
  skipsTo: z.string().optional(),
  restarts: z.int().default(0),
  /** Of the listing: the last edit seen, the time it began, changed databases, whether anything was met. */
  latest: z.string().optional(),
  begunAt: z.string().optional(),
  databases: z.array(z.string()).default([]),
  /** Pages to read for their files, which are listed too. */
  waiting: z.array(z.string()).default([]),
  /** Pages to request comments of, and whether the connection may read comments. */
  commented: z.array(z.object({ id: z.string(), title: z.string() })).default([]),
  mayReadComments: z.boolean().default(true),
  hasMet: z.boolean().default(false),
});
type Position = z.infer<typeof position>;
type Found = Required<Pick<ListPage, "items" | "gone" | "kept" | "notes" | "isUncertain">>;
/** One step of a listing: what was found, and the pages met but not processed yet. */
interface Reading {
  api: Notion;
  context: ConnectorContext;
  found: Found;
  met: NotionPage[];
}

export async function listPage(
  api: Notion,
  context: ConnectorContext,
  { next, cursor, ...unlisted }: ListPosition,
): Promise<ListPage> {
  const since = cursor && new Date(Date.parse(cursor) - overlapMs).toISOString();
  const at = position.parse(next === undefined ? { stage: "pages", latest: cursor } : JSON.parse(next));
  const found: Found = { items: [], gone: [], kept: [], notes: [], isUncertain: false };
  const reading: Reading = { api, context, found, met: [] };
  const begunAt = Date.now();
  for (let question = 0; question < questionsPerPage; question++) {
    const isOver = await step(reading, at, since, unlisted);
    await takePages(reading, at);
    const hasMore = at.waiting.length + at.commented.length > 0;
    if (isOver && !hasMore) {
      const mark = changesFrom(at.latest, at.begunAt);
      return { ...found, ...(mark ? { cursor: mark } : {}) };
    }
    const isReading = hasMore && Date.now() - begunAt < readingMs;
    if (found.items.length + found.gone.length > 0 && !isReading) break;
  }
  return { ...found, next: JSON.stringify(at) };
}

/** Makes one call, or reads one page, and processes the result. @returns true when the listing is complete */
async function step(
  reading: Reading,
  at: Position,
  since: string | undefined,
  { findUnlisted, acceptsEmpty }: ListPosition,
): Promise<boolean> {
  const { api } = reading;
  const page = at.waiting.shift();
  if (page !== undefined) {
    await readPageWithFiles(reading, page);
    return false;
  }
  const commented = at.commented.shift();
  if (commented) {
    await readComments(reading, commented, at);
    return false;
  }
  if (at.stage === "pages" || at.stage === "databases") {
    const isDone = await searchOn(reading, at, since);
    if (isDone) beginStage(at, at.stage === "pages" ? "databases" : "rows");
    return false;
  }
  if (at.stage === "rows") {
    const id = at.databases.shift();
    if (id === undefined || !api.config.content.includes("databases")) beginStage(at, "unlisted");
    else await readDatabase(reading, id, at);
    return false;
  }
  if (!findUnlisted) return true;
  const ids = await findUnlisted(askedAtOnce);
  if (ids.length > 0 && !at.hasMet && !acceptsEmpty) throw new SourceRefused(noPage, "credentials");
  for (const id of ids) await requestDocument(reading, id, at);
  return ids.length < askedAtOnce;
}

function beginStage(at: Position, stage: Position["stage"]): void {
  Object.assign(at, { stage, after: undefined, reached: undefined, skipsTo: undefined, restarts: 0 });
}

/** @returns true when the search is complete */
async function searchOn(reading: Reading, at: Position, since: string | undefined): Promise<boolean> {
  const { api, found } = reading;
  const isOfPages = at.stage === "pages";
  // A full listing is oldest first, so that pages edited meanwhile appear again at the end.
  const direction = since === undefined ? "ascending" : "descending";
  const page = await api.search(isOfPages ? "page" : "data_source", direction, at.after).catch((error) => {
    if (!(error instanceof PositionLost)) throw error;
    if (at.restarts >= mostRestarts)
      throw new SourceUnavailable(sentenceOf("ownProblem", { service: "Notion" }), 60_000);
    at.skipsTo = direction === "ascending" ? at.reached : undefined;
    at.after = undefined;
    at.restarts++;
    return undefined;
  });
  if (!page) return false;
  at.begunAt ??= page.askedAt;
  if (page.isIncomplete) {
    found.isUncertain = true;
    found.notes.push({ address: "https://www.notion.so/", problem: sentenceOf("notionPart") });
  }
  let isOlder = false;
  for (const raw of page.results) {
    const edited = isOfPages ? readPage(reading, raw, at, since) : readDataSource(raw, at, since);
    if (edited && since && Date.parse(edited) < Date.parse(since)) isOlder = true;
  }
  at.after = page.next;
  return !page.next || (direction === "descending" && isOlder);
}

/** @returns the time of its last edit */
function readPage({ api, found, met }: Reading, raw: unknown, at: Position, since: string | undefined) {
  const one = pageSchema.safeParse(raw).data;
  if (!one) {
    const item = damagedItem(raw);
    if (item && api.config.content.includes("pages")) found.items.push(item);
    else if (!item) found.isUncertain = true;
    return undefined;
  }
  const edited = one.last_edited_time;
  at.reached = later(at.reached, edited);
  at.hasMet = true;
  const isKnown = at.skipsTo !== undefined && Date.parse(edited) < Date.parse(at.skipsTo);
  if ((since && Date.parse(edited) < Date.parse(since)) || isKnown) return edited;
  at.latest = later(at.latest, edited);
  // A full listing reads every database anyway.
  if (since && one.parent?.data_source_id) note(at, one.parent.data_source_id);
  met.push(one);
  return edited;
}

/** Takes pages with their known files. A page edited since is queued to be read for its files. */
async function takePages({ api: { config }, context, found, met }: Reading, at: Position): Promise<void> {
  const pages = met.splice(0);
  if (pages.length === 0 || !config.content.includes("pages")) return;
  const withFiles = config.content.includes("attachments");
  const ids = pages.map(({ id }) => id.toLowerCase());
  const known = withFiles ? await knownPages(context, ids) : undefined;
  for (const one of pages) {
    const id = one.id.toLowerCase();
    const item = pageItem(one, config);
    const before = known?.(id);
    if (!isTrashed(one)) queueComments(config, at, { id, title: item.title });
    if (isTrashed(one)) {
      found.gone.push(
        item.externalId,
        commentsIdOf(id),
        ...(before?.files ?? []).map(({ externalId }) => externalId),
      );
    } else if (!before || before.revision === item.revision) {
      found.items.push(item, ...(before?.files ?? []));
      found.notes.push(...(before?.notes ?? []));
    } else if (!at.waiting.includes(id)) at.waiting.push(id);
  }
}

/** Reads a page with its text and its files. Files that it no longer has are gone at once. */
async function readPageWithFiles({ api, context, found }: Reading, id: string): Promise<void> {
  const before = (await knownPages(context, [id]))(id);
  const externalId = externalIdOf("pages", id);
  const goneFiles = () => before.files.map((file) => file.externalId);
  try {
    const { found: raw, askedAt } = await api.page(id);
    const one = pageSchema.safeParse(raw).data;
    if (!one) {
      found.items.push(damagedItem(raw) ?? unreadableItem(externalId), ...before.files);
      found.notes.push(...before.notes);
      return;
    }
    if (isTrashed(one)) return void found.gone.push(externalId, commentsIdOf(id), ...goneFiles());
    const blocks = await api.blocks(id);
    const revision = pageRevision(one, askedAt, api.config);
    const content = pageContent(one, blocks, await api.columnsOf(one));
    found.items.push({ ...pageItem(one), ...content, revision });
    const read = filesOf(one, blocks.nodes).map((file) => fileItem(id, file, api.config.withPictures));
    const items = read.flatMap((file) => file?.item ?? []);
    const pictures = read.filter((file) => file === undefined).length;
    const notes = read.flatMap((file) => file?.note ?? []);
    if (pictures > 0)
      notes.push({ address: addressOf(id), title: pageItem(one).title, problem: picturesLeftOut(pictures) });
    const left = before.files.filter((file) => !items.some((other) => other.externalId === file.externalId));
    const isWhole = !["cut", "damaged", "hidden"].some((gap) => blocks.gaps.has(gap as "cut"));
    found.items.push(...items, ...(isWhole ? [] : left));
    if (isWhole) found.gone.push(...left.map((file) => file.externalId));
    found.notes.push(...before.notes.map(({ address }) => ({ address })), ...notes);
  } catch (error) {
    if (hasFailed(error)) {
      // Fetched alone later, and fails alone.
      found.items.push(unreadableItem(externalId, before.title), ...before.files);
      found.notes.push(...before.notes);
      return;
    }
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId, ...goneFiles());
  }
}

function queueComments(
  { withComments }: NotionConfig,
  at: Position,
  page: { id: string; title: string },
): void {
  if (withComments && !at.commented.some(({ id }) => id === page.id)) at.commented.push(page);
}

/** Lists the comments on a page. If the connection may not read comments, notes that once and continues. */
async function readComments(
  { api, found }: Reading,
  { id, title }: { id: string; title: string },
  at: Position,
): Promise<void> {
  const externalId = commentsIdOf(id);
  if (!at.mayReadComments) return void found.gone.push(externalId);
  try {
    const item = commentsItem(id, title, await api.comments(id));
    if (item) found.items.push(item);
    else found.gone.push(externalId);
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(externalId);
    if (!(error instanceof CommentsRefused || error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
    if (error instanceof ItemGone) return;
    at.mayReadComments = false;
    found.notes.push({
      address: "https://www.notion.so/profile/integrations",
      problem: sentenceOf("notionComments"),
    });
  }
}

/** Queues a database to be read once all are known. @returns the time of its last edit */
function readDataSource(raw: unknown, at: Position, since: string | undefined): string | undefined {
  const one = dataSource.safeParse(raw).data;
  // A partial object is requested by id, which returns more.
  const id = one?.id ?? z.object({ id: z.string().regex(/^[0-9a-f-]{32,36}$/i) }).safeParse(raw).data?.id;
  const edited = one?.last_edited_time;
  at.latest = later(at.latest, edited);
  at.hasMet = true;
  if (id && !(since && edited && Date.parse(edited) < Date.parse(since))) note(at, id);
  return edited;
}

function note(at: Position, id: string): void {
  if (!at.databases.includes(id)) at.databases.push(id);
}

/** Reads a database with its rows, each of which is a page that the search may have left out. */
async function readDatabase({ api, found, met }: Reading, id: string, at: Position): Promise<void> {
  try {
    const one = dataSource.safeParse(await api.dataSource(id)).data;
    if (!one) {
      found.isUncertain = true;
      return;
    }
    if (isTrashed(one)) return void found.gone.push(externalIdOf("databases", id));
    const { rows, isCut } = await api.rows(id);
    found.items.push(databaseItem(one, rows, isCut));
    for (const raw of rows) {
      const row = pageSchema.safeParse(raw).data;
      if (row) met.push(row);
      at.latest = later(at.latest, row?.last_edited_time);
    }
  } catch (error) {
    if (hasFailed(error)) return keepDatabase(found, id, error);
    if (!(error instanceof ItemGone)) throw error;
    found.notes.push({ address: addressOf(id), problem: hiddenDatabase });
  }
}

/** A database that Notion fails to return does not stop the rest. */
function keepDatabase(found: Found, id: string, { message }: Error): void {
  found.kept.push(externalIdOf("databases", id));
  const problem = sentenceOf("notionDatabase", { reason: message });
  found.notes.push({ address: addressOf(id), problem });
}

async function requestDocument(
  { api, found, met }: Reading,
  externalId: string,
  at: Position,
): Promise<void> {
  const commented = pageOfComments(externalId);
  if (commented) {
    if (!api.config.withComments || !api.config.content.includes("pages")) found.gone.push(externalId);
    else await requestComments(api, found, externalId, commented, at);
    return;
  }
  const parts = partsOfId(externalId);
  if (!parts || !api.config.content.includes(parts.kind)) return void found.gone.push(externalId);
  if (parts.kind === "attachments") {
    // Reading its page again shows whether the file still exists.
    if (!api.config.content.includes("pages")) found.gone.push(externalId);
    else if (!at.waiting.includes(parts.id)) at.waiting.push(parts.id);
    return;
  }
  try {
    if (parts.kind === "pages") {
      const { found: raw } = await api.page(parts.id);
      const one = pageSchema.safeParse(raw).data;
      if (one) met.push(one);
      else found.items.push(damagedItem(raw) ?? unreadableItem(externalId));
      return;
    }
    const one = dataSource.safeParse(await api.dataSource(parts.id)).data;
    if (one && isTrashed(one)) return void found.gone.push(externalId);
    if (!one) throw new SourceUnavailable(sentenceOf("illegible", { service: "Notion" }));
    const { rows, isCut } = await api.rows(parts.id);
    found.items.push(databaseItem(one, rows, isCut));
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(externalId);
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
  }
}

/** Requests the comments on a page that no list named. */
async function requestComments(
  api: Notion,
  found: Found,
  externalId: string,
  pageId: string,
  at: Position,
): Promise<void> {
  try {
    const one = pageSchema.safeParse((await api.page(pageId)).found).data;
    if (one && !isTrashed(one)) queueComments(api.config, at, { id: pageId, title: pageItem(one).title });
    else if (one) found.gone.push(externalId);
    else found.kept.push(externalId);
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(externalId);
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
  }
}
