// Owns the calls for teams: those of the caller, and those that have invited them.
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
  signedInUser,
  teamRef,
} from "../router.ts";
import * as queries from "./queries.ts";
import { invitedTeam, newTeam, team, teamsQuery, teamUpdate } from "./schema.ts";

const tags = ["Teams"];
const one = z.object({ id: teamRef.openapi({ param: { name: "id", in: "path" } }) });

/** Mounted at /v1/teams. */
export const teams = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the caller's teams",
      tags,
      middleware: [signedIn],
      request: { query: teamsQuery },
      responses: { 200: json(pageOf(team)), ...failures },
    }),
    async (c) => {
      const page = await asCaller(claimsOf(c), (tx) => queries.listTeams(tx, c.req.valid("query")));
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Make a team",
      tags,
      description: "Makes a team with the caller as its owner.",
      middleware: [signedInUser],
      request: { body: jsonBody(newTeam) },
      responses: { 201: json(team, "Created"), ...failures },
    }),
    async (c) => {
      const created = await asCaller(claimsOf(c), (tx) => queries.createTeam(tx, c.req.valid("json")));
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/pending-invites",
      summary: "List the teams that have invited the caller",
      tags,
      middleware: [signedInUser],
      request: { query: teamsQuery },
      responses: { 200: json(pageOf(invitedTeam)), ...failures },
    }),
    async (c) => {
      const page = await asCaller(claimsOf(c), (tx) => queries.listInvitations(tx, c.req.valid("query")));
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read a team",
      tags,
      middleware: [signedIn],
      request: { params: one },
      responses: { 200: json(team), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(found(await asCaller(claimsOf(c), (tx) => queries.readTeam(tx, id))), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change a team",
      tags,
      middleware: [signedIn],
      request: { params: one, body: jsonBody(teamUpdate) },
      responses: { 200: json(team), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const updated = await queries.updateTeam(tx, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readTeam(tx, id)) !== undefined);
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete a team",
      tags,
      description: "Deletes the team with everything in it.",
      middleware: [signedIn],
      request: { params: one },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const deleted = await queries.deleteTeam(tx, id);
        return await changed(deleted, async () => (await queries.readTeam(tx, id)) !== undefined);
      });
      return c.body(null, 204);
    },
  );
