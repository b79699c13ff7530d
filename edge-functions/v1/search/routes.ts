// Owns GET /v1/teams/{teamId}/search: one keyword search across a team's data.
import { inTeam, readInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { json, router } from "../router.ts";
import { search } from "./queries.ts";
import { searchQuery, searchResult } from "./schema.ts";

const route = routes({ tags: ["Teams"] });

/** Mounted at /v1/teams. */
export const teamSearch = router().openapi(
  route({
    method: "get",
    path: "/{teamId}/search",
    permission: "team.read",
    summary: "Search a team's data",
    description:
      "Agents, knowledge bases and sources by name, documents by title, passages and chats by text, as far as the caller may see them. Chats are the caller's own, or all with chats.read.",
    request: { params: inTeam, query: searchQuery },
    responses: { 200: json(searchResult) },
  }),
  async (c) => {
    const asked = c.req.valid("query");
    const data = await readInTeam(c, (tx, team) => search(tx, team, asked));
    return c.json({ data, total: data.length }, 200);
  },
);
