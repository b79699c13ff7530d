// Owns the call for insights.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { claimsOf, failures, json, router, signedIn, teamRef, teamWith } from "../router.ts";
import { readInsights } from "./queries.ts";
import { insightList, insightsQuery } from "./schema.ts";

/** Mounted at /v1/teams. */
export const insights = router().openapi(
  createRoute({
    method: "get",
    path: "/{teamId}/insights/{agentId}/chats",
    tags: ["Insights"],
    summary: "Count what people asked of an agent, and how it went",
    middleware: [signedIn],
    request: { params: z.object({ teamId: teamRef, agentId: z.uuid() }), query: insightsQuery },
    responses: { 200: json(insightList), ...failures },
  }),
  async (c) => {
    const { teamId, agentId } = c.req.valid("param");
    const data = await asCaller(claimsOf(c), async (tx) =>
      readInsights(tx, await teamWith(tx, teamId, "insights.read"), agentId, c.req.valid("query")),
    );
    return c.json({ data }, 200);
  },
);
