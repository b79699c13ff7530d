// Owns the hooks through which Amazon SNS reports what became of our mails. Only what SNS has signed, from a topic that
// SNS_TOPIC_ARNS names, counts; certificates and confirmations come from SNS's own hosts alone.
import { env } from "../../_shared/env.ts";
import { log } from "../../_shared/operation/log.ts";
import { send } from "../../_shared/outbound/outbound.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { routes } from "../route.ts";
import { json, router } from "../router.ts";
import { eventsIn } from "./events.ts";
import { keepEvents } from "./queries.ts";
import { received, type SnsMessage, snsMessage } from "./schema.ts";
import { certificateUrl, confirmationUrl, isSigned } from "./signature.ts";

const route = routes({ tags: ["Mail events"], access: "open" });

/** How an address of SNS is read, without following redirects. */
export type ReadSns = (url: URL) => Promise<{ status: number; text: string }>;

const readSns: ReadSns = (url) => send(url, { timeoutMs: 10_000, maxBytes: 64 * 1024 });
const mostCertificates = 20;

/** Mounted at /v1/sns. @param read tests stand in for SNS here */
export function snsHooks(read: ReadSns = readSns) {
  const certificates = new Map<string, string>();

  async function certificateAt(url: URL): Promise<string> {
    const known = certificates.get(url.href);
    if (known) return known;
    const pem = await readWell(read, url);
    if (certificates.size >= mostCertificates) certificates.clear();
    certificates.set(url.href, pem);
    return pem;
  }

  /** @throws ApiError FORBIDDEN for a message that is not SNS's or not of a topic of ours, UPSTREAM_FAILED */
  async function check(message: SnsMessage): Promise<void> {
    const topics = env()
      .SNS_TOPIC_ARNS.split(",")
      .map((topic) => topic.trim());
    const url = topics.includes(message.TopicArn) ? certificateUrl(message) : undefined;
    if (!url || !isSigned(message, await certificateAt(url))) {
      throw new ApiError("FORBIDDEN", "This message does not carry a signature that counts here.");
    }
  }

  async function receive(body: string): Promise<void> {
    const message = messageIn(body);
    await check(message);
    if (message.Type === "Notification") {
      await keepEvents(message.MessageId, eventsIn(message.Message));
    } else if (message.Type === "SubscriptionConfirmation") {
      const url = confirmationUrl(message);
      if (!url) throw new ApiError("FORBIDDEN", "A subscription is confirmed at SNS alone.");
      await readWell(read, url);
      log("info", "a subscription to an SNS topic was confirmed", { topic: message.TopicArn });
    }
  }

  const hook = (path: "/bounces" | "/complaints" | "/delivery", summary: string) =>
    route({
      method: "post",
      path,
      summary,
      description:
        "For Amazon SNS: a message that it has signed, as text/plain. A message that comes again changes nothing.",
      request: { body: { required: true, content: { "text/plain": { schema: snsMessage } } } },
      responses: { 200: json(received) },
    });
  const ok = { status: "ok" } as const;

  return router()
    .openapi(hook("/bounces", "Take a report of mails that came back"), async (c) => {
      await receive(await c.req.text());
      return c.json(ok, 200);
    })
    .openapi(hook("/complaints", "Take a report of mails that somebody complained about"), async (c) => {
      await receive(await c.req.text());
      return c.json(ok, 200);
    })
    .openapi(hook("/delivery", "Take a report of mails that arrived"), async (c) => {
      await receive(await c.req.text());
      return c.json(ok, 200);
    });
}

async function readWell(read: ReadSns, url: URL): Promise<string> {
  const answer = await read(url).catch((cause: unknown) => {
    throw new ApiError("UPSTREAM_FAILED", undefined, { cause });
  });
  if (answer.status === 200) return answer.text;
  throw new ApiError("UPSTREAM_FAILED", undefined, { cause: new Error(`SNS answered ${answer.status}`) });
}

/** @throws ApiError VALIDATION_FAILED */
function messageIn(body: string): SnsMessage {
  // limitBody has found it to be JSON, or empty.
  const parsed = snsMessage.safeParse(body === "" ? undefined : JSON.parse(body));
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new ApiError("VALIDATION_FAILED", undefined, { details });
}
