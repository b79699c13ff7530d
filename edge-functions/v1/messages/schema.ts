// Owns the shapes of messages, and of the events of a reply that streams.
import { z } from "@hono/zod-openapi";
import type { errorCodes } from "../../_shared/requests/errors.ts";
import { refusedAs } from "../../_shared/requests/invalid-fields.ts";
import { agentDraft } from "../agents/schema.ts";
import { feedback, supportState } from "../chats/schema.ts";
import { span } from "../documents/schema.ts";
import { id, time, times } from "../router.ts";

export const citation = z
  .object({
    index: z.int().openapi({ description: "The n of the mark [n] in the reply." }),
    sourceId: id,
    documentId: id,
    chunkId: id,
    title: z.string(),
    url: z.string().nullable(),
    heading: z.string().optional().openapi({
      description:
        "The headings that the quote stands under, as “Leave › Parental leave”; not of replies of before.",
    }),
    page: z.int().nullable().optional().openapi({
      description: "On which the quote begins, of a document with pages; of replies of before, its passage.",
    }),
    syncedAt: time.nullable().optional().openapi({
      description:
        "As of when, at the time of the reply, the quoted text was what the source has; null where nothing is synced, as for files, or it is not known; absent in replies of before.",
    }),
    changedAt: time.nullable().optional().openapi({
      description:
        "When the document was last changed at its source; null where that does not say; absent in replies of before.",
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
    model: z.string().openapi({ description: "The one that answered." }),
    fallback: z
      .boolean()
      .optional()
      .openapi({ description: "True where the fallback answered, since the chat model could not." }),
    estimated: z
      .boolean()
      .optional()
      .openapi({ description: "True where the provider did not report tokens and they are worked out." }),
  })
  .openapi("Usage");
export type Usage = z.infer<typeof usage>;

export const searchedFor = z.string().nullable().openapi({
  description:
    "What was searched for beside the question as it is, for a follow-up; null where the question was searched as it is.",
});

export const support = z
  .object({
    state: supportState.openapi({
      description:
        "partly: not all of it is supported, or the reply says what it did not find. disagree: two cited documents give different values. unchecked: the model that judges was away.",
    }),
    claims: z.array(
      z.object({
        text: z.string().openapi({ description: "Verbatim from the reply, without marks, shortened." }),
        citations: z
          .array(z.int())
          .openapi({ description: "The n of the marks [n] that it is held against." }),
        supported: z
          .boolean()
          .nullable()
          .openapi({ description: "Whether they say it; null where that was not checked." }),
        reason: z
          .enum(["value", "unit", "name", "negation", "judge"])
          .optional()
          .openapi({ description: "Why it is not supported." }),
        end: z.int().nullable().openapi({
          description: "Where it ends in the reply, in UTF-16 code units; null where it was left out.",
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
  description:
    "What may have been meant, where the question can be read in two or three ways: questions to ask; else empty.",
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
    support: support.nullable().openapi({
      description: "How far the passages support the reply; null where nothing was checked.",
    }),
    author: z
      .object({ type: z.enum(["person"]), name: z.string() })
      .nullable()
      .openapi({
        description:
          "Of an answer that a person of the team wrote; null where the model did, and of questions.",
      }),
    suggestions,
    ...times,
  })
  .openapi("Message");
export type Message = z.infer<typeof message>;

export const explain = z.boolean().optional().openapi({
  description:
    "Streams the event `passages` before the first delta: what search proposed, for those who may read the knowledge. It comes again before the citations where the model had tables computed.",
});

const rank = z.int().nullable();
const share = z.number().nullable();

/** What search proposed for a reply, and what became of it. */
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

const range = z.object({
  start: z.int().openapi({ description: "UTF-16 code units into the text." }),
  end: z.int(),
});

/** A citation in its document, as the document is now. */
export const evidence = z
  .object({
    state: z.enum(["found", "changed", "gone"]).openapi({
      description: "changed: the quote does not stand in the document any more. gone: there is no document.",
    }),
    title: z.string(),
    url: z.string().nullable(),
    excerpt: z
      .object({
        text: z.string().openapi({ description: "The page, section or rows around the quote, verbatim." }),
        offset: z.int().openapi({ description: "Where it begins in the document’s content." }),
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
          .openapi({ description: "Tables in the text, or the rows of them that are in it." }),
        headings: z.array(z.string()).openapi({ description: "Those above the quote, outermost first." }),
        page: z.int().nullable().openapi({ description: "On which the quote begins." }),
        lastPage: z.int().nullable().openapi({ description: "On which it ends." }),
        hasMoreBefore: z.boolean(),
        hasMoreAfter: z.boolean(),
      })
      .nullable()
      .openapi({ description: "Null where the quote is not found." }),
    file: z.object({ id: z.uuid(), teamId: z.uuid(), size: z.int() }).nullable().openapi({
      description: "The PDF that the document was read from, for those who may read the team’s files.",
    }),
  })
  .openapi("Evidence");
export type Evidence = z.infer<typeof evidence>;

export const newMessage = z
  .strictObject({
    content: z
      .string()
      .max(20_000)
      .refine((text) => text.trim() !== "", refusedAs("required")),
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
