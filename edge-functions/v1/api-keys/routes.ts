// Owns the calls for a team's API keys. A key is shown once, when it is made; removing it revokes it at once.
import { createRoute } from "@hono/zod-openapi";
import { changeInTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { failures, found, json, jsonBody, pageOf, router, signedIn } from "../router.ts";
import { addApiKey } from "./making.ts";
import * as queries from "./queries.ts";
import { apiKey, apiKeyUpdate, createdApiKey, newApiKey, teamApiKeysQuery } from "./schema.ts";

const tags = ["API keys"];

/** Mounted at /v1/teams. */
export const teamApiKeys = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/apiKeys",
      summary: "List a team's API keys",
      tags,
      middleware: [signedIn],
      request: { params: inTeam, query: teamApiKeysQuery },
      responses: { 200: json(pageOf(apiKey)), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const page = await readInTeam(c, teamId, "apiKeys.read", (tx, team) =>
        queries.listApiKeys(tx, team, c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/apiKeys",
      summary: "Make an API key",
      tags,
      description: "The answer holds the key; it cannot be read again.",
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newApiKey) },
      responses: { 201: json(createdApiKey, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const created = await workInTeam(c, teamId, "apiKeys.write", (tx, team) =>
        addApiKey(tx, team, c.req.valid("json")),
      );
      return c.json(created, 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/apiKeys/{id}",
      summary: "Read an API key",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(apiKey), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await readInTeam(c, teamId, "apiKeys.read", (tx, team) => queries.readApiKey(tx, team, id));
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{teamId}/apiKeys/{id}",
      summary: "Change an API key's name or role",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(apiKeyUpdate) },
      responses: { 200: json(apiKey), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await changeInTeam(c, teamId, "apiKeys.read", {
        change: (tx, team) => queries.updateApiKey(tx, team, id, c.req.valid("json")),
        read: (tx, team) => queries.readApiKey(tx, team, id),
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/apiKeys/{id}",
      summary: "Revoke an API key",
      tags,
      description: "Revokes the key.",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      await changeInTeam(c, teamId, "apiKeys.read", {
        change: (tx, team) => queries.deleteApiKey(tx, team, id),
        read: (tx, team) => queries.readApiKey(tx, team, id),
      });
      return c.body(null, 204);
    },
  );
