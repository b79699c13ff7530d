// Owns the calls for messages: asking, reading on after a lost connection, stopping, rating.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { someone } from "../chats/routes.ts";
import { feedbackInput } from "../chats/schema.ts";
import { eventStreamResponse, serverSentEvent } from "../event-stream.ts";
import { addressesOf, changed, claimsOf, failures, found, json, jsonBody, router } from "../router.ts";
import { ask } from "./asking.ts";
import * as queries from "./queries.ts";
import { stopRunning } from "./replies.ts";
import { giveUpDeadReplies } from "./reply-store.ts";
import {
  eventStream,
  exchange,
  message,
  messageList,
  messagesQuery,
  newMessage,
  type ReplyEvent,
} from "./schema.ts";

const inChat = z.object({ chatId: z.uuid() });
const oneInChat = inChat.extend({ messageId: z.uuid() });
const tags = ["Messages"];

/** Mounted at /v1/chats. */
export const messages = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{chatId}/messages",
      tags,
      summary: "Read a chat's messages, oldest first",
      middleware: [someone],
      request: { params: inChat, query: messagesQuery },
      responses: { 200: json(messageList), ...failures },
    }),
    async (c) => {
      const { chatId } = c.req.valid("param");
      const query = c.req.valid("query");
      const read = () =>
        asCaller(claimsOf(c), async (tx) => {
          found(await queries.readChatHead(tx, chatId));
          return await queries.listMessages(tx, chatId, query);
        });
      let data = await read();
      if (data.some(({ status }) => status === "streaming") && (await giveUpDeadReplies(chatId))) {
        data = await read();
      }
      return c.json({ data }, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{chatId}/messages",
      tags,
      summary: "Ask the agent",
      description:
        "With Accept: text/event-stream the reply streams; else the answer waits for its end. Either way it is written to its end, whatever the reader does: read on with GET and lastMessageId.",
      middleware: [someone],
      request: { params: inChat, body: jsonBody(newMessage) },
      responses: {
        200: {
          description: "OK",
          content: {
            "application/json": { schema: exchange },
            "text/event-stream": eventStream(
              "message Message, passages [ConsideredPassage] where explain is set, delta { text }, citations [Citation], done Message",
            ),
          },
        },
        ...failures,
      },
    }),
    async (c) => {
      const { chatId } = c.req.valid("param");
      const input = c.req.valid("json");
      const asked = await ask(c.var.caller, addressesOf(c), chatId, input);
      if (/\btext\/event-stream\b/i.test(c.req.header("Accept") ?? "")) {
        const first = { type: "message", data: asked.message } as const;
        return eventStreamResponse(frames(first, asked.running.events, input.explain));
      }
      const { reply, failure } = await asked.running.finished;
      if (failure) throw failure;
      return c.json({ message: asked.message, reply }, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{chatId}/messages/{messageId}/stop",
      tags,
      summary: "Stop a reply that is being written",
      description:
        "Named by its own id or by that of the question. What was said is kept; the reply's status becomes stopped within about a second.",
      middleware: [someone],
      request: { params: oneInChat },
      responses: { 202: json(message, "Accepted"), ...failures },
    }),
    async (c) => {
      const { chatId, messageId } = c.req.valid("param");
      const reply = await asCaller(claimsOf(c), async (tx) => {
        const stopping = await queries.requestStop(tx, chatId, messageId);
        if (stopping) return stopping;
        const row = found(await queries.readMessage(tx, chatId, messageId));
        if (row.status === "streaming") throw new ApiError("FORBIDDEN");
        throw new ApiError("CONFLICT", "This reply is not being written.");
      });
      stopRunning(reply.id);
      return c.json(reply, 202);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{chatId}/messages/{messageId}/feedback",
      tags,
      summary: "Rate a reply",
      middleware: [someone],
      request: { params: oneInChat, body: jsonBody(feedbackInput) },
      responses: { 200: json(message), ...failures },
    }),
    async (c) => {
      const { chatId, messageId } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const rated = await queries.rateMessage(tx, chatId, messageId, c.req.valid("json"));
        return await changed(rated, async () => {
          const seen = await queries.readMessage(tx, chatId, messageId);
          if (seen?.role === "user") throw new ApiError("CONFLICT", "Only an agent's replies are rated.");
          return seen !== undefined;
        });
      });
      return c.json(row, 200);
    },
  );

/** The events of a reply as a client reads them; passages where they were asked for alone. */
export async function* frames(
  first: ReplyEvent,
  rest: AsyncIterable<ReplyEvent>,
  explain = false,
): AsyncGenerator<string> {
  const frame = ({ type, data }: ReplyEvent) => serverSentEvent(JSON.stringify(data), type);
  yield frame(first);
  for await (const event of rest) if (explain || event.type !== "passages") yield frame(event);
}
