// Owns the platform admins' calls for API keys of every team.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { addApiKey } from "../api-keys/making.ts";
import * as queries from "../api-keys/queries.ts";
import { apiKey, apiKeysQuery, apiKeyUpdate, createdApiKey, newApiKey } from "../api-keys/schema.ts";
import { claimsOf, failures, found, json, jsonBody, pageOf, router, teamWith } from "../router.ts";
import { filteredTeam, inTeam, oneById, teamFilter, teamOf } from "./place.ts";

const tags = ["Admin"];

/** Mounted at /v1/admin/apiKeys. */
export const adminApiKeys = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the API keys of every team, newest first",
      tags,
      request: { query: apiKeysQuery.extend(teamFilter) },
      responses: { 200: json(pageOf(apiKey)), ...failures },
    }),
    async (c) => {
      const { teamId, ...rest } = c.req.valid("query");
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listApiKeys(tx, await filteredTeam(tx, teamId), rest),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Make an API key for any team",
      description: "The answer holds the key; it cannot be read again.",
      tags,
      request: {
        body: jsonBody(z.strictObject({ ...newApiKey.shape, ...inTeam }).openapi("NewApiKeyInTeam")),
      },
      responses: { 201: json(createdApiKey, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId, ...values } = c.req.valid("json");
      const created = await asCaller(claimsOf(c), async (tx) =>
        addApiKey(tx, await teamWith(tx, teamId, "apiKeys.write"), values),
      );
      return c.json(created, 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read any API key",
      tags,
      request: { params: oneById },
      responses: { 200: json(apiKey), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readApiKey(tx, await teamOf(tx, "api_keys", id), id),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change any API key's name or role",
      tags,
      request: { params: oneById, body: jsonBody(apiKeyUpdate) },
      responses: { 200: json(apiKey), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.updateApiKey(tx, await teamOf(tx, "api_keys", id), id, c.req.valid("json")),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Revoke any API key",
      tags,
      request: { params: oneById },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const deleted = await asCaller(claimsOf(c), async (tx) =>
        queries.deleteApiKey(tx, await teamOf(tx, "api_keys", id), id),
      );
      found(deleted);
      return c.body(null, 204);
    },
  );
