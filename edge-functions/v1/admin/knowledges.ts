// Owns the platform admins' calls for knowledges of every team.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import * as queries from "../knowledges/queries.ts";
import { findRecords, recordList, recordsQuery } from "../knowledges/records.ts";
import { knowledge, knowledgesQuery, knowledgeUpdate, newKnowledge } from "../knowledges/schema.ts";
import { accepted, claimsOf, failures, found, json, jsonBody, pageOf, router, teamWith } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { filteredTeam, inTeam, oneById, teamFilter, teamOf } from "./place.ts";

const tags = ["Admin"];

/** Mounted at /v1/admin/knowledges. */
export const adminKnowledges = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the knowledges of every team, newest first",
      tags,
      request: { query: knowledgesQuery.omit({ sort: true }).extend(teamFilter) },
      responses: { 200: json(pageOf(knowledge)), ...failures },
    }),
    async (c) => {
      const { teamId, ...rest } = c.req.valid("query");
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listKnowledges(tx, await filteredTeam(tx, teamId), rest),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Make a knowledge in any team",
      tags,
      request: {
        body: jsonBody(z.strictObject({ ...newKnowledge.shape, ...inTeam }).openapi("NewKnowledgeInTeam")),
      },
      responses: { 201: json(knowledge, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId, ...values } = c.req.valid("json");
      const created = await asCaller(claimsOf(c), async (tx) =>
        queries.createKnowledge(tx, await teamWith(tx, teamId, "knowledges.write"), values),
      );
      kickIndexing();
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}/records",
      summary: "Search the records of any knowledge, or list them",
      tags,
      request: { params: oneById, query: recordsQuery },
      responses: { 200: json(recordList), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(claimsOf(c), (tx) => teamOf(tx, "knowledges", id));
      return c.json({ data: await findRecords(claimsOf(c), id, c.req.valid("query")) }, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read any knowledge",
      tags,
      request: { params: oneById },
      responses: { 200: json(knowledge), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readKnowledge(tx, await teamOf(tx, "knowledges", id), id),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change any knowledge",
      tags,
      request: { params: oneById, body: jsonBody(knowledgeUpdate) },
      responses: { 200: json(knowledge), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.updateKnowledge(tx, await teamOf(tx, "knowledges", id), id, c.req.valid("json")),
      );
      kickIndexing();
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete any knowledge and its index",
      tags,
      request: { params: oneById },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const deleted = await asCaller(claimsOf(c), async (tx) =>
        queries.deleteKnowledge(tx, await teamOf(tx, "knowledges", id), id),
      );
      found(deleted);
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{id}/index",
      summary: "Index any knowledge",
      tags,
      request: { params: oneById },
      responses: { 202: json(accepted, "Accepted"), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const taskId = await asCaller(claimsOf(c), async (tx) => {
        await teamOf(tx, "knowledges", id);
        return await queries.indexKnowledge(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  );
