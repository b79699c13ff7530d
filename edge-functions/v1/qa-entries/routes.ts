// Owns the endpoints for written answers: the entries of a source of type qa.
import { z } from "@hono/zod-openapi";
import { changeInTeam, oneInTeam, readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { json, jsonBody, pageOf, requireRow, router } from "../router.ts";
import { versionIn } from "../row-versions.ts";
import { readSource } from "../sources/queries.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { deletedResponse, removeInTeam, restoreInTeam, restoring } from "../undoing.ts";
import * as queries from "./queries.ts";
import { newQaEntry, qaEntriesQuery, qaEntry, qaEntryUpdate } from "./schema.ts";

const route = routes({ tags: ["Sources"] });
const oneEntry = oneInTeam.extend({ entryId: z.uuid() });

/** Mounted at /v1/teams. */
export const qaEntries = router()
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{id}/entries",
      permission: "sources.read",
      summary: "List the written answers of a source, newest first",
      request: { params: oneInTeam, query: qaEntriesQuery },
      responses: { 200: json(pageOf(qaEntry)) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await workInTeam(c, async (tx, team) => {
        requireRow(await readSource(tx, team, id));
        return await queries.listEntries(tx, { teamId: team, sourceId: id }, c.req.valid("query"));
      });
      return c.json(page, 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{id}/entries",
      permission: "sources.write",
      summary: "Write an answer",
      description: "In a source of type qa, which has at most 5,000. It is indexed immediately.",
      request: { params: oneInTeam, body: jsonBody(newQaEntry) },
      responses: { 201: json(qaEntry, "Created") },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const entry = await workInTeam(c, async (tx, team) => {
        requireRow(await readSource(tx, team, id));
        return await queries.addEntry(tx, { teamId: team, sourceId: id }, c.req.valid("json"));
      });
      kickIndexing();
      return c.json(entry, 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{teamId}/sources/{id}/entries/{entryId}",
      permission: "sources.read",
      summary: "Read a written answer",
      request: { params: oneEntry },
      responses: { 200: json(qaEntry) },
    }),
    async (c) => {
      const { id, entryId } = c.req.valid("param");
      const row = await readInTeam(c, (tx, team) =>
        queries.readEntry(tx, { teamId: team, sourceId: id }, entryId),
      );
      return c.json(requireRow(row), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{teamId}/sources/{id}/entries/{entryId}",
      permission: "sources.read",
      versioned: true,
      summary: "Update or review a written answer",
      description: "The previous text answers until the new one is indexed.",
      request: { params: oneEntry, body: jsonBody(qaEntryUpdate) },
      responses: { 200: json(qaEntry) },
    }),
    async (c) => {
      const { id, entryId } = c.req.valid("param");
      const row = await changeInTeam(c, {
        change: (tx, team) =>
          queries.updateEntry(tx, { teamId: team, sourceId: id }, entryId, c.req.valid("json"), versionIn(c)),
        read: (tx, team) => queries.readEntry(tx, { teamId: team, sourceId: id }, entryId),
      });
      kickIndexing();
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{teamId}/sources/{id}/entries/{entryId}",
      permission: "sources.read",
      summary: "Delete a written answer",
      description: "Agents stop answering from it as soon as this call returns.",
      request: { params: oneEntry },
      responses: deletedResponse,
    }),
    async (c) => {
      const { id, entryId } = c.req.valid("param");
      await removeInTeam(
        c,
        { kind: "qa_entries", id: entryId },
        {
          remove: (tx, team) => queries.deleteEntry(tx, { teamId: team, sourceId: id }, entryId),
          read: (tx, team) => queries.readEntry(tx, { teamId: team, sourceId: id }, entryId),
        },
      );
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/{teamId}/sources/{id}/entries/{entryId}/restore",
      permission: "sources.write",
      summary: "Restore a deleted written answer",
      ...restoring,
      request: { params: oneEntry },
      responses: { 200: json(qaEntry) },
    }),
    async (c) => {
      const { id, entryId } = c.req.valid("param");
      const row = await restoreInTeam(c, { kind: "qa_entries", id: entryId }, (tx, team) =>
        queries.readEntry(tx, { teamId: team, sourceId: id }, entryId),
      );
      kickIndexing();
      return c.json(row, 200);
    },
  );
