// Reads issues of Jira Cloud with their comments. Read-only. Finds changes by `updated`, and deletions by listing everything.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import {
  type Connector,
  type ConnectorContext,
  ItemGone,
  ItemUnreadable,
  type PageNote,
  type PreviewLine,
  type SourceItem,
} from "../connector.ts";
import { type Jira, jiraOf } from "./api.ts";
import { declaration } from "./declaration.ts";
import {
  attachedNote,
  changesSince,
  commentsOf,
  damagedItem,
  itemOf,
  later,
  parseIssue,
  scopeOf,
} from "./transform.ts";

/** The position of a listing: Jira's page token, the last change seen so far, and its JQL. */
const position = z.object({ token: z.string(), latest: z.string().optional(), jql: z.string() });

export const jira: Connector = {
  declaration,

  async list(context, { next, cursor }) {
    const api = jiraOf(context);
    const at = next === undefined ? undefined : position.parse(JSON.parse(next));
    const jql = at?.jql ?? (await queryOf(api, cursor));
    const page = await api.search(jql, at?.token);
    const items: SourceItem[] = [];
    const notes: PageNote[] = [];
    let isUncertain = false;
    let latest = at?.latest ?? cursor;
    for (const raw of page.issues) {
      const item = await read(api, raw);
      if (item) items.push(item.item);
      else isUncertain = true;
      if (item?.attached) notes.push(item.attached);
      latest = later(latest, item?.updated);
    }
    return {
      items,
      notes,
      isUncertain,
      ...(page.next ? { next: JSON.stringify({ token: page.next, latest, jql }) } : {}),
      ...(!page.next && latest ? { cursor: latest } : {}),
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

/** Undefined when not even the issue's id is known. */
async function read(
  api: Jira,
  raw: unknown,
): Promise<{ item: SourceItem; updated?: string; attached?: PageNote } | undefined> {
  const found = await readIssue(api, raw);
  if (found) return found;
  const item = damagedItem(api.config.site, raw);
  return item && { item };
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
