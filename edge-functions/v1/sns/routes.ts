// Owns the webhooks for Amazon SNS's delivery reports. Accepts only messages that SNS signed, from a topic in SNS_TOPIC_ARNS;
// certificates and confirmations are fetched only from SNS's own hosts.
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { env } from "../../_shared/env.ts";
import { log } from "../../_shared/operation/log.ts";
import { send } from "../../_shared/outbound/outbound.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { routes } from "../route.ts";
import { type AppEnv, json, router } from "../router.ts";
import { eventsIn } from "./events.ts";
import { storeEvents } from "./queries.ts";
import { received, type SnsMessage, snsMessage } from "./schema.ts";
import { certificateUrl, confirmationUrl, isSigned } from "./signature.ts";

const route = routes({ tags: ["Mail events"], access: "open" });

/** Fetches a URL of SNS, without following redirects. */
export type ReadSns = (url: URL) => Promise<{ status: number; text: string }>;

const readSns: ReadSns = (url) => send(url, { timeoutMs: 10_000, maxBytes: 64 * 1024 });

/** Mounted at /v1/sns. @param read replaces SNS in tests */
export function snsHooks(read: ReadSns = readSns) {
  const certificates = new LRUCache<string, string>({ max: 20 });

  async function certificateAt(url: URL): Promise<string> {
    const known = certificates.get(url.href);
    if (known) return known;
    const pem = await fetchOk(read, url);
    certificates.set(url.href, pem);
    return pem;
  }

  /** @throws ApiError FORBIDDEN for a message that is not from SNS or not from one of our topics, UPSTREAM_FAILED */
  async function check(message: SnsMessage): Promise<void> {
    const topics = env()
      .SNS_TOPIC_ARNS.split(",")
      .map((topic) => topic.trim());
    const url = topics.includes(message.TopicArn) ? certificateUrl(message) : undefined;
    if (!url || !isSigned(message, await certificateAt(url))) {
      throw new ApiError(
        "FORBIDDEN",
        "The message has no valid SNS signature, or its topic is not accepted here.",
      );
    }
  }

  async function receive(c: Context<AppEnv>) {
    const message = messageIn(await c.req.text());
    await check(message);
    if (message.Type === "Notification") {
      await storeEvents(message.MessageId, eventsIn(message.Message));
    } else if (message.Type === "SubscriptionConfirmation") {
      const url = confirmationUrl(message);
      if (!url) throw new ApiError("FORBIDDEN", "The SubscribeURL is not a confirmation URL of SNS.");
      await fetchOk(read, url);
      log("info", "a subscription to an SNS topic was confirmed", { topic: message.TopicArn });
    }
    return c.json({ status: "ok" } as const, 200);
  }

  const hook = (path: "/bounces" | "/complaints" | "/delivery", summary: string) =>
    route({
      method: "post",
      path,
      summary,
      description: "For Amazon SNS: a message signed by it, as text/plain. Idempotent.",
      request: { body: { required: true, content: { "text/plain": { schema: snsMessage } } } },
      responses: { 200: json(received) },
    });

  return router()
    .openapi(hook("/bounces", "Receive bounce reports"), receive)
    .openapi(hook("/complaints", "Receive complaint reports"), receive)
    .openapi(hook("/delivery", "Receive delivery reports"), receive);
}

async function fetchOk(read: ReadSns, url: URL): Promise<string> {
  const answer = await read(url).catch((cause: unknown) => {
    throw new ApiError("UPSTREAM_FAILED", undefined, { cause });
  });
  if (answer.status === 200) return answer.text;
  throw new ApiError("UPSTREAM_FAILED", undefined, { cause: new Error(`SNS answered ${answer.status}`) });
}

/** @throws ApiError VALIDATION_FAILED */
function messageIn(body: string): SnsMessage {
  // limitBody has checked that it is JSON, or empty.
  const parsed = snsMessage.safeParse(body === "" ? undefined : JSON.parse(body));
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new ApiError("VALIDATION_FAILED", undefined, { details });
}
