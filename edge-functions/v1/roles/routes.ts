// Owns the calls for roles: the system's, which nobody changes, and a team's own.
import { createRoute, z } from "@hono/zod-openapi";
import { asCaller, readAsCaller } from "../../_shared/db.ts";
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
  teamWith,
} from "../router.ts";
import * as queries from "./queries.ts";
import { newRole, role, rolesQuery, roleUpdate } from "./schema.ts";

const tags = ["Roles"];
const one = z.object({ id: z.uuid() });

/** Mounted at /v1/roles. */
export const roles = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/",
      summary: "List roles",
      tags,
      middleware: [signedIn],
      request: { query: rolesQuery },
      responses: { 200: json(pageOf(role)), ...failures },
    }),
    async (c) => {
      const page = await readAsCaller(claimsOf(c), (tx) => queries.listRoles(tx, c.req.valid("query")));
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/",
      summary: "Add a role to a team",
      tags,
      description: "Adds a role to a team; it holds no permission that the caller lacks there.",
      middleware: [signedIn],
      request: { body: jsonBody(newRole) },
      responses: { 201: json(role, "Created"), ...failures },
    }),
    async (c) => {
      const values = c.req.valid("json");
      const created = await asCaller(claimsOf(c), async (tx) =>
        queries.createRole(tx, await teamWith(tx, values.teamId, "roles.write"), values),
      );
      return c.json(found(created), 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}",
      summary: "Read a role",
      tags,
      middleware: [signedIn],
      request: { params: one },
      responses: { 200: json(role), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(found(await readAsCaller(claimsOf(c), (tx) => queries.readRole(tx, id))), 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}",
      summary: "Change a role",
      tags,
      middleware: [signedIn],
      request: { params: one, body: jsonBody(roleUpdate) },
      responses: { 200: json(role), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const updated = await queries.updateRole(tx, id, c.req.valid("json"));
        return await changed(updated, async () => (await queries.readRole(tx, id)) !== undefined);
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}",
      summary: "Remove a role",
      tags,
      description: "Removes a team's role that nobody has any more.",
      middleware: [signedIn],
      request: { params: one },
      responses: { 204: { description: "Deleted" }, ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const deleted = await queries.deleteRole(tx, id);
        return await changed(deleted, async () => (await queries.readRole(tx, id)) !== undefined);
      });
      return c.body(null, 204);
    },
  );
