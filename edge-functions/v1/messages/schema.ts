// Owns the schemas of messages, and of the events of a streamed reply.
import { z } from "@hono/zod-openapi";
import type { ErrorCode, ErrorDetail } from "../../_shared/requests/errors.ts";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { agentDraft } from "../agents/schema.ts";
import { feedback, supportState } from "../chats/schema.ts";
import { span } from "../documents/schema.ts";
import { id, prose, time, times, wholeNumber } from "../router.ts";

export const citation = z
  .object({
    index: z.int().openapi({ description: "The n of the mark [n] in the reply." }),
    sourceId: id,
    documentId: id,
    chunkId: id,
    title: z.string(),
    url: z.string().nullable(),
    heading: z.string().optional().openapi({
      description: "The headings above the quote, as “Leave › Parental leave”. Absent in older replies.",
    }),
    page: z.int().nullable().optional().openapi({
      description:
        "The page on which the quote starts, for a document with pages. In older replies, the page of its passage.",
    }),
    syncedAt: time.nullable().optional().openapi({
      description:
        "When the quoted text was last known to match its source, at the time of the reply. Null if nothing is synced, as for files, or if unknown; absent in older replies.",
    }),
    changedAt: time.nullable().optional().openapi({
      description:
        "When the document was last changed at its source. Null if the source does not say; absent in older replies.",
    }),
    quote: z.string().openapi({ description: "Verbatim from the document." }),
    table: z
      .object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) })
      .optional()
      .openapi({ description: "The quoted rows of a table, with its header." }),
  })
  .openapi("Citation");
export type Citation = z.infer<typeof citation>;

const usage = z
  .object({
    promptTokens: z.int(),
    completionTokens: z.int(),
    model: z.string().openapi({ description: "The model that answered." }),
    fallback: z
      .boolean()
      .optional()
      .openapi({ description: "True if the fallback answered because the chat model could not." }),
    estimated: z
      .boolean()
      .optional()
      .openapi({ description: "True if the provider did not report tokens and they are estimated." }),
  })
  .openapi("Usage");
export type Usage = z.infer<typeof usage>;

export const searchedFor = z.string().nullable().openapi({
  description:
    "What was searched for in addition to a follow-up question. Null if the question was searched as it is.",
});

export const support = z
  .object({
    state: supportState.openapi({
      description:
        "partly: not all of it is supported, or the reply says what it did not find. disagree: two cited documents give different values. unchecked: the model that checks was unavailable.",
    }),
    claims: z.array(
      z.object({
        text: z.string().openapi({ description: "Verbatim from the reply, without marks, shortened." }),
        citations: z
          .array(z.int())
          .openapi({ description: "The n of the marks [n] that it is checked against." }),
        supported: z
          .boolean()
          .nullable()
          .openapi({ description: "Whether they support it. Null if not checked." }),
        reason: z
          .enum(["value", "unit", "name", "negation", "judge"])
          .optional()
          .openapi({ description: "Why it is not supported." }),
        end: z.int().nullable().openapi({
          description: "Where it ends in the reply, in UTF-16 code units. Null if it was left out.",
        }),
      }),
    ),
    disagreement: z
      .array(
        z.object({
          citation: z.int(),
          quote: z.string(),
          date: z.string().nullable().openapi({
            description:
              "The day on which the document was last changed at its source, or else updated here, UTC.",
          }),
        }),
      )
      .openapi({ description: "The two passages that disagree; else empty." }),
  })
  .openapi("Support");
export type Support = z.infer<typeof support>;

export const suggestions = z.array(z.string()).openapi({
  description: "For an ambiguous question, the two or three questions that may have been meant; else empty.",
});

const reason = z
  .object({
    code: z.string().openapi({ description: "For programs, such as replyTooLong." }),
    message: z.string(),
  })
  .openapi("Reason");
export type Reason = z.infer<typeof reason>;

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
    support: support.nullable().openapi({
      description: "How well the passages support the reply. Null if nothing was checked.",
    }),
    author: z
      .object({ type: z.enum(["person"]), name: z.string() })
      .nullable()
      .openapi({
        description:
          "The author of an answer by a person of the team. Null for the model's replies and for questions.",
      }),
    suggestions,
    error: reason.optional().openapi({
      description:
        "Why a reply failed, as its stream told whoever asked. Absent if it did not, or was interrupted.",
    }),
    undelivered: reason.optional().openapi({
      description:
        "Why a reply did not reach the person in Slack, such as slackArchived. Absent once it is delivered, and in other channels.",
    }),
    ...times,
  })
  .openapi("Message");
export type Message = z.infer<typeof message>;

export const explain = z
  .boolean()
  .optional()
  .openapi({
    description:
      "Streams the event `passages` before the first delta: the passages that search proposed, for callers who may read the " +
      "knowledge base. It is sent again before the citations if the model had tables computed, or if the built-in model quotes " +
      "passages beyond the agent's limit.",
  });

const rank = z.int().nullable();
const share = z.number().nullable();

/** A passage that search proposed for a reply, and how it was used. */
const consideredPassage = z
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
    score: z.number().openapi({ description: "0 to 1, from both ranks." }),
    vectorRank: rank,
    vectorScore: share.openapi({ description: "Cosine similarity to the question." }),
    textRank: rank,
    textScore: share.openapi({ description: "Share of the question's words in the passage." }),
    index: rank.openapi({ description: "Its number in the prompt. Null if it was dropped." }),
    dropped: z
      .enum(["unrelated", "belowMinScore", "duplicate", "overTopK", "overBudget"])
      .nullable()
      .openapi({ description: "Why it was not given to the model. Null if it was." }),
  })
  .openapi("ConsideredPassage");
export type ConsideredPassage = z.infer<typeof consideredPassage>;

export const consideredPassages = z
  .object({
    data: z.array(consideredPassage),
    gone: z.int().openapi({
      description: "Number of further passages, from documents that were changed or deleted since.",
    }),
    searchedFor,
    recorded: z.boolean().openapi({
      description:
        "Whether the proposed passages are still stored. They are deleted after the installation's retention; the reply and its citations are kept.",
    }),
  })
  .openapi("ConsideredPassages");

const range = z.object({
  start: z.int().openapi({ description: "UTF-16 code units into the text." }),
  end: z.int(),
});

/** A citation in the document's current version. */
export const evidence = z
  .object({
    state: z.enum(["found", "changed", "gone"]).openapi({
      description: "changed: the document no longer contains the quote. gone: the document was deleted.",
    }),
    title: z.string(),
    url: z.string().nullable(),
    excerpt: z
      .object({
        text: z.string().openapi({ description: "The page, section or rows around the quote, verbatim." }),
        offset: z.int().openapi({ description: "Its offset in the document's content." }),
        quote: range,
        spans: z.array(span).openapi({ description: "Headings and pages in the text." }),
        tables: z
          .array(
            range.extend({
              caption: z.string(),
              columns: z.array(z.string()),
              rows: z.array(range.extend({ cells: z.array(z.string()) })),
            }),
          )
          .openapi({ description: "Tables in the text, or the rows of them in it." }),
        headings: z
          .array(z.string())
          .openapi({ description: "The headings above the quote, outermost first." }),
        page: z.int().nullable().openapi({ description: "The page on which the quote starts." }),
        lastPage: z.int().nullable().openapi({ description: "The page on which it ends." }),
        hasMoreBefore: z.boolean(),
        hasMoreAfter: z.boolean(),
      })
      .nullable()
      .openapi({ description: "Null if the quote is not found." }),
    file: z.object({ id: z.uuid(), teamId: z.uuid(), size: z.int() }).nullable().openapi({
      description: "The PDF that the document was read from, for callers who may read the team's files.",
    }),
  })
  .openapi("Evidence");
export type Evidence = z.infer<typeof evidence>;

export const newMessage = z
  .strictObject({
    content: prose(20_000).refine((text) => text.trim() !== "", refuseAs("required")),
    replaces: z.uuid().optional().openapi({
      description:
        "A question of this chat to ask again in these words. It and all later messages are removed from the conversation.",
    }),
    draft: agentDraft.optional().openapi({
      description:
        "Settings to try, in a chat of the channel playground. Requires permission to change the agent.",
    }),
    explain,
  })
  .openapi("NewMessage", { example: { content: "How many days of leave do I have?" } });

export type NewMessage = z.infer<typeof newMessage>;

export const exchange = z.object({ message, reply: message }).openapi("Exchange");

export const messagesQuery = z.object({
  lastMessageId: z.uuid().optional().openapi({
    description: "Returns messages after this one, and this one too if it is or was being written.",
  }),
  beforeMessageId: z.uuid().optional().openapi({ description: "Returns messages before this one." }),
  count: wholeNumber(1, 1000).default(1000).openapi({
    description: "Maximum number, the latest ones, oldest first.",
  }),
});

export type MessagesQuery = z.infer<typeof messagesQuery>;

export const messageList = z.object({ data: z.array(message) }).openapi("MessageList");

/** Events of a reply, in this order; an error ends the stream. */
export type ReplyEvent =
  | { type: "message"; data: Message }
  | { type: "passages"; data: ConsideredPassage[] }
  | { type: "delta"; data: { text: string } }
  | { type: "citations"; data: Citation[] }
  | { type: "done"; data: Message }
  | { type: "error"; data: { code: ErrorCode; message: string; details?: ErrorDetail[] } };

/** OpenAPI 3.1 has no schema for the events of a stream, so they are described in text. */
export const eventStream = (events: string) => ({
  schema: z.string().openapi({
    description: `Server-sent events: ${events}, or error { code, message, details? }. Lines that begin with a colon keep the connection open.`,
  }),
});
