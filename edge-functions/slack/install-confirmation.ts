// Owns the last step of an install: the person who began it sees which workspace Slack gave, for which agent of which team, and
// confirms. Runs as the service where states and workspaces are read and written, which no client may do.
import { z } from "zod";
import { asCaller, asService, type Claims, type Transaction } from "../_shared/database/db.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { seal, unseal } from "../_shared/secrets/secrets.ts";
import { plainText } from "../_shared/text/plain-text.ts";
import { callSlack, SlackRefusal, textAt } from "./api.ts";
import { hashOf, redirectUri, requireSlack, sealedFor } from "./install.ts";
import { keepInstallation, leavingAfter } from "./installations.ts";

const grant = z.object({
  /** The agent that the person is shown. */
  agentId: z.string(),
  workspaceId: z.string(),
  workspaceName: z.string(),
  botUserId: z.string(),
  access: z.string(),
  refresh: z.string().optional(),
  expiresAt: z.number().optional(),
});
type Grant = z.infer<typeof grant>;

/** What a browser that came back from Slack has: the ticket from its address, the verifier from its cookie. */
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
 * What a person is about to connect. Slack's code is exchanged here, for them alone; nothing is bound.
 * @throws ApiError NOT_FOUND where nothing waits, or not for this person; FORBIDDEN where they may not connect apps; CONFLICT for
 *   a whole organisation; UPSTREAM_FAILED where Slack does not answer as it should
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

/** Binds the app to the workspace that its person has seen. @returns the app that is connected @throws ApiError as openArrival */
export async function confirmArrival(claims: Claims, proof: Proof): Promise<string> {
  const row = await findArrival(claims, proof);
  if (!row.granted) throw new ApiError("NOT_FOUND");
  const given = readGrant(row, row.granted);
  const left = row.workspaceId !== null && row.workspaceId !== given.workspaceId ? [row.workspaceId] : [];
  const expiresIn = given.expiresAt === undefined ? undefined : (given.expiresAt - Date.now()) / 1000;
  // Kept and connected at once: an app that goes meanwhile takes no token that is needed.
  return await leavingAfter(left, () =>
    asService(async (tx) => {
      const taken =
        await tx`delete from private.slack_states where ticket_hash = ${hashOf(proof.ticket)} returning 1`;
      if (taken.length === 0) throw new ApiError("NOT_FOUND");
      const tokens = { access: given.access, refresh: given.refresh };
      await keepInstallation(tx, given.workspaceId, given.botUserId, tokens, expiresIn);
      return await connect(tx, row, given);
    }),
  );
}

/** The install that waits, if it waits for this person in this browser, and they and who began still may. */
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
 * A person's install is theirs; in a browser's, that browser's and its session's. One that an API key began is for any person
 * who may connect the team's apps. A key itself never confirms: there is nobody who has looked.
 */
function isFor({ claims: begun, challenge }: Row, claims: Claims, verifier: string | undefined): boolean {
  if (!("sub" in claims)) return false;
  if ("sub" in begun && begun.sub !== claims.sub) return false;
  if (challenge === null) return true;
  if (verifier === undefined || !hashOf(verifier).equals(challenge)) return false;
  return !("session_id" in begun) || ("session_id" in claims && begun.session_id === claims.session_id);
}

async function mayConnect(claims: Claims, appId: string): Promise<boolean> {
  const rows = await asCaller(
    claims,
    (tx) => tx`
      select 1 from public.apps
       where id = ${appId} and team_id = any ((select private.teams_with('apps.write'))::uuid[])`,
  ).catch((error: unknown) => {
    // An API key or a session that ended meanwhile.
    if (error instanceof ApiError && error.code === "NOT_AUTHENTICATED") return [];
    throw error;
  });
  return rows.length > 0;
}

/** @throws ApiError NOT_FOUND where the app has been given another agent than the one that was shown */
function readGrant({ appId, agentId }: Row, sealed: Uint8Array): Grant {
  const given = grant.parse(JSON.parse(unseal(sealed, sealedFor(appId))));
  if (given.agentId !== agentId) throw new ApiError("NOT_FOUND");
  return given;
}

/** What Slack gave for the code, which works once: whoever comes second reads what the first one kept. */
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
  const given = { agentId: row.agentId, ...(await exchange(unseal(taken.code, sealedFor(row.appId)))) };
  const sealed = seal(JSON.stringify(given), sealedFor(row.appId));
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
    // A code that was used, or waited too long.
    if (cause instanceof SlackRefusal && /code/.test(cause.code)) throw new ApiError("NOT_FOUND");
    throw new ApiError("UPSTREAM_FAILED", undefined, { cause });
  });
  if (answer.is_enterprise_install === true) {
    throw new ApiError("CONFLICT", "Slack was told to install it for a whole organisation.");
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
 * Binds the app to the workspace. Where the agent has an app there already, that one goes on and the new one goes.
 * @returns the app that is connected
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
  // Another agent that was chosen meanwhile is not the one that the person has seen.
  const bound = await tx`
    update public.apps
       set status = 'connected', workspace_id = ${workspaceId}, workspace_name = ${workspaceName},
           connected_at = case when workspace_id = ${workspaceId} and connected_at is not null
                               then connected_at else clock_timestamp() end
     where id = ${appId} and agent_id = ${agentId} returning 1`;
  if (bound.length === 0) throw new ApiError("NOT_FOUND");
  return appId;
}
