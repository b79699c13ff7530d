// Owns the endpoints for knowledge bases. ./records.ts searches in them.
import { changeInTeam, inTeam, listInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { call, routes } from "../route.ts";
import { accepted, json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { versionIn } from "../row-versions.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { deletedResponse, removeInTeam, restoreInTeam, restoring } from "../undoing.ts";
import * as queries from "./queries.ts";
import { knowledge, knowledgesQuery, knowledgeUpdate, newKnowledge } from "./schema.ts";

const route = routes({ tags: ["Knowledges"] });

export const knowledgeCalls = {
  list: call(
    route({
      method: "get",
      path: "/{teamId}/knowledges",
      permission: "knowledges.read",
      summary: "List a team's knowledge bases",
      request: { params: inTeam, query: knowledgesQuery },
      responses: { 200: json(pageOf(knowledge)) },
    }),
    async (c) =>
      c.json(await listInTeam(c, (tx, team) => queries.listKnowledges(tx, team, c.req.valid("query"))), 200),
  ),
  create: call(
    route({
      method: "post",
      path: "/{teamId}/knowledges",
      permission: "knowledges.write",
      summary: "Create a knowledge base",
      description: "With files or sources, indexing starts automatically.",
      request: { params: inTeam, body: jsonBody(newKnowledge) },
      responses: { 201: json(knowledge, "Created") },
    }),
    async (c) => {
      const created = await workInTeam(c, (tx, team) =>
        queries.createKnowledge(tx, team, c.req.valid("json")),
      );
      kickIndexing();
      return c.json(requireRow(created), 201);
    },
  ),
  read: call(
    route({
      method: "get",
      path: "/{teamId}/knowledges/{id}",
      permission: "knowledges.read",
      summary: "Read a knowledge base",
      request: { params: oneInTeam },
      responses: { 200: json(knowledge) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readInTeam(c, (tx, team) => queries.readKnowledge(tx, team, id))), 200);
    },
  ),
  update: call(
    route({
      method: "put",
      path: "/{teamId}/knowledges/{id}",
      permission: "knowledges.read",
      versioned: true,
      summary: "Update a knowledge base",
      description: "Changed sources, files, language or chunking re-index it automatically.",
      request: { params: oneInTeam, body: jsonBody(knowledgeUpdate) },
      responses: { 200: json(knowledge) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await changeInTeam(c, {
        change: (tx, team) => queries.updateKnowledge(tx, team, id, c.req.valid("json"), versionIn(c)),
        read: (tx, team) => queries.readKnowledge(tx, team, id),
      });
      kickIndexing();
      return c.json(row, 200);
    },
  ),
  remove: call(
    route({
      method: "delete",
      path: "/{teamId}/knowledges/{id}",
      permission: "knowledges.read",
      summary: "Delete a knowledge base and its index",
      description: "Its sources and files are kept.",
      request: { params: oneInTeam },
      responses: deletedResponse,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await removeInTeam(
        c,
        { kind: "knowledges", id },
        {
          remove: (tx, team) => queries.deleteKnowledge(tx, team, id),
          read: (tx, team) => queries.readKnowledge(tx, team, id),
        },
      );
      return c.body(null, 204);
    },
  ),
  restore: call(
    route({
      method: "post",
      path: "/{teamId}/knowledges/{id}/restore",
      permission: "knowledges.write",
      summary: "Restore a deleted knowledge base",
      ...restoring,
      request: { params: oneInTeam },
      responses: { 200: json(knowledge) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await restoreInTeam(c, { kind: "knowledges", id }, (tx, team) =>
        queries.readKnowledge(tx, team, id),
      );
      kickIndexing();
      return c.json(row, 200);
    },
  ),
  index: call(
    route({
      method: "post",
      path: "/{teamId}/knowledges/{id}/index",
      permission: "knowledges.read",
      summary: "Index a knowledge base",
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const taskId = await workInTeam(c, async (tx, team) => {
        requireRow(await queries.readKnowledge(tx, team, id));
        return await queries.indexKnowledge(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  ),
};

/** Mounted at /v1/teams. */
export const knowledges = router()
  .openapi(...knowledgeCalls.list)
  .openapi(...knowledgeCalls.create)
  .openapi(...knowledgeCalls.read)
  .openapi(...knowledgeCalls.update)
  .openapi(...knowledgeCalls.remove)
  .openapi(...knowledgeCalls.restore)
  .openapi(...knowledgeCalls.index);
