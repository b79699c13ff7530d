// Brings a source's documents in line with its connector's listing: adds, updates, deletes. A large source is listed over many
// turns; each resumes where the previous one ended.
import type { Transaction } from "../../_shared/database/db.ts";
import { isPlainText, plainText } from "../../_shared/text/plain-text.ts";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import {
  type Connector,
  ItemGone,
  type ListPage,
  type Source,
  type SourceItem,
  SourceRefused,
  SourceUnavailable,
} from "../connectors/connector.ts";
import { connectorFor } from "../connectors/registry.ts";
import { clipText } from "../parsers/text-builder.ts";
import { connectorContext, endSlice, PutDown, type StepContext } from "./context.ts";
import { clearProblems, noteAddresses, notesWithTakenIds, sweepNotes } from "./listing-notes.ts";
import { fromText, momentOf, storedStructure } from "./read.ts";
import { isUnchanged, removeItems } from "./removals.ts";
import { documentStatus, type Fragment, lockDocuments, wantedSignature } from "./scope.ts";
import { storageSentence } from "./storage.ts";
import { findUnfitItems } from "./unfit.ts";

interface Listing {
  since: string | null;
  position: string | null;
  isUncertain: boolean;
  listed: number;
  pages: number;
  barren: number;
  finishedAt: string | null;
  startedAt: string;
  isOutdated: boolean;
  acceptsEmpty: boolean;
}

const listingColumns = (tx: Transaction) =>
  tx`since, position, is_uncertain, listed, pages, barren, finished_at, started_at::text, is_outdated, accepts_empty`;

/** A listing with more pages than this, or with this many consecutive pages without a new item, is taken to be endless. */
const mostPages = 20_000;
const mostBarren = 50;

/**
 * Lists a source: the changes since the last listing if its connector can tell, otherwise everything. Documents whose item is gone
 * are deleted with their chunks in the transaction that notices.
 * @throws SourceUnavailable, SourceRefused, before anything is deleted; the source's row shows the error too
 */
export async function listSource(context: StepContext, id: string): Promise<void> {
  const source = await context.source(id);
  const connector = source && connectorFor(source.type);
  if (!connector) return;
  try {
    await listPages(context, source, connector);
  } catch (cause) {
    // Whatever failed for that: its knowledge base is indexed without it.
    if (!(cause instanceof PutDown) && (await isDeleted(context, id))) return;
    const full = storageSentence(cause);
    const error = cause instanceof ItemGone ? nothingThere(cause) : cause;
    const isFinal = error instanceof SourceRefused || full !== undefined;
    if (!(isFinal || error instanceof SourceUnavailable)) throw error;
    const sentence = full ?? (error as Error).message;
    const { claim } = context;
    await claim.write(async (tx) => {
      await tx`update public.sources set error = ${sentence} where id = ${id}`;
      // After a refusal the next attempt lists from the start; after a temporary failure it resumes.
      if (isFinal)
        await tx`delete from private.listings where task_id = ${claim.task.id} and source_id = ${id}`;
    });
    // A knowledge base with several sources is indexed with what an earlier listing read of this one; the source shows the error.
    if (isFinal && claim.task.knowledgeId && (await wasListed(context, id))) return;
    throw error;
  }
}

/** True when a source was deleted since this turn read it. A task of its own was deleted with it. */
async function isDeleted({ claim }: StepContext, id: string): Promise<boolean> {
  const rows = await claim.read((tx) => tx`select 1 from public.sources where id = ${id}`);
  return rows.length === 0;
}

const nothingThere = (cause: ItemGone) => new SourceRefused(sentenceOf("nothingToList"), "config", { cause });

const endlessListing = () => new SourceRefused(sentenceOf("endless"));

async function listPages(context: StepContext, source: Source, connector: Connector): Promise<void> {
  const { claim } = context;
  let listing = await claim.write((tx) => openListing(tx, context, source));
  while (!listing.finishedAt) {
    const page = await connector.list(connectorContext(context, source), {
      ...(listing.position === null ? {} : { next: listing.position }),
      ...(listing.since === null
        ? {
            findUnlisted: (most: number) => findUnlisted(context, source, most),
            acceptsEmpty: listing.acceptsEmpty,
          }
        : { cursor: listing.since }),
      findKnown: (ids: string[]) => existingItems(context, source, ids),
    });
    listing = await storePage(context, source, page, listing.since);
    if (!listing.finishedAt && (listing.pages >= mostPages || listing.barren >= mostBarren))
      throw endlessListing();
    claim.report({ code: "listing", params: { listed: listing.listed } });
    if (!listing.finishedAt) endSlice(context);
  }
}

/** Stores a page and the position after it. */
async function storePage(
  context: StepContext,
  source: Source,
  page: ListPage,
  since: string | null,
): Promise<Listing> {
  // A stored page is not requested again, so earlier failures no longer count.
  const store = (items: SourceItem[], unread: string[] = []) =>
    context.claim.achieve(async (tx) => {
      await storeItems(tx, context, source, { ...page, items }, unread);
      const fresh = since === null ? await noteSeen(tx, context, source, page) : page.items.length;
      if (page.gone?.length) await removeItems(tx, source, page.gone);
      await clearProblems(tx, source, page.items);
      const notes = await notesWithTakenIds(tx, source, page);
      if (notes.length > 0) await noteAddresses(tx, context, source, notes, since === null);
      const brought = fresh + (page.gone?.length ?? 0) + (page.notes?.length ?? 0) + (page.passedOver ?? 0);
      const now = await storePosition(tx, context, source, page, brought > 0);
      if (now.finishedAt) await finish(tx, context, source, now, page.cursor);
      return now;
    });
  try {
    return await store(page.items);
  } catch (error) {
    const withText = page.items.filter(({ text }) => text !== undefined);
    if (!storageSentence(error) || withText.length === 0) throw error;
    // The listing ends, so that what is gone at the source frees its room. Then the texts are read, as far as they fit.
    const bare = page.items.map(withoutText);
    return await store(
      bare,
      withText.map(({ externalId }) => externalId),
    );
  }
}

async function openListing(tx: Transaction, { claim }: StepContext, source: Source): Promise<Listing> {
  const { task } = claim;
  const config = JSON.stringify(source.config);
  const login = source.login ?? null;
  // A position means nothing under other settings or to another account: the listing starts again.
  await tx`
    delete from private.listings
     where task_id = ${task.id} and source_id = ${source.id} and finished_at is null
       and config is not null and (config <> ${config}::text::jsonb or login is distinct from ${login})`;
  // loadDocuments always lists everything.
  const [row] = await tx<Listing[]>`
    insert into private.listings as l (task_id, source_id, team_id, since, config, login)
    select ${task.id}, s.id, s.team_id, case when ${task.type} <> 'loadDocuments' then s.sync_cursor end, ${config}::text::jsonb, ${login}
      from public.sources s where s.id = ${source.id}
    on conflict (task_id, source_id) do update
       set config = coalesce(l.config, excluded.config),
           login = case when l.config is null then excluded.login else l.login end
    returning ${listingColumns(tx)}`;
  if (!row) throw new Error("the source was deleted meanwhile");
  return row;
}

/**
 * Inserts new items and updates existing ones. An item that includes its text needs no reading.
 * @param unread items that had their text in the listing and come without it now
 */
async function storeItems(
  tx: Transaction,
  { claim }: StepContext,
  source: Source,
  { items: listed, notes = [] }: ListPage,
  unread: string[],
): Promise<void> {
  const unfit = await findUnfitItems(tx, source, listed);
  const items = storableItems(listed).map((item) => (unfit.has(item.externalId) ? withoutText(item) : item));
  const unsure = notes.flatMap(({ address, problem }) => (problem ? [address] : []));
  const parsed = items.map(({ text }) => (text === undefined ? undefined : fromText(text)));
  const item = tx`unnest(
      ${items.map(({ externalId }) => externalId)}::text[], ${items.map(({ title }) => title)}::text[],
      ${items.map(({ url }) => url ?? null)}::text[], ${items.map(({ revision }) => revision)}::text[],
      ${parsed.map((one) => one?.text ?? null)}::text[],
      ${parsed.map((one) => (one ? JSON.stringify(storedStructure(one)) : null))}::text[],
      ${items.map(({ changedAt }) => momentOf(changedAt))}::timestamptz[],
      ${items.map(({ note }) => note ?? null)}::text[])
    as item (external_id, title, url, revision, content, structure, changed_at, note)`;
  const changed = await tx<{ id: string }[]>`
    insert into public.documents as d (team_id, source_id, external_id, type, title, url, content, structure, content_hash, changed_at, note)
    select ${source.teamId}, ${source.id}, item.external_id, ${source.type}, item.title, item.url,
           item.content, item.structure::jsonb, case when item.content is not null then item.revision end,
           item.changed_at, case when item.content is not null then item.note end
      from ${item}
    on conflict (source_id, external_id) do update
       set title = excluded.title, url = excluded.url,
           content = coalesce(excluded.content, d.content), structure = coalesce(excluded.structure, d.structure),
           content_hash = coalesce(excluded.content_hash, d.content_hash),
           changed_at = case when excluded.content is null then d.changed_at else excluded.changed_at end,
           error = case when excluded.content is null then d.error end,
           note = case when excluded.content is null then d.note else excluded.note end
     where d.type = excluded.type
       and ((d.title, d.url) is distinct from (excluded.title, excluded.url)
         or excluded.content is not null
            and (d.content_hash, d.note) is distinct from (excluded.content_hash, excluded.note))
    returning d.id`;
  // Marks changed documents whose text is not part of the listing to be read again. An index task does not: a text may have been
  // edited since.
  await tx`
    update public.documents d
       set content_hash = null, changed_at = item.changed_at,
           synced_at = coalesce(d.synced_at, (select s.synced_at from public.sources s where s.id = d.source_id))
      from ${item}
     where (${claim.task.type !== "index"} or item.external_id = any(${unread}::text[])) and d.source_id = ${source.id} and d.type = ${source.type}
       and d.external_id = item.external_id and item.content is null and d.content is not null and d.content_hash is distinct from item.revision`;
  // Unchanged items count as seen by this sync; items that could not be checked keep the previous one. Documents that lack a change
  // date get it from sources that state one.
  await tx`
    update public.documents d
       set synced_at = case when d.external_id = any(${unsure}::text[])
                            then coalesce(d.synced_at, (select s.synced_at from public.sources s where s.id = d.source_id)) end,
           changed_at = coalesce(d.changed_at, item.changed_at)
      from ${item}
     where d.source_id = ${source.id} and d.type = ${source.type} and d.external_id = item.external_id
       and d.content_hash = item.revision
       and ((d.synced_at is not null) <> (d.external_id = any(${unsure}::text[]))
         or d.changed_at is null and item.changed_at is not null)`;
  if (changed.length === 0) return;
  const ids = changed.map(({ id }) => id);
  await tx`
    update public.document_indexes i set status = 'stale'
      from public.documents d, public.knowledges k
     where d.id = any(${ids}::uuid[]) and i.document_id = d.id and k.id = i.knowledge_id
       and i.status = 'ready' and i.signature is distinct from ${wantedSignature(tx)}`;
  await tx`
    update public.documents d set status = ${documentStatus(tx)}
     where d.id = any(${ids}::uuid[]) and d.status not in ('queued', 'indexing')`;
}

const withoutText = ({ text: _text, note: _note, ...item }: SourceItem): SourceItem => item;

/** Each item once, in its last version, in the form that documents store. */
function storableItems(items: SourceItem[]): SourceItem[] {
  const byId = new Map(items.map((item) => [item.externalId, item]));
  return [...byId.values()].map(({ title, url, ...item }) => ({
    ...item,
    title: clipText(plainText(title), 500) || item.externalId,
    ...(url && /^https?:\/\/\S+$/.test(url) && isPlainText(url) && url.length <= 2000 ? { url } : {}),
  }));
}

/** @returns how many of the items are new to this listing */
async function noteSeen(
  tx: Transaction,
  { claim }: StepContext,
  source: Source,
  { items, kept = [] }: ListPage,
): Promise<number> {
  const seen = [...items.map(({ externalId }) => externalId), ...kept];
  const { count } = await tx`
    insert into private.listed_items (task_id, source_id, external_id)
    select ${claim.task.id}, ${source.id}, seen.id
      from unnest(${seen}::text[]) as seen (id)
    on conflict do nothing`;
  return count;
}

/** Condition on document d: this full listing has not met it. "offset 0" keeps it from becoming a join, which compares each with each. */
const isUnlisted = (tx: Transaction, { task }: StepContext["claim"]): Fragment =>
  tx`not exists (select 1 from private.listed_items l
                  where l.task_id = ${task.id} and l.source_id = d.source_id and l.external_id = d.external_id offset 0)`;

/** Documents that this full listing has not met yet. */
function findUnlisted({ claim }: StepContext, source: Source, most: number): Promise<string[]> {
  return claim.read(async (tx) => {
    const rows = await tx<{ externalId: string }[]>`
      select d.external_id from public.documents d
       where d.team_id = ${source.teamId} and d.source_id = ${source.id} and d.type = ${source.type}
         and ${isUnlisted(tx, claim)}
       order by d.id limit ${most}`;
    return rows.map(({ externalId }) => externalId);
  });
}

function existingItems({ claim }: StepContext, source: Source, ids: string[]): Promise<string[]> {
  return claim.read(async (tx) => {
    const rows = await tx<{ externalId: string }[]>`
      select external_id from public.documents
       where team_id = ${source.teamId} and source_id = ${source.id} and type = ${source.type}
         and external_id = any(${ids}::text[])`;
    return rows.map(({ externalId }) => externalId);
  });
}

async function storePosition(
  tx: Transaction,
  { claim }: StepContext,
  source: Source,
  { items, next, isUncertain }: ListPage,
  isFruitful: boolean,
): Promise<Listing> {
  const [row] = await tx<Listing[]>`
    update private.listings
       set position = ${next ?? null}, listed = listed + ${items.length}, pages = pages + 1,
           barren = case when ${isFruitful} then 0 else barren + 1 end, is_uncertain = is_uncertain or ${isUncertain ?? false},
           finished_at = case when ${next === undefined} then clock_timestamp() end
     where task_id = ${claim.task.id} and source_id = ${source.id}
    returning ${listingColumns(tx)}`;
  if (!row) throw new Error("the source was deleted meanwhile");
  return row;
}

async function finish(
  tx: Transaction,
  { claim }: StepContext,
  source: Source,
  { since, isUncertain, startedAt, isOutdated }: Listing,
  cursor: string | undefined,
): Promise<void> {
  const isWhole = since === null && !isUncertain;
  const hasItsSettings = isUnchanged(tx, source);
  if (isWhole) {
    await lockDocuments(tx, { ...claim.task, sourceId: source.id, documentId: null });
    await tx`
      delete from public.documents d
       where d.team_id = ${source.teamId} and d.source_id = ${source.id} and d.type = ${source.type}
         and ${isUnlisted(tx, claim)}
         -- Found since by a listing of another task, which may be the later one.
         and d.created_at < ${startedAt}::timestamptz
         and exists (select 1 from public.sources s where s.id = d.source_id and ${hasItsSettings})
         -- Written since the listing passed it: its document is there from its first moment.
         and not exists (select 1 from public.qa_entries e
                          where d.type = 'qa' and e.team_id = d.team_id and e.source_id = d.source_id
                            and e.id::text = d.external_id and (e.expires_at is null or e.expires_at > clock_timestamp()))`;
    await sweepNotes(tx, claim, source);
  }
  await tx`delete from private.listed_items where task_id = ${claim.task.id} and source_id = ${source.id}`;
  await tx`
    update public.sources s
       set synced_at = clock_timestamp(), error = null,
           -- Changed settings and a requested full sync have cleared it: then the next listing is of everything.
           sync_cursor = case when ${hasItsSettings} and not ${isOutdated}
                               and (${since}::text is null or s.sync_cursor = ${since}) then ${cursor ?? null} end,
           listed_at = case when ${isWhole} and ${hasItsSettings} then clock_timestamp() else s.listed_at end,
           documents_count = (select count(*) from public.documents d where d.source_id = s.id)
     where s.id = ${source.id}`;
}

async function wasListed({ claim }: StepContext, id: string): Promise<boolean> {
  const [row] = await claim.read(
    (tx) => tx<{ listed: boolean }[]>`
      select listed_at is not null as listed from public.sources where id = ${id}`,
  );
  return row?.listed ?? false;
}
