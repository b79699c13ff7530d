// Owns the schemas of insights.

import { z } from "@hono/zod-openapi";
import { channel } from "../chats/schema.ts";
import { cursorQuery } from "../cursors.ts";
import { id, time } from "../router.ts";
import { dayIn, timeZone } from "../time-zones.ts";

const count = z.int();

const figures = {
  chats: count.openapi({ description: "Chats started." }),
  messages: count.openapi({ description: "Messages written by people." }),
  visitors: count.openapi({ description: "Visitors without an account who wrote." }),
  up: count,
  down: count,
  unanswered: count.openapi({
    description:
      "Replies without a fitting passage, those in the playground included. Runs of tests store no replies.",
  }),
  medianReplyMs: z.number().nullable().openapi({ description: "From the question to the complete reply." }),
  handovers: count.openapi({ description: "Handovers requested in chats started in the period." }),
  helped: count.openapi({
    description: "Chats started in the period with a thumbs up, for the chat or a reply, and none down.",
  }),
  silent: count.openapi({
    description:
      "Chats started in the period without a rating or a handover: whether they helped is unknown.",
  }),
};

export const insight = z
  .object({
    date: z.iso
      .date()
      .openapi({ description: "The first day of the day, week or month. Weeks start on Monday." }),
    ...figures,
  })
  .openapi("Insight");
export type Insight = z.infer<typeof insight>;

const period = z
  .object({ dateStart: z.iso.date(), dateEnd: z.iso.date(), ...figures })
  .openapi("InsightPeriod");
export type InsightPeriod = z.infer<typeof period>;

const supportCounts = z
  .object({ answered: count, partly: count, notFound: count, disagree: count, unchecked: count })
  .openapi("SupportCounts");
export type SupportCounts = z.infer<typeof supportCounts>;

export const insightList = z
  .object({
    data: z.array(insight),
    total: period.openapi({
      description: "The whole range. A visitor who returned counts once.",
    }),
    previous: period.openapi({ description: "The same number of days just before, for comparison." }),
    support: supportCounts.openapi({
      description: "Number of replies in the range by how well their sources support them.",
    }),
  })
  .openapi("InsightList");

const dayMs = 86_400_000;
const mostDays = 3660;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

type Range = { dateStart: string; dateEnd: string };

/** The first and the last day of figures. */
export const dates = {
  dateStart: z.iso
    .date()
    .optional()
    .openapi({ description: "The first day. Default: 29 days before the last." }),
  dateEnd: z.iso.date().optional().openapi({ description: "The last day. Default: today in the time zone." }),
};

/** Defaults to the last 30 days in the time zone. */
export function completeDates<T extends Partial<Range> & { timeZone: string }>({
  dateStart,
  dateEnd,
  ...rest
}: T) {
  const end = dateEnd ?? dayIn(new Date(), rest.timeZone);
  return { dateStart: dateStart ?? day(Date.parse(end) - 29 * dayMs), dateEnd: end, ...rest };
}

export function refuseDates({ dateStart, dateEnd }: Range, refuse: z.RefinementCtx): void {
  if (dateStart > dateEnd) {
    refuse.addIssue({ code: "custom", path: ["dateEnd"], message: "The end lies before the start." });
  }
  if (Date.parse(dateEnd) - Date.parse(dateStart) > mostDays * dayMs) {
    refuse.addIssue({ code: "custom", path: ["dateStart"], message: "Ask for ten years at most." });
  }
}

export const insightsQuery = z
  .object({
    ...dates,
    timeZone,
    group: z.enum(["day", "week", "month"]).default("day"),
    format: z
      .enum(["json", "csv"])
      .default("json")
      .openapi({ description: "csv: the rows of data as a file." }),
  })
  .transform(completeDates)
  .superRefine(refuseDates);
export type InsightsQuery = z.infer<typeof insightsQuery>;

/** The range of equal length that ends just before this one. */
export function rangeBefore({ dateStart, dateEnd }: Range): Range {
  const start = Date.parse(dateStart);
  const days = (Date.parse(dateEnd) - start) / dayMs + 1;
  return { dateStart: day(start - days * dayMs), dateEnd: day(start - dayMs) };
}

export const unansweredQuestion = z
  .object({
    id: id.openapi({ description: "The id of the reply without a fitting passage." }),
    chatId: id,
    agentId: id,
    channel,
    question: z.string(),
    askedAt: time,
  })
  .openapi("UnansweredQuestion");
export type UnansweredQuestion = z.infer<typeof unansweredQuestion>;

export const questionsQuery = cursorQuery.extend({
  agentId: z.uuid().optional(),
  dateStart: z.iso.date().optional().openapi({ description: "The first day." }),
  dateEnd: z.iso.date().optional().openapi({ description: "The last day." }),
  timeZone,
});
export type QuestionsQuery = z.infer<typeof questionsQuery>;
