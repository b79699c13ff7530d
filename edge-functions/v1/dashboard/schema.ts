// Owns the schema of a team's overview.
import { z } from "@hono/zod-openapi";
import { agent } from "../agents/schema.ts";
import { chat } from "../chats/schema.ts";
import { insight } from "../insights/schema.ts";
import { id } from "../router.ts";
import { task } from "../tasks/schema.ts";
import { timeZone } from "../time-zones.ts";
import { viewerQuery } from "../viewer/schema.ts";

export const dashboardQuery = viewerQuery.extend({ timeZone });
export type DashboardQuery = z.infer<typeof dashboardQuery>;

/** Rows that need attention: their number, and the first by name. */
const rowsInNeed = z.object({ total: z.int(), data: z.array(z.object({ id, name: z.string() })) });

/** Chat outcomes are part of the insights, not of the overview. */
const day = insight.omit({ handovers: true, helped: true, silent: true });
const change = day.omit({ date: true, visitors: true, medianReplyMs: true });

export const dashboard = z
  .object({
    teamId: id.openapi({ description: "The requested team, or the caller's first by name." }),
    agents: z.object({
      total: z.int(),
      data: z.array(agent.pick({ id: true, name: true, visibility: true })),
    }),
    knowledges: z.object({ total: z.int() }),
    chats: z
      .array(chat.pick({ id: true, title: true, updatedAt: true }))
      .openapi({ description: "The newest ones that the caller may read." }),
    tasks: z
      .array(
        task
          .pick({
            id: true,
            type: true,
            status: true,
            progress: true,
            message: true,
            sourceId: true,
            knowledgeId: true,
          })
          .extend({
            about: z.string().nullable().openapi({
              description: "Name of the knowledge base or source. Null if the caller may not see it.",
            }),
          }),
      )
      .openapi({ description: "Running and waiting tasks, newest first." }),
    attention: z.object({
      failedSources: rowsInNeed,
      failedKnowledges: rowsInNeed,
      staleKnowledges: rowsInNeed,
      overdueKnowledges: rowsInNeed,
      agentsWithoutKnowledge: rowsInNeed,
    }),
    insights: z
      .object({ data: z.array(day), total: change, previous: change })
      .nullable()
      .openapi({
        description:
          "The last 30 days, day by day, their sum and the sum of the 30 days before. Null without insights.read.",
      }),
  })
  .openapi("Dashboard");
export type Dashboard = z.infer<typeof dashboard>;
export type Day = z.infer<typeof day>;
export type Figures = z.infer<typeof change>;
