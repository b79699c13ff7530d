// What GitHub's refusals mean. Source: docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api.
import { z } from "zod";
import { retryAfterMs } from "../../../_shared/outbound/retry.ts";
import { ItemGone, SourceRefused, SourceUnavailable } from "../connector.ts";

/** GitHub asks for at least this long where a limit tells no time. */
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

/** Both names are met. A secondary limit may come as a 200 with nothing but words. */
export const isLimit = ({ type, message }: GraphError) =>
  type === "RATE_LIMITED" || type === "RATE_LIMIT" || (!type && limitWords.test(message ?? ""));
/** What was asked for takes GitHub more than it gives to one question; less of it may not. It may end in a 502 as well. */
export const isTooMuch = ({ type, message }: GraphError) =>
  type === "RESOURCE_LIMITS_EXCEEDED" ||
  type === "MAX_NODE_LIMIT_EXCEEDED" ||
  (!type && /something went wrong while executing|timeout/i.test(message ?? ""));

/** A 403 is a limit or a missing permission: a limit says so in its headers or its words. */
export function explain(status: number, body: unknown, headers: Headers): Error | undefined {
  if (status === 429) return limited(headers);
  if (status === 451) return new SourceRefused("GitHub has blocked this repository.", "config.repositories");
  const { message = "" } = told.safeParse(body).data ?? {};
  const isLimited =
    headers.has("retry-after") || headers.get("x-ratelimit-remaining") === "0" || limitWords.test(message);
  return status === 403 && isLimited ? limited(headers) : undefined;
}

function limited(headers: Headers): SourceUnavailable {
  return new SourceUnavailable("GitHub asks to be called less often.", waitOf(headers));
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
  new SourceRefused(
    `GitHub shows no repository ${repository}: it does not exist, was renamed, or the token may not read it.`,
    "config.repositories",
  );

/** What a GraphQL answer that holds too little means, of which the status tells nothing. */
export function graphRefusal(
  errors: GraphErrors,
  headers: Headers,
  { repository, what }: { repository: string; what: string },
): Error | undefined {
  for (const error of errors ?? []) {
    const { type, path } = error;
    if (isLimit(error)) return limited(headers);
    if (isTooMuch(error)) return new SourceUnavailable("GitHub reports an internal error.");
    if (type === "NOT_FOUND")
      return path?.join() === "repository" ? missing(repository) : new ItemGone("not there");
    if (type === "FORBIDDEN" || type === "INSUFFICIENT_SCOPES")
      return new SourceRefused(
        `GitHub does not let this token read the ${what} of ${repository}. Grant it that permission, or leave them out.`,
        "config.content",
      );
  }
  return errors?.length ? new SourceUnavailable("GitHub reports an internal error.") : undefined;
}
