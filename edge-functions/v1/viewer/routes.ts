// Owns GET /v1/viewer: the user, their teams and invitations in one call, for a client that shows a page.
import { accountOf } from "../auth/accounts.ts";
import { routes } from "../route.ts";
import { claimsOf, json, requireRow, router, userOf } from "../router.ts";
import { readViewer } from "./queries.ts";
import { viewer as shape, viewerQuery } from "./schema.ts";

const route = routes({ tags: ["Auth"] });

/** Mounted at /v1/viewer. */
export const viewer = router().openapi(
  route({
    method: "get",
    path: "/",
    access: "user",
    summary: "Read the caller's account, teams and invitations",
    description: "What a client shows around every page, in one call.",
    request: { query: viewerQuery },
    responses: { 200: json(shape) },
  }),
  async (c) => {
    const { id } = userOf(c);
    const { team } = c.req.valid("query");
    const viewer = await readViewer(claimsOf(c), id, team);
    // Throws the reason for a banned or deleted account.
    if (!viewer) await accountOf(id, claimsOf(c));
    return c.json(requireRow(viewer), 200);
  },
);
