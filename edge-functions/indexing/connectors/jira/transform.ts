// An issue of Jira to an item, and moments to what JQL understands. Pure.
import type { PageNote, SourceItem } from "../connector.ts";
import { asContent, joined, revisionOf, titleOf } from "../markup.ts";
import { markdownOfAdf } from "./adf.ts";
import { type Comment, comment, type Issue, issue } from "./issue.ts";

/** How many of an issue's comments came along, of how many there are. */
export function commentsOf({ fields }: Issue): { found: unknown[]; total: number } {
  const found = fields.comment?.comments ?? [];
  return { found, total: fields.comment?.total ?? found.length };
}

export function parseIssue(raw: unknown): Issue | undefined {
  return issue.safeParse(raw).data;
}

/** What can be said of an issue that is not as issues are: which one it is. Undefined where not even that is known. */
export function damagedItem(site: string, raw: unknown): SourceItem | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { id, key } = raw as Record<string, unknown>;
  if (typeof id !== "string" || id === "") return undefined;
  const name = typeof key === "string" && key !== "" ? key : id;
  return { externalId: id, title: name, url: urlOf(site, name), revision: revisionOf(JSON.stringify(raw)) };
}

/** The id stays when an issue moves to another project and gets another key. */
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
  const content = joined(
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

const notAll =
  "This issue has too many comments to be read whole. Add what matters in the later ones to its description.";
const notLegible =
  "Some comments of this issue could not be read and were left out. Add what matters in them to its description.";

/** Says how many files hang on an issue, none of which is read. */
export function attachedNote(
  { url = "", title }: Pick<SourceItem, "url" | "title">,
  { fields }: Issue,
): PageNote | undefined {
  const count = fields.attachment?.length ?? 0;
  if (count === 0) return undefined;
  const problem = `Files attached to this issue are not read: ${count}. Upload those that matter.`;
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
 * How far back a listing of changes reaches behind the last change seen: the search lags behind the edits by minutes, and
 * once a year an hour comes twice on the clock by which Jira reads a date.
 */
const overlapMs = 70 * 60_000;

/** Changes from a moment on, by the minute, as a clock in the account's zone shows it; JQL knows no other dates. */
export function changedSince(moment: string, timeZone: string): string {
  const from = new Date(Date.parse(moment) - overlapMs);
  return `updated >= "${clock(from, timeZone)}"`;
}

function clock(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`;
}

/** The later of two moments, as an ISO string in UTC; what cannot be read as one does not count. */
export function later(a: string | undefined, b: string | undefined): string | undefined {
  const times = [a, b].map((one) => Date.parse(one ?? "")).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString();
}

/** Which issues belong to a source. JQL without any condition is refused, so every project is "created in this age". */
export function scopeOf(projects: string[]): string {
  if (projects.length === 0) return 'created >= "1970-01-01"';
  return `project in (${projects.map((key) => `"${key}"`).join(", ")})`;
}
