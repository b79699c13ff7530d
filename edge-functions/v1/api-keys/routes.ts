// Owns the calls for a team's API keys. A key is shown once, when it is made; removing it revokes it at once.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import {
  changed,
  claimsOf,
  failures,
  found,
  json,
  jsonBody,
  pageOf,
  router,
  signedIn,
  teamRef,
  teamWith,
} from "../router.ts";
import { addApiKey } from "./making.ts";
import * as queries from "./queries.ts";
import { apiKey, apiKeyUpdate, createdApiKey, newApiKey, teamApiKeysQuery } from "./schema.ts";

const inTeam = z.object({ teamId: teamRef });
const oneInTeam = inTeam.extend({ id: z.uuid() });
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
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listApiKeys(tx, await teamWith(tx, teamId, "apiKeys.read"), c.req.valid("query")),
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
      const created = await asCaller(claimsOf(c), async (tx) =>
        addApiKey(tx, await teamWith(tx, teamId, "apiKeys.write"), c.req.valid("json")),
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
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readApiKey(tx, await teamWith(tx, teamId, "apiKeys.read"), id),
      );
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
      const row = await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, teamId, "apiKeys.read");
        const updated = await queries.updateApiKey(tx, team, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readApiKey(tx, team, id)) !== undefined);
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
      await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, teamId, "apiKeys.read");
        const deleted = await queries.deleteApiKey(tx, team, id);
        return await changed(deleted, async () => (await queries.readApiKey(tx, team, id)) !== undefined);
      });
      return c.body(null, 204);
    },
  );
