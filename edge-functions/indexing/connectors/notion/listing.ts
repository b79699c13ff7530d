// Owns how a Notion source is listed: pages, then databases with their rows, then what was read before and was not met, each by
// itself: Notion's search does not name everything, so that nothing is deleted because it is silent. Writes nothing.
import { z } from "zod";
import {
  ItemGone,
  type ListPage,
  type ListPosition,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { dataSource, type NotionPage, page as pageSchema } from "./answers.ts";
import { type Notion, noPage, PositionLost } from "./api.ts";
import {
  damagedItem,
  databaseItem,
  externalIdOf,
  isTrashed,
  later,
  pageItem,
  partsOfId,
} from "./transform.ts";

/** What was edited in this hour before the last edit seen is asked for again: the search lags behind edits. */
const overlapMs = 60 * 60_000;
/** Questions that bring nothing are not a page each. */
const questionsPerPage = 12;
const mostRestarts = 3;
/** Documents that are asked for one by one at once. */
const askedAtOnce = 20;

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
  hasMet: z.boolean().default(false),
});
type Position = z.infer<typeof position>;
type Found = Required<Pick<ListPage, "items" | "gone" | "notes">> & { isUncertain: boolean };

export async function listPage(api: Notion, { next, cursor, unlisted }: ListPosition): Promise<ListPage> {
  const since = cursor && new Date(Date.parse(cursor) - overlapMs).toISOString();
  const at = position.parse(next === undefined ? { stage: "pages", latest: cursor } : JSON.parse(next));
  const found: Found = { items: [], gone: [], notes: [], isUncertain: false };
  for (let question = 0; question < questionsPerPage; question++) {
    const isOver = await step(api, at, since, unlisted, found);
    if (isOver) {
      const mark = earlier(at.latest, at.begunAt);
      return { ...found, ...(mark ? { cursor: mark } : {}) };
    }
    if (found.items.length + found.gone.length > 0) break;
  }
  return { ...found, next: JSON.stringify(at) };
}

/** One question and what follows of it. @returns whether the listing is at its end */
async function step(
  api: Notion,
  at: Position,
  since: string | undefined,
  unlisted: ListPosition["unlisted"],
  found: Found,
): Promise<boolean> {
  if (at.stage === "pages" || at.stage === "databases") {
    const isDone = await searchOn(api, at, since, found);
    if (isDone) beginStage(at, at.stage === "pages" ? "databases" : "rows");
    return false;
  }
  if (at.stage === "rows") {
    const id = at.databases.shift();
    if (id === undefined || !api.config.content.includes("databases")) beginStage(at, "unlisted");
    else await readDatabase(api, id, at, found);
    return false;
  }
  if (!unlisted) return true;
  const ids = await unlisted(askedAtOnce);
  if (ids.length > 0 && !at.hasMet) throw new SourceRefused(noPage, "credentials");
  for (const id of ids) await askAbout(api, id, found);
  return ids.length < askedAtOnce;
}

function beginStage(at: Position, stage: Position["stage"]): void {
  Object.assign(at, { stage, after: undefined, reached: undefined, skipsTo: undefined, restarts: 0 });
}

/** @returns whether the search is at its end */
async function searchOn(
  api: Notion,
  at: Position,
  since: string | undefined,
  found: Found,
): Promise<boolean> {
  const isOfPages = at.stage === "pages";
  // All of it oldest first: what is edited meanwhile is met again at the end.
  const direction = since === undefined ? "ascending" : "descending";
  const page = await api.search(isOfPages ? "page" : "data_source", direction, at.after).catch((error) => {
    if (!(error instanceof PositionLost)) throw error;
    if (at.restarts >= mostRestarts) throw new SourceUnavailable("Notion has a problem of its own.", 60_000);
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
      problem: "Notion names only a part of what the connection may see. What it leaves out is not read.",
    });
  }
  let isOlder = false;
  for (const raw of page.results) {
    const edited = isOfPages ? readPage(api, raw, at, since, found) : readDataSource(raw, at, since);
    if (edited && since && Date.parse(edited) < Date.parse(since)) isOlder = true;
  }
  at.after = page.next;
  return !page.next || (direction === "descending" && isOlder);
}

/** @returns when it was edited last */
function readPage(api: Notion, raw: unknown, at: Position, since: string | undefined, found: Found) {
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
  takePage(api, one, found);
  return edited;
}

function takePage(api: Notion, one: NotionPage, found: Found): void {
  if (!api.config.content.includes("pages")) return;
  if (isTrashed(one)) found.gone.push(externalIdOf("pages", one.id));
  else found.items.push(pageItem(one));
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
async function readDatabase(api: Notion, id: string, at: Position, found: Found): Promise<void> {
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
      if (row) takePage(api, row, found);
      at.latest = later(at.latest, row?.last_edited_time);
    }
  } catch (error) {
    // Deleted just now, or a linked one whose original the connection may not see.
    if (!(error instanceof ItemGone)) throw error;
  }
}

async function askAbout(api: Notion, externalId: string, found: Found): Promise<void> {
  const parts = partsOfId(externalId);
  if (!parts || !api.config.content.includes(parts.kind)) return void found.gone.push(externalId);
  try {
    if (parts.kind === "pages") {
      const { found: raw } = await api.page(parts.id);
      const one = pageSchema.safeParse(raw).data;
      if (one && isTrashed(one)) found.gone.push(externalId);
      else found.items.push(one ? pageItem(one) : (damagedItem(raw) ?? unreadable(externalId)));
      return;
    }
    const one = dataSource.safeParse(await api.dataSource(parts.id)).data;
    if (one && isTrashed(one)) return void found.gone.push(externalId);
    if (!one) throw new SourceUnavailable("Notion answered in a form that cannot be read.");
    const { rows, isCut } = await api.rows(parts.id);
    found.items.push(databaseItem(one, rows, isCut));
  } catch (error) {
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
  }
}

/** Something answers to its id: what it is is found out when it is read. */
const unreadable = (externalId: string) => ({
  externalId,
  title: "Untitled",
  revision: "0".repeat(64),
});

/** What was edited while the list was read may have been passed over: it is asked for again from the beginning on. */
function earlier(latest: string | undefined, begunAt: string | undefined): string | undefined {
  if (!latest || !begunAt) return latest;
  return Date.parse(begunAt) < Date.parse(latest) ? begunAt : latest;
}
