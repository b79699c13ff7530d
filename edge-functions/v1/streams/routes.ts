// Owns the endpoints for talking to an agent without a chat: our own events, and OpenAI's protocol.
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readAsCaller, type Transaction } from "../../_shared/database/db.ts";
import type { ApiError } from "../../_shared/requests/errors.ts";
import { eventStreamResponse, serverSentEvent } from "../event-stream.ts";
import { mayRepeat } from "../idempotency.ts";
import { eventStream } from "../messages/schema.ts";
import { requireDraft, requireKnowledgeReader } from "../messages/trials.ts";
import { routes } from "../route.ts";
import {
  type AppEnv,
  addressesOf,
  claimsOf,
  json,
  jsonBody,
  oneById,
  requireRow,
  router,
} from "../router.ts";
import { type LiveEvent, liveReply } from "./live.ts";
import { completionChunks, completionOf, modelOf, turnsOf } from "./openai.ts";
import { completion, completionInput, model, modelList } from "./openai-schema.ts";
import { beginAnswer, listOwnAgents } from "./queries.ts";
import { type StreamInput, streamInput } from "./schema.ts";

const route = routes({ tags: ["Streams"] });

async function begin(
  c: Context<AppEnv>,
  agentId: string,
  { draft, explain }: Pick<StreamInput, "draft" | "explain"> = {},
) {
  const check = async (tx: Transaction) => {
    const trial = draft && (await requireDraft(tx, claimsOf(c), agentId, draft));
    if (explain) await requireKnowledgeReader(tx, agentId);
    return trial;
  };
  return await beginAnswer(c.var.caller, addressesOf(c), agentId, draft || explain ? check : undefined);
}

/** Aborted when the caller leaves. An answer that is stored for the request's repetition is completed instead. */
const departureOf = (c: Context<AppEnv>): AbortSignal | undefined =>
  c.req.header("Idempotency-Key") !== undefined && mayRepeat(c) ? undefined : c.req.raw.signal;

/** Mounted at /v1/streams. */
export const streams = router().openapi(
  route({
    method: "post",
    path: "/",
    access: "anyone",
    summary: "Ask an agent without a chat",
    agentIn: "agentId",
    description:
      "Nothing is stored, and the reply ends when its reader disconnects; with an Idempotency-Key, which needs an account, an API key or a visitor's token, it is completed and kept for its repetition. A draft answers with unsaved settings.",
    request: { body: jsonBody(streamInput) },
    responses: {
      200: {
        description: "OK",
        content: {
          "text/event-stream": eventStream(
            "message StreamedMessage, passages [ConsideredPassage] where explain is set, delta { text }, citations [Citation], done StreamedMessage",
          ),
        },
      },
    },
  }),
  async (c) => {
    const { agentId, messages, draft, explain } = c.req.valid("json");
    const { agent, trial } = await begin(c, agentId, { draft, explain });
    return eventStreamResponse(
      frames(
        liveReply(agent, messages, trial ? "playground" : "api", claimsOf(c), {
          trial,
          left: departureOf(c),
        }),
        explain,
      ),
    );
  },
);

async function* frames(events: AsyncIterable<LiveEvent>, explain = false): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "passages" && !explain) continue;
    yield serverSentEvent(JSON.stringify(type === "error" ? publicError(data) : data), type);
  }
}

const publicError = ({ code, message, extra: { details } }: ApiError) => ({
  code,
  message,
  ...(details && { details }),
});

/** Mounted at /v1/streams/openai. */
export const openAi = router()
  .openapi(
    route({
      method: "post",
      path: "/chat/completions",
      access: "anyone",
      agentIn: "model",
      summary: "Ask an agent in OpenAI's protocol",
      description:
        "For any OpenAI client: the base URL ends in /v1/streams/openai, and the model is the agent's id.",
      request: { body: jsonBody(completionInput) },
      responses: {
        200: {
          description: "OK",
          content: {
            "application/json": { schema: completion },
            "text/event-stream": {
              schema: z.string().openapi({ description: "chat.completion.chunk events" }),
            },
          },
        },
      },
    }),
    async (c) => {
      const input = c.req.valid("json");
      const { agent } = await begin(c, input.model);
      const events = liveReply(agent, turnsOf(input), "api", claimsOf(c), { left: departureOf(c) });
      if (input.stream) return eventStreamResponse(completionChunks(input, events));
      return c.json(await completionOf(input, events), 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/models",
      summary: "List the agents that the caller may talk to, in OpenAI's format for models",
      responses: { 200: json(modelList) },
    }),
    async (c) => {
      const agents = await readAsCaller(claimsOf(c), listOwnAgents);
      return c.json({ object: "list" as const, data: agents.map(modelOf) }, 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/models/{id}",
      summary: "Read an agent in OpenAI's format for models",
      request: { params: oneById },
      responses: { 200: json(model) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const agents = await readAsCaller(claimsOf(c), listOwnAgents);
      return c.json(modelOf(requireRow(agents.find((agent) => agent.id === id))), 200);
    },
  );
