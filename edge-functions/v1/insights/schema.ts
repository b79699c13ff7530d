// Owns the shapes of insights.
import { z } from "@hono/zod-openapi";
import { cursorQuery, id, time } from "../router.ts";

const count = z.int();

const figures = {
  chats: count.openapi({ description: "Begun." }),
  messages: count.openapi({ description: "Written by people." }),
  visitors: count.openapi({ description: "People without an account who wrote." }),
  up: count,
  down: count,
  unanswered: count.openapi({ description: "Replies for which no passage fitted." }),
  medianReplyMs: z.number().nullable().openapi({ description: "From the question to the whole reply." }),
};

export const insight = z
  .object({
    date: z.iso
      .date()
      .openapi({ description: "The first day of the day, week or month (UTC); weeks begin on Monday." }),
    ...figures,
  })
  .openapi("Insight");
export type Insight = z.infer<typeof insight>;

const period = z
  .object({ dateStart: z.iso.date(), dateEnd: z.iso.date(), ...figures })
  .openapi("InsightPeriod");
export type InsightPeriod = z.infer<typeof period>;

export const insightList = z
  .object({
    data: z.array(insight),
    total: period.openapi({
      description: "Of all the days asked for; somebody who came twice is one visitor.",
    }),
    previous: period.openapi({ description: "Of as many days just before, to compare with." }),
  })
  .openapi("InsightList");

const dayMs = 86_400_000;
const mostDays = 3660;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last 30 days where no dates are given. */
export const insightsQuery = z
  .object({
    dateStart: z.iso.date().optional(),
    dateEnd: z.iso.date().optional(),
    group: z.enum(["day", "week", "month"]).default("day"),
    format: z
      .enum(["json", "csv"])
      .default("json")
      .openapi({ description: "csv: the rows of data as a file." }),
  })
  .transform(({ dateStart, dateEnd, ...rest }) => {
    const end = dateEnd ?? day(Date.now());
    return { dateStart: dateStart ?? day(Date.parse(end) - 29 * dayMs), dateEnd: end, ...rest };
  })
  .refine(({ dateStart, dateEnd }) => dateStart <= dateEnd, {
    path: ["dateEnd"],
    message: "The end lies before the start.",
  })
  .refine(({ dateStart, dateEnd }) => Date.parse(dateEnd) - Date.parse(dateStart) <= mostDays * dayMs, {
    path: ["dateStart"],
    message: "Ask for ten years at most.",
  });
export type InsightsQuery = z.infer<typeof insightsQuery>;

type Range = { dateStart: string; dateEnd: string };

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
  dateStart: z.iso.date().optional().openapi({ description: "The first day (UTC)." }),
  dateEnd: z.iso.date().optional().openapi({ description: "The last day." }),
});
export type QuestionsQuery = z.infer<typeof questionsQuery>;
