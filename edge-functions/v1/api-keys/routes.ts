// Owns the endpoints for a team's API keys. A secret is shown once, on creation; deleting a key revokes it immediately.
import { changeInTeam, inTeam, listInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { call, routes } from "../route.ts";
import { json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { addApiKey } from "./creating.ts";
import * as queries from "./queries.ts";
import { apiKey, apiKeyUpdate, createdApiKey, newApiKey, teamApiKeysQuery } from "./schema.ts";

const route = routes({ tags: ["API keys"] });

export const apiKeyCalls = {
  list: call(
    route({
      method: "get",
      path: "/{teamId}/apiKeys",
      permission: "apiKeys.read",
      summary: "List a team's API keys",
      request: { params: inTeam, query: teamApiKeysQuery },
      responses: { 200: json(pageOf(apiKey)) },
    }),
    async (c) =>
      c.json(await listInTeam(c, (tx, team) => queries.listApiKeys(tx, team, c.req.valid("query"))), 200),
  ),
  create: call(
    route({
      method: "post",
      path: "/{teamId}/apiKeys",
      permission: "apiKeys.write",
      summary: "Create an API key",
      description: "The response contains the key; it cannot be read again.",
      request: { params: inTeam, body: jsonBody(newApiKey) },
      responses: { 201: json(createdApiKey, "Created") },
    }),
    async (c) => c.json(await workInTeam(c, (tx, team) => addApiKey(tx, team, c.req.valid("json"))), 201),
  ),
  read: call(
    route({
      method: "get",
      path: "/{teamId}/apiKeys/{id}",
      permission: "apiKeys.read",
      summary: "Read an API key",
      request: { params: oneInTeam },
      responses: { 200: json(apiKey) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readInTeam(c, (tx, team) => queries.readApiKey(tx, team, id))), 200);
    },
  ),
  update: call(
    route({
      method: "put",
      path: "/{teamId}/apiKeys/{id}",
      permission: "apiKeys.read",
      summary: "Update an API key's name or role",
      request: { params: oneInTeam, body: jsonBody(apiKeyUpdate) },
      responses: { 200: json(apiKey) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(
        await changeInTeam(c, {
          change: (tx, team) => queries.updateApiKey(tx, team, id, c.req.valid("json")),
          read: (tx, team) => queries.readApiKey(tx, team, id),
        }),
        200,
      );
    },
  ),
  remove: call(
    route({
      method: "delete",
      path: "/{teamId}/apiKeys/{id}",
      permission: "apiKeys.read",
      summary: "Revoke an API key",
      description: "Revokes the key.",
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await changeInTeam(c, {
        change: (tx, team) => queries.deleteApiKey(tx, team, id),
        read: (tx, team) => queries.readApiKey(tx, team, id),
      });
      return c.body(null, 204);
    },
  ),
};

/** Mounted at /v1/teams. */
export const teamApiKeys = router()
  .openapi(...apiKeyCalls.list)
  .openapi(...apiKeyCalls.create)
  .openapi(...apiKeyCalls.read)
  .openapi(...apiKeyCalls.update)
  .openapi(...apiKeyCalls.remove);
