// Owns the calls for sources: what they are, and the work that they ask for (load, index, stop, forget).
import { createRoute } from "@hono/zod-openapi";
import { ApiError } from "../../_shared/errors.ts";
import { changeInTeam, inTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { inWords, languageOf } from "../language.ts";
import { accepted, claimsOf, failures, found, json, jsonBody, pageOf, router, signedIn } from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { addSource, changeSource } from "./changes.ts";
import * as queries from "./queries.ts";
import { newSource, source, sourcesQuery, sourceUpdate } from "./schema.ts";

const tags = ["Sources"];

/** Mounted at /v1/teams. */
export const sources = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/sources",
      tags,
      summary: "List a team's sources",
      middleware: [signedIn],
      request: { params: inTeam, query: sourcesQuery },
      responses: { 200: json(pageOf(source)), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      const page = await readInTeam(c, teamId, "sources.read", async (tx, team) => {
        const [language, { data, ...rest }] = await Promise.all([
          languageOf(c, tx),
          queries.listSources(tx, team, c.req.valid("query")),
        ]);
        return { data: data.map((row) => inWords(row, language)), ...rest };
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/sources",
      tags,
      summary: "Add a source",
      description:
        "It is read at once. A service needs all of its settings and credentials: what is missing is named at its path.",
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newSource) },
      responses: { 201: json(source, "Created"), ...failures },
    }),
    async (c) => {
      const { teamId } = c.req.valid("param");
      return c.json(await addSource(claimsOf(c), teamId, c.req.valid("json")), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{teamId}/sources/{id}",
      tags,
      summary: "Read a source",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(source), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const row = await readInTeam(c, teamId, "sources.read", async (tx, team) => {
        const [one, language] = await Promise.all([queries.readSource(tx, team, id), languageOf(c, tx)]);
        return inWords(found(one), language);
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{teamId}/sources/{id}",
      tags,
      summary: "Change a source",
      description: "A changed config is loaded and indexed again by itself.",
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(sourceUpdate) },
      responses: { 200: json(source), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      return c.json(await changeSource(claimsOf(c), teamId, id, c.req.valid("json")), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/sources/{id}",
      tags,
      summary: "Delete a source with its documents",
      description: "Its files stay.",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      await changeInTeam(c, teamId, "sources.read", {
        change: (tx, team) => queries.deleteSource(tx, team, id),
        read: (tx, team) => queries.readSource(tx, team, id),
      });
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/sources/{id}/loadDocuments",
      tags,
      summary: "Read the list of a source's documents again",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted"), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const taskId = await workInTeam(c, teamId, "sources.read", async (tx, team) => {
        found(await queries.readSource(tx, team, id));
        return await queries.loadDocuments(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{teamId}/sources/{id}/index",
      tags,
      summary: "Index a source's documents in every knowledge that has it",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted"), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const taskId = await workInTeam(c, teamId, "sources.read", async (tx, team) => {
        found(await queries.readSource(tx, team, id));
        return await queries.indexSource(tx, id);
      });
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/sources/{id}/index",
      tags,
      summary: "Stop a source's indexing",
      description: "What is indexed stays. A task that is at work stops at the end of its present step.",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 202: json(accepted, "Accepted"), ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      const taskId = await workInTeam(c, teamId, "sources.read", async (tx, team) => {
        found(await queries.readSource(tx, team, id));
        return await queries.stopIndexing(tx, id);
      });
      if (taskId === null) throw new ApiError("CONFLICT", "Nothing of this source is being indexed.");
      kickIndexing();
      return c.json({ taskId }, 202);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{teamId}/sources/{id}/indexes",
      tags,
      summary: "Forget what was indexed of a source",
      description: "Its documents stay; agents no longer answer from them until it is indexed again.",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { teamId, id } = c.req.valid("param");
      await workInTeam(c, teamId, "sources.read", async (tx, team) => {
        found(await queries.readSource(tx, team, id));
        await queries.forgetIndexes(tx, id);
      });
      return c.body(null, 204);
    },
  );
