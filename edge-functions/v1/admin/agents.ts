// Owns the platform admins' endpoints for agents of every team.

import * as queries from "../agents/queries.ts";
import { agentCalls } from "../agents/routes.ts";
import { agentsQuery, newAgent } from "../agents/schema.ts";
import { listInTeam } from "../in-team.ts";
import { call } from "../route.ts";
import { jsonBody, router } from "../router.ts";
import { anyRow, everyTeam } from "./every-team.ts";
import { inAnyTeam, teamFilter } from "./place.ts";

const { list, create, read, update, remove } = agentCalls;
const query = agentsQuery.extend(teamFilter);
const listPublic = call(list[0], async (c) => {
  const asked = { ...c.req.valid("query"), visibility: "public" as const };
  return c.json(await listInTeam(c, (tx, team) => queries.listAgents(tx, team, asked)), 200);
});

/** Mounted at /v1/admin/agents. */
export const adminAgents = router()
  .openapi(
    ...everyTeam(list, "query", {
      path: "/",
      summary: "List the agents of every team, newest first",
      request: { query },
    }),
  )
  .openapi(
    ...everyTeam(create, "json", {
      path: "/",
      summary: "Create an agent in any team",
      request: { body: jsonBody(inAnyTeam(newAgent).openapi("NewAgentInTeam")) },
    }),
  )
  .openapi(
    ...everyTeam(listPublic, "query", {
      path: "/public",
      summary: "List the public agents of every team, newest first",
      request: { query },
    }),
  )
  .openapi(...anyRow(read, { path: "/{id}", summary: "Read any agent" }))
  .openapi(
    ...anyRow(update, {
      path: "/{id}",
      summary: "Update any agent",
    }),
  )
  .openapi(
    ...anyRow(remove, {
      path: "/{id}",
      summary: "Delete any agent and its chats",
    }),
  );
