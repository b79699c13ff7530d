// Owns the shapes of messages, and of the events of a reply that streams.
import { z } from "@hono/zod-openapi";
import type { errorCodes } from "../../_shared/errors.ts";
import { feedback } from "../chats/schema.ts";
import { id, times } from "../router.ts";

export const citation = z
  .object({
    index: z.int().openapi({ description: "The n of the mark [n] in the reply." }),
    sourceId: id,
    documentId: id,
    chunkId: id,
    title: z.string(),
    url: z.string().nullable(),
    quote: z.string().openapi({ description: "Verbatim from the document." }),
  })
  .openapi("Citation");
export type Citation = z.infer<typeof citation>;

export const usage = z
  .object({ promptTokens: z.int(), completionTokens: z.int(), model: z.string() })
  .openapi("Usage");
export type Usage = z.infer<typeof usage>;

export const message = z
  .object({
    id,
    chatId: id,
    role: z.enum(["user", "assistant"]),
    content: z.string(),
    status: z.enum(["streaming", "complete", "stopped", "failed"]),
    citations: z.array(citation),
    feedback: feedback.nullable(),
    usage: usage.nullable(),
    ...times,
  })
  .openapi("Message");
export type Message = z.infer<typeof message>;

export const newMessage = z
  .strictObject({
    content: z
      .string()
      .max(20_000)
      .refine((text) => text.trim() !== "", "Write something."),
  })
  .openapi("NewMessage", { example: { content: "How many days of leave do I have?" } });

export const exchange = z.object({ message, reply: message }).openapi("Exchange");

export const messagesQuery = z.object({
  lastMessageId: z.uuid().optional().openapi({
    description:
      "Gives what came after this message, and the message itself while it is being written or was until now.",
  }),
});

export const messageList = z.object({ data: z.array(message) }).openapi("MessageList");

/** What a reader of a reply meets, in this order; an error ends the stream. */
export type ReplyEvent =
  | { type: "message"; data: Message }
  | { type: "delta"; data: { text: string } }
  | { type: "citations"; data: Citation[] }
  | { type: "done"; data: Message }
  | { type: "error"; data: { code: (typeof errorCodes)[number]; message: string } };

/** The description of an event stream, which has no schema of its own in OpenAPI 3.1. */
export const eventStream = (events: string) => ({
  schema: z.string().openapi({
    description: `Server-sent events: ${events}, or error { code, message }. Lines that begin with a colon keep the connection open.`,
  }),
});
