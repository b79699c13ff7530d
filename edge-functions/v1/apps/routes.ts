// Owns the endpoints for a team's apps. ./slack.ts connects an app to Slack.
import { asCaller } from "../../_shared/database/db.ts";
import { revokeUnusedTokensAfter } from "../../slack/installations.ts";
import { changeInTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { versionIn } from "../row-versions.ts";
import * as queries from "./queries.ts";
import { app, appsQuery, appUpdate, newApp } from "./schema.ts";

const route = routes({ tags: ["Apps"] });

/** Mounted at /v1/teams. */
export const teamApps = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/apps",
      permission: "apps.read",
      summary: "List a team's apps",
      request: { params: inTeam, query: appsQuery },
      responses: { 200: json(pageOf(app)) },
    }),
    async (c) =>
      c.json(await readInTeam(c, (tx, team) => queries.listApps(tx, team, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/apps",
      permission: "apps.write",
      summary: "Create an app for an agent",
      description: "It is pending until it is connected with POST /v1/integration/slack/{agentId}.",
      request: { params: inTeam, body: jsonBody(newApp) },
      responses: { 201: json(app, "Created") },
    }),
    async (c) =>
      c.json(
        requireRow(await workInTeam(c, (tx, team) => queries.createApp(tx, team, c.req.valid("json")))),
        201,
      ),
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/apps/{id}",
      permission: "apps.read",
      summary: "Read an app",
      request: { params: oneInTeam },
      responses: { 200: json(app) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readInTeam(c, (tx, team) => queries.readApp(tx, id, team))), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/apps/{id}",
      permission: "apps.read",
      versioned: true,
      summary: "Update an app",
      description:
        "Changing the agent starts a new chat in every thread: earlier chats stay with the previous agent.",
      request: { params: oneInTeam, body: jsonBody(appUpdate) },
      responses: { 200: json(app) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(
        await changeInTeam(c, {
          change: (tx, team) => queries.updateApp(tx, team, id, c.req.valid("json"), versionIn(c)),
          read: (tx, team) => queries.readApp(tx, id, team),
        }),
        200,
      );
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/apps/{id}",
      permission: "apps.read",
      summary: "Delete an app",
      description:
        "Its agent no longer answers there. Deleting the last app of a workspace removes Parley from it.",
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const workspaces = await asCaller(claimsOf(c), (tx) => queries.workspacesOf(tx, { column: "id", id }));
      await revokeUnusedTokensAfter(workspaces, () =>
        changeInTeam(c, {
          change: (tx, team) => queries.deleteApp(tx, team, id),
          read: (tx, team) => queries.readApp(tx, id, team),
        }),
      );
      return c.body(null, 204);
    },
  );
