// Owns the listing of a Confluence source: pages, then blog posts, then attachments, then each known document that no list named.
// Writes nothing.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  hasFailed,
  ItemGone,
  ItemUnreadable,
  type ListPage,
  type ListPosition,
  SourceRefused,
  unreadableItem,
} from "../connector.ts";
import { changesFrom, later } from "../moments.ts";
import { type Attachment, attachment, identified, type Page, page as pageSchema } from "./answers.ts";
import { type Confluence, illegible, mostAtOnce, nothingShown } from "./api.ts";
import { type ConfluenceContent, contents } from "./declaration.ts";
import {
  attachmentItem,
  damagedItem,
  externalIdOf,
  findMentions,
  isCurrent,
  type Names,
  pageItem,
  partsOfId,
} from "./transform.ts";

/** A listing of changes starts this long before the last change seen. */
const overlapMs = 10 * 60_000;
/** Maximum calls per listed page when they bring no items. */
const questionsPerPage = 12;
/** Documents per round of individual requests. */
const askedAtOnce = 20;

const marks = z.partialRecord(z.enum(contents), z.string());
const position = z.object({
  /** The index of the kind being listed; past the last: documents that no list named. */
  part: z.int(),
  /** The ids of the named spaces, looked up at the start; none for all spaces. */
  spaceIds: z.array(z.string()),
  /** Within the part: Confluence's cursor, the last change seen, the time it began. */
  after: z.string().optional(),
  latest: z.string().optional(),
  begunAt: z.string().optional(),
  marks,
  hasMet: z.boolean(),
});
type Position = z.infer<typeof position>;
type Found = Required<Omit<ListPage, "next" | "cursor">>;
/** The page or post that an attachment belongs to. */
type Hung = Pick<Attachment, "pageId" | "blogPostId">;

export async function listPage(
  api: Confluence,
  { next, cursor, ...unlisted }: ListPosition,
): Promise<ListPage> {
  const before = cursor === undefined ? {} : marks.parse(JSON.parse(cursor));
  const found: Found = { items: [], gone: [], kept: [], notes: [], isUncertain: false, passedOver: 0 };
  const at: Position =
    next === undefined
      ? { part: 0, spaceIds: await spacesOf(api, found), marks: {}, hasMet: false }
      : position.parse(JSON.parse(next));
  const kinds = contents.filter((kind) => api.config.content.includes(kind));
  for (let question = 0; question < questionsPerPage; question++) {
    const kind = kinds[at.part];
    const isOver = kind
      ? await readPart(api, kind, at, before[kind], found)
      : await requestUnlisted(api, at, unlisted, found);
    if (isOver && !kind) return { ...found, cursor: JSON.stringify(at.marks) };
    if (isOver)
      Object.assign(at, { part: at.part + 1, after: undefined, latest: undefined, begunAt: undefined });
    if (found.items.length + found.gone.length > 0) break;
  }
  return { ...found, next: JSON.stringify(at) };
}

/** The ids of the named spaces. Notes each one that the account cannot see and continues with the others. */
async function spacesOf(api: Confluence, found: Found): Promise<string[]> {
  const { spaceIds, missing } = await coveredSpaces(api);
  for (const key of missing)
    found.notes.push({
      address: `${api.config.site}/wiki/spaces/${encodeURIComponent(key)}`,
      problem: sentenceOf("confluenceMissing", { space: key }),
    });
  return spaceIds;
}

/**
 * The ids of the named spaces, none for all, and the names that the account cannot see.
 * @throws SourceRefused when it sees none of them: its login may have ended
 */
export async function coveredSpaces(api: Confluence): Promise<{ spaceIds: string[]; missing: string[] }> {
  const { spaces: keys } = api.config;
  if (keys.length === 0) return { spaceIds: [], missing: [] };
  const seen = await api.spaces(keys);
  if (seen.length === 0)
    throw new SourceRefused(
      sentenceOf("confluenceMissing", { space: keys.slice(0, 5).join(", ") }),
      "config.spaces",
    );
  const missing = keys.filter((one) => !seen.some((space) => isKey(space.key, one)));
  return { spaceIds: seen.map(({ id }) => id), missing };
}

export const isKey = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** @returns true when the part is complete */
async function readPart(
  api: Confluence,
  kind: ConfluenceContent,
  at: Position,
  before: string | undefined,
  found: Found,
): Promise<boolean> {
  const since = before === undefined ? undefined : Date.parse(before) - overlapMs;
  const page = await api.list(kind, at.spaceIds, since !== undefined, at.after);
  at.begunAt ??= page.askedAt;
  at.latest ??= before;
  if (page.results.length > 0) at.hasMet = true;
  if (kind === "attachments") found.passedOver += page.results.length;
  let isOlder = false;
  const files: Attachment[] = [];
  const pages: Page[] = [];
  for (const raw of page.results) {
    const one = kind === "attachments" ? attachment.safeParse(raw).data : pageSchema.safeParse(raw).data;
    if (!one) {
      await takeDamaged(api, kind, raw, at.spaceIds, found);
      continue;
    }
    const changedAt = one.version.createdAt;
    if (since !== undefined && Date.parse(changedAt) < since) {
      isOlder = true;
      continue;
    }
    at.latest = later(at.latest, changedAt);
    if ("spaceId" in one) pages.push(one);
    else files.push(one);
  }
  const names = await api.names(findMentions(pages));
  for (const one of pages) takePage(api, kind, one, at.spaceIds, names, found);
  await takeFiles(api, files, at.spaceIds, found);
  at.after = page.next;
  if (page.next && !isOlder) return false;
  const mark = changesFrom(at.latest, at.begunAt);
  if (mark) at.marks[kind] = mark;
  return true;
}

async function takeDamaged(
  api: Confluence,
  kind: ConfluenceContent,
  raw: unknown,
  spaceIds: string[],
  found: Found,
): Promise<void> {
  const item = damagedItem(kind, raw);
  if (!item) found.isUncertain = true;
  else if (kind !== "attachments" || (await isOnCovered(api, raw, spaceIds))) found.items.push(item);
}

/** Attachments are listed across all spaces. For a damaged one, only its page or post shows whether it belongs to the source. */
async function isOnCovered(api: Confluence, raw: unknown, spaceIds: string[]): Promise<boolean> {
  const file = identified.safeParse(raw).data;
  const on = file && containerOf(file);
  return !!file && !!on && (await coveredContainers(api, [file], spaceIds)).has(on.id);
}

const isCovered = ({ spaceId }: Page, spaceIds: string[]) =>
  spaceIds.length === 0 || spaceIds.includes(spaceId);

function takePage(
  api: Confluence,
  kind: ConfluenceContent,
  one: Page,
  spaceIds: string[],
  names: Names,
  found: Found,
): void {
  if (kind === "attachments") return;
  if (isCurrent(one) && isCovered(one, spaceIds))
    found.items.push(pageItem(api.config.site, kind, one, names));
  else found.gone.push(externalIdOf(kind, one.id));
}

/** Takes the attachments of pages that are read: Confluence lists those of all spaces together, and those of pages in the trash. */
async function takeFiles(
  api: Confluence,
  files: Attachment[],
  spaceIds: string[],
  found: Found,
): Promise<void> {
  const current = files.filter(isCurrent);
  const covered = await coveredContainers(api, current, spaceIds);
  for (const file of current) {
    if (covered.has(containerOf(file)?.id ?? "")) takeFile(api, file, found);
  }
}

function takeFile(api: Confluence, file: Attachment, found: Found): void {
  const { item, note } = attachmentItem(api.config, file);
  if (item) found.items.push(item);
  if (!note) return;
  found.notes.push(note);
  // An older version may have been readable: its document goes.
  found.gone.push(externalIdOf("attachments", file.id));
}

export function containerOf(file: Hung): { kind: "pages" | "posts"; id: string } | undefined {
  if (file.pageId) return { kind: "pages", id: file.pageId };
  return file.blogPostId ? { kind: "posts", id: file.blogPostId } : undefined;
}

/** Which of the attachments' pages and posts exist in a space that is read. */
async function coveredContainers(api: Confluence, files: Hung[], spaceIds: string[]): Promise<Set<string>> {
  const covered = new Set<string>();
  for (const kind of ["pages", "posts"] as const) {
    const all = [...new Set(files.map(containerOf).flatMap((one) => (one?.kind === kind ? one.id : [])))];
    for (let from = 0; from < all.length; from += mostAtOnce)
      for (const raw of await api.containers(kind, all.slice(from, from + mostAtOnce))) {
        const one = pageSchema.safeParse(raw).data;
        if (one && isCurrent(one) && isCovered(one, spaceIds)) covered.add(one.id);
      }
  }
  return covered;
}

/**
 * Whether a file's page is read. One that the list leaves out is requested itself, since its files are deleted without it.
 * @throws SourceUnavailable when the two do not agree
 */
export async function isOnReadPage(api: Confluence, file: Hung, spaceIds: string[]): Promise<boolean> {
  const on = containerOf(file);
  if (!on) return false;
  if ((await coveredContainers(api, [file], spaceIds)).has(on.id)) return true;
  const raw = await api.one(on.kind, on.id).catch((error) => {
    if (!(error instanceof ItemGone)) throw error;
  });
  if (raw === undefined) return false;
  const page = pageSchema.safeParse(raw).data;
  if (!page || (isCurrent(page) && isCovered(page, spaceIds))) throw illegible();
  return false;
}

/** Requests documents that the lists did not name. @returns true when none is left */
async function requestUnlisted(
  api: Confluence,
  at: Position,
  { findUnlisted, acceptsEmpty }: ListPosition,
  found: Found,
): Promise<boolean> {
  if (!findUnlisted) return true;
  const ids = await findUnlisted(askedAtOnce);
  // An invalid token may get the same empty lists as an anonymous caller.
  if (ids.length > 0 && !at.hasMet && !acceptsEmpty) throw new SourceRefused(nothingShown, "credentials");
  for (const id of ids) await requestDocument(api, id, at.spaceIds, found);
  return ids.length < askedAtOnce;
}

async function requestDocument(
  api: Confluence,
  externalId: string,
  spaceIds: string[],
  found: Found,
): Promise<void> {
  const parts = partsOfId(externalId);
  if (!parts || !api.config.content.includes(parts.kind)) return void found.gone.push(externalId);
  try {
    const raw = await api.one(parts.kind, parts.id);
    if (parts.kind === "attachments") {
      const file = attachment.safeParse(raw).data;
      if (!file)
        return void found.items.push(damagedItem("attachments", raw) ?? unreadableItem(externalId, parts.id));
      if (isCurrent(file) && (await isOnReadPage(api, file, spaceIds))) takeFile(api, file, found);
      else found.gone.push(externalId);
      return;
    }
    const one = pageSchema.safeParse(raw).data;
    if (one) takePage(api, parts.kind, one, spaceIds, await api.names(findMentions([one])), found);
    else found.items.push(unreadableItem(externalId));
  } catch (error) {
    if (hasFailed(error)) return void found.kept.push(externalId);
    // It exists; the error shows when it is read.
    if (error instanceof ItemUnreadable) return void found.items.push(unreadableItem(externalId));
    if (!(error instanceof ItemGone)) throw error;
    found.gone.push(externalId);
  }
}
