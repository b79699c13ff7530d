// Owns the calls to GitHub's two APIs: addresses, headers, and the meaning of a GraphQL answer. Knows no kind of answer.
import { z } from "zod";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConnectorContext, SourceUnavailable } from "../connector.ts";
import { requestJson, type Service } from "../http.ts";
import { answerTime } from "../moments.ts";
import { connect } from "../settings.ts";
import { declaration, type GithubConfig } from "./declaration.ts";
import { explain, graphErrors, graphRefusal, isLimit, isTooMuch, missing } from "./limits.ts";

type Explain = typeof explain;

export interface Calls {
  config: GithubConfig;
  service: Service;
  /** An address of the REST API below a repository. */
  addressOf(repository: string, path: string): URL;
  /** The meaning of a failure of a REST call about a repository. */
  explainOf(repository: string): Explain;
  rest<T>(repository: string, path: string, schema: z.ZodType<T>): Promise<T>;
  /**
   * @param isThere whether the answer has what was asked for: without it, errors beside the answer say why
   * @throws ItemGone for what is not in the repository
   */
  graph<T>(
    query: string,
    about: { repository: string; what: string },
    variables: Record<string, unknown>,
    schema: z.ZodType<T>,
    isThere?: (data: T) => boolean,
  ): Promise<{ data: T; askedAt?: string }>;
}

/** An Enterprise server has its API under a path; GitHub's own clouds have it on a separate host. */
export function placesOf(apiUrl: string): { rest: string; graph: string } {
  const { origin, hostname } = new URL(apiUrl);
  return hostname.startsWith("api.")
    ? { rest: `${origin}/`, graph: `${origin}/graphql` }
    : { rest: `${origin}/api/v3/`, graph: `${origin}/api/graphql` };
}

/** @throws SourceRefused for invalid settings */
export function callsOf(context: ConnectorContext): Calls {
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewGithub"),
    login: ({ accessToken }) => ({
      authorization: `Bearer ${accessToken}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    }),
  });
  const places = placesOf(config.apiUrl);

  const addressOf = (repository: string, path: string) => new URL(`repos/${repository}/${path}`, places.rest);
  // A repository renamed since its name was looked up answers with a redirect.
  const explainOf =
    (repository: string): Explain =>
    (status, body, headers) =>
      status < 400 ? missing(repository) : explain(status, body, headers);
  const rest = async <T>(repository: string, path: string, schema: z.ZodType<T>): Promise<T> =>
    (await requestJson(service, addressOf(repository, path), { schema, explain: explainOf(repository) }))
      .data;

  const graph = async <T>(
    query: string,
    about: { repository: string; what: string },
    variables: Record<string, unknown>,
    schema: z.ZodType<T>,
    isThere: (data: T) => boolean = () => true,
  ): Promise<{ data: T; askedAt?: string }> => {
    const answer = await requestJson(service, new URL(places.graph), {
      method: "POST",
      body: JSON.stringify({ query, variables }),
      schema: z.object({ data: z.unknown().optional(), errors: graphErrors, message: z.string().nullish() }),
      explain,
    });
    const { data, message } = answer.data;
    const errors = message ? [...(answer.data.errors ?? []), { message }] : answer.data.errors;
    const found = schema.safeParse(data);
    const askedAt = answerTime(answer.headers);
    const isLimited = errors?.some((error) => isLimit(error) || isTooMuch(error));
    if (found.success && !isLimited && (!errors?.length || isThere(found.data)))
      return {
        data: found.data,
        ...(askedAt ? { askedAt } : {}),
      };
    throw (
      graphRefusal(errors, answer.headers, about) ??
      new SourceUnavailable(sentenceOf("illegible", { service: "GitHub" }))
    );
  };
  return { config, service, addressOf, explainOf, rest, graph };
}
