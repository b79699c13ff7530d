// The client for Jira Cloud's REST API, version 3: search by JQL, issues, comments, projects, the current user. Source:
// developer.atlassian.com/cloud/jira/platform/rest/v3. Knows nothing of documents.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { atlassianSite, basicLogin } from "../atlassian.ts";
import { type ConnectorContext, SourceRefused } from "../connector.ts";
import type { JsonRequest } from "../http.ts";
import { answerTime } from "../moments.ts";
import { connect } from "../settings.ts";
import { declaration, type JiraConfig } from "./declaration.ts";

/**
 * For projects, issues and comments; for the account's own time zone. Source:
 * …/cloud/jira/platform/scopes-for-oauth-2-3LO-and-forge-apps.
 */
const workScope = "read:jira-work";
const userScope = "read:jira-user";
const pageSize = 50;
const commentsPerPage = 100;
/** A longer discussion is read up to here. */
const mostComments = 1000;
const fields = [
  "summary",
  "description",
  "status",
  "issuetype",
  "priority",
  "resolution",
  "labels",
  "assignee",
  "reporter",
  "created",
  "updated",
  "project",
  "comment",
  "attachment",
];

const searchResult = z.object({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
});
const commentPage = z.object({ comments: z.array(z.unknown()), total: z.number() });
const projectPage = z.object({
  values: z.array(z.object({ key: z.string(), name: z.string() })),
  isLast: z.boolean(),
});
const problems = z.object({ errorMessages: z.array(z.string()) });

export interface Jira {
  config: JiraConfig;
  /** The matching issues, unvalidated. */
  search(
    jql: string,
    nextPageToken?: string,
  ): Promise<{
    issues: unknown[];
    next?: string;
    /** By Jira's clock. */
    askedAt?: string;
  }>;
  /** @throws ItemGone */
  issue(idOrKey: string): Promise<unknown>;
  /** All of an issue's comments, oldest first. */
  comments(issueId: string): Promise<unknown[]>;
  /** The IANA time zone in which Jira interprets this account's JQL dates. */
  timeZone(): Promise<string>;
  /** Projects by key. */
  projects(keys: string[]): Promise<{ key: string; name: string }[]>;
  count(jql: string): Promise<number>;
}

/** @throws SourceRefused for invalid settings */
export function jiraOf(context: ConnectorContext): Jira {
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewJira"),
    login: basicLogin,
  });
  const site = atlassianSite(service, config.site, {
    product: "jira",
    scopes: [workScope, userScope],
    scopeOf: (path) => (path.endsWith("/myself") ? userScope : workScope),
  });
  const ask = async <T>(path: string, request: JsonRequest<T>): Promise<T> =>
    (await site.json(`/rest/api/3/${path}`, { ...request, explain })).data;
  const post = <T>(path: string, body: object, schema: z.ZodType<T>) =>
    ask(path, { method: "POST", body: JSON.stringify(body), schema });

  return {
    config,
    async search(jql, nextPageToken) {
      const body = { jql, maxResults: pageSize, fields, ...(nextPageToken ? { nextPageToken } : {}) };
      const { data: page, headers } = await site.json("/rest/api/3/search/jql", {
        method: "POST",
        body: JSON.stringify(body),
        schema: searchResult,
        explain,
      });
      const askedAt = answerTime(headers);
      // The last page has no token, whatever isLast says.
      return {
        issues: page.issues,
        ...(page.nextPageToken ? { next: page.nextPageToken } : {}),
        ...(askedAt ? { askedAt } : {}),
      };
    },
    issue: (idOrKey) =>
      ask(`issue/${encodeURIComponent(idOrKey)}?fields=${fields.join(",")}`, { schema: z.unknown() }),
    async comments(issueId) {
      const found: unknown[] = [];
      for (;;) {
        const query = `startAt=${found.length}&maxResults=${commentsPerPage}&orderBy=created`;
        const page = await ask(`issue/${encodeURIComponent(issueId)}/comment?${query}`, {
          schema: commentPage,
        });
        found.push(...page.comments);
        if (page.comments.length === 0 || found.length >= Math.min(page.total, mostComments)) return found;
      }
    },
    async timeZone() {
      const { timeZone } = await ask("myself", { schema: z.object({ timeZone: z.string().nullish() }) });
      return timeZone ?? "UTC";
    },
    async projects(keys) {
      const found: { key: string; name: string }[] = [];
      const wanted = keys.map((key) => `&keys=${encodeURIComponent(key)}`).join("");
      for (;;) {
        const query = `startAt=${found.length}&maxResults=50${wanted}`;
        const page = await ask(`project/search?${query}`, { schema: projectPage });
        found.push(...page.values);
        if (page.isLast || page.values.length === 0 || found.length >= 200) return found;
      }
    },
    async count(jql) {
      return (await post("search/approximate-count", { jql }, z.object({ count: z.number() }))).count;
    },
  };
}

/** Jira answers 400 to JQL with a project that the account cannot see. */
function explain(status: number, body: unknown): Error | undefined {
  const told = problems.safeParse(body);
  const [message] = told.success ? told.data.errorMessages : [];
  if (status !== 400 || !message) return undefined;
  return new SourceRefused(sentenceOf("jiraSays", { said: message.slice(0, 300) }), "config.projects");
}
