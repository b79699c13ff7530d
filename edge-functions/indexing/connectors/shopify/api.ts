// The client for Shopify's Admin API over GraphQL, within a shop's cost limits and at a pinned version. Source:
// shopify.dev/docs/api/admin-graphql. Knows nothing of documents.
import { z } from "zod";
import { log } from "../../../_shared/operation/log.ts";
import { sleep } from "../../../_shared/outbound/retry.ts";
import { sentenceOf } from "../../../_shared/text/sentences.ts";
import { type ConnectorContext, SourceRefused, SourceUnavailable } from "../connector.ts";
import { requestJson } from "../http.ts";
import { answerTime } from "../moments.ts";
import { connect } from "../settings.ts";
import { declaration, type ShopifyConfig } from "./declaration.ts";

/** Shopify serves a version for a year, then silently answers with its oldest one, which only a header shows. */
const apiVersion = "2026-10";
const longestWaitMs = 5_000;
const tries = 4;

const answer = z.object({
  data: z.unknown(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.object({ code: z.string() }).partial().optional(),
      }),
    )
    .optional(),
  extensions: z
    .object({
      cost: z.object({
        requestedQueryCost: z.number(),
        throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
      }),
    })
    .partial()
    .optional(),
});
type Answer = z.infer<typeof answer>;

export interface Shopify {
  config: ShopifyConfig;
  /** @throws SourceUnavailable, SourceRefused */
  ask<T>(request: { query: string; variables: object }, schema: z.ZodType<T>): Promise<T>;
  /** When Shopify answered the first call, by its clock. */
  firstAnswerTime(): string | undefined;
}

/** @throws SourceRefused for invalid settings */
export function shopifyOf(context: ConnectorContext): Shopify {
  const { signal } = context;
  const { config, service } = connect(context, declaration, {
    renew: sentenceOf("renewShopify"),
    login: ({ accessToken }) => ({ "x-shopify-access-token": accessToken }),
  });
  const url = new URL(`/admin/api/${apiVersion}/graphql.json`, config.shop);
  let answered: string | undefined;
  return {
    config,
    firstAnswerTime: () => answered,
    async ask(request, schema) {
      for (let attempt = 1; ; attempt++) {
        const { data, headers } = await requestJson(service, url, {
          method: "POST",
          body: JSON.stringify(request),
          schema: answer,
          explain,
        });
        answered ??= answerTime(headers);
        const version = headers.get("x-shopify-api-version");
        if (version) noteVersion(version);
        if (isThrottled(data)) {
          const wait = restoreMs(data);
          if (attempt >= tries || wait > longestWaitMs)
            throw new SourceUnavailable(sentenceOf("calledTooOften", { service: "Shopify" }), wait);
          await sleep(wait, signal);
          continue;
        }
        const found = contentOf(data, schema);
        // Waits now for the cost of the next page, instead of having it refused.
        const wait = Math.min(restoreMs(data), longestWaitMs);
        if (wait > 0) await sleep(wait, signal);
        return found;
      }
    },
  };
}

const noted = new Set<string>();

/** Logs once that another version answered: an unknown query fails with a message, the rest reads the same. */
function noteVersion(answered: string): void {
  if (answered === apiVersion || noted.has(answered)) return;
  noted.add(answered);
  log("info", "Shopify answered with another version of its API", { asked: apiVersion, answered });
}

const isThrottled = ({ errors }: Answer) =>
  errors?.some(({ extensions }) => extensions?.code === "THROTTLED");

/** The time until the shop's budget allows another query of this cost. */
function restoreMs({ extensions }: Answer): number {
  const cost = extensions?.cost;
  if (!cost) return 0;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, ((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000);
}

function contentOf<T>({ data, errors }: Answer, schema: z.ZodType<T>): T {
  const [error] = errors ?? [];
  if (error?.extensions?.code === "ACCESS_DENIED")
    throw new SourceRefused(
      sentenceOf("shopifyScope", { said: error.message.slice(0, 300) }),
      "config.content",
    );
  if (error?.extensions?.code === "INTERNAL_SERVER_ERROR")
    throw new SourceUnavailable(sentenceOf("ownProblem", { service: "Shopify" }));
  if (error)
    throw new SourceRefused(
      sentenceOf("misunderstood", { service: "Shopify", said: error.message.slice(0, 300) }),
    );
  const found = schema.safeParse(data);
  if (found.success) return found.data;
  throw new SourceUnavailable(sentenceOf("illegible", { service: "Shopify" }));
}

function explain(status: number): Error | undefined {
  if (status === 404) return new SourceRefused(sentenceOf("shopifyUnknown"), "config.shop");
  if (status === 402 || status === 423) return new SourceRefused(sentenceOf("shopifyClosed"), "config.shop");
  return undefined;
}
