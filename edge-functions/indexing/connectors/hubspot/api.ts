// The client for HubSpot's API: CRM records, listed or searched by last change, articles of the knowledge base through the site
// search, and the account's id. Source: developers.hubspot.com/docs/api-reference/2026-03.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConnectorContext, ItemGone, SourceRefused, SourceUnavailable } from "../connector.ts";
import { type JsonRequest, requestJson } from "../http.ts";
import { answerTime } from "../moments.ts";
import { connect } from "../settings.ts";
import { declaration, type HubspotConfig } from "./declaration.ts";
import { type CrmObject, propertiesOf, recordKinds } from "./records.ts";

const apiVersion = "2026-03";
/** HubSpot's own limits. */
const listSize = 100;
const searchSize = 200;
const articlesPerPage = 20;

const after = z.object({ next: z.object({ after: z.string() }).nullish() }).nullish();
const page = z.object({ results: z.array(z.unknown()), paging: after, total: z.number().nullish() });
const articlePage = z.object({
  total: z.number(),
  results: z.array(
    z.object({
      id: z.union([z.number(), z.string()]),
      title: z.string().nullish(),
      url: z.string().nullish(),
    }),
  ),
});
const identified = z.object({ id: z.string().min(1) });
const recordId = "hs_object_id";
const labelled = z.object({ id: z.string(), label: z.string() });
const pipelines = z.object({ results: z.array(labelled.extend({ stages: z.array(labelled) })) });
const indexed = z.object({
  fields: z.record(z.string(), z.object({ value: z.unknown() }).partial()),
});
const problem = z.object({ category: z.string(), policyName: z.string() }).partial();

interface Records {
  /** Unvalidated. */
  records: unknown[];
  after?: string;
  total?: number;
}
interface Article {
  id: string;
  title: string;
  url?: string;
}

export interface Hubspot {
  config: HubspotConfig;
  list(object: CrmObject, after?: string): Promise<Records>;
  /**
   * Records changed since a time, by id. `after` is an id: pages by number would shift when a record changes while they are read, and end
   * at 10,000.
   */
  listChanged(object: CrmObject, since: string, after?: string): Promise<Records>;
  count(object: CrmObject): Promise<number>;
  /** The labels of a kind's pipelines and stages by id; none for a kind without them, or when the token may not read them. */
  pipelineLabels(object: CrmObject): Promise<Map<string, string>>;
  /** @throws ItemGone */
  record(object: CrmObject, id: string): Promise<unknown>;
  articles(offset: number): Promise<{ articles: Article[]; total: number }>;
  /** An article's text, as HTML. @throws ItemGone */
  article(id: string): Promise<{ title: string; html: string; url?: string }>;
  /** The account's id, for URLs of records; undefined when the token may not read it. */
  account(): Promise<string | undefined>;
  /** When HubSpot answered the first call, by its clock. */
  firstAnswerTime(): string | undefined;
}

/** @throws SourceRefused for invalid settings */
export function hubspotOf(context: ConnectorContext): Hubspot {
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewHubspot"),
    login: ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` }),
  });
  let answered: string | undefined;
  const ask = async <T>(path: string, request: JsonRequest<T>): Promise<T> => {
    const { data, headers } = await requestJson(service, new URL(path, config.apiUrl), {
      explain,
      ...request,
    });
    answered ??= answerTime(headers);
    return data;
  };
  /** Of what only adds to a record: a token without this permission can still read records. */
  const askIfAllowed = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    const explainForbidden = (status: number, body: unknown) =>
      status === 403 ? new ItemGone("not for this token") : explain(status, body);
    try {
      return await ask(path, { schema, explain: explainForbidden });
    } catch (error) {
      if (error instanceof ItemGone) return undefined;
      throw error;
    }
  };
  const ofObject = (object: CrmObject, path = "") => `/crm/objects/${apiVersion}/${object}${path}`;
  const explainScope = (object: CrmObject) => (status: number, body: unknown) =>
    status === 403 ? missingScope(object, recordKinds[object].scope) : explain(status, body);
  const search = async (object: CrmObject, body: object): Promise<Records> =>
    records(
      await ask(ofObject(object, "/search"), {
        method: "POST",
        body: JSON.stringify({ properties: propertiesOf(object), ...body }),
        schema: page,
        explain: explainScope(object),
      }),
    );

  return {
    config,
    async list(object, after) {
      const query = new URLSearchParams({
        limit: String(listSize),
        properties: propertiesOf(object).join(","),
      });
      if (after) query.set("after", after);
      return records(
        await ask(`${ofObject(object)}?${query}`, { schema: page, explain: explainScope(object) }),
      );
    },
    async listChanged(object, since, after) {
      const filters = [
        {
          propertyName: recordKinds[object].modified,
          operator: "GTE",
          value: String(Date.parse(since)),
        },
        ...(after ? [{ propertyName: recordId, operator: "GT", value: after }] : []),
      ];
      const found = await search(object, {
        filterGroups: [{ filters }],
        sorts: [{ propertyName: recordId, direction: "ASCENDING" }],
        limit: searchSize,
      });
      if (!found.after) return found;
      const ids = found.records.flatMap((raw) => identified.safeParse(raw).data?.id ?? []);
      const last = ids.at(-1);
      if (!last) throw new SourceUnavailable(sentenceOf("illegible", { service: "HubSpot" }));
      return { ...found, after: last };
    },
    async count(object) {
      return (await search(object, { limit: 1 })).total ?? 0;
    },
    record: (object, id) =>
      ask(`${ofObject(object, `/${encodeURIComponent(id)}`)}?properties=${propertiesOf(object).join(",")}`, {
        schema: z.unknown(),
        explain: explainScope(object),
      }),
    async articles(offset) {
      const query = `type=KNOWLEDGE_ARTICLE&limit=${articlesPerPage}&offset=${offset}`;
      const { results, total } = await ask(`/cms/v3/site-search/search?${query}`, {
        schema: articlePage,
        explain: ofArticles,
      });
      const articles = results.map(({ id, title, url }) => ({
        id: String(id),
        title: title ?? "",
        ...(url ? { url } : {}),
      }));
      return { articles, total };
    },
    async article(id) {
      const path = `/cms/v3/site-search/indexed-data/${encodeURIComponent(id)}?type=KNOWLEDGE_ARTICLE`;
      const { fields } = await ask(path, { schema: indexed });
      const field = (...names: string[]) =>
        names.map((name) => fields[name]?.value).find((value) => typeof value === "string" && value !== "");
      const url = field("url");
      return {
        title: String(field("html_title", "name", "title") ?? ""),
        html: String(field("html_other", "html_tag", "body", "content", "description") ?? ""),
        ...(typeof url === "string" ? { url } : {}),
      };
    },
    async pipelineLabels(object) {
      if (!recordKinds[object].inPipelines) return new Map();
      const found = await askIfAllowed(`/crm/pipelines/${apiVersion}/${object}`, pipelines);
      const all = (found?.results ?? []).flatMap(({ id, label, stages }) => [{ id, label }, ...stages]);
      return new Map(all.map(({ id, label }) => [id, label]));
    },
    firstAnswerTime: () => answered,
    async account() {
      const schema = z.object({ portalId: z.number() });
      const found = await askIfAllowed(`/account-info/${apiVersion}/details`, schema);
      return found && String(found.portalId);
    },
  };
}

function records({ results, paging, total }: z.infer<typeof page>): Records {
  return {
    records: results,
    ...(paging?.next ? { after: paging.next.after } : {}),
    ...(typeof total === "number" ? { total } : {}),
  };
}

/** A spent daily quota resets at midnight in the account's time zone, so this retries every hour. */
function explain(status: number, body: unknown): Error | undefined {
  const told = problem.safeParse(body);
  if (status !== 429 || !told.success || told.data.policyName !== "DAILY") return undefined;
  return new SourceUnavailable(sentenceOf("hubspotDay"), 3_600_000);
}

const missingScope = (what: string, scope: string) =>
  new SourceRefused(sentenceOf("hubspotScope", { what, scope }), "config.objects");

function ofArticles(status: number, body: unknown): Error | undefined {
  if (status !== 403 && status !== 404) return explain(status, body);
  return new SourceRefused(sentenceOf("hubspotArticles"), "config.objects");
}
