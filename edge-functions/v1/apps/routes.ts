// Owns the calls for a team's apps. How an app is connected to Slack: ./slack.ts.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { leavingAfter } from "../../slack/installations.ts";
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
import * as queries from "./queries.ts";
import { app, appsQuery, appUpdate, newApp } from "./schema.ts";

const inTeam = z.object({ teamId: teamRef });
const oneInTeam = inTeam.extend({ id: z.uuid() });
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
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listApps(tx, await teamWith(tx, teamId, "apps.read"), c.req.valid("query")),
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
      const created = await asCaller(claimsOf(c), async (tx) =>
        queries.createApp(tx, await teamWith(tx, teamId, "apps.write"), c.req.valid("json")),
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
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readApp(tx, id, await teamWith(tx, teamId, "apps.read")),
      );
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
      const row = await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, teamId, "apps.read");
        const updated = await queries.updateApp(tx, team, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readApp(tx, id, team)) !== undefined);
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
        asCaller(claimsOf(c), async (tx) => {
          const team = await teamWith(tx, teamId, "apps.read");
          const deleted = await queries.deleteApp(tx, team, id);
          return await changed(deleted, async () => (await queries.readApp(tx, id, team)) !== undefined);
        }),
      );
      return c.body(null, 204);
    },
  );
