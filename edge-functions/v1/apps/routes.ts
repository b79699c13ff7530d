// Owns the calls for a team's apps. How an app is connected to Slack: ./slack.ts.
import { createRoute } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { leavingAfter } from "../../slack/installations.ts";
import { changeInTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { claimsOf, failures, found, json, jsonBody, pageOf, router, signedIn } from "../router.ts";
import * as queries from "./queries.ts";
import { app, appsQuery, appUpdate, newApp } from "./schema.ts";

const tags = ["Apps"];

/** Mounted at /v1/teams. */
export const teamApps = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/apps",
      summary: "List a team's apps",
      tags,
      middleware: [signedIn],
      request: { params: inTeam, query: appsQuery },
      responses: { 200: json(pageOf(app)), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const page = await readInTeam(c, teamId, "apps.read", (tx, team) =>
        queries.listApps(tx, team, c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/apps",
      summary: "Make an app for an agent",
      description: "It is pending until it is connected: POST /v1/integration/slack/{agentId}.",
      tags,
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newApp) },
      responses: { 201: json(app, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const created = await workInTeam(c, teamId, "apps.write", (tx, team) =>
        queries.createApp(tx, team, c.req.valid("json")),
      );
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/apps/{id}",
      summary: "Read an app",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(app), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await readInTeam(c, teamId, "apps.read", (tx, team) => queries.readApp(tx, id, team));
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{teamId}/apps/{id}",
      summary: "Change an app",
      description: "Another agent begins every thread anew: what was said to the one before stays with it.",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(appUpdate) },
      responses: { 200: json(app), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await changeInTeam(c, teamId, "apps.read", {
        change: (tx, team) => queries.updateApp(tx, team, id, c.req.valid("json")),
        read: (tx, team) => queries.readApp(tx, id, team),
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/apps/{id}",
      summary: "Remove an app",
      description: "Its agent answers there no more. The last app of a workspace takes Parley out of it.",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const workspaces = await asCaller(claimsOf(c), (tx) => queries.workspacesOf(tx, { id }));
      await leavingAfter(workspaces, () =>
        changeInTeam(c, teamId, "apps.read", {
          change: (tx, team) => queries.deleteApp(tx, team, id),
          read: (tx, team) => queries.readApp(tx, id, team),
        }),
      );
      return c.body(null, 204);
    },
  );
