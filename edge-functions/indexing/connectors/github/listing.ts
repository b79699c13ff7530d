// Owns the listing of a GitHub source: repository by repository, files, then issues, then discussions. The position and the marks
// are passed from page to page. Writes nothing.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { hasFailed, type ListPosition, type PageNote, type SourceItem, SourceRefused } from "../connector.ts";
import { changesFrom, later } from "../moments.ts";
import { type Connection, comment, type Thread } from "./answers.ts";
import { type Github, type Head, nextOf, type ThreadKind } from "./api.ts";
import { listAttachments, prefixOf } from "./attachments.ts";
import { contents, type GithubConfig, type GithubContent } from "./declaration.ts";
import {
  changesOf,
  damagedItem,
  fileOf,
  furtherComments,
  isLeftOutPicture,
  mayHold,
  notGiven,
  parseThread,
  picturesLeftOut,
  threadItem,
} from "./transform.ts";

/** A listing of changes starts this long before the last change seen. */
const overlapMs = 10 * 60_000;
/** Maximum calls per listed page when they bring no items: of many repositories few change. */
const questionsPerPage = 12;
/** A longer discussion is read up to here, with a note. */
const mostComments = 1000;

/** Maximum unlisted documents that are searched for attachments of failed threads. */
const mostLeft = 5_000;

/** How far each part of a repository was read: the commit, or the last change. */
const marks = z.record(z.string(), z.string());
type Marks = z.infer<typeof marks>;

const progress = z.object({
  /** For files: the listed tree, and the folders of it still to request. */
  head: z
    .object({
      branch: z.string(),
      commit: z.string(),
      tree: z.string(),
      url: z.string(),
      name: z.string().optional(),
    })
    .optional(),
  trees: z.array(z.object({ path: z.string(), sha: z.string() })).optional(),
  /** For threads: GitHub's cursor, the last change seen, the time the part began. */
  after: z.string().optional(),
  latest: z.string().optional(),
  begunAt: z.string().optional(),
});
type Progress = z.infer<typeof progress>;
const position = z.object({
  part: z.int(),
  progress: progress.optional(),
  marks,
  /** Threads that GitHub did not return in full: their attachments are not treated as deleted. */
  failed: z.array(z.string()).default([]),
  /** A tree was read in place of changes, which may not name what is gone: the next listing is of everything. */
  isPartial: z.boolean().default(false),
  /** Whether there was anything at all; a listing begun by an earlier version does not say. */
  hasMet: z.boolean().default(true),
});

interface Found {
  items: SourceItem[];
  gone?: string[];
  notes?: PageNote[];
  isUncertain?: boolean;
  failed?: string[];
  isPartial?: boolean;
  hasMet?: boolean;
  passedOver?: number;
  /** The position within the part; absent at its end. */
  progress?: Progress;
  /** At the end of the part: how far it was read. */
  mark?: string;
}

export interface ListedPage extends Pick<Found, "items"> {
  gone: string[];
  kept: string[];
  notes: PageNote[];
  isUncertain: boolean;
  passedOver: number;
  next?: string;
  cursor?: string;
}

const partsOf = ({ repositories, content }: GithubConfig) =>
  [...new Set(repositories.map((name) => name.toLowerCase()))].flatMap((repository) =>
    contents.filter((kind) => content.includes(kind)).map((kind) => ({ repository, kind })),
  );

export async function listPage(
  api: Github,
  { next, cursor, findUnlisted, acceptsEmpty }: ListPosition,
): Promise<ListedPage> {
  const before: Marks = cursor === undefined ? {} : marks.parse(JSON.parse(cursor));
  const at =
    next === undefined
      ? { part: 0, marks: {} as Marks, failed: [] as string[], isPartial: false, hasMet: false }
      : position.parse(JSON.parse(next));
  const page: ListedPage = { items: [], gone: [], kept: [], notes: [], isUncertain: false, passedOver: 0 };
  const parts = partsOf(api.config);
  let ongoing: Progress | undefined = at.progress;
  let index = at.part;
  for (let question = 0; question < questionsPerPage; question++) {
    const part = parts[index];
    if (!part) break;
    const name = `${part.repository} ${part.kind}`;
    const found = await readPart(api, part, ongoing, before[name]);
    page.items.push(...found.items);
    page.gone.push(...(found.gone ?? []));
    page.notes.push(...(found.notes ?? []));
    at.failed.push(...(found.failed ?? []));
    page.isUncertain ||= found.isUncertain ?? false;
    at.isPartial ||= found.isPartial ?? false;
    at.hasMet ||= found.hasMet ?? false;
    page.passedOver += found.passedOver ?? 0;
    ongoing = found.progress;
    if (!ongoing) {
      index++;
      if (found.mark !== undefined) at.marks[name] = found.mark;
    }
    if (page.items.length + page.gone.length > 0) break;
  }
  const { marks: now, failed, isPartial, hasMet } = at;
  if (index < parts.length)
    return {
      ...page,
      next: JSON.stringify({ part: index, progress: ongoing, marks: now, failed, isPartial, hasMet }),
    };
  if (findUnlisted && !hasMet && !acceptsEmpty && (await findUnlisted(1)).length > 0)
    throw new SourceRefused(sentenceOf("listedNothing", { service: "GitHub" }), "credentials");
  if (findUnlisted && failed.length > 0) {
    const left = await findUnlisted(mostLeft);
    page.kept.push(
      ...left.filter((id) => failed.some((thread) => id.startsWith(prefixOf({ externalId: thread })))),
    );
    page.isUncertain ||= left.length >= mostLeft;
  }
  return { ...page, ...(isPartial ? {} : { cursor: JSON.stringify(now) }) };
}

function readPart(
  api: Github,
  { repository, kind }: { repository: string; kind: GithubContent },
  at: Progress | undefined,
  before: string | undefined,
): Promise<Found> {
  return kind === "files"
    ? readFiles(api, repository, at, before)
    : readThreads(api, kind, repository, at, before);
}

async function readFiles(
  api: Github,
  repository: string,
  at: Progress | undefined,
  before: string | undefined,
): Promise<Found> {
  const known = at?.head ?? (await api.head(repository));
  if (!known) return { items: [] };
  // A listing begun by an earlier version has no name.
  const head = { ...known, name: known.name ?? repository };
  const place = { repository, branch: head.branch, url: head.url };
  const hasBegun = at?.trees !== undefined;
  if (!hasBegun && before !== undefined) {
    if (before === head.commit) return { items: [], mark: before };
    const compared = await api.compare(head.name, before, head.commit);
    const changes = compared && changesOf(compared, place, api.config);
    if (changes) return { ...changes, mark: head.commit };
  }
  const [first, ...waiting] = at?.trees ?? [{ path: "", sha: head.tree }];
  const { trees: below, ...found } = first
    ? await readTree(api, repository, head, first)
    : { items: [], trees: [] };
  const trees = [...below, ...waiting];
  const listed = { ...found, isPartial: !hasBegun && before !== undefined, hasMet: true };
  return trees.length > 0 ? { ...listed, progress: { head, trees } } : { ...listed, mark: head.commit };
}

/** Reads a tree. If it is too large for one response, reads its top level and returns the folders, to be read one by one. */
async function readTree(
  api: Github,
  repository: string,
  head: Head,
  { path, sha }: { path: string; sha: string },
) {
  const place = { repository, branch: head.branch, url: head.url };
  const whole = await api.tree(head.name, sha, true);
  const { tree, truncated } = whole.truncated ? await api.tree(head.name, sha, false) : whole;
  const items: SourceItem[] = [];
  const notes: PageNote[] = [];
  const trees: { path: string; sha: string }[] = [];
  let leftOut = 0;
  for (const entry of tree) {
    const full = path === "" ? entry.path : `${path}/${entry.path}`;
    if (whole.truncated && entry.type === "tree" && mayHold(full, api.config.folders))
      trees.push({ path: full, sha: entry.sha });
    if (isLeftOutPicture(full, api.config)) leftOut++;
    const { item, note } = fileOf({ ...entry, path: full }, place, api.config);
    if (item) items.push(item);
    if (note) notes.push(note);
  }
  // A folder may hold more than GitHub lists. The rest is not treated as deleted.
  if (truncated)
    notes.push({
      address: `${head.url}/tree/${head.commit}/${path}`.slice(0, 500),
      problem: sentenceOf("githubFolder"),
    });
  if (leftOut > 0) {
    const address = [head.url, "tree", head.branch, path].filter(Boolean).join("/");
    notes.push({ address: address.slice(0, 500), problem: picturesLeftOut(leftOut) });
  }
  return { items, notes, trees, isUncertain: truncated, passedOver: tree.length };
}

async function readThreads(
  api: Github,
  kind: ThreadKind,
  repository: string,
  at: Progress | undefined,
  before: string | undefined,
): Promise<Found> {
  const since = before && new Date(Date.parse(before) - overlapMs).toISOString();
  const page = await api.threads(kind, repository, {
    ...(at?.after ? { after: at.after } : {}),
    ...(since ? { since } : {}),
  });
  const begunAt = at?.begunAt ?? page.askedAt;
  const items: SourceItem[] = [];
  const notes: PageNote[] = [];
  const failed: string[] = [];
  let isUncertain = false;
  let latest = at?.latest ?? before;
  let isOlder = false;
  for (const raw of page.threads) {
    const found = parseThread(raw);
    latest = later(latest, found?.updatedAt);
    // Discussions are sorted by last change, latest first.
    if (since && found && Date.parse(found.updatedAt) < Date.parse(since)) {
      isOlder = true;
      continue;
    }
    const item = found
      ? await itemOf(api, kind, repository, found).catch(whereItFailed(repository, kind, raw))
      : damagedItem(repository, kind, raw);
    if (!item) {
      isUncertain = true;
      continue;
    }
    const attached = listAttachments(item, api.config.withPictures);
    items.push(item, ...attached.items);
    notes.push(...attached.notes);
    if (item.text === undefined || item.note === notGiven) failed.push(item.externalId);
  }
  const read = { items, notes, failed, isUncertain, hasMet: page.threads.length > 0 };
  if (page.next && !(kind === "discussions" && isOlder))
    return { ...read, progress: { after: page.next, latest, begunAt } };
  const mark = changesFrom(latest, begunAt);
  return { ...read, ...(mark ? { mark } : {}) };
}

/** A thread that GitHub fails to return is fetched alone, and fails alone. */
const whereItFailed = (repository: string, kind: ThreadKind, raw: unknown) => (error: unknown) => {
  if (hasFailed(error)) return damagedItem(repository, kind, raw);
  throw error;
};

/** A thread with all its comments and replies. */
export async function itemOf(api: Github, kind: ThreadKind, repository: string, found: Thread) {
  const said = await allOf(found.comments, (after) => api.more(kind, repository, found.id, after));
  const comments: { said: unknown; replies: unknown[] }[] = [];
  for (const raw of said) {
    const { id, replies } = comment.safeParse(raw).data ?? {};
    const lost = replies === null ? [null] : [];
    const all = replies
      ? await allOf(replies, (after) => api.more("replies", repository, id ?? "", after))
      : lost;
    comments.push({ said: raw, replies: all });
  }
  return threadItem(repository, kind, found, comments);
}

async function allOf(first: Connection, more: (after: string) => Promise<Connection>): Promise<unknown[]> {
  const all = [...first.nodes];
  for (let next = nextOf(first); next && all.length < mostComments; ) {
    const page = await more(next);
    all.push(...page.nodes);
    next = page.nodes.length > 0 ? nextOf(page) : undefined;
    if (next && all.length >= mostComments) all.push(furtherComments);
  }
  return all;
}
