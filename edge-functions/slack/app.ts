// Owns the HTTP routes that Slack calls: /slack/events, /slack/interactions, /slack/oauth, and /slack/tick for the schedule.
// Responds at once; the queue does the work.
import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import { log, traceOf } from "../_shared/operation/log.ts";
import { observe } from "../_shared/operation/observe.ts";
import { type ApiError, wordsOf } from "../_shared/requests/errors.ts";
import { isFromService, onlyService } from "../_shared/requests/platform-keys.ts";
import { inBackground } from "../v1/background.ts";
import { toApiError } from "../v1/problems.ts";
import { takeEdit } from "./editing.ts";
import { workOf } from "./envelope.ts";
import { handOver } from "./handing-over.ts";
import { requireSlack, takeCallback } from "./install.ts";
import { storeEvent } from "./queue.ts";
import { rate } from "./ratings.ts";
import { isFromSlack } from "./signature.ts";
import { startDueEvents, stopAtOnce, tick } from "./worker.ts";

const longestBody = 1024 * 1024;

type SlackEnv = { Variables: { requestId: string } };

export const slack = new Hono<SlackEnv>().basePath("/slack");

// The schedule calls every few seconds. Successful ticks are not logged.
slack.use(
  "*",
  observe("slack", (c) => (c.req.path === "/slack/tick" && c.res.ok ? undefined : routePath(c, -1))),
);

slack.get("/health", (c) => c.json({ status: "ok" }));

slack.post("/events", async (c) => {
  const body = await signedBody(c);
  if (body instanceof Response) return body;
  const event = parseJson(body);
  if (event === undefined) return problem(c, 400, "VALIDATION_FAILED", "The event is not valid JSON.");
  if (isChallenge(event)) return c.json({ challenge: event.challenge });
  // Ignores Slack's X-Slack-Retry-Num: the first delivery may never have arrived.
  const work = workOf(event);
  if (work?.kind === "stop") await stopAtOnce(work);
  else if (work) {
    if (work.kind === "edit") await takeEdit(work);
    else await storeEvent(work);
    inBackground(startDueEvents(), "Slack's queue");
  }
  return c.body(null, 200);
});

slack.post("/interactions", async (c) => {
  const body = await signedBody(c);
  if (body instanceof Response) return body;
  const payload = parseJson(new URLSearchParams(body).get("payload") ?? "");
  await rate(payload);
  inBackground(handOver(payload), "a way to a person");
  return c.body(null, 200);
});

slack.get("/oauth", async (c) => {
  requireSlack();
  c.header("Referrer-Policy", "no-referrer");
  return c.redirect(await takeCallback(new URL(c.req.url).searchParams), 302);
});

slack.post("/tick", async (c) => {
  if (!isFromService(c.req.raw.headers)) {
    return problem(c, 401, "NOT_AUTHENTICATED", onlyService);
  }
  return c.json({ started: await tick() });
});

slack.notFound((c) => {
  const methods = slack.routes.filter(({ path, method }) => path === c.req.path && method !== "ALL");
  if (methods.length === 0) return problem(c, 404, "NOT_FOUND", wordsOf("NOT_FOUND"));
  c.header("Allow", methods.map(({ method }) => method).join(", "));
  return problem(c, 405, "METHOD_NOT_ALLOWED", wordsOf("METHOD_NOT_ALLOWED"));
});
slack.onError((error, c) => {
  const known = toApiError(error);
  if (known.status >= 500) log("error", known.code, { path: c.req.path, error: traceOf(error) });
  return problem(c, known.status, known.code, known.message);
});

/** The raw body, which the signature covers, or the error response. */
async function signedBody(c: Context<SlackEnv>): Promise<string | Response> {
  const { signingSecret } = requireSlack();
  if (Number(c.req.header("Content-Length") ?? 0) > longestBody) {
    return problem(c, 413, "PAYLOAD_TOO_LARGE", wordsOf("PAYLOAD_TOO_LARGE"));
  }
  const body = await c.req.text();
  if (body.length > longestBody) return problem(c, 413, "PAYLOAD_TOO_LARGE", wordsOf("PAYLOAD_TOO_LARGE"));
  if (isFromSlack(signingSecret, c.req.raw.headers, body)) return body;
  return problem(c, 401, "NOT_AUTHENTICATED", "The signature is not Slack's, or too old.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isChallenge(event: unknown): event is { challenge: string } {
  return (
    typeof event === "object" &&
    event !== null &&
    Reflect.get(event, "type") === "url_verification" &&
    typeof Reflect.get(event, "challenge") === "string"
  );
}

function problem(c: Context<SlackEnv>, status: ApiError["status"], code: string, message: string): Response {
  return c.json({ code, message, requestId: c.get("requestId") }, status);
}
