// Converts a Jira issue to an item, and times to JQL. Pure.
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import type { PageNote, SourceItem } from "../connector.ts";
import { asContent, joinBlocks, revisionOf, titleOf } from "../markup.ts";
import { markdownOfAdf } from "./adf.ts";
import { type Comment, comment, type Issue, issue } from "./issue.ts";

/** The comments included in an issue's response, and their total. */
export function commentsOf({ fields }: Issue): { found: unknown[]; total: number } {
  const found = fields.comment?.comments ?? [];
  return { found, total: fields.comment?.total ?? found.length };
}

export function parseIssue(raw: unknown): Issue | undefined {
  return issue.safeParse(raw).data;
}

/** An item for a malformed issue, so that it fails alone. Undefined without even an id. */
export function damagedItem(site: string, raw: unknown): SourceItem | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { id, key } = raw as Record<string, unknown>;
  if (typeof id !== "string" || id === "") return undefined;
  const name = typeof key === "string" && key !== "" ? key : id;
  return { externalId: id, title: name, url: urlOf(site, name), revision: revisionOf(JSON.stringify(raw)) };
}

/** An issue as an item. Its external id is its id, which stays when the issue moves to another project and gets a new key. */
export function itemOf(site: string, found: Issue, comments: unknown[]): SourceItem & { text: string } {
  const { id, key, fields } = found;
  const summary = fields.summary?.trim() ?? "";
  const facts = [
    ["Type", fields.issuetype?.name],
    ["Status", fields.status?.name],
    ["Resolution", fields.resolution?.name],
    ["Priority", fields.priority?.name],
    ["Project", fields.project?.name],
    ["Assignee", fields.assignee?.displayName],
    ["Reporter", fields.reporter?.displayName],
    ["Labels", fields.labels?.join(", ")],
    ["Created", day(fields.created)],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  const legible = comments.flatMap((raw) => comment.safeParse(raw).data ?? []);
  const said = legible.map(commentText);
  const content = joinBlocks(
    `# ${key} ${summary}`,
    facts.join("\n"),
    markdownOfAdf(fields.description),
    said.some((one) => one !== "") ? "## Comments" : "",
    ...said,
  );
  const title = titleOf(`${key} ${summary}`, key);
  const changedAt = fields.updated;
  const item = { externalId: id, title, url: urlOf(site, key), changedAt, ...asContent(content) };
  if (comments.length > 0 && comments.length < commentsOf(found).total) return { ...item, note: notAll };
  return legible.length < comments.length ? { ...item, note: notLegible } : item;
}

const notAll = sentenceOf("jiraComments");
const notLegible = sentenceOf("jiraCommentsForm");

/** A note on how many files are attached to an issue, none of which is read. */
export function attachedNote(
  { url = "", title }: Pick<SourceItem, "url" | "title">,
  { fields }: Issue,
): PageNote | undefined {
  const count = fields.attachment?.length ?? 0;
  if (count === 0) return undefined;
  const problem = sentenceOf("jiraAttached", { count });
  return { address: url.slice(0, 500), title, problem };
}

function commentText({ author, body, created }: Comment): string {
  const text = markdownOfAdf(body).trim();
  if (text === "") return "";
  const head = [author?.displayName, day(created)].filter(Boolean).join(", ");
  return head ? `${head}:\n${text}` : text;
}

const urlOf = (site: string, key: string) => `${site}/browse/${encodeURIComponent(key)}`;
const day = (moment: string | null | undefined) => moment?.slice(0, 10);

/**
 * A listing of changes starts this long before the last change seen: the search lags behind edits by minutes, and once a year an
 * hour occurs twice on the clock that Jira reads dates by.
 */
const overlapMs = 70 * 60_000;

/** Twelve hours behind UTC: no clock shows an earlier time. */
const earliestZone = "Etc/GMT+12";

/**
 * JQL for changes since a time, to the minute, in the account's time zone; JQL has no other dates. A zone that is unknown here, such as a
 * newer one, counts as the earliest of all, so that no change is missed.
 */
export function changesSince(moment: string, timeZone: string): string {
  const from = new Date(Date.parse(moment) - overlapMs);
  return `updated >= "${clock(from, timeZone)}"`;
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const shown = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-CA", { ...shown, hourCycle: "h23", timeZone });
  } catch {
    return formatIn(earliestZone);
  }
}

function clock(moment: Date, timeZone: string): string {
  const format = formatIn(timeZone);
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
}

/** JQL for the issues of a source. JQL without a condition is refused, so all projects are "created since 1970". */
export function scopeOf(projects: string[]): string {
  if (projects.length === 0) return 'created >= "1970-01-01"';
  return `project in (${projects.map((key) => `"${key}"`).join(", ")})`;
}
