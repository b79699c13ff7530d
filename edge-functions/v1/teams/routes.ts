// Owns the calls for teams: those of the caller, and those that have invited them.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/db.ts";
import { clientAddresses, hitsOfLimit, type Limit, take } from "../../_shared/limits.ts";
import {
  changed,
  claimsOf,
  failures,
  found,
  json,
  jsonBody,
  pageOf,
  router,
  signedIn,
  signedInUser,
  teamRef,
  teamWith,
  userOf,
} from "../router.ts";
import { kickIndexing } from "../tasks/kick.ts";
import { exportName, exportOf } from "./export.ts";
import { importQuery, startedImport, teamImport } from "./import-schema.ts";
import { readImport, startImport } from "./importing.ts";
import * as queries from "./queries.ts";
import { invitedTeam, newTeam, team, teamsQuery, teamUpdate } from "./schema.ts";

const tags = ["Teams"];
/** An export reads everything that a team has. */
const exportLimit: Limit = { windowSeconds: 3600, perAddress: 60, perSubject: 20 };
/** An import stores up to a gigabyte and writes everything of a team. */
const importLimit: Limit = { windowSeconds: 3600, perAddress: 60, perSubject: 20 };
const one = z.object({ id: teamRef.openapi({ param: { name: "id", in: "path" } }) });

/** Mounted at /v1/teams. */
export const teams = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List the caller's teams",
      tags,
      middleware: [signedIn],
      request: { query: teamsQuery },
      responses: { 200: json(pageOf(team)), ...failures },
    }),
    async (c) => {
      const page = await readAsCaller(claimsOf(c), (tx) => queries.listTeams(tx, c.req.valid("query")));
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Make a team",
      tags,
      description: "Makes a team with the caller as its owner.",
      middleware: [signedInUser],
      request: { body: jsonBody(newTeam) },
      responses: { 201: json(team, "Created"), ...failures },
    }),
    async (c) => {
      const created = await asCaller(claimsOf(c), (tx) => queries.createTeam(tx, c.req.valid("json")));
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/import",
      summary: "Make a team from an export",
      tags,
      description:
        "Takes the ZIP of GET /v1/teams/{id}/export, of this installation or of another one, of at most 1 GiB. Makes a new team " +
        "with the caller as its owner, and a task that fills it all at once: until it has succeeded the team is empty, and where " +
        "it fails the team stays so. Everything gets new ids. Secrets are in no export: GET /v1/teams/{id}/import says what " +
        "needs hands then. Nobody is invited.",
      middleware: [signedInUser],
      request: {
        query: importQuery,
        body: {
          required: true,
          content: { "application/zip": { schema: z.string().openapi({ format: "binary" }) } },
        },
      },
      responses: { 202: json(startedImport, "Accepted"), ...failures },
    }),
    async (c) => {
      const addresses = clientAddresses(c.req.header("X-Forwarded-For"));
      await take(hitsOfLimit("import", importLimit, addresses, userOf(c).id));
      const started = await startImport(claimsOf(c), c.req.raw, c.req.valid("query"));
      kickIndexing();
      return c.json(started, 202);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}/import",
      summary: "Read what a team's import brought",
      tags,
      description: "For those who may change the team; NOT_FOUND for one that was not imported.",
      middleware: [signedIn],
      request: { params: one },
      responses: { 200: json(teamImport), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) =>
        readImport(tx, await teamWith(tx, id, "team.update")),
      );
      return c.json(found(row), 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/pending-invites",
      summary: "List the teams that have invited the caller",
      tags,
      middleware: [signedInUser],
      request: { query: teamsQuery },
      responses: { 200: json(pageOf(invitedTeam)), ...failures },
    }),
    async (c) => {
      const page = await readAsCaller(claimsOf(c), (tx) => queries.listInvitations(tx, c.req.valid("query")));
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read a team",
      tags,
      middleware: [signedIn],
      request: { params: one },
      responses: { 200: json(team), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(found(await readAsCaller(claimsOf(c), (tx) => queries.readTeam(tx, id))), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change a team",
      tags,
      middleware: [signedIn],
      request: { params: one, body: jsonBody(teamUpdate) },
      responses: { 200: json(team), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const updated = await queries.updateTeam(tx, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readTeam(tx, id)) !== undefined);
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Delete a team",
      tags,
      description: "Deletes the team with everything in it; stored files follow within minutes.",
      middleware: [signedIn],
      request: { params: one },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const deleted = await queries.deleteTeam(tx, id);
        return await changed(deleted, async () => (await queries.readTeam(tx, id)) !== undefined);
      });
      // The files' bytes are noted by the same transaction; the tick lets go of them.
      kickIndexing();
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}/export",
      summary: "Download everything of a team",
      tags,
      description:
        "A ZIP, streamed: each table as JSON Lines and every file, without secrets and without what indexing makes again, with a " +
        "checksum of each. POST /v1/teams/import makes a team of it, here or in another installation. " +
        "For those who may delete the team.",
      middleware: [signedIn],
      request: { params: one },
      responses: {
        200: {
          description: "OK",
          content: { "application/zip": { schema: z.string().openapi({ format: "binary" }) } },
        },
        ...failures,
      },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const claims = claimsOf(c);
      const team = await asCaller(claims, async (tx) => {
        // Who may take everything away may take everything along.
        const teamId = await teamWith(tx, id, "team.delete");
        return found(await queries.readTeam(tx, teamId));
      });
      const addresses = clientAddresses(c.req.header("X-Forwarded-For"));
      await take(hitsOfLimit("export", exportLimit, addresses, team.id));
      return c.body(exportOf(claims, team), 200, {
        "Content-Type": "application/zip",
        "Content-Disposition": `attachment; filename="${exportName(team)}"`,
      });
    },
  );
