// Owns GET /v1/dashboard: the overview of a team in one call.
import { readAsCaller } from "../../_shared/database/db.ts";
import { languageOf } from "../language.ts";
import { routes } from "../route.ts";
import { claimsOf, json, requireRow, router } from "../router.ts";
import { readDashboard } from "./queries.ts";
import { dashboardQuery, dashboard as shape } from "./schema.ts";

const route = routes({ tags: ["Teams"] });

/** Mounted at /v1/dashboard. */
export const dashboard = router().openapi(
  route({
    method: "get",
    path: "/",
    summary: "Read the overview of a team",
    description:
      "What needs attention, open tasks, the newest chats and the figures of 30 days. 404 for a caller without a team.",
    request: { query: dashboardQuery },
    responses: { 200: json(shape) },
  }),
  async (c) => {
    const query = c.req.valid("query");
    return c.json(
      requireRow(await readAsCaller(claimsOf(c), (tx) => readDashboard(tx, query, languageOf(c, tx)))),
      200,
    );
  },
);
