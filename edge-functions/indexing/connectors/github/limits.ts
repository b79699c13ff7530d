// Owns the meaning of GitHub's refusals. Source: docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api.

import { z } from "zod";
import { retryAfterMs } from "../../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { ItemGone, SourceRefused, SourceUnavailable } from "../connector.ts";

/** GitHub's minimum wait when a limit states none. */
const leastMs = 60_000;
const dayMs = 86_400_000;

const limitWords = /rate limit|abuse detection/i;

const told = z.object({ message: z.string() });
export const graphErrors = z
  .array(
    z.object({
      type: z.string().nullish(),
      message: z.string().nullish(),
      path: z.array(z.union([z.string(), z.number()])).nullish(),
    }),
  )
  .nullish();
type GraphErrors = z.infer<typeof graphErrors>;
type GraphError = NonNullable<GraphErrors>[number];

/** GitHub uses both names. A secondary limit may come as a 200 with only a message. */
export const isLimit = ({ type, message }: GraphError) =>
  type === "RATE_LIMITED" || type === "RATE_LIMIT" || (!type && limitWords.test(message ?? ""));
/** The query exceeds GitHub's limits; a smaller one may succeed. Such a query may also end in a 502. */
export const isTooMuch = ({ type, message }: GraphError) =>
  type === "RESOURCE_LIMITS_EXCEEDED" ||
  type === "MAX_NODE_LIMIT_EXCEEDED" ||
  (!type && /something went wrong while executing|timeout/i.test(message ?? ""));

/** A 403 is a rate limit or a missing permission. A limit shows in the headers or the message. */
export function explain(status: number, body: unknown, headers: Headers): Error | undefined {
  if (status === 429) return limitError(headers);
  if (status === 451) return new SourceRefused(sentenceOf("githubBlocked"), "config.repositories");
  const { message = "" } = told.safeParse(body).data ?? {};
  const isLimited =
    headers.has("retry-after") || headers.get("x-ratelimit-remaining") === "0" || limitWords.test(message);
  return status === 403 && isLimited ? limitError(headers) : undefined;
}

function limitError(headers: Headers): SourceUnavailable {
  return new SourceUnavailable(sentenceOf("calledTooOften", { service: "GitHub" }), waitOf(headers));
}

/** The reset is in seconds of GitHub's own clock. */
function waitOf(headers: Headers): number {
  const asked = retryAfterMs(headers);
  if (asked !== undefined) return asked;
  const reset = Number(headers.get("x-ratelimit-reset") || Number.NaN) * 1000;
  if (headers.get("x-ratelimit-remaining") !== "0" || Number.isNaN(reset)) return leastMs;
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  return Math.min(Math.max(reset - now, 1000), dayMs);
}

export const missing = (repository: string) =>
  new SourceRefused(sentenceOf("githubMissing", { repository }), "config.repositories");

/** Interprets the errors of a GraphQL response, whose HTTP status does not show them. */
export function graphRefusal(
  errors: GraphErrors,
  headers: Headers,
  { repository, what }: { repository: string; what: string },
): Error | undefined {
  for (const error of errors ?? []) {
    const { type, path } = error;
    if (isLimit(error)) return limitError(headers);
    if (isTooMuch(error)) return new SourceUnavailable(sentenceOf("ownProblem", { service: "GitHub" }));
    if (type === "NOT_FOUND")
      return path?.join() === "repository" ? missing(repository) : new ItemGone("not there");
    if (type === "FORBIDDEN" || type === "INSUFFICIENT_SCOPES")
      return new SourceRefused(sentenceOf("githubPermission", { what, repository }), "config.content");
  }
  return errors?.length ? new SourceUnavailable(sentenceOf("ownProblem", { service: "GitHub" })) : undefined;
}
