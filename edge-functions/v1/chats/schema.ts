// Owns the schemas of chats.

import { z } from "@hono/zod-openapi";
import { plainText } from "../../_shared/text/plain-text.ts";
import { cursorQuery } from "../cursors.ts";
import { id, prose, times } from "../router.ts";
import { timeZone } from "../time-zones.ts";

export const feedbackInput = z
  .strictObject({
    rating: z.enum(["up", "down"]).nullable(),
    comment: prose(2000).nullable().optional(),
  })
  .openapi("FeedbackInput", { description: "A rating of null deletes it and its comment." });
export type FeedbackInput = z.infer<typeof feedbackInput>;

export const feedback = z
  .object({ rating: z.enum(["up", "down"]), comment: z.string().nullable() })
  .openapi("Feedback");

export const supportState = z.enum(["answered", "partly", "notFound", "disagree", "unchecked"]);

const title = z.string().max(200).openapi({ example: "Travel expenses" });
/** Clients often send the start of a message, so line breaks are replaced rather than rejected. */
const givenTitle = title
  .transform(plainText)
  .openapi({ type: "string", maxLength: 200, example: "Travel expenses" });
export const channel = z.enum(["web", "playground", "api", "widget", "slack"]);

export const chat = z
  .object({
    id,
    agentId: id,
    teamId: id,
    userId: id.nullable().openapi({ description: "Null for a chat of a visitor or an API key." }),
    title,
    summary: z.string().nullable(),
    channel,
    feedback: feedback.nullable(),
    undelivered: z.literal(true).optional().openapi({
      description: "Present if a reply did not reach the person in Slack.",
    }),
    ...times,
  })
  .openapi("Chat");
export type Chat = z.infer<typeof chat>;

export const startedChat = chat
  .extend({
    visitorToken: z.string().optional().openapi({
      description: "For callers without an account: send it as X-Visitor-Token.",
    }),
  })
  .openapi("StartedChat");

export const newChat = z
  .strictObject({
    title: givenTitle.optional(),
    channel: channel.exclude(["slack"]).optional().openapi({
      description: "Where the chat takes place. Absent: api for an API key, else web.",
    }),
  })
  .openapi("NewChat");

export const chatsQuery = cursorQuery.extend({
  dateStart: z.iso.date().optional().openapi({ description: "First day on which the chat was started." }),
  dateEnd: z.iso.date().optional().openapi({ description: "Last day." }),
  timeZone,
  chatId: z.uuid().optional(),
  channel: channel.optional(),
  rating: z
    .enum(["up", "down"])
    .optional()
    .openapi({ description: "Chats with this rating, or with a reply that has it." }),
  support: supportState.optional().openapi({ description: "Chats with a reply in this support state." }),
  search: z.string().max(200).optional().openapi({ description: "Part of the title or the summary." }),
  asked: z.literal("true").optional().openapi({
    description: "Without chats that have neither a title nor a message: nobody asked anything.",
  }),
});
export type ChatsQuery = z.infer<typeof chatsQuery>;

export const teamChatsQuery = chatsQuery.extend({
  agentId: z.uuid().optional(),
  search: chatsQuery.shape.search.openapi({
    description:
      "Part of the title or the summary, or words of one message in any order, the last of which may be incomplete. " +
      "Of messages, the newest 10,000 that match are considered.",
  }),
});

export const titleInput = z
  .strictObject({ title: givenTitle.pipe(z.string().min(1)).optional() })
  .openapi("TitleInput");
export const titleOutput = z.object({ title }).openapi("Title");
const summary = prose(10_000);
export const summaryInput = z.strictObject({ summary: summary.trim().min(1) }).openapi("SummaryInput");
export const summaryOutput = z.object({ summary }).openapi("Summary");
