// Owns the platform admins' calls for every team.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { claimsOf, failures, found, json, jsonBody, pageOf, router, teamRef } from "../router.ts";
import * as queries from "../teams/queries.ts";
import { newTeam, team, teamsQuery, teamUpdate } from "../teams/schema.ts";

const tags = ["Admin"];
const one = z.object({ id: teamRef.openapi({ param: { name: "id", in: "path" } }) });

/** Mounted at /v1/admin/teams. `role` is the platform admin's own in the team: null where they are no member. */
export const adminTeams = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List every team",
      tags,
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
      description: "Makes a team with the calling platform admin as its owner.",
      tags,
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
      path: "/{id}",
      summary: "Read any team",
      tags,
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
      summary: "Change any team",
      tags,
      request: { params: one, body: jsonBody(teamUpdate) },
      responses: { 200: json(team), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), (tx) => queries.updateTeam(tx, id, c.req.valid("json")));
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete any team",
      description: "Deletes the team with everything in it.",
      tags,
      request: { params: one },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      found(await asCaller(claimsOf(c), (tx) => queries.deleteTeam(tx, id)));
      return c.body(null, 204);
    },
  );
