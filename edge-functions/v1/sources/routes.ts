// Owns the endpoints for sources and for their tasks (load, index, stop, forget).
import { ApiError } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { translateSentence } from "../../_shared/text/problems.ts";
import { inTeam, listInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { inWords, languageOf } from "../language.ts";
import { call, routes } from "../route.ts";
import { accepted, json, jsonBody, pageOf, pageQuery, requireRow, router } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { deletedResponse, removeInTeam, restoreInTeam, restoring } from "../undoing.ts";
import { addSource, changeSource, changeTasks } from "./changes.ts";
import * as queries from "./queries.ts";
import { newSource, skippedItem, source, sourcesQuery, sourceUpdate } from "./schema.ts";

const route = routes({ tags: ["Sources"] });

export const sourceCalls = {
  list: call(
    route({
      method: "get",
      path: "/{teamId}/sources",
      permission: "sources.read",
      summary: "List a team's sources",
      request: { params: inTeam, query: sourcesQuery },
      responses: { 200: json(pageOf(source)) },
    }),
    async (c) => {
      const page = await listInTeam(c, async (tx, team) => {
        const [language, { data, ...rest }] = await Promise.all([
          languageOf(c, tx),
          queries.listSources(tx, team, c.req.valid("query")),
        ]);
        return { data: data.map((row) => inWords(row, language)), ...rest };
      });
      return c.json(page, 200);
    },
  ),
  create: call(
    route({
      method: "post",
      path: "/{teamId}/sources",
      permission: "sources.write",
      summary: "Add a source",
      description:
        "It is synced immediately. A service needs all of its settings and credentials; errors name the path of what is missing.",
      request: { params: inTeam, body: jsonBody(newSource) },
      responses: { 201: json(source, "Created") },
    }),
    async (c) => c.json(await addSource(c, c.req.valid("json")), 201),
  ),
  read: call(
    route({
      method: "get",
      path: "/{teamId}/sources/{id}",
      permission: "sources.read",
      summary: "Read a source",
      request: { params: oneInTeam },
      responses: { 200: json(source) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await readInTeam(c, async (tx, team) => {
        const [one, language] = await Promise.all([queries.readSource(tx, team, id), languageOf(c, tx)]);
        return inWords(requireRow(one), language);
      });
      return c.json(row, 200);
    },
  ),
  update: call(
    route({
      method: "put",
      path: "/{teamId}/sources/{id}",
      permission: "sources.read",
      versioned: true,
      summary: "Update a source",
      description: "A changed config is loaded and indexed again automatically.",
      request: { params: oneInTeam, body: jsonBody(sourceUpdate) },
      responses: { 200: json(source) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await changeSource(c, id, c.req.valid("json")), 200);
    },
  ),
  remove: call(
    route({
      method: "delete",
      path: "/{teamId}/sources/{id}",
      permission: "sources.read",
      summary: "Delete a source and its documents",
      description: "Its files are kept.",
      request: { params: oneInTeam },
      responses: deletedResponse,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await removeInTeam(
        c,
        { kind: "sources", id },
        {
          remove: (tx, team) => queries.deleteSource(tx, team, id),
          read: (tx, team) => queries.readSource(tx, team, id),
        },
      );
      kickIndexing();
      return c.body(null, 204);
    },
  ),
  restore: call(
    route({
      method: "post",
      path: "/{teamId}/sources/{id}/restore",
      permission: "sources.write",
      summary: "Restore a deleted source",
      ...restoring,
      request: { params: oneInTeam },
      responses: { 200: json(source) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await restoreInTeam(c, { kind: "sources", id }, (tx, team) =>
        queries.readSource(tx, team, id),
      );
      kickIndexing();
      return c.json(row, 200);
    },
  ),
};

/** Mounted at /v1/teams. */
export const sources = router()
  .openapi(...sourceCalls.list)
  .openapi(...sourceCalls.create)
  .openapi(...sourceCalls.read)
  .openapi(...sourceCalls.update)
  .openapi(...sourceCalls.remove)
  .openapi(...sourceCalls.restore)
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{id}/skipped",
      permission: "sources.read",
      summary: "List the skipped items of a source",
      description: "Addresses and documents that could not be read, each with the reason and what to do.",
      request: { params: oneInTeam, query: pageQuery },
      responses: { 200: json(pageOf(skippedItem)) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await workInTeam(c, async (tx, team) => {
        requireRow(await queries.readSource(tx, team, id));
        const { data, ...rest } = await queries.listSkipped(tx, id, c.req.valid("query"));
        const language = await languageOf(c, tx);
        const translated = data.map((one) => ({ ...one, problem: translateSentence(one.problem, language) }));
        return { data: translated, ...rest };
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{id}/loadDocuments",
      permission: "sources.read",
      summary: "Reload the list of a source's documents",
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ taskId: await changeTasks(c, id, queries.loadDocuments) }, 202);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{id}/index",
      permission: "sources.read",
      summary: "Index a source's documents in every knowledge base that contains it",
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json({ taskId: await changeTasks(c, id, queries.indexSource) }, 202);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/sources/{id}/index",
      permission: "sources.read",
      summary: "Stop indexing a source",
      description: "What is already indexed is kept. A running task stops after its current step.",
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const taskId = await changeTasks(c, id, queries.stopIndexing);
      if (taskId === null) throw new ApiError("CONFLICT", refusal("notIndexing"));
      return c.json({ taskId }, 202);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/sources/{id}/indexes",
      permission: "sources.read",
      summary: "Delete a source's index",
      description: "Its documents are kept; agents do not answer from them until they are indexed again.",
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await changeTasks(c, id, queries.forgetIndexes);
      return c.body(null, 204);
    },
  );
