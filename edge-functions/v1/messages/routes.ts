// Owns the endpoints for messages: asking, resuming after a lost connection, stopping, rating.
import { z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { feedbackInput } from "../chats/schema.ts";
import { eventStreamResponse, serverSentEvent } from "../event-stream.ts";
import { routes } from "../route.ts";
import { addressesOf, claimsOf, json, jsonBody, requireChange, requireRow, router } from "../router.ts";
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

const route = routes({ tags: ["Messages"], access: "someone" });

const inChat = z.object({ chatId: z.uuid() });
const oneInChat = inChat.extend({ messageId: z.uuid() });

/** Mounted at /v1/chats. */
export const messages = router()
  .openapi(
    route({
      method: "get",
      path: "/{chatId}/messages",
      summary: "Read a chat's messages, oldest first",
      request: { params: inChat, query: messagesQuery },
      responses: { 200: json(messageList) },
    }),
    async (c) => {
      const { chatId } = c.req.valid("param");
      const query = c.req.valid("query");
      const read = () =>
        readAsCaller(claimsOf(c), async (tx) => {
          const [chat, listed] = await Promise.all([
            queries.readChatHead(tx, chatId),
            queries.listMessages(tx, chatId, query),
          ]);
          requireRow(chat);
          return listed;
        });
      let data = await read();
      if (data.some(({ status }) => status === "streaming") && (await giveUpDeadReplies(chatId))) {
        data = await read();
      }
      return c.json({ data }, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{chatId}/messages",
      summary: "Ask the agent",
      description:
        "With Accept: text/event-stream the reply is streamed; otherwise the response waits for its end. The reply is completed even if the reader disconnects: resume with GET and lastMessageId.",
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
      },
    }),
    async (c) => {
      const { chatId } = c.req.valid("param");
      const input = c.req.valid("json");
      const asked = await ask(c.var.caller, addressesOf(c), chatId, {
        ...input,
        site: c.req.header("Origin"),
      });
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
    route({
      method: "post",
      path: "/{chatId}/messages/{messageId}/stop",
      summary: "Stop a reply that is being written",
      description:
        "By the id of the reply or of its question. The text so far is kept; the status becomes stopped within about a second.",
      request: { params: oneInChat },
      responses: { 202: json(message, "Accepted") },
    }),
    async (c) => {
      const { chatId, messageId } = c.req.valid("param");
      const reply = await asCaller(claimsOf(c), async (tx) => {
        const stopping = await queries.requestStop(tx, chatId, messageId);
        if (stopping) return stopping;
        const row = requireRow(await queries.readMessage(tx, chatId, messageId));
        if (row.status === "streaming") throw new ApiError("FORBIDDEN");
        throw new ApiError("CONFLICT", "This reply is not being written.");
      });
      stopRunning(reply.id);
      return c.json(reply, 202);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{chatId}/messages/{messageId}/feedback",
      summary: "Rate a reply",
      request: { params: oneInChat, body: jsonBody(feedbackInput) },
      responses: { 200: json(message) },
    }),
    async (c) => {
      const { chatId, messageId } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const rated = await queries.rateMessage(tx, chatId, messageId, c.req.valid("json"));
        return await requireChange(rated, async () => {
          const seen = await queries.readMessage(tx, chatId, messageId);
          if (seen?.role === "user" || seen?.author)
            throw new ApiError("CONFLICT", "Only a reply that an agent wrote can be rated.");
          return seen;
        });
      });
      return c.json(row, 200);
    },
  );

/** The events of a reply as a client receives them; passages only on request. */
async function* frames(
  first: ReplyEvent,
  rest: AsyncIterable<ReplyEvent>,
  explain = false,
): AsyncGenerator<string> {
  const frame = ({ type, data }: ReplyEvent) => serverSentEvent(JSON.stringify(data), type);
  yield frame(first);
  for await (const event of rest) if (explain || event.type !== "passages") yield frame(event);
}
