// Owns the shapes of insights.

import { z } from "@hono/zod-openapi";
import { cursorQuery } from "../cursors.ts";
import { id, time } from "../router.ts";
import { dayIn, timeZone } from "../time-zones.ts";

const count = z.int();

const figures = {
  chats: count.openapi({ description: "Begun." }),
  messages: count.openapi({ description: "Written by people." }),
  visitors: count.openapi({ description: "People without an account who wrote." }),
  up: count,
  down: count,
  unanswered: count.openapi({ description: "Replies for which no passage fitted." }),
  medianReplyMs: z.number().nullable().openapi({ description: "From the question to the whole reply." }),
  handovers: count.openapi({ description: "How often a person was asked for, in the chats begun." }),
  helped: count.openapi({
    description: "Chats begun that were rated up, as a whole or one of their replies, and never down.",
  }),
  silent: count.openapi({
    description: "Chats begun that ended without a rating or a handover: nobody knows whether they helped.",
  }),
};

export const insight = z
  .object({
    date: z.iso
      .date()
      .openapi({ description: "The first day of the day, week or month; weeks begin on Monday." }),
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
      description: "Of all the days asked for; somebody who came twice is one visitor.",
    }),
    previous: period.openapi({ description: "Of as many days just before, to compare with." }),
    support: supportCounts.openapi({
      description: "How many replies of all the days asked for their sources support how far.",
    }),
  })
  .openapi("InsightList");

const dayMs = 86_400_000;
const mostDays = 3660;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

type Range = { dateStart: string; dateEnd: string };

/** The last 30 days of the zone where no dates are given. */
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
    dateStart: z.iso.date().optional(),
    dateEnd: z.iso.date().optional(),
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

/** As many days as a range has, just before it. */
export function rangeBefore({ dateStart, dateEnd }: Range): Range {
  const start = Date.parse(dateStart);
  const days = (Date.parse(dateEnd) - start) / dayMs + 1;
  return { dateStart: day(start - days * dayMs), dateEnd: day(start - dayMs) };
}

export const unansweredQuestion = z
  .object({
    id: id.openapi({ description: "Of the reply for which no passage fitted." }),
    chatId: id,
    agentId: id,
    channel: z.enum(["web", "playground", "api", "widget", "slack"]),
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
