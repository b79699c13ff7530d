// Owns the schemas of roles.
import { z } from "@hono/zod-openapi";
import { id, line, pageQuery, slug, teamRef, times } from "../router.ts";

const name = line(100).openapi({ example: "Reviewer" });
const codename = slug().openapi({ example: "reviewer" });
/** The table of permissions lists the valid ones; Postgres rejects any other. */
const permissions = z
  .array(z.string().regex(/^[A-Za-z]{1,30}\.[a-z]{1,10}$/))
  .max(100)
  .openapi({ example: ["team.read", "agents.read"] });

export const role = z
  .object({
    id,
    name: z.string().openapi({ example: "Reviewer" }),
    codename: z.string().openapi({ example: "reviewer" }),
    permissions,
    teamId: id.nullable().openapi({ description: "Null for the system's roles, which every team has." }),
    system: z.boolean(),
    ...times,
  })
  .openapi("Role");
export type Role = z.infer<typeof role>;

export const newRole = z
  .strictObject({ teamId: z.uuid(), name, codename: codename.optional(), permissions })
  .openapi("NewRole");
export type NewRole = z.infer<typeof newRole>;

export const roleUpdate = z.strictObject({ name, codename, permissions }).partial().openapi("RoleUpdate");
export type RoleUpdate = z.infer<typeof roleUpdate>;

export const rolesQuery = pageQuery.extend({
  teamId: teamRef
    .optional()
    .openapi({ param: { name: "teamId", in: "query" }, description: "The system's roles and this team's." }),
});
export type RolesQuery = z.infer<typeof rolesQuery>;
