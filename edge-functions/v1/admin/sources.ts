// Owns the platform admins' calls for sources of every team.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { claimsOf, failures, found, json, jsonBody, pageOf, router } from "../router.ts";
import { addSource, changeSource } from "../sources/changes.ts";
import * as queries from "../sources/queries.ts";
import { newSource, source, sourcesQuery, sourceUpdate } from "../sources/schema.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { filteredTeam, inTeam, oneById, teamFilter, teamOf } from "./place.ts";

const tags = ["Admin"];

/** Mounted at /v1/admin/sources. */
export const adminSources = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the sources of every team, newest first",
      tags,
      request: { query: sourcesQuery.omit({ sort: true }).extend(teamFilter) },
      responses: { 200: json(pageOf(source)), ...failures },
    }),
    async (c) => {
      const { teamId, ...rest } = c.req.valid("query");
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listSources(tx, await filteredTeam(tx, teamId), rest),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Add a source to any team",
      tags,
      request: {
        body: jsonBody(z.strictObject({ ...newSource.shape, ...inTeam }).openapi("NewSourceInTeam")),
      },
      responses: { 201: json(source, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId, ...values } = c.req.valid("json");
      return c.json(await addSource(claimsOf(c), teamId, values), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read any source",
      tags,
      request: { params: oneById },
      responses: { 200: json(source), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readSource(tx, await teamOf(tx, "sources", id), id),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change any source",
      tags,
      request: { params: oneById, body: jsonBody(sourceUpdate) },
      responses: { 200: json(source), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const teamId = await asCaller(claimsOf(c), (tx) => teamOf(tx, "sources", id));
      return c.json(await changeSource(claimsOf(c), teamId, id, c.req.valid("json")), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete any source with its documents",
      tags,
      request: { params: oneById },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const deleted = await asCaller(claimsOf(c), async (tx) =>
        queries.deleteSource(tx, await teamOf(tx, "sources", id), id),
      );
      found(deleted);
      kickIndexing();
      return c.body(null, 204);
    },
  );
