// Owns the calls for knowledges. Search in their records is ./records.ts's.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import {
  accepted,
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
import { kickIndexing } from "../tasks/kick.ts";
import * as queries from "./queries.ts";
import { knowledge, knowledgesQuery, knowledgeUpdate, newKnowledge } from "./schema.ts";

const inTeam = z.object({ teamId: teamRef });
const oneInTeam = inTeam.extend({ id: z.uuid() });
const tags = ["Knowledges"];

/** Mounted at /v1/teams. */
export const knowledges = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/knowledges",
      tags,
      summary: "List a team's knowledges",
      middleware: [signedIn],
      request: { params: inTeam, query: knowledgesQuery },
      responses: { 200: json(pageOf(knowledge)), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const page = await asCaller(claimsOf(c), async (tx) =>
        queries.listKnowledges(tx, await teamWith(tx, teamId, "knowledges.read"), c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/knowledges",
      tags,
      summary: "Make a knowledge",
      description: "With files or sources, its indexing begins by itself.",
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newKnowledge) },
      responses: { 201: json(knowledge, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const created = await asCaller(claimsOf(c), async (tx) =>
        queries.createKnowledge(tx, await teamWith(tx, teamId, "knowledges.write"), c.req.valid("json")),
      );
      kickIndexing();
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/knowledges/{id}",
      tags,
      summary: "Read a knowledge",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(knowledge), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        queries.readKnowledge(tx, await teamWith(tx, teamId, "knowledges.read"), id),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{teamId}/knowledges/{id}",
      tags,
      summary: "Change a knowledge",
      description: "Other sources, more files, another language or chunking: it is indexed again by itself.",
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(knowledgeUpdate) },
      responses: { 200: json(knowledge), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, teamId, "knowledges.read");
        const updated = await queries.updateKnowledge(tx, team, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readKnowledge(tx, team, id)) !== undefined);
      });
      kickIndexing();
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/knowledges/{id}",
      tags,
      summary: "Delete a knowledge and its index",
      description: "Its sources and files stay.",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, teamId, "knowledges.read");
        const deleted = await queries.deleteKnowledge(tx, team, id);
        await changed(deleted, async () => (await queries.readKnowledge(tx, team, id)) !== undefined);
      });
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/knowledges/{id}/index",
      tags,
      summary: "Index a knowledge",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted"), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const taskId = await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, teamId, "knowledges.read");
        found(await queries.readKnowledge(tx, team, id));
        return await queries.indexKnowledge(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  );
