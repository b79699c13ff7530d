// Owns GET /v1/dashboard: the overview of a team in one call.
import { createRoute } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { languageOf } from "../language.ts";
import { claimsOf, failures, found, json, router, signedIn } from "../router.ts";
import { readDashboard } from "./queries.ts";
import { dashboardQuery, dashboard as shape } from "./schema.ts";

/** Mounted at /v1/dashboard. */
export const dashboard = router().openapi(
  createRoute({
    method: "get",
    path: "/",
    summary: "Read the overview of a team",
    tags: ["Teams"],
    description:
      "What needs somebody, what is being worked on, the newest chats and the figures of 30 days. 404 for a caller without a team.",
    middleware: [signedIn],
    request: { query: dashboardQuery },
    responses: { 200: json(shape), ...failures },
  }),
  async (c) => {
    const { team } = c.req.valid("query");
    const overview = await asCaller(claimsOf(c), async (tx) =>
      readDashboard(tx, team, await languageOf(c, tx)),
    );
    return c.json(found(overview), 200);
  },
);
