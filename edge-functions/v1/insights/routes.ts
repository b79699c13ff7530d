// Owns the endpoints for insights: figures of one agent or of all a team's agents, and the questions that found no passage.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { cursorPageOf } from "../cursors.ts";
import { inTeam, readInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { type AppEnv, json, router } from "../router.ts";
import { listQuestions, readInsights, readTotals } from "./queries.ts";
import {
  type Insight,
  type InsightsQuery,
  insightList,
  insightsQuery,
  questionsQuery,
  unansweredQuestion,
} from "./schema.ts";

const route = routes({ tags: ["Insights"], permission: "insights.read" });

const answers = {
  200: {
    description: "OK",
    content: {
      "application/json": { schema: insightList },
      "text/csv": {
        schema: z.string().openapi({ description: "One line per row of data, column names first." }),
      },
    },
  },
};

/** Contains only figures and dates, so no field needs quoting. */
function csv(rows: Insight[]): string {
  const names = [
    "date",
    "chats",
    "messages",
    "visitors",
    "up",
    "down",
    "unanswered",
    "medianReplyMs",
    "handovers",
    "helped",
    "silent",
  ] as const satisfies (keyof Insight)[];
  const lines = rows.map((row) => names.map((name) => row[name] ?? "").join(","));
  return `${[names.join(","), ...lines].join("\r\n")}\r\n`;
}

/** @param agentId null: of all the team's agents */
async function answerInsights(c: Context<AppEnv>, agentId: string | null, query: InsightsQuery) {
  const found = await readInTeam(c, async (tx, teamId) => {
    const about = { teamId, agentId };
    const [data, totals] = await Promise.all([
      readInsights(tx, about, query),
      query.format === "csv" ? {} : readTotals(tx, about, query),
    ]);
    return { data, ...totals };
  });
  if (!("total" in found)) {
    const name = `insights-${query.dateStart}-${query.dateEnd}-${query.group}.csv`;
    return c.body(csv(found.data), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
  }
  return c.json(found, 200);
}

/** Mounted at /v1/teams. */
export const insights = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/insights/chats",
      // The name generated from the path would equal that of an agent's insights.
      operationId: "getTeamsInsightsOfAllChats",
      summary: "Count a team's chats, messages and outcomes",
      request: { params: inTeam, query: insightsQuery },
      responses: answers,
    }),
    async (c) => await answerInsights(c, null, c.req.valid("query")),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/insights/questions",
      summary: "List the questions for which no passage was found, newest first",
      description: "Only from chats that the caller may read.",
      request: { params: inTeam, query: questionsQuery },
      responses: { 200: json(cursorPageOf(unansweredQuestion)) },
    }),
    async (c) =>
      c.json(await readInTeam(c, (tx, team) => listQuestions(tx, team, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/insights/{agentId}/chats",
      summary: "Count an agent's chats, messages and outcomes",
      request: { params: inTeam.extend({ agentId: z.uuid() }), query: insightsQuery },
      responses: answers,
    }),
    async (c) => await answerInsights(c, c.req.valid("param").agentId, c.req.valid("query")),
  );
