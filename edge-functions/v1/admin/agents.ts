// Owns the platform admins' calls for agents of every team.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import * as queries from "../agents/queries.ts";
import { agent, agentsQuery, agentUpdate, newAgent } from "../agents/schema.ts";
import { claimsOf, failures, found, json, jsonBody, pageOf, router, teamWith } from "../router.ts";
import { filteredTeam, inTeam, oneById, teamFilter, teamOf } from "./place.ts";

const tags = ["Admin"];
const query = agentsQuery.extend(teamFilter);

/** Mounted at /v1/admin/agents. */
export const adminAgents = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the agents of every team, newest first",
      tags,
      request: { query },
      responses: { 200: json(pageOf(agent)), ...failures },
    }),
    async (c) => {
      const { teamId, ...rest } = c.req.valid("query");
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listAgents(tx, await filteredTeam(tx, teamId), rest),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Make an agent in any team",
      tags,
      request: { body: jsonBody(z.strictObject({ ...newAgent.shape, ...inTeam }).openapi("NewAgentInTeam")) },
      responses: { 201: json(agent, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId, ...values } = c.req.valid("json");
      const created = await asCaller(claimsOf(c), async (tx) =>
        queries.createAgent(tx, await teamWith(tx, teamId, "agents.write"), values),
      );
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/public",
      summary: "List the public agents of every team, newest first",
      tags,
      request: { query },
      responses: { 200: json(pageOf(agent)), ...failures },
    }),
    async (c) => {
      const { teamId, ...rest } = c.req.valid("query");
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listAgents(tx, await filteredTeam(tx, teamId), { ...rest, visibility: "public" }),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read any agent",
      tags,
      request: { params: oneById },
      responses: { 200: json(agent), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readAgent(tx, await teamOf(tx, "agents", id), id),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change any agent",
      tags,
      request: { params: oneById, body: jsonBody(agentUpdate) },
      responses: { 200: json(agent), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.updateAgent(tx, await teamOf(tx, "agents", id), id, c.req.valid("json")),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete any agent with its chats",
      tags,
      request: { params: oneById },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const deleted = await asCaller(claimsOf(c), async (tx) =>
        queries.deleteAgent(tx, await teamOf(tx, "agents", id), id),
      );
      found(deleted);
      return c.body(null, 204);
    },
  );
