// Owns how a Notion source is listed: pages, then databases with their rows, then what was read before and was not met, each by
// itself: Notion's search does not name everything, so that nothing is deleted because it is silent. Writes nothing.
import { z } from "zod";
import {
  type ConnectorContext,
  hasFailed,
  ItemGone,
  type ListPage,
  type ListPosition,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
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
  later,
  pageContent,
  pageItem,
  pageRevision,
  partsOfId,
} from "./transform.ts";

/** What was edited in this hour before the last edit seen is asked for again: the search lags behind edits. */
const overlapMs = 60 * 60_000;
/** Questions that bring nothing are not a page each. */
const questionsPerPage = 12;
const mostRestarts = 3;
/** Documents that are asked for one by one at once. */
const askedAtOnce = 20;
/** Pages that are read for their files are one listed page until this is over. */
const readingMs = 10_000;

const position = z.object({
  stage: z.enum(["pages", "databases", "rows", "unlisted"]),
  /** Of a search: Notion's cursor, the last edit of its pages so far, how often it began anew. */
  after: z.string().optional(),
  reached: z.string().optional(),
  /** It began anew: what was edited before this has been listed. */
  skipsTo: z.string().optional(),
  restarts: z.int().default(0),
  /** Of all: the last edit seen, when the listing was begun, databases of which something changed, whether anything was met. */
  latest: z.string().optional(),
  begunAt: z.string().optional(),
  databases: z.array(z.string()).default([]),
  /** Pages that are still to be read, since their files are to be listed too. */
  waiting: z.array(z.string()).default([]),
  /** Pages whose comments are still to be asked for, and whether the connection may. */
  commented: z.array(z.object({ id: z.string(), title: z.string() })).default([]),
  mayReadComments: z.boolean().default(true),
  hasMet: z.boolean().default(false),
});
type Position = z.infer<typeof position>;
type Found = Required<Pick<ListPage, "items" | "gone" | "kept" | "notes" | "isUncertain">>;
/** A listing's question: what was found, and the pages that were met and not looked at yet. */
interface Reading {
  api: Notion;
  context: ConnectorContext;
  found: Found;
  met: NotionPage[];
}

export async function listPage(
  api: Notion,
  context: ConnectorContext,
  { next, cursor, unlisted }: ListPosition,
): Promise<ListPage> {
  const since = cursor && new Date(Date.parse(cursor) - overlapMs).toISOString();
  const at = position.parse(next === undefined ? { stage: "pages", latest: cursor } : JSON.parse(next));
  const found: Found = { items: [], gone: [], kept: [], notes: [], isUncertain: false };
  const reading: Reading = { api, context, found, met: [] };
  const begunAt = Date.now();
  for (let question = 0; question < questionsPerPage; question++) {
    const isOver = await step(reading, at, since, unlisted);
    await takeMet(reading, at);
    const hasMore = at.waiting.length + at.commented.length > 0;
    if (isOver && !hasMore) {
      const mark = earlier(at.latest, at.begunAt);
      return { ...found, ...(mark ? { cursor: mark } : {}) };
    }
    const isReading = hasMore && Date.now() - begunAt < readingMs;
    if (found.items.length + found.gone.length > 0 && !isReading) break;
  }
  return { ...found, next: JSON.stringify(at) };
}

/** One question and what follows of it. @returns whether the listing is at its end */
async function step(
  reading: Reading,
  at: Position,
  since: string | undefined,
  unlisted: ListPosition["unlisted"],
): Promise<boolean> {
  const { api } = reading;
  const page = at.waiting.shift();
  if (page !== undefined) {
    await readWhole(reading, page);
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
  if (!unlisted) return true;
  const ids = await unlisted(askedAtOnce);
  if (ids.length > 0 && !at.hasMet) throw new SourceRefused(noPage, "credentials");
  for (const id of ids) await askAbout(reading, id, at);
  return ids.length < askedAtOnce;
}

function beginStage(at: Position, stage: Position["stage"]): void {
  Object.assign(at, { stage, after: undefined, reached: undefined, skipsTo: undefined, restarts: 0 });
}

/** @returns whether the search is at its end */
async function searchOn(reading: Reading, at: Position, since: string | undefined): Promise<boolean> {
  const { api, found } = reading;
  const isOfPages = at.stage === "pages";
  // All of it oldest first: what is edited meanwhile is met again at the end.
  const direction = since === undefined ? "ascending" : "descending";
  const page = await api.search(isOfPages ? "page" : "data_source", direction, at.after).catch((error) => {
    if (!(error instanceof PositionLost)) throw error;
    if (at.restarts >= mostRestarts) throw new SourceUnavailable("Notion reports an internal error.", 60_000);
    at.skipsTo = direction === "ascending" ? at.reached : undefined;
    at.after = undefined;
    at.restarts++;
    return undefined;
  });
  if (!page) return false;
  at.begunAt ??= page.askedAt;
  if (page.isIncomplete) {
    found.isUncertain = true;
    found.notes.push({
      address: "https://www.notion.so/",
      problem: "Notion lists only part of what the connection can see. The rest is not read.",
    });
  }
  let isOlder = false;
  for (const raw of page.results) {
    const edited = isOfPages ? readPage(reading, raw, at, since) : readDataSource(raw, at, since);
    if (edited && since && Date.parse(edited) < Date.parse(since)) isOlder = true;
  }
  at.after = page.next;
  return !page.next || (direction === "descending" && isOlder);
}

/** @returns when it was edited last */
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
  // Everything has its database listed anyway.
  if (since && one.parent?.data_source_id) note(at, one.parent.data_source_id);
  met.push(one);
  return edited;
}

/** Pages with what is known of their files; one that was edited since waits to be read for them. */
async function takeMet({ api: { config }, context, found, met }: Reading, at: Position): Promise<void> {
  const pages = met.splice(0);
  if (pages.length === 0 || !config.content.includes("pages")) return;
  const withFiles = config.content.includes("attachments");
  const ids = pages.map(({ id }) => id.toLowerCase());
  const known = withFiles ? await knownPages(context, ids) : undefined;
  for (const one of pages) {
    const id = one.id.toLowerCase();
    const item = pageItem(one, config);
    const before = known?.(id);
    if (!isTrashed(one)) wantComments(config, at, { id, title: item.title });
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

/** A page with its text and its files. What it has no more is gone at once. */
async function readWhole({ api, context, found }: Reading, id: string): Promise<void> {
  const before = (await knownPages(context, [id]))(id);
  const externalId = externalIdOf("pages", id);
  const goneFiles = () => before.files.map((file) => file.externalId);
  try {
    const { found: raw, askedAt } = await api.page(id);
    const one = pageSchema.safeParse(raw).data;
    if (!one) {
      found.items.push(damagedItem(raw) ?? unreadable(externalId), ...before.files);
      found.notes.push(...before.notes);
      return;
    }
    if (isTrashed(one)) return void found.gone.push(externalId, commentsIdOf(id), ...goneFiles());
    const blocks = await api.blocks(id);
    const revision = pageRevision(one, askedAt, api.config);
    found.items.push({ ...pageItem(one), ...pageContent(one, blocks), revision });
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
    // What was said of before and is not any more is said no longer.
    found.notes.push(...before.notes.map(({ address }) => ({ address })), ...notes);
  } catch (error) {
    if (hasFailed(error)) {
      // It is asked for by itself, and fails alone.
      found.items.push({ ...unreadable(externalId), title: before.title ?? "Untitled" }, ...before.files);
      found.notes.push(...before.notes);
      return;
    }
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId, ...goneFiles());
  }
}

function wantComments(
  { withComments }: NotionConfig,
  at: Position,
  page: { id: string; title: string },
): void {
  if (withComments && !at.commented.some(({ id }) => id === page.id)) at.commented.push(page);
}

/** What people say on a page. Where the connection may not ask, that is said once, and everything else is read. */
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
      problem:
        "Notion does not let this connection read comments. Allow it in the connection's settings in Notion, or turn off “Read comments” here.",
    });
  }
}

/** A database is read once all of them are known. @returns when it was edited last */
function readDataSource(raw: unknown, at: Position, since: string | undefined): string | undefined {
  const one = dataSource.safeParse(raw).data;
  // In part, it is asked for by itself, which says more.
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

/** A database with its rows, each of which is a page that the search may not have named. */
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

/** A database that Notion fails to give out keeps nothing else from being read. */
function keepDatabase(found: Found, id: string, { message }: Error): void {
  found.kept.push(externalIdOf("databases", id));
  const problem = `This database could not be fetched. ${message} The next sync tries again.`;
  found.notes.push({ address: addressOf(id), problem });
}

async function askAbout({ api, found, met }: Reading, externalId: string, at: Position): Promise<void> {
  const commented = pageOfComments(externalId);
  if (commented) {
    // With its page, which is asked for too where it has a document; without one it is found to be gone.
    if (!api.config.withComments || !api.config.content.includes("pages")) found.gone.push(externalId);
    else await askAboutComments(api, found, externalId, commented, at);
    return;
  }
  const parts = partsOfId(externalId);
  if (!parts || !api.config.content.includes(parts.kind)) return void found.gone.push(externalId);
  if (parts.kind === "attachments") {
    // Its page, read once more, names it or says that it is gone.
    if (!api.config.content.includes("pages")) found.gone.push(externalId);
    else if (!at.waiting.includes(parts.id)) at.waiting.push(parts.id);
    return;
  }
  try {
    if (parts.kind === "pages") {
      const { found: raw } = await api.page(parts.id);
      const one = pageSchema.safeParse(raw).data;
      if (one) met.push(one);
      else found.items.push(damagedItem(raw) ?? unreadable(externalId));
      return;
    }
    const one = dataSource.safeParse(await api.dataSource(parts.id)).data;
    if (one && isTrashed(one)) return void found.gone.push(externalId);
    if (!one) throw new SourceUnavailable("Notion sent an answer that cannot be read.");
    const { rows, isCut } = await api.rows(parts.id);
    found.items.push(databaseItem(one, rows, isCut));
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(externalId);
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
  }
}

/** Of a page that no list named. */
async function askAboutComments(
  api: Notion,
  found: Found,
  externalId: string,
  pageId: string,
  at: Position,
): Promise<void> {
  try {
    const one = pageSchema.safeParse((await api.page(pageId)).found).data;
    if (one && !isTrashed(one)) wantComments(api.config, at, { id: pageId, title: pageItem(one).title });
    else if (one) found.gone.push(externalId);
    else found.kept.push(externalId);
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(externalId);
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
  }
}

/** Something answers to its id: what it is is found out when it is read. */
const unreadable = (externalId: string) => ({ externalId, title: "Untitled", revision: "0".repeat(64) });

/** What was edited while the list was read may have been passed over: it is asked for again from the beginning on. */
function earlier(latest: string | undefined, begunAt: string | undefined): string | undefined {
  if (!latest || !begunAt) return latest;
  return Date.parse(begunAt) < Date.parse(latest) ? begunAt : latest;
}
