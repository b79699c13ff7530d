// Owns the calls for knowledges. Search in their records is ./records.ts's.
import { createRoute } from "@hono/zod-openapi";
import { changeInTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { accepted, failures, found, json, jsonBody, pageOf, router, signedIn } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import * as queries from "./queries.ts";
import { knowledge, knowledgesQuery, knowledgeUpdate, newKnowledge } from "./schema.ts";

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
      const page = await readInTeam(c, teamId, "knowledges.read", (tx, team) =>
        queries.listKnowledges(tx, team, c.req.valid("query")),
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
      const created = await workInTeam(c, teamId, "knowledges.write", (tx, team) =>
        queries.createKnowledge(tx, team, c.req.valid("json")),
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
      const row = await readInTeam(c, teamId, "knowledges.read", (tx, team) =>
        queries.readKnowledge(tx, team, id),
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
      const row = await changeInTeam(c, teamId, "knowledges.read", {
        change: (tx, team) => queries.updateKnowledge(tx, team, id, c.req.valid("json")),
        read: (tx, team) => queries.readKnowledge(tx, team, id),
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
      await changeInTeam(c, teamId, "knowledges.read", {
        change: (tx, team) => queries.deleteKnowledge(tx, team, id),
        read: (tx, team) => queries.readKnowledge(tx, team, id),
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
      const taskId = await workInTeam(c, teamId, "knowledges.read", async (tx, team) => {
        found(await queries.readKnowledge(tx, team, id));
        return await queries.indexKnowledge(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  );
