// Reads issues of Jira Cloud with their comments. Read-only. Finds changes by `updated`, and deletions by listing everything and asking
// for what the search left out: its index follows Jira by minutes, sometimes hours.
// Source: developer.atlassian.com/cloud/jira/platform/search-and-reconcile.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  hasFailed,
  ItemGone,
  ItemUnreadable,
  type PageNote,
  type PreviewLine,
  type SourceItem,
} from "../connector.ts";
import { cursorAfter, later } from "../moments.ts";
import { requestUnlisted } from "../unlisted.ts";
import { type Jira, jiraOf } from "./api.ts";
import { declaration } from "./declaration.ts";
import {
  attachedNote,
  changesSince,
  commentsOf,
  damagedItem,
  itemOf,
  parseIssue,
  scopeOf,
} from "./transform.ts";

const position = z.object({
  /** Jira's page token; absent once the search is over, and known issues that it left out are requested. */
  token: z.string().optional(),
  jql: z.string(),
  /** The last change seen so far, when the listing began, and whether it met any issue. */
  latest: z.string().optional(),
  begunAt: z.string().optional(),
  hasMet: z.boolean().default(true),
});

type Position = z.infer<typeof position>;

export const jira: Connector = {
  declaration,

  async list(context, listing) {
    const { next, cursor, findUnlisted } = listing;
    const api = jiraOf(context);
    const at: Position =
      next === undefined
        ? { jql: await queryOf(api, cursor), latest: cursor, hasMet: false }
        : position.parse(JSON.parse(next));
    if (next !== undefined && at.token === undefined)
      return await requestUnlisted(jira, context, at, listing);
    const page = await api.search(at.jql, at.token);
    const items: SourceItem[] = [];
    const gone: string[] = [];
    const notes: PageNote[] = [];
    let isUncertain = false;
    let latest = at.latest;
    for (const raw of page.issues) {
      const found = await read(api, raw);
      if (found?.item) items.push(found.item);
      if (found?.gone) gone.push(found.gone);
      if (!found) isUncertain = true;
      if (found?.attached) notes.push(found.attached);
      latest = later(latest, found?.updated);
    }
    const now = {
      jql: at.jql,
      latest,
      begunAt: at.begunAt ?? page.askedAt,
      hasMet: at.hasMet || page.issues.length > 0,
    };
    const isOver = !page.next && !findUnlisted;
    return {
      items,
      gone,
      notes,
      isUncertain,
      ...(isOver ? cursorAfter(now) : { next: JSON.stringify({ ...now, token: page.next }) }),
    };
  },

  async fetch(context, externalId) {
    const api = jiraOf(context);
    if (!/^\d{1,20}$/.test(externalId)) throw new ItemGone("this is not an issue's id");
    const read = await readIssue(api, await api.issue(externalId));
    if (read && !isCovered(api, read.project)) throw new ItemGone("the issue is in another project");
    if (!read) throw new ItemUnreadable(sentenceOf("jiraIssue"));
    const { text, revision, note } = read.item;
    return { text, revision, ...(note ? { note } : {}) };
  },

  async preview(context: ConnectorContext): Promise<PreviewLine[]> {
    const api = jiraOf(context);
    const { projects } = api.config;
    // Later syncs need the time zone: a token without that scope fails now.
    await api.timeZone();
    const found = await api.projects(projects);
    const missing = projects.filter((key) => !found.some((one) => one.key.toUpperCase() === key));
    const lines: PreviewLine[] = missing.map((name) => ({
      kind: "issues",
      name,
      problem: sentenceOf("noProject"),
    }));
    for (const { key, name } of found.slice(0, 20))
      lines.push({ kind: "issues", name: `${name} (${key})`, count: await api.count(scopeOf([key])) });
    for (const { key, name } of found.slice(20)) lines.push({ kind: "issues", name: `${name} (${key})` });
    return lines;
  },
};

async function queryOf(api: Jira, cursor: string | undefined): Promise<string> {
  const scope = scopeOf(api.config.projects);
  // Sorted by id: a list sorted by change would shift while it is read.
  if (cursor === undefined) return `${scope} ORDER BY id ASC`;
  return `${scope} AND ${changesSince(cursor, await api.timeZone())} ORDER BY id ASC`;
}

interface Read {
  item?: SourceItem;
  /** The id of an issue that was deleted since the search found it. */
  gone?: string;
  updated?: string;
  attached?: PageNote;
}

/** Undefined when not even the issue's id is known. One whose comments Jira fails to return comes without text: it is fetched alone. */
async function read(api: Jira, raw: unknown): Promise<Read | undefined> {
  const damaged = damagedItem(api.config.site, raw);
  try {
    const found = await readIssue(api, raw);
    return found ?? (damaged && { item: damaged });
  } catch (error) {
    if (!damaged || !(error instanceof ItemGone || hasFailed(error))) throw error;
    return error instanceof ItemGone ? { gone: damaged.externalId } : { item: bareItem(api, raw, damaged) };
  }
}

/** The issue without its text. */
function bareItem({ config: { site } }: Jira, raw: unknown, damaged: SourceItem): SourceItem {
  const issue = parseIssue(raw);
  return issue ? { ...damaged, title: itemOf(site, issue, []).title } : damaged;
}

async function readIssue(api: Jira, raw: unknown) {
  const issue = parseIssue(raw);
  if (!issue) return undefined;
  const { found, total } = commentsOf(issue);
  const comments = api.config.withoutComments
    ? []
    : found.length < total
      ? await api.comments(issue.id)
      : found;
  const item = itemOf(api.config.site, issue, comments);
  const attached = attachedNote(item, issue);
  return {
    item,
    ...(attached ? { attached } : {}),
    updated: issue.fields.updated,
    project: issue.fields.project?.key ?? issue.key.replace(/-\d+$/, ""),
  };
}

/** True when the source reads the project. */
function isCovered({ config: { projects } }: Jira, project: string): boolean {
  return projects.length === 0 || projects.includes(project.toUpperCase());
}
