// Owns GET /v1/viewer: the user, their teams and invitations in one call, for a client that shows a page.
import { createRoute } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { accountOf } from "../auth/accounts.ts";
import { claimsOf, failures, found, json, router, signedInUser, userOf } from "../router.ts";
import { readViewer } from "./queries.ts";
import { viewer as shape, viewerQuery } from "./schema.ts";

/** Mounted at /v1/viewer. */
export const viewer = router().openapi(
  createRoute({
    method: "get",
    path: "/",
    summary: "Read the caller's account, teams and invitations",
    tags: ["Auth"],
    description: "What a client shows around every page, in one call.",
    middleware: [signedInUser],
    request: { query: viewerQuery },
    responses: { 200: json(shape), ...failures },
  }),
  async (c) => {
    const { id } = userOf(c);
    const { team } = c.req.valid("query");
    const viewer = await asCaller(claimsOf(c), (tx) => readViewer(tx, id, team));
    // Refuses an account that is banned or gone, with the reason.
    if (!viewer) await accountOf(id, claimsOf(c));
    return c.json(found(viewer), 200);
  },
);
