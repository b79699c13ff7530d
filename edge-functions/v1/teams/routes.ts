// Owns the endpoints for teams: the caller's own, and those that invited them.
import { z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { hitsOfLimit, take } from "../../_shared/requests/limits.ts";
import { workInTeam } from "../in-team.ts";
import { call, routes } from "../route.ts";
import {
  addressesOf,
  claimsOf,
  json,
  jsonBody,
  pageOf,
  requireChange,
  requireRow,
  router,
  teamRef,
} from "../router.ts";
import { versionIn } from "../row-versions.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { exportName, exportOf, exportPermission } from "./export.ts";
import { importQuery, startedImport, teamImport } from "./import-schema.ts";
import { archiveUpload, readImport, startImport } from "./importing.ts";
import * as queries from "./queries.ts";
import { removeTeam } from "./removing.ts";
import { invitedTeam, newTeam, team, teamsQuery, teamUpdate } from "./schema.ts";

const route = routes({ tags: ["Teams"], team: "id" });

/** An export reads all of a team's data. */
const exportLimit = { windowSeconds: 3600, perAddress: 60, perSubject: 20 };
/** An import stores up to a gigabyte and writes all of a team's data. */
const importLimit = { name: "import", windowSeconds: 3600, perAddress: 60, perSubject: 20 };
const one = z.object({ id: teamRef.openapi({ param: { name: "id", in: "path" } }) });

export const teamCalls = {
  list: call(
    route({
      method: "get",
      path: "/",
      summary: "List the caller's teams",
      request: { query: teamsQuery },
      responses: { 200: json(pageOf(team)) },
    }),
    async (c) =>
      c.json(await readAsCaller(claimsOf(c), (tx) => queries.listTeams(tx, c.req.valid("query"))), 200),
  ),
  create: call(
    route({
      method: "post",
      path: "/",
      access: "user",
      summary: "Create a team",
      description: "The caller becomes its owner. A person can create 30 teams per hour.",
      request: { body: jsonBody(newTeam) },
      responses: { 201: json(team, "Created") },
    }),
    async (c) =>
      c.json(
        requireRow(await asCaller(claimsOf(c), (tx) => queries.createTeam(tx, c.req.valid("json")))),
        201,
      ),
  ),
  read: call(
    route({
      method: "get",
      path: "/{id}",
      summary: "Read a team",
      request: { params: one },
      responses: { 200: json(team) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readAsCaller(claimsOf(c), (tx) => queries.readTeam(tx, id))), 200);
    },
  ),
  update: call(
    route({
      method: "put",
      path: "/{id}",
      versioned: true,
      summary: "Update a team",
      request: { params: one, body: jsonBody(teamUpdate) },
      responses: { 200: json(team) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const updated = await queries.updateTeam(tx, id, c.req.valid("json"), versionIn(c));
        return await requireChange(updated, () => queries.readTeam(tx, id));
      });
      return c.json(row, 200);
    },
  ),
  remove: call(
    route({
      method: "delete",
      path: "/{id}",
      summary: "Delete a team",
      description: "Deletes the team and all its data; stored files are deleted within minutes.",
      request: { params: one },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await removeTeam(claimsOf(c), id);
      kickIndexing();
      return c.body(null, 204);
    },
  ),
};

/** Mounted at /v1/teams. */
export const teams = router()
  .openapi(...teamCalls.list)
  .openapi(...teamCalls.create)
  .openapi(
    route({
      method: "post",
      path: "/import",
      access: "user",
      upload: archiveUpload,
      limit: importLimit,
      summary: "Create a team from an export",
      description:
        "Accepts the ZIP of GET /v1/teams/{id}/export, of this or another installation, of at most 1 GiB. Creates a new team with " +
        "the caller as its owner, and a task that imports all data in one transaction: the team is empty until the task succeeds, " +
        "and stays empty if it fails. All ids are new. An export contains no secrets: GET /v1/teams/{id}/import lists what needs " +
        "manual work afterwards. Nobody is invited.",
      request: {
        query: importQuery,
        body: {
          required: true,
          content: { "application/zip": { schema: z.string().openapi({ format: "binary" }) } },
        },
      },
      responses: { 202: json(startedImport, "Accepted") },
    }),
    async (c) => {
      const started = await startImport(claimsOf(c), c.req.raw, c.req.valid("query"));
      kickIndexing();
      return c.json(started, 202);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}/import",
      permission: "team.update",
      summary: "Read the report of a team's import",
      description: "NOT_FOUND if it was not imported.",
      request: { params: one },
      responses: { 200: json(teamImport) },
    }),
    async (c) => c.json(requireRow(await workInTeam(c, readImport)), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/pending-invites",
      access: "user",
      summary: "List the teams that have invited the caller",
      request: { query: teamsQuery },
      responses: { 200: json(pageOf(invitedTeam)) },
    }),
    async (c) =>
      c.json(await readAsCaller(claimsOf(c), (tx) => queries.listInvitations(tx, c.req.valid("query"))), 200),
  )
  .openapi(...teamCalls.read)
  .openapi(...teamCalls.update)
  .openapi(...teamCalls.remove)
  .openapi(
    route({
      method: "get",
      path: "/{id}/export",
      permission: exportPermission,
      summary: "Export a team",
      description:
        "Streams a ZIP: each table as JSON Lines and every file, with a checksum of each, without secrets and without data that " +
        "indexing rebuilds. POST /v1/teams/import creates a team from it, here or in another installation. Requires permission to " +
        "delete the team.",
      request: { params: one },
      responses: {
        200: {
          description: "OK",
          content: { "application/zip": { schema: z.string().openapi({ format: "binary" }) } },
        },
      },
    }),
    async (c) => {
      const claims = claimsOf(c);
      const team = requireRow(await workInTeam(c, queries.readTeam));
      await take(hitsOfLimit("export", exportLimit, addressesOf(c), team.id));
      return c.body(exportOf(claims, team), 200, {
        "Content-Type": "application/zip",
        "Content-Disposition": `attachment; filename="${exportName(team)}"`,
      });
    },
  );
