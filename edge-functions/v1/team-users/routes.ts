// Owns the calls for a team's members and the invitations to it.
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { asCaller, type Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { clientAddresses, hitsOf, take } from "../../_shared/limits.ts";
import { sendMail } from "../../_shared/mail.ts";
import { inBackground } from "../background.ts";
import { readInTeam } from "../in-team.ts";
import {
  type AppEnv,
  claimsOf,
  failures,
  found,
  json,
  jsonBody,
  pageOf,
  router,
  signedIn,
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

const tags = ["Team users"];
const inTeam = z.object({ id: teamRef.openapi({ param: { name: "id", in: "path" } }) });
const oneInTeam = inTeam.extend({
  userId: z.uuid().openapi({ description: "The user's id, or the id of the row." }),
});

/** Mounted at /v1/teamUsers. */
export const teamUsers = router()
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}/users",
      summary: "List a team's members and invitations",
      tags,
      middleware: [signedIn],
      request: { params: inTeam, query: teamUsersQuery },
      responses: { 200: json(pageOf(teamUser)), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const page = await readInTeam(c, id, "users.read", (tx, team) =>
        queries.listTeamUsers(tx, team, c.req.valid("query")),
      );
      return c.json(page, 200);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/{id}/users",
      summary: "Invite somebody to a team",
      tags,
      description: "Invites an e-mail address, with or without an account, and sends it a mail.",
      middleware: [signedIn],
      request: { params: inTeam, body: jsonBody(newInvitation) },
      responses: { 201: json(teamUser, "Created"), ...failures },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const values = c.req.valid("json");
      await limitAddress(c);
      const { row, invitation } = await asCaller(claimsOf(c), async (tx) => {
        const team = await teamWith(tx, id, "users.write");
        const created = found(await queries.inviteTeamUser(tx, team, values));
        return { row: created, invitation: await invitationOf(tx, c, team, created) };
      });
      inBackground(sendInvitation(invitation), "mail: invitation");
      return c.json(row, 201);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/{id}/users/{userId}",
      summary: "Read a member or an invitation",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 200: json(teamUser), ...failures },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      const row = await asCaller(claimsOf(c), (tx) => readOne(tx, id, userId));
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/{id}/users/{userId}",
      summary: "Change a member's role",
      tags,
      description: "Changes a member's role, within the caller's own permissions.",
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(teamUserUpdate) },
      responses: { 200: json(teamUser), ...failures },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      const { roleId } = c.req.valid("json");
      const row = await asCaller(claimsOf(c), async (tx) => {
        const current = await readOne(tx, id, userId);
        await teamWith(tx, id, "users.write");
        return await change(tx, id, current, { roleId });
      });
      return c.json(row, 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/{id}/users/{userId}",
      summary: "Remove a member or an invitation",
      tags,
      description:
        "Removes a member or an invitation; members may leave by themselves. A team keeps an owner.",
      middleware: [signedIn],
      request: { params: oneInTeam },
      responses: { 204: { description: "Deleted" }, ...failures },
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
    createRoute({
      method: "put",
      path: "/{id}/users/{userId}/invites",
      summary: "Answer an invitation, or send it again",
      tags,
      middleware: [signedIn],
      request: { params: oneInTeam, body: jsonBody(invitationUpdate) },
      responses: { 200: json(teamUser), ...failures },
    }),
    async (c) => {
      const { id, userId } = c.req.valid("param");
      const body = c.req.valid("json");
      if (body.status !== "pending") {
        const answered = await asCaller(claimsOf(c), (tx) => answer(tx, c, id, userId, body.status));
        return c.json(answered, 200);
      }
      await limitAddress(c);
      const { row, invitation } = await asCaller(claimsOf(c), async (tx) => {
        const current = await readOne(tx, id, userId);
        const team = await teamWith(tx, id, "users.write");
        if (current.status === "accepted") throw new ApiError("CONFLICT", "They have joined already.");
        const again = await change(tx, id, current, { roleId: body.roleId, status: "pending" });
        return { row: again, invitation: await invitationOf(tx, c, team, again) };
      });
      inBackground(sendInvitation(invitation), "mail: invitation");
      return c.json(row, 200);
    },
  );

/**
 * How many invitations an address, an inviter and a team have is counted where they are written. Before any transaction: the
 * embedded database runs one at a time, so one inside another would wait for ever.
 */
async function limitAddress(c: Context<AppEnv>): Promise<void> {
  await take(hitsOf("mail", clientAddresses(c.req.header("X-Forwarded-For"))));
}

async function readOne(tx: Transaction, teamRefText: string, userOrRowId: string): Promise<TeamUser> {
  const team = found(await queries.findTeam(tx, teamRefText));
  const row = await queries.readTeamUser(tx, team.id, userOrRowId);
  if (!row) throw new ApiError("USER_NOT_EXISTS");
  return row;
}

async function change(
  tx: Transaction,
  teamRefText: string,
  current: TeamUser,
  values: { roleId?: string; status?: TeamUser["status"] },
): Promise<TeamUser> {
  // Visible, so a row that does not change is one that the caller may not change.
  if (!(await queries.updateTeamUser(tx, current.id, values))) throw new ApiError("FORBIDDEN");
  return await readOne(tx, teamRefText, current.id);
}

/** The invited answer; nobody answers for them. */
async function answer(
  tx: Transaction,
  c: Context<AppEnv>,
  teamRefText: string,
  userOrRowId: string,
  status: "accepted" | "rejected",
): Promise<TeamUser> {
  const current = await readOne(tx, teamRefText, userOrRowId);
  userOf(c);
  if (!(await queries.isOwn(tx, current.id))) throw new ApiError("FORBIDDEN");
  if (current.status !== "pending" && current.status !== status) {
    throw new ApiError("CONFLICT", "This invitation has been answered already.");
  }
  if (current.status === status) return current;
  if (!(await queries.updateTeamUser(tx, current.id, { status }))) throw new ApiError("FORBIDDEN");
  // Whoever declines no longer sees the team.
  return status === "rejected" ? { ...current, status } : await readOne(tx, teamRefText, current.id);
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
    language: inviter?.locale ?? "en",
  };
}

async function sendInvitation(invitation: Sent): Promise<void> {
  const invited = await findInvited(invitation.to);
  const language = invited?.locale ?? invitation.language;
  await sendMail(invitationMail({ ...invitation, hasAccount: invited !== undefined, language }));
}
