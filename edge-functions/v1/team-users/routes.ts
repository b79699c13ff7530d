// Owns the endpoints for a team's members and its invitations.

import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { defaultLanguage } from "../../../locales/registry.ts";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import { sendMail } from "../../_shared/mail/mail.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { hitsOf, take } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { inBackground } from "../background.ts";
import { readInTeam, workInTeam } from "../in-team.ts";
import { routes } from "../route.ts";
import {
  type AppEnv,
  addressesOf,
  claimsOf,
  json,
  jsonBody,
  pageOf,
  requireRow,
  router,
  teamRef,
  teamWith,
  userOf,
} from "../router.ts";
import { type Invitation, invitationMail } from "./invitation-mail.ts";
import { findInvited } from "./invited.ts";
import * as queries from "./queries.ts";
import {
  invitationUpdate,
  newInvitation,
  type TeamUser,
  teamUser,
  teamUsersQuery,
  teamUserUpdate,
} from "./schema.ts";

const route = routes({ tags: ["Team users"], team: "id" });

const inTeam = z.object({ id: teamRef.openapi({ param: { name: "id", in: "path" } }) });
const oneInTeam = inTeam.extend({
  userId: z.uuid().openapi({ description: "The user's id, or the id of the row." }),
});

/** Mounted at /v1/teamUsers. */
export const teamUsers = router()
  .openapi(
    route({
      method: "get",
      path: "/{id}/users",
      permission: "users.read",
      summary: "List a team's members and invitations",
      request: { params: inTeam, query: teamUsersQuery },
      responses: { 200: json(pageOf(teamUser)) },
    }),
    async (c) =>
      c.json(await readInTeam(c, (tx, team) => queries.listTeamUsers(tx, team, c.req.valid("query"))), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/{id}/users",
      permission: "users.write",
      summary: "Invite a person to a team",
      description: "Invites an email address, with or without an account, and sends it a mail.",
      request: { params: inTeam, body: jsonBody(newInvitation) },
      responses: { 201: json(teamUser, "Created") },
    }),
    async (c) => {
      const values = c.req.valid("json");
      await limitAddress(c);
      const { row, invitation } = await workInTeam(c, async (tx, team) => {
        const created = requireRow(await queries.inviteTeamUser(tx, team, values));
        return { row: created, invitation: await invitationOf(tx, c, team, created) };
      });
      inBackground(sendInvitation(invitation), "mail: invitation");
      return c.json(row, 201);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/{id}/users/{userId}",
      summary: "Read a member or an invitation",
      request: { params: oneInTeam },
      responses: { 200: json(teamUser) },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      return c.json(await asCaller(claimsOf(c), (tx) => readOne(tx, id, userId)), 200);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{id}/users/{userId}",
      permission: "users.write",
      summary: "Update a member's role",
      description: "Within the caller's own permissions.",
      request: { params: oneInTeam, body: jsonBody(teamUserUpdate) },
      responses: { 200: json(teamUser) },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      const { roleId } = c.req.valid("json");
      const row = await workInTeam(c, async (tx) =>
        change(tx, id, await readOne(tx, id, userId), { roleId }),
      );
      return c.json(row, 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/{id}/users/{userId}",
      summary: "Remove a member or an invitation",
      description: "Members may remove themselves. A team always keeps an owner.",
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" } },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      await asCaller(claimsOf(c), async (tx) => {
        const current = await readOne(tx, id, userId);
        if (!(await queries.deleteTeamUser(tx, current.id))) throw new ApiError("FORBIDDEN");
      });
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/{id}/users/{userId}/invites",
      summary: "Answer or resend an invitation",
      request: { params: oneInTeam, body: jsonBody(invitationUpdate) },
      responses: { 200: json(teamUser) },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      const body = c.req.valid("json");
      if (body.status !== "pending") {
        return c.json(await asCaller(claimsOf(c), (tx) => answer(tx, c, id, userId, body.status)), 200);
      }
      await limitAddress(c);
      const { row, invitation } = await asCaller(claimsOf(c), async (tx) => {
        const current = await readOne(tx, id, userId);
        // The invited person sees the invitation, but nothing else of the team, which teamWith() would not find.
        if (current.status === "pending" && (await queries.isOwn(tx, current.id)))
          throw new ApiError("FORBIDDEN");
        const team = await teamWith(tx, id, "users.write");
        if (current.status === "accepted") throw new ApiError("CONFLICT", refusal("joined"));
        const again = await change(tx, id, current, { roleId: body.roleId, status: "pending" });
        return { row: again, invitation: await invitationOf(tx, c, team, again) };
      });
      inBackground(sendInvitation(invitation), "mail: invitation");
      return c.json(row, 200);
    },
  );

/**
 * Limits invitations per address. Invitations per recipient, inviter and team are counted when they are written. Must not be called inside
 * a transaction: the embedded database runs one at a time, so a nested one would wait forever.
 */
async function limitAddress(c: Context<AppEnv>): Promise<void> {
  await take(hitsOf("mail", addressesOf(c)));
}

async function readOne(tx: Transaction, teamRefText: string, userOrRowId: string): Promise<TeamUser> {
  return await readIn(tx, requireRow(await queries.findTeamId(tx, teamRefText)), userOrRowId);
}

async function readIn(tx: Transaction, teamId: string, userOrRowId: string): Promise<TeamUser> {
  const row = await queries.readTeamUser(tx, teamId, userOrRowId);
  if (!row) throw new ApiError("USER_NOT_EXISTS");
  return row;
}

async function change(
  tx: Transaction,
  teamRefText: string,
  current: TeamUser,
  values: { roleId?: string; status?: TeamUser["status"] },
): Promise<TeamUser> {
  // The row is visible, so if it does not change, the caller may not change it.
  if (!(await queries.updateTeamUser(tx, current.id, values))) throw new ApiError("FORBIDDEN");
  return await readOne(tx, teamRefText, current.id);
}

/** Answers the caller's own invitation. Nobody can answer for another person. */
async function answer(
  tx: Transaction,
  c: Context<AppEnv>,
  teamRefText: string,
  userOrRowId: string,
  status: "accepted" | "rejected",
): Promise<TeamUser> {
  const teamId = requireRow(await queries.findTeamId(tx, teamRefText));
  const current = await readIn(tx, teamId, userOrRowId);
  userOf(c);
  if (!(await queries.isOwn(tx, current.id))) throw new ApiError("FORBIDDEN");
  if (current.status !== "pending" && current.status !== status) {
    throw new ApiError("CONFLICT", refusal("answered"));
  }
  if (current.status === status) return current;
  if (!(await queries.updateTeamUser(tx, current.id, { status }))) throw new ApiError("FORBIDDEN");
  // A person who declines can no longer see the team.
  return status === "rejected" ? { ...current, status } : await readIn(tx, teamId, current.id);
}

type Sent = Omit<Invitation, "hasAccount">;

async function invitationOf(
  tx: Transaction,
  c: Context<AppEnv>,
  teamId: string,
  row: TeamUser,
): Promise<Sent> {
  const { caller } = c.var;
  const [team, inviter] = await Promise.all([
    queries.findTeam(tx, teamId),
    caller.kind === "user" ? queries.readInviter(tx, caller.id) : undefined,
  ]);
  return {
    to: row.email,
    team: team?.name ?? "",
    inviter: inviter?.name ?? null,
    language: inviter?.locale ?? defaultLanguage,
  };
}

async function sendInvitation(invitation: Sent): Promise<void> {
  const invited = await findInvited(invitation.to);
  const language = invited?.locale ?? invitation.language;
  await sendMail(invitationMail({ ...invitation, hasAccount: invited !== undefined, language }));
}
