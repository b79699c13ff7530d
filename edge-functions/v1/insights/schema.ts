// Owns the shapes of insights.
import { z } from "@hono/zod-openapi";

const count = z.int();

export const insight = z
  .object({
    date: z.iso
      .date()
      .openapi({ description: "The first day of the day, week or month (UTC); weeks begin on Monday." }),
    chats: count.openapi({ description: "Begun." }),
    messages: count.openapi({ description: "Written by people." }),
    visitors: count.openapi({ description: "People without an account who wrote." }),
    up: count,
    down: count,
    unanswered: count.openapi({ description: "Replies for which no passage fitted." }),
    medianReplyMs: z.number().nullable().openapi({ description: "From the question to the whole reply." }),
  })
  .openapi("Insight");
export type Insight = z.infer<typeof insight>;

export const insightList = z.object({ data: z.array(insight) }).openapi("InsightList");

const dayMs = 86_400_000;
const mostDays = 3660;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last 30 days where no dates are given. */
export const insightsQuery = z
  .object({
    dateStart: z.iso.date().optional(),
    dateEnd: z.iso.date().optional(),
    group: z.enum(["day", "week", "month"]).default("day"),
  })
  .transform(({ dateStart, dateEnd, group }) => {
    const end = dateEnd ?? day(Date.now());
    return { dateStart: dateStart ?? day(Date.parse(end) - 29 * dayMs), dateEnd: end, group };
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
