// Owns the endpoints for roles: the system's, which are read-only, and a team's own.
import { asCaller, readAsCaller } from "../../_shared/database/db.ts";
import { workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import { claimsOf, json, jsonBody, oneById, pageOf, requireChange, requireRow, router } from "../router.ts";
import * as queries from "./queries.ts";
import { newRole, role, rolesQuery, roleUpdate } from "./schema.ts";

const route = routes({ tags: ["Roles"] });

/** Mounted at /v1/roles. */
export const roles = router()
  .openapi(
    route({
      method: "get",
      path: "/",
      summary: "List roles",
      request: { query: rolesQuery },
      responses: { 200: json(pageOf(role)) },
    }),
    async (c) =>
      c.json(await readAsCaller(claimsOf(c), (tx) => queries.listRoles(tx, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/",
      permission: "roles.write",
      summary: "Create a role in a team",
      description: "It cannot contain a permission that the caller lacks in the team.",
      request: { body: jsonBody(newRole) },
      responses: { 201: json(role, "Created") },
    }),
    async (c) => {
      const values = c.req.valid("json");
      return c.json(
        requireRow(await workInTeam(c, (tx, team) => queries.createRole(tx, team, values), values.teamId)),
        201,
      );
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}",
      summary: "Read a role",
      request: { params: oneById },
      responses: { 200: json(role) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      return c.json(requireRow(await readAsCaller(claimsOf(c), (tx) => queries.readRole(tx, id))), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{id}",
      summary: "Update a role",
      request: { params: oneById, body: jsonBody(roleUpdate) },
      responses: { 200: json(role) },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const updated = await queries.updateRole(tx, id, c.req.valid("json"));
        return await requireChange(updated, () => queries.readRole(tx, id));
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{id}",
      summary: "Delete a role",
      description: "Only a team's role that no member has.",
      request: { params: oneById },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const deleted = await queries.deleteRole(tx, id);
        return await requireChange(deleted, () => queries.readRole(tx, id));
      });
      return c.body(null, 204);
    },
  );
