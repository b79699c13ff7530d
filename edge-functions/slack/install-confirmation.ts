// Owns the last step of an install: the person who started it sees the workspace that Slack granted, and the agent and team that it
// is for, and confirms. Runs as the service to read and write states and workspaces, which no client may do.
import { z } from "zod";
import { asCaller, asService, type Claims, type Transaction } from "../_shared/database/db.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { seal, unseal } from "../_shared/secrets/secrets.ts";
import { plainText } from "../_shared/text/plain-text.ts";
import { callSlack, SlackRefusal, textAt } from "./api.ts";
import { hashOf, redirectUri, requireSlack, sealContext } from "./install.ts";
import { isDeadToken, revokeUnusedTokensAfter, storeInstallation } from "./installations.ts";

const grant = z.object({
  /** The agent shown to the person. */
  agentId: z.string(),
  workspaceId: z.string(),
  workspaceName: z.string(),
  botUserId: z.string(),
  access: z.string(),
  refresh: z.string().optional(),
  expiresAt: z.number().optional(),
});
type Grant = z.infer<typeof grant>;

/** The proof that a browser returning from Slack holds: the ticket from its URL and the verifier from its cookie. */
export type Proof = { ticket: string; verifier?: string };

export type Arrival = {
  appId: string;
  team: { id: string; name: string; codename: string };
  agent: { id: string; name: string };
  workspace: { id: string; name: string };
};

type Row = {
  claims: Claims;
  challenge: Uint8Array | null;
  granted: Uint8Array | null;
  appId: string;
  agentId: string;
  agentName: string;
  teamId: string;
  teamName: string;
  teamCodename: string;
  workspaceId: string | null;
};

/**
 * Returns what a person is about to connect. Exchanges Slack's code, for that person only; binds nothing.
 * @throws ApiError NOT_FOUND when no install is pending for this person; FORBIDDEN when they may not connect apps; CONFLICT for an
 * organisation-wide install; UPSTREAM_FAILED on an invalid response from Slack
 */
export async function openArrival(claims: Claims, proof: Proof): Promise<Arrival> {
  const row = await findArrival(claims, proof);
  const { workspaceId, workspaceName } = await grantOf(row, proof);
  return {
    appId: row.appId,
    team: { id: row.teamId, name: row.teamName, codename: row.teamCodename },
    agent: { id: row.agentId, name: row.agentName },
    workspace: { id: workspaceId, name: workspaceName },
  };
}

/**
 * Binds the app to the workspace that the person has confirmed. @returns the id of the connected app @throws ApiError as
 * openArrival(), and NOT_FOUND when Slack has revoked the grant
 */
export async function confirmArrival(claims: Claims, proof: Proof): Promise<string> {
  const row = await findArrival(claims, proof);
  if (!row.granted) throw new ApiError("NOT_FOUND");
  const given = readGrant(row, row.granted);
  await requireWorkingToken(given);
  const left = row.workspaceId !== null && row.workspaceId !== given.workspaceId ? [row.workspaceId] : [];
  const expiresIn = given.expiresAt === undefined ? undefined : (given.expiresAt - Date.now()) / 1000;
  // Stores the token and connects in one transaction, so that an app deleted meanwhile does not delete a token in use.
  return await revokeUnusedTokensAfter(left, () =>
    asService(async (tx) => {
      const taken =
        await tx`delete from private.slack_states where ticket_hash = ${hashOf(proof.ticket)} returning 1`;
      if (taken.length === 0) throw new ApiError("NOT_FOUND");
      const tokens = { access: given.access, refresh: given.refresh };
      await storeInstallation(tx, given.workspaceId, given.botUserId, tokens, expiresIn);
      return await connect(tx, row, given);
    }),
  );
}

/** A grant waits for its person, and Slack revokes it with the workspace's other tokens when somebody disconnects the last app there. */
async function requireWorkingToken({ access }: Grant): Promise<void> {
  await callSlack(access, "auth.test", {}, AbortSignal.timeout(5_000)).catch((cause: unknown) => {
    throw isDeadToken(cause)
      ? new ApiError("NOT_FOUND")
      : new ApiError("UPSTREAM_FAILED", undefined, { cause });
  });
}

/** The pending install, if it is for this person in this browser, and if they and its initiator still have permission. */
async function findArrival(claims: Claims, { ticket, verifier }: Proof): Promise<Row> {
  const [row] = await asService(
    (tx) => tx<Row[]>`
      select s.claims, s.challenge, s.granted, p.id as app_id, p.workspace_id, a.id as agent_id, a.name as agent_name,
             m.id as team_id, m.name as team_name, m.codename as team_codename
        from private.slack_states s
        join public.apps p on p.id = s.app_id
        join public.agents a on a.id = p.agent_id
        join public.teams m on m.id = p.team_id
       where s.ticket_hash = ${hashOf(ticket)} and s.expires_at > clock_timestamp()`,
  );
  if (!row || !isFor(row, claims, verifier)) throw new ApiError("NOT_FOUND");
  if (!(await mayConnect(claims, row.appId)) || !(await mayConnect(row.claims, row.appId))) {
    throw new ApiError("FORBIDDEN");
  }
  return row;
}

/**
 * An install started by a person is for that person; one started in a browser is for that browser and its session. One started
 * with an API key is for any person who may connect the team's apps. A key itself never confirms, since a person has to look.
 */
function isFor({ claims: starter, challenge }: Row, claims: Claims, verifier: string | undefined): boolean {
  if (!("sub" in claims)) return false;
  if ("sub" in starter && starter.sub !== claims.sub) return false;
  if (challenge === null) return true;
  if (verifier === undefined || !hashOf(verifier).equals(challenge)) return false;
  return !("session_id" in starter) || ("session_id" in claims && starter.session_id === claims.session_id);
}

async function mayConnect(claims: Claims, appId: string): Promise<boolean> {
  const rows = await asCaller(
    claims,
    (tx) => tx`
      select 1 from public.apps
       where id = ${appId} and team_id = any ((select private.teams_with('apps.write'))::uuid[])`,
  ).catch((error: unknown) => {
    // The API key or the session ended meanwhile.
    if (error instanceof ApiError && error.code === "NOT_AUTHENTICATED") return [];
    throw error;
  });
  return rows.length > 0;
}

/** @throws ApiError NOT_FOUND when the app now has another agent than the one shown */
function readGrant({ appId, agentId }: Row, sealed: Uint8Array): Grant {
  const given = grant.parse(JSON.parse(unseal(sealed, sealContext(appId))));
  if (given.agentId !== agentId) throw new ApiError("NOT_FOUND");
  return given;
}

/** What Slack granted for the code, which works once: a second caller reads what the first one stored. */
async function grantOf(row: Row, { ticket }: Proof): Promise<Grant> {
  if (row.granted) return readGrant(row, row.granted);
  const [taken] = await asService(
    (tx) => tx<{ code: Uint8Array }[]>`
      with waiting as (
        select state_hash, code from private.slack_states
         where ticket_hash = ${hashOf(ticket)} and code is not null for update)
      update private.slack_states s set code = null from waiting w
       where s.state_hash = w.state_hash returning w.code`,
  );
  if (!taken) throw new ApiError("NOT_FOUND");
  const given = { agentId: row.agentId, ...(await exchange(unseal(taken.code, sealContext(row.appId)))) };
  const sealed = seal(JSON.stringify(given), sealContext(row.appId));
  await asService(
    (tx) => tx`update private.slack_states set granted = ${sealed} where ticket_hash = ${hashOf(ticket)}`,
  );
  return given;
}

async function exchange(code: string): Promise<Omit<Grant, "agentId">> {
  const { clientId, clientSecret } = requireSlack();
  const answer = await callSlack(undefined, "oauth.v2.access", {
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: redirectUri(),
  }).catch((cause: unknown) => {
    // The code was used or has expired.
    if (cause instanceof SlackRefusal && /code/.test(cause.code)) throw new ApiError("NOT_FOUND");
    throw new ApiError("UPSTREAM_FAILED", undefined, { cause });
  });
  if (answer.is_enterprise_install === true) {
    throw new ApiError(
      "CONFLICT",
      "Parley cannot be installed for a whole organization. Start again and choose one workspace.",
    );
  }
  const workspaceId = textAt(answer, "team", "id");
  const access = textAt(answer, "access_token");
  const botUserId = textAt(answer, "bot_user_id");
  if (!workspaceId || !access || !botUserId) throw new ApiError("UPSTREAM_FAILED");
  return {
    workspaceId,
    workspaceName: plainText(textAt(answer, "team", "name") ?? workspaceId).slice(0, 200),
    botUserId,
    access,
    refresh: textAt(answer, "refresh_token"),
    expiresAt: answer.expires_in === undefined ? undefined : Date.now() + Number(answer.expires_in) * 1000,
  };
}

/**
 * Binds the app to the workspace. If the agent already has an app there, that one stays and the new one is deleted.
 * @returns the id of the connected app
 */
async function connect(
  tx: Transaction,
  { appId, agentId }: Row,
  { workspaceId, workspaceName }: Grant,
): Promise<string> {
  const [other] = await tx<{ id: string }[]>`
    select id from public.apps
     where workspace_id = ${workspaceId} and agent_id = ${agentId} and status = 'connected' and id <> ${appId}`;
  if (other) {
    await tx`delete from public.apps where id = ${appId} and status = 'pending'`;
    return other.id;
  }
  // Fails if the agent was changed meanwhile: the person has not seen the new one.
  const bound = await tx`
    update public.apps
       set status = 'connected', workspace_id = ${workspaceId}, workspace_name = ${workspaceName},
           connected_at = case when workspace_id = ${workspaceId} and connected_at is not null
                               then connected_at else clock_timestamp() end,
           team_connected_at = coalesce((
             select min(o.team_connected_at) from public.apps o
              where o.workspace_id = ${workspaceId} and o.team_id = apps.team_id), clock_timestamp())
     where id = ${appId} and agent_id = ${agentId} returning 1`;
  if (bound.length === 0) throw new ApiError("NOT_FOUND");
  return appId;
}
