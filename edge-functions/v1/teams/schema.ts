// Owns the schemas of teams and of invitations to them.
import { z } from "@hono/zod-openapi";
import { refuseAs } from "../../_shared/requests/invalid-fields.ts";
import { id, idList, line, pageQuery, slug, times } from "../router.ts";
import { rowVersion } from "../row-versions.ts";

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const name = line(200).openapi({ example: "Support" });
/** Unique among all teams. It replaces the id in URLs, so it must not look like one. */
const codename = slug()
  .refine((text) => !uuidShape.test(text), refuseAs("slugLikeId"))
  .openapi({ example: "support" });

export const team = z
  .object({
    id,
    name,
    codename,
    role: z
      .string()
      .nullable()
      .openapi({ description: "The codename of the caller's role.", example: "owner" }),
    permissions: z.array(z.string()).openapi({
      description: "The role's permissions, so that a client can hide what would be refused.",
      example: ["team.read", "agents.read", "chats.write"],
    }),
    version: rowVersion,
    ...times,
  })
  .openapi("Team");
export type Team = z.infer<typeof team>;

export const invitedTeam = team
  .extend({
    invitation: z.object({
      status: z.literal("pending"),
      roleId: id,
      invitedBy: z
        .string()
        .nullable()
        .openapi({ description: "The name of the person who invited, if they still have an account." }),
    }),
  })
  .openapi("InvitedTeam");
export type InvitedTeam = z.infer<typeof invitedTeam>;

export const newTeam = z.strictObject({ name, codename: codename.optional() }).openapi("NewTeam");
export type NewTeam = z.infer<typeof newTeam>;

export const teamUpdate = z.strictObject({ name, codename }).partial().openapi("TeamUpdate");
export type TeamUpdate = z.infer<typeof teamUpdate>;

export const teamsQuery = pageQuery.extend({
  search: z.string().max(200).optional().openapi({ description: "Part of the name or the codename." }),
  ids: idList.optional(),
});
export type TeamsQuery = z.infer<typeof teamsQuery>;
