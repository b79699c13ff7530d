// Owns the calls for agents: a team's own, and the public ones that anyone may read.
import { createRoute, z } from "@hono/zod-openapi";
import { readAsCaller } from "../../_shared/db.ts";
import { changeInTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { failures, found, json, jsonBody, pageOf, router, signedIn } from "../router.ts";
import * as queries from "./queries.ts";
import {
  agent,
  agentsQuery,
  agentUpdate,
  agentUses,
  newAgent,
  publicAgent,
  teamAgentsQuery,
} from "./schema.ts";

const tags = ["Agents"];

/** Mounted at /v1/teams. */
export const teamAgents = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/agents",
      summary: "List a team's agents",
      tags,
      middleware: [signedIn],
      request: { params: inTeam, query: teamAgentsQuery },
      responses: { 200: json(pageOf(agent)), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const page = await readInTeam(c, teamId, "agents.read", (tx, team) =>
        queries.listAgents(tx, team, c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/agents",
      summary: "Make an agent",
      tags,
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newAgent) },
      responses: { 201: json(agent, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const created = await workInTeam(c, teamId, "agents.write", (tx, team) =>
        queries.createAgent(tx, team, c.req.valid("json")),
      );
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/agents/{id}",
      summary: "Read an agent",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(agent), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await readInTeam(c, teamId, "agents.read", (tx, team) => queries.readAgent(tx, team, id));
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{teamId}/agents/{id}",
      summary: "Change an agent",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(agentUpdate) },
      responses: { 200: json(agent), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await changeInTeam(c, teamId, "agents.read", {
        change: (tx, team) => queries.updateAgent(tx, team, id, c.req.valid("json")),
        read: (tx, team) => queries.readAgent(tx, team, id),
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/agents/{id}/uses",
      summary: "Count what hangs on an agent",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(agentUses), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const uses = await readInTeam(c, teamId, "agents.read", (tx, team) => queries.readUses(tx, team, id));
      return c.json(found(uses), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/agents/{id}",
      summary: "Delete an agent with its chats",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      await changeInTeam(c, teamId, "agents.read", {
        change: (tx, team) => queries.deleteAgent(tx, team, id),
        read: (tx, team) => queries.readAgent(tx, team, id),
      });
      return c.body(null, 204);
    },
  );

/** Mounted at /v1/agents. Read as a visitor whoever asks: a login opens no more of a public agent. */
export const publicAgents = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the public agents",
      tags,
      request: { query: agentsQuery },
      responses: { 200: json(pageOf(publicAgent)), ...failures },
    }),
    async (c) => {
      const page = await readAsCaller({ role: "anon" }, (tx) =>
        queries.listPublicAgents(tx, c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read a public agent",
      tags,
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: json(publicAgent), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await readAsCaller({ role: "anon" }, (tx) => queries.readPublicAgent(tx, id));
      return c.json(found(row), 200);
    },
  );
