// Owns the endpoints for agents: a team's own, and the public ones that anyone may read.
import { Buffer } from "node:buffer";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readAsCaller } from "../../_shared/database/db.ts";
import { avatarType } from "../../_shared/text/avatars.ts";
import { changeInTeam, inTeam, listInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { call, routes } from "../route.ts";
import { type AppEnv, json, jsonBody, oneById, pageOf, requireRow, router } from "../router.ts";
import { versionIn } from "../row-versions.ts";
import { deletedResponse, removeInTeam, restoreInTeam, restoring } from "../undoing.ts";
import { addressRef, newAvatar } from "./appearance.ts";
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

const route = routes({ tags: ["Agents"] });

const picture = {
  description: "A PNG, JPEG or WebP",
  content: { "image/*": { schema: z.string().openapi({ format: "binary" }) } },
};

/** The content type is detected from the bytes, and nosniff keeps a browser from guessing another. */
function showPicture(c: Context<AppEnv>, base64: string | undefined) {
  const data = requireRow(base64);
  return c.body(Buffer.from(data, "base64"), 200, {
    "Content-Type": requireRow(avatarType(data)),
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-site",
    "X-Content-Type-Options": "nosniff",
    // A changed image has another URL.
    "Cache-Control": "private, max-age=3600",
  });
}

const changeAvatar = (c: Context<AppEnv>, id: string, data: string) =>
  changeInTeam(c, {
    change: (tx, team) => queries.setAvatar(tx, team, id, data),
    read: (tx, team) => queries.readAgent(tx, team, id),
  });

export const agentCalls = {
  list: call(
    route({
      method: "get",
      path: "/{teamId}/agents",
      permission: "agents.read",
      summary: "List a team's agents",
      request: { params: inTeam, query: teamAgentsQuery },
      responses: { 200: json(pageOf(agent)) },
    }),
    async (c) =>
      c.json(await listInTeam(c, (tx, team) => queries.listAgents(tx, team, c.req.valid("query"))), 200),
  ),
  create: call(
    route({
      method: "post",
      path: "/{teamId}/agents",
      permission: "agents.write",
      summary: "Create an agent",
      request: { params: inTeam, body: jsonBody(newAgent) },
      responses: { 201: json(agent, "Created") },
    }),
    async (c) =>
      c.json(
        requireRow(await workInTeam(c, (tx, team) => queries.createAgent(tx, team, c.req.valid("json")))),
        201,
      ),
  ),
  read: call(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}",
      permission: "agents.read",
      summary: "Read an agent",
      request: { params: oneInTeam },
      responses: { 200: json(agent) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readInTeam(c, (tx, team) => queries.readAgent(tx, team, id))), 200);
    },
  ),
  update: call(
    route({
      method: "put",
      path: "/{teamId}/agents/{id}",
      permission: "agents.read",
      versioned: true,
      summary: "Update an agent",
      request: { params: oneInTeam, body: jsonBody(agentUpdate) },
      responses: { 200: json(agent) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(
        await changeInTeam(c, {
          change: (tx, team) => queries.updateAgent(tx, team, id, c.req.valid("json"), versionIn(c)),
          read: (tx, team) => queries.readAgent(tx, team, id),
        }),
        200,
      );
    },
  ),
  uses: call(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/uses",
      permission: "agents.read",
      summary: "Count what depends on an agent",
      request: { params: oneInTeam },
      responses: { 200: json(agentUses) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readInTeam(c, (tx, team) => queries.readUses(tx, team, id))), 200);
    },
  ),
  remove: call(
    route({
      method: "delete",
      path: "/{teamId}/agents/{id}",
      permission: "agents.read",
      summary: "Delete an agent and its chats",
      request: { params: oneInTeam },
      responses: deletedResponse,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await removeInTeam(
        c,
        { kind: "agents", id },
        {
          remove: (tx, team) => queries.deleteAgent(tx, team, id),
          read: (tx, team) => queries.readAgent(tx, team, id),
        },
      );
      return c.body(null, 204);
    },
  ),
  restore: call(
    route({
      method: "post",
      path: "/{teamId}/agents/{id}/restore",
      permission: "agents.write",
      summary: "Restore a deleted agent",
      ...restoring,
      request: { params: oneInTeam },
      responses: { 200: json(agent) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await restoreInTeam(c, { kind: "agents", id }, (tx, team) =>
        queries.readAgent(tx, team, id),
      );
      return c.json(row, 200);
    },
  ),
  readAvatar: call(
    route({
      method: "get",
      path: "/{teamId}/agents/{id}/avatar",
      permission: "agents.read",
      summary: "Get an agent's avatar",
      request: { params: oneInTeam },
      responses: { 200: picture },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return showPicture(c, await readInTeam(c, (tx, team) => queries.readAvatar(tx, team, id)));
    },
  ),
  setAvatar: call(
    route({
      method: "put",
      path: "/{teamId}/agents/{id}/avatar",
      permission: "agents.read",
      summary: "Set an agent's avatar",
      request: { params: oneInTeam, body: jsonBody(newAvatar) },
      responses: { 200: json(agent) },
    }),
    async (c) => c.json(await changeAvatar(c, c.req.valid("param").id, c.req.valid("json").data), 200),
  ),
  removeAvatar: call(
    route({
      method: "delete",
      path: "/{teamId}/agents/{id}/avatar",
      permission: "agents.read",
      summary: "Delete an agent's avatar",
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      await changeAvatar(c, c.req.valid("param").id, "");
      return c.body(null, 204);
    },
  ),
};

/** Mounted at /v1/teams. */
export const teamAgents = router()
  .openapi(...agentCalls.list)
  .openapi(...agentCalls.create)
  .openapi(...agentCalls.read)
  .openapi(...agentCalls.update)
  .openapi(...agentCalls.uses)
  .openapi(...agentCalls.remove)
  .openapi(...agentCalls.restore)
  .openapi(...agentCalls.readAvatar)
  .openapi(...agentCalls.setAvatar)
  .openapi(...agentCalls.removeAvatar);

/** Mounted at /v1/agents. Reads as a visitor, whoever calls: the fields of a public agent are the same with a login. */
export const publicAgents = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      access: "anyone",
      summary: "List the public agents",
      request: { query: agentsQuery },
      responses: { 200: json(pageOf(publicAgent)) },
    }),
    async (c) =>
      c.json(
        await readAsCaller({ role: "anon" }, (tx) => queries.listPublicAgents(tx, c.req.valid("query"))),
        200,
      ),
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}",
      access: "anyone",
      summary: "Read a public agent",
      description: "By its id, or by its current or a previous short address.",
      request: { params: z.object({ id: z.union([z.uuid(), addressRef]) }) },
      responses: { 200: json(publicAgent) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(
        requireRow(await readAsCaller({ role: "anon" }, (tx) => queries.readPublicAgent(tx, id))),
        200,
      );
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}/avatar",
      access: "anyone",
      summary: "Get a public agent's avatar",
      request: { params: oneById },
      responses: { 200: picture },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return showPicture(c, await readAsCaller({ role: "anon" }, (tx) => queries.readAvatar(tx, null, id)));
    },
  );
