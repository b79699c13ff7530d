// Owns the calls for knowledges. Search in their records is ./records.ts's.
import { changeInTeam, inTeam, listInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { call, routes } from "../route.ts";
import { accepted, found, json, jsonBody, pageOf, router } from "../router.ts";
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
      summary: "List a team's knowledges",
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
      summary: "Make a knowledge",
      description: "With files or sources, its indexing begins by itself.",
      request: { params: inTeam, body: jsonBody(newKnowledge) },
      responses: { 201: json(knowledge, "Created") },
    }),
    async (c) => {
      const created = await workInTeam(c, (tx, team) =>
        queries.createKnowledge(tx, team, c.req.valid("json")),
      );
      kickIndexing();
      return c.json(found(created), 201);
    },
  ),
  read: call(
    route({
      method: "get",
      path: "/{teamId}/knowledges/{id}",
      permission: "knowledges.read",
      summary: "Read a knowledge",
      request: { params: oneInTeam },
      responses: { 200: json(knowledge) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(found(await readInTeam(c, (tx, team) => queries.readKnowledge(tx, team, id))), 200);
    },
  ),
  update: call(
    route({
      method: "put",
      path: "/{teamId}/knowledges/{id}",
      permission: "knowledges.read",
      versioned: true,
      summary: "Change a knowledge",
      description: "Other sources, more files, another language or chunking: it is indexed again by itself.",
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
      summary: "Delete a knowledge and its index",
      description: "Its sources and files stay.",
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
      summary: "Restore a deleted knowledge",
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
      summary: "Index a knowledge",
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const taskId = await workInTeam(c, async (tx, team) => {
        found(await queries.readKnowledge(tx, team, id));
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
