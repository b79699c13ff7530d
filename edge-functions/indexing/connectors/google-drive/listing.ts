// Owns the listing of a Google Drive source: everything place by place, or the changes feed by feed; then each known document that
// was not listed. Writes nothing.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  hasFailed,
  ItemGone,
  type ListPage,
  type ListPosition,
  SourceRefused,
  SourceUnavailable,
} from "../connector.ts";
import { type DriveFile, file } from "./answers.ts";
import { type GoogleDrive, nothingShown, type Place } from "./api.ts";
import { forgetParents, isCovered } from "./folders.ts";
import { PositionLost } from "./refusals.ts";
import { damagedItem, fileItem, idPattern, isFolder } from "./transform.ts";

/** Maximum calls per listed page when they bring no items. */
const questionsPerPage = 12;
const mostRestarts = 3;
/** Folders per query. */
const foldersAtOnce = 20;
/** Documents per round of individual requests. */
const askedAtOnce = 20;

/** The positions of the next changes: of the account's own view, and of each shared drive. */
const tokens = z.object({ own: z.string(), drives: z.record(z.string(), z.string()) });

const position = z.object({
  /** The places still to list, and the cursor within the first. */
  places: z.array(z.object({ drive: z.string().optional(), parents: z.array(z.string()).optional() })),
  after: z.string().optional(),
  restarts: z.int().default(0),
  /** The feeds of changes still to read, and the position in each. */
  feeds: z.array(z.object({ drive: z.string().optional(), token: z.string() })).default([]),
  tokens: tokens.optional(),
  /** A change that the feeds do not fully describe: the next listing is of everything. */
  isPartial: z.boolean().default(false),
  hasMet: z.boolean().default(false),
});
type Position = z.infer<typeof position>;
type Found = Required<Pick<ListPage, "items" | "gone" | "kept" | "notes" | "isUncertain" | "passedOver">>;

export async function listPage(
  api: GoogleDrive,
  account: string,
  { next, cursor, findKnown, ...unlisted }: ListPosition,
): Promise<ListPage> {
  const found: Found = { items: [], gone: [], kept: [], notes: [], isUncertain: false, passedOver: 0 };
  if (next === undefined) forgetParents(account);
  const at = next === undefined ? await begin(api, cursor, found) : position.parse(JSON.parse(next));
  for (let question = 0; question < questionsPerPage; question++) {
    const isOver =
      at.feeds.length > 0
        ? await readChanges(api, account, at, findKnown, found)
        : at.places.length > 0
          ? await readPlace(api, at, found)
          : await requestUnlisted(api, account, at, unlisted, found);
    if (isOver)
      return { ...found, ...(at.tokens && !at.isPartial ? { cursor: JSON.stringify(at.tokens) } : {}) };
    if (found.items.length + found.gone.length > 0) break;
  }
  return { ...found, next: JSON.stringify(at) };
}

async function begin(api: GoogleDrive, cursor: string | undefined, found: Found): Promise<Position> {
  const places = await placesOf(api, found);
  const drives = [...new Set(places.flatMap(({ drive }) => drive ?? []))];
  const before = cursor === undefined ? undefined : tokens.safeParse(JSON.parse(cursor)).data;
  const blank = { places: [], restarts: 0, feeds: [], isPartial: false, hasMet: false };
  if (before) {
    const feeds = [
      { token: before.own },
      ...drives.flatMap((drive) => (before.drives[drive] ? [{ drive, token: before.drives[drive] }] : [])),
    ];
    // A shared drive added or removed since has no feed that lists its files.
    const isPartial =
      drives.length !== Object.keys(before.drives).length || feeds.length !== drives.length + 1;
    return { ...blank, feeds, isPartial, tokens: { own: before.own, drives: {} } };
  }
  // Taken before the listing, so that the next changes include edits during it. A drive's token is taken when its listing starts.
  return { ...blank, places, tokens: { own: await api.startToken(), drives: {} } };
}

/** What to list: the named folders, or the account's own view and its shared drives. */
async function placesOf(api: GoogleDrive, found: Found): Promise<Place[]> {
  const { folders } = api.config;
  if (folders.length === 0) return [{}, ...(await api.drives()).map(({ id }) => ({ drive: id }))];
  const places: Place[] = [];
  for (const id of folders) {
    const root = await folderOf(api, id);
    if (root) addFolder(places, id, (await placeOf(api, root)).drive);
    else
      found.notes.push({
        address: `https://drive.google.com/drive/folders/${id}`,
        problem: sentenceOf("googleDriveMissing", { folder: id }),
      });
  }
  if (places.length > 0) return places;
  throw new SourceRefused(
    sentenceOf("googleDriveMissing", { folder: folders.slice(0, 3).join(", ") }),
    "config.folders",
  );
}

/** Where to list a folder. One of a shared drive may be shared with a person who is no member; it is then listed without the drive. */
export async function placeOf(api: GoogleDrive, { id, driveId }: DriveFile): Promise<Place> {
  return driveId && (await api.isMember(driveId)) ? { drive: driveId, parents: [id] } : { parents: [id] };
}

/** Undefined for an id that does not exist, is in the trash or is no folder. */
export async function folderOf(api: GoogleDrive, id: string): Promise<DriveFile | undefined> {
  try {
    const found = file.safeParse(await api.file(id)).data;
    return found && isFolder(found) && found.trashed !== true ? found : undefined;
  } catch (error) {
    if (error instanceof ItemGone) return undefined;
    throw error;
  }
}

/** Groups folders of one drive into one query. Leaves the place being read unchanged. */
function addFolder(places: Place[], id: string, drive: string | undefined): void {
  const last = places.length > 1 ? places.at(-1) : undefined;
  if (last?.parents && last.drive === drive && last.parents.length < foldersAtOnce) last.parents.push(id);
  else places.push({ ...(drive ? { drive } : {}), parents: [id] });
}

/** @returns false: documents that were not listed are still to be requested */
async function readPlace(api: GoogleDrive, at: Position, found: Found): Promise<boolean> {
  const [place] = at.places;
  if (!place) return false;
  await noteStart(api, at, place);
  const page = await api.files(place, at.after).catch((error) => {
    if (error instanceof ItemGone && (place.drive || place.parents)) {
      // The place was deleted while it was listed; its documents are requested one by one at the end. Of several folders only some
      // may be gone.
      if (!place.parents || place.parents.length < 2)
        return { files: [], next: undefined, isIncomplete: false };
      at.places.splice(0, 1, ...place.parents.map((id) => ({ ...place, parents: [id] })));
      at.after = undefined;
      return undefined;
    }
    if (!(error instanceof PositionLost)) throw error;
    if (at.restarts >= mostRestarts)
      throw new SourceUnavailable(sentenceOf("ownProblem", { service: "Google Drive" }), 60_000);
    at.restarts++;
    at.after = undefined;
    return undefined;
  });
  if (!page) return false;
  // Files that Google left out are requested one by one at the end. Nothing else is deleted after this listing.
  if (page.isIncomplete) found.isUncertain = true;
  if (page.files.length > 0) at.hasMet = true;
  for (const raw of page.files) {
    const one = file.safeParse(raw).data;
    if (!one) takeDamaged(raw, found);
    else if (isFolder(one) && (place.parents || isSharedIn(one, place)))
      addFolder(at.places, one.id, place.drive);
    else take(api, one, found);
  }
  at.after = page.next;
  if (!page.next) {
    at.places.shift();
    // Thousands of drives may be empty, so each counts as progress.
    found.passedOver++;
    at.restarts = 0;
  }
  return false;
}

/** Takes a drive's token before its listing starts, not earlier: an account may be a member of thousands of drives. */
async function noteStart(api: GoogleDrive, { tokens: known }: Position, { drive }: Place): Promise<void> {
  if (!drive || !known || known.drives[drive]) return;
  const token = await api.startToken(drive).catch(unlessGone);
  if (token) known.drives[drive] = token;
}

function takeDamaged(raw: unknown, found: Found): void {
  const item = damagedItem(raw);
  if (item) found.items.push(item);
  else found.isUncertain = true;
}

function take(api: GoogleDrive, one: DriveFile, found: Found): void {
  const { item, note } = one.trashed === true ? {} : fileItem(one, api.config);
  if (item) found.items.push(item);
  else found.gone.push(one.id);
  if (note) found.notes.push(note);
}

/**
 * A folder shared from another account, whose parent this account cannot see. Its files appear in the account's own view only once
 * it has been opened.
 */
export const isSharedIn = (one: DriveFile, { drive }: Place) => !drive && !one.parents?.length;

/** @returns true when all changes are read and nothing is left to list */
async function readChanges(
  api: GoogleDrive,
  account: string,
  at: Position,
  findKnown: ListPosition["findKnown"],
  found: Found,
): Promise<boolean> {
  const [feed] = at.feeds;
  if (!feed) return true;
  try {
    const page = await api.changes(feed.token, feed.drive);
    const removed = page.changes.filter(({ isRemoved }) => isRemoved).map(({ id }) => id);
    const documents = new Set(removed.length > 0 ? await findKnown?.(removed) : []);
    for (const { id, isRemoved, file: raw } of page.changes) {
      // A file removed from one feed may be in another.
      const now = isRemoved ? await api.file(id).catch(unlessGone) : raw;
      if (now !== undefined) await takeChanged(api, account, now, at, found);
      else {
        found.gone.push(id);
        // It may have been a folder with files in it.
        at.isPartial ||= !documents.has(id);
      }
    }
    if (page.next) {
      feed.token = page.next;
      return false;
    }
    if (at.tokens && page.end) {
      if (feed.drive) at.tokens.drives[feed.drive] = page.end;
      else at.tokens.own = page.end;
    }
  } catch (error) {
    if (!(error instanceof PositionLost || (error instanceof ItemGone && feed.drive))) throw error;
    // The changes since are lost: lists everything now, and once more next time to find deletions.
    if (!at.isPartial || at.places.length === 0) at.places = await placesOf(api, found);
    at.isPartial = true;
  }
  at.feeds.shift();
  found.passedOver++;
  return at.feeds.length === 0 && at.places.length === 0;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ItemGone)) throw error;
}

async function takeChanged(
  api: GoogleDrive,
  account: string,
  raw: unknown,
  at: Position,
  found: Found,
): Promise<void> {
  const one = file.safeParse(raw).data;
  if (!one) return takeDamaged(raw, found);
  const isRead = one.trashed !== true && (await isCovered(api, account, one));
  if (!isFolder(one)) {
    if (isRead) take(api, one, found);
    else found.gone.push(one.id);
    return;
  }
  // A change of a folder does not include its files. Those of an added folder are listed now; those of a removed one are found by
  // the next full listing.
  if (isRead) addFolder(at.places, one.id, at.feeds[0]?.drive);
  else at.isPartial = true;
}

/** Requests documents that the lists did not name. @returns true when none is left */
async function requestUnlisted(
  api: GoogleDrive,
  account: string,
  at: Position,
  { findUnlisted, acceptsEmpty }: ListPosition,
  found: Found,
): Promise<boolean> {
  if (!findUnlisted) return true;
  const ids = await findUnlisted(askedAtOnce);
  if (ids.length > 0 && !at.hasMet && !acceptsEmpty) throw new SourceRefused(nothingShown, "credentials");
  for (const id of ids) await requestDocument(api, account, id, found);
  return ids.length < askedAtOnce;
}

/** Requests a file: one that is gone from one place may be in another. */
async function requestDocument(api: GoogleDrive, account: string, id: string, found: Found): Promise<void> {
  try {
    if (!idPattern.test(id)) throw new ItemGone("this is not a file's id");
    const raw = await api.file(id);
    const one = file.safeParse(raw).data;
    if (!one) takeDamaged(raw, found);
    else if (one.trashed !== true && (await isCovered(api, account, one))) take(api, one, found);
    else found.gone.push(id);
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(id);
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(id);
  }
}
