// A fake Jira Cloud over HTTP, as far as it is read: JQL search with page tokens, issues, paged comments, projects, rate limits, revoked
// tokens. Dates in JQL have a resolution of one minute, in the account's time zone, as in Jira.
import type { IncomingMessage, ServerResponse } from "node:http";
import { startUpstream, type Upstream } from "../upstream.ts";
import { type AtlassianLogins, asNobody, atlassianLogins, enterAtlassian } from "./atlassian.ts";

export interface FakeIssue {
  id: string;
  key: string;
  fields: Record<string, unknown> & { updated: string; project: { key: string; name: string } };
  comments: { id: string; author: { displayName: string }; body: unknown; created: string }[];
}

export interface JiraFake extends AtlassianLogins {
  url: string;
  timeZone: string;
  /** Tests may change issues at any time; a value that is not an object with fields is sent unchanged. */
  issues: (FakeIssue | Record<string, unknown>)[];
  projects: { key: string; name: string }[];
  /** Queued replies that come before anything else; with a path, only for calls to it: "search/jql". */
  refusals: { status: number; headers?: Record<string, string>; body?: string; path?: string }[];
  /** Ids that the search leaves out: its index follows Jira by minutes, sometimes hours. */
  unsearchable: Set<string>;
  /** Statuses that calls to a path always get: "issue/10001/comment". */
  broken: Map<string, number>;
  /** Every page of the search has a next page. */
  isEndless: boolean;
  /** Runs before each call is answered, with its path: "search/jql". */
  meanwhile: ((path: string) => Promise<void>) | undefined;
  /** Every call: "POST /rest/api/3/search/jql". */
  calls: string[];
  jqls: string[];
  close(): Promise<void>;
}

/** The real limits are 100 issues and 20 of their comments per page. */
const issuesPerPage = 3;
const commentsPerIssue = 2;

/** @param port a port agreed with the stack */
export async function startJiraFake(port?: number): Promise<JiraFake> {
  const upstream: Upstream = await startUpstream(port);
  const tokens = new Map<string, { jql: string; from: number }>();
  const fake: JiraFake = {
    ...atlassianLogins("ada@example.com", "jira-token-of-the-tests"),
    url: upstream.url,
    timeZone: "America/New_York",
    issues: [],
    projects: [{ key: "OPS", name: "Operations" }],
    refusals: [],
    unsearchable: new Set(),
    broken: new Map(),
    isEndless: false,
    meanwhile: undefined,
    calls: [],
    jqls: [],
    close: () => upstream.close(),
  };

  function search(body: Record<string, unknown>): [number, unknown] {
    const unknown = Object.keys(body).filter(
      (key) => !["jql", "maxResults", "fields", "nextPageToken"].includes(key),
    );
    const jql = String(body.jql ?? "");
    const bounded = /\bproject in |created >=|updated >=/.test(jql);
    if (unknown.length > 0 || !bounded) return [400, { errorMessages: ["Invalid request payload."] }];
    for (const key of wantedProjects(jql) ?? [])
      if (!fake.projects.some((one) => one.key === key))
        return [400, { errorMessages: [`The value '${key}' does not exist for the field 'project'.`] }];
    let from = 0;
    if (body.nextPageToken !== undefined) {
      const at = tokens.get(String(body.nextPageToken));
      if (!at || at.jql !== jql) return [400, { errorMessages: ["The page token is not valid."] }];
      from = at.from;
    } else fake.jqls.push(jql);
    const found = matching(jql);
    const size = Math.min(Number(body.maxResults ?? 50), issuesPerPage);
    const issues = found.slice(from, from + size).map(embedComments);
    const isLast = from + size >= found.length;
    if (isLast && !fake.isEndless) return [200, { issues, isLast: true }];
    const token = `token-${tokens.size}-${from + size}`;
    tokens.set(token, { jql, from: isLast ? 0 : from + size });
    return [200, { issues, nextPageToken: token, isLast: false }];
  }

  function matching(jql: string) {
    const projects = wantedProjects(jql);
    const since = /updated >= "([^"]+)"/.exec(jql)?.[1];
    return fake.issues.filter((issue) => {
      if (!isIssue(issue)) return true;
      if (fake.unsearchable.has(issue.id)) return false;
      if (projects && !projects.includes(issue.fields.project.key)) return false;
      return since === undefined || localMinute(issue.fields.updated, fake.timeZone) >= since;
    });
  }

  upstream.handle(async (request, response) => {
    const entry = enterAtlassian("jira", fake, request, scopeOf);
    const url = new URL("path" in entry ? entry.path : (request.url ?? ""), upstream.url);
    fake.calls.push(`${request.method} ${url.pathname}`);
    const path = url.pathname.replace("/rest/api/3/", "");
    await fake.meanwhile?.(path);
    const at = fake.refusals.findIndex((one) => one.path === undefined || one.path === path);
    const [refusal] = at < 0 ? [] : fake.refusals.splice(at, 1);
    if (refusal) return void response.writeHead(refusal.status, refusal.headers).end(refusal.body ?? "");
    const broken = fake.broken.get(path);
    if (broken) return void response.writeHead(broken).end("");
    if ("status" in entry) return answer(response, entry.status, entry.body, entry.headers);
    if (entry.isNobody)
      return path === "search/jql"
        ? answer(response, 200, { issues: [], isLast: true }, asNobody)
        : answer(response, 404, { errorMessages: ["Issue does not exist."] }, asNobody);
    const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
    if (path === "search/jql") return answer(response, ...search(await bodyOf(request)));
    if (path === "search/approximate-count")
      return answer(response, 200, { count: matching(String((await bodyOf(request)).jql)).length });
    if (path === "search")
      return answer(response, 410, { errorMessages: ["The requested API has been removed."] });
    if (path === "myself") return answer(response, 200, { displayName: "Ada", timeZone: fake.timeZone });
    if (path === "project/search") {
      const keys = url.searchParams.getAll("keys");
      const values = fake.projects.filter(({ key }) => keys.length === 0 || keys.includes(key));
      return answer(response, 200, { values, isLast: true });
    }
    const [, id, comments] = /^issue\/([^/]+)(\/comment)?$/.exec(path) ?? [];
    const issue = fake.issues.find((one) => one.id === id || one.key === id);
    if (!issue) return answer(response, 404, { errorMessages: ["Issue does not exist."] });
    if (!comments || !isIssue(issue))
      return answer(response, 200, isIssue(issue) ? embedComments(issue) : issue);
    const from = number("startAt", 0);
    const page = issue.comments.slice(from, from + commentsPerIssue);
    return answer(response, 200, { comments: page, startAt: from, total: issue.comments.length });
  });
  return fake;
}

/** An issue of project OPS, last changed at a given time. */
export function issueOf(number: number, summary: string, text: string, updated: string): FakeIssue {
  return {
    id: String(10_000 + number),
    key: `OPS-${number}`,
    fields: {
      summary,
      description: paragraphs(text),
      status: { name: "In Progress" },
      issuetype: { name: "Task" },
      priority: { name: "High" },
      labels: [],
      created: "2026-01-05T09:00:00.000+0000",
      updated,
      project: { key: "OPS", name: "Operations" },
    },
    comments: [],
  };
}

export const commentOf = (id: string, displayName: string, text: string) => ({
  id,
  author: { displayName },
  body: paragraphs(text),
  created: "2026-01-06T09:00:00.000+0000",
});

function paragraphs(text: string) {
  const content = text
    .split("\n")
    .map((line) => ({ type: "paragraph", content: [{ type: "text", text: line }] }));
  return { type: "doc", version: 1, content };
}

const isIssue = (issue: JiraFake["issues"][number]): issue is FakeIssue =>
  "fields" in issue && "comments" in issue;

function embedComments({ comments, ...issue }: FakeIssue | Record<string, unknown>) {
  if (!Array.isArray(comments)) return issue;
  const comment = { comments: comments.slice(0, commentsPerIssue), total: comments.length, startAt: 0 };
  return { ...issue, fields: { ...(issue.fields as object), comment } };
}

const wantedProjects = (jql: string) =>
  /project in \(([^)]*)\)/
    .exec(jql)?.[1]
    ?.split(",")
    .map((key) => key.replace(/["\s]/g, ""));

function localMinute(moment: string, timeZone: string): string {
  return new Date(moment).toLocaleString("sv-SE", { timeZone }).slice(0, 16);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text);
}

const scopeOf = (path: string) => (path === "/rest/api/3/myself" ? "read:jira-user" : "read:jira-work");

function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
