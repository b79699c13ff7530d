// Owns the schema of what a client needs to know about its user before it shows anything.
import { z } from "@hono/zod-openapi";
import { teamRef } from "../router.ts";
import { invitedTeam, team } from "../teams/schema.ts";
import { user } from "../users/schema.ts";

/** A team with the fields that clients show everywhere; its times are left out. */
const joinedTeam = team
  .omit({ version: true, createdAt: true, updatedAt: true })
  .extend({
    hasModel: z.boolean().openapi({
      description: "Whether a language model was connected in the app, by the team or the installation.",
    }),
  })
  .openapi("JoinedTeam");
export type JoinedTeam = z.infer<typeof joinedTeam>;

/** The client's last team, if the URL names none. */
export const viewerQuery = z.object({
  team: teamRef.optional().openapi({
    param: { name: "team", in: "query" },
    description: "The id or codename of the team to open.",
  }),
});

export const viewer = z
  .object({
    user: user.omit({ createdAt: true, updatedAt: true, banned: true }),
    teams: z
      .array(joinedTeam)
      .openapi({ description: "Teams that the caller has joined, by name; the first 100." }),
    team: z
      .union([joinedTeam, z.null()])
      .openapi({ description: "The requested team. Null if the caller has not joined it." }),
    invitations: z
      .array(invitedTeam.pick({ id: true, name: true, codename: true, role: true, invitation: true }))
      .openapi({ description: "Teams that have invited the caller; the first 100." }),
  })
  .openapi("Viewer");
export type Viewer = z.infer<typeof viewer>;
