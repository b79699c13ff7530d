// Owns the schemas of a team's members and invitations.
import { z } from "@hono/zod-openapi";
import { id, idList, newEmail, pageQuery, times } from "../router.ts";
import { sortQuery } from "../sorting.ts";

export const teamUser = z
  .object({
    id,
    userId: id.nullable().openapi({ description: "Null until the invitation is accepted." }),
    email: z.string().openapi({ example: "ada@example.com" }),
    name: z.string().nullable().openapi({ description: "Null until the invitation is accepted." }),
    roleId: id,
    role: z.string().nullable().openapi({ description: "The role's codename.", example: "editor" }),
    status: z.enum(["pending", "accepted", "rejected"]),
    ...times,
  })
  .openapi("TeamUser");
export type TeamUser = z.infer<typeof teamUser>;

export const newInvitation = z.strictObject({ email: newEmail, roleId: z.uuid() }).openapi("NewInvitation");
export type NewInvitation = z.infer<typeof newInvitation>;

export const teamUserUpdate = z.strictObject({ roleId: z.uuid() }).partial().openapi("TeamUserUpdate");

export const invitationUpdate = z
  .discriminatedUnion("status", [
    z.strictObject({ status: z.enum(["accepted", "rejected"]), roleId: z.literal("").optional() }),
    z.strictObject({ status: z.literal("pending"), roleId: z.uuid() }),
  ])
  .openapi("InvitationUpdate", {
    description: "The invited person accepts or rejects. Callers who may invite resend it with a role.",
  });

export const teamUsersQuery = pageQuery.extend({
  search: z.string().max(200).optional().openapi({ description: "Part of the name or the email." }),
  teamIds: idList.optional(),
  userIds: idList.optional(),
  sort: sortQuery(["createdAt", "name", "role", "status"]),
});
export type TeamUsersQuery = z.infer<typeof teamUsersQuery>;
