// Owns the shapes of messages, and of the events of a reply that streams.
import { z } from "@hono/zod-openapi";
import type { errorCodes } from "../../_shared/errors.ts";
import { agentDraft } from "../agents/schema.ts";
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

export const searchedFor = z.string().nullable().openapi({
  description:
    "What was searched for beside the question as it is, for a follow-up; null where the question was searched as it is.",
});

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
    searchedFor,
    ...times,
  })
  .openapi("Message");
export type Message = z.infer<typeof message>;

export const explain = z.boolean().optional().openapi({
  description:
    "Streams the event `passages` before the first delta: what search proposed, for those who may read the knowledge.",
});

const rank = z.int().nullable();
const share = z.number().nullable();

/** What search proposed for a reply, and what became of it. */
export const consideredPassage = z
  .object({
    chunkId: id,
    knowledgeId: id,
    documentId: id,
    sourceId: id,
    title: z.string(),
    url: z.string().nullable(),
    heading: z.string(),
    page: z.int().nullable(),
    content: z.string(),
    score: z.number().openapi({ description: "0 to 1, of both ranks together." }),
    vectorRank: rank,
    vectorScore: share.openapi({ description: "Cosine to the question." }),
    textRank: rank,
    textScore: share.openapi({ description: "The share of the question's words that the passage holds." }),
    index: rank.openapi({ description: "Its number before the model; null where it was dropped." }),
    dropped: z
      .enum(["unrelated", "belowMinScore", "duplicate", "overTopK", "overBudget"])
      .nullable()
      .openapi({ description: "Why it did not go before the model; null where it did." }),
  })
  .openapi("ConsideredPassage");
export type ConsideredPassage = z.infer<typeof consideredPassage>;

export const consideredPassages = z
  .object({
    data: z.array(consideredPassage),
    gone: z
      .int()
      .openapi({ description: "How many more there were, of documents that have changed or gone since." }),
    searchedFor,
    recorded: z.boolean().openapi({
      description:
        "Whether what search proposed is still kept. It goes after the installation's retention; the reply and its citations stay.",
    }),
  })
  .openapi("ConsideredPassages");

export const newMessage = z
  .strictObject({
    content: z
      .string()
      .max(20_000)
      .refine((text) => text.trim() !== "", "Write something."),
    replaces: z.uuid().optional().openapi({
      description:
        "A question of this chat that is asked again in these words: it leaves the conversation, with all that came after it.",
    }),
    draft: agentDraft.optional().openapi({
      description:
        "Settings to try, in a chat of the channel playground, for those who may change the agent.",
    }),
    explain,
  })
  .openapi("NewMessage", { example: { content: "How many days of leave do I have?" } });

export type NewMessage = z.infer<typeof newMessage>;

export const exchange = z.object({ message, reply: message }).openapi("Exchange");

export const messagesQuery = z.object({
  lastMessageId: z.uuid().optional().openapi({
    description:
      "Gives what came after this message, and the message itself while it is being written or was until now.",
  }),
  beforeMessageId: z.uuid().optional().openapi({ description: "Gives what came before this message." }),
  count: z.coerce.number().int().min(1).max(1000).default(1000).openapi({
    description: "How many at most, the latest ones; oldest first all the same.",
  }),
});

export type MessagesQuery = z.infer<typeof messagesQuery>;

export const messageList = z.object({ data: z.array(message) }).openapi("MessageList");

/** What a reader of a reply meets, in this order; an error ends the stream. */
export type ReplyEvent =
  | { type: "message"; data: Message }
  | { type: "passages"; data: ConsideredPassage[] }
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
