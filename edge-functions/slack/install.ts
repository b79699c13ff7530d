// Owns the way of an app into a Slack workspace: OAuth v2 with a state that works once, for minutes, for one app and for
// whoever began it. Runs as the service where states and workspaces are written, which no caller may do.
import type { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { asCaller, asService, type Claims, type Transaction } from "../_shared/db.ts";
import { env } from "../_shared/env.ts";
import { ApiError } from "../_shared/errors.ts";
import { log } from "../_shared/log.ts";
import { plainText } from "../_shared/plain-text.ts";
import { callSlack, SlackRefusal, textAt } from "./api.ts";
import { keepInstallation, leavingAfter } from "./installations.ts";

/** What the Slack app needs; docs/slack.md has them in its manifest and says what each is for. */
export const scopes = [
  "app_mentions:read",
  "assistant:write",
  "channels:history",
  "chat:write",
  "groups:history",
  "im:history",
  "mpim:history",
  "users:read",
];
const minutes = 10;

/** @throws ApiError UNAVAILABLE, in words, where this installation has no Slack app */
export function requireSlack(): { clientId: string; clientSecret: string; signingSecret: string } {
  const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_SIGNING_SECRET } = env();
  if (SLACK_CLIENT_ID && SLACK_CLIENT_SECRET && SLACK_SIGNING_SECRET) {
    return {
      clientId: SLACK_CLIENT_ID,
      clientSecret: SLACK_CLIENT_SECRET,
      signingSecret: SLACK_SIGNING_SECRET,
    };
  }
  throw new ApiError(
    "UNAVAILABLE",
    "Slack is not set up on this installation. Whoever runs it sets SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET: docs/slack.md.",
  );
}

const hashOf = (state: string): Buffer => createHash("sha256").update(state).digest();
const redirectUri = () => `${env().SUPABASE_URL}/functions/v1/slack/oauth`;

/** The address at which somebody approves the install. Call it for an app that the caller may change. */
export async function beginInstall(appId: string, claims: Claims): Promise<string> {
  const { clientId } = requireSlack();
  const state = randomBytes(32).toString("base64url");
  await asService(async (tx) => {
    await tx`delete from private.slack_states where expires_at < clock_timestamp()`;
    await tx`insert into private.slack_states (state_hash, app_id, claims, expires_at)
             values (${hashOf(state)}, ${appId}, ${tx.json(claims)},
                     clock_timestamp() + make_interval(mins => ${minutes}))`;
  });
  const url = new URL("../oauth/v2/authorize", `${env().SLACK_API_URL.replace(/\/$/, "")}/`);
  url.search = new URLSearchParams({
    client_id: clientId,
    scope: scopes.join(","),
    redirect_uri: redirectUri(),
    state,
  }).toString();
  return url.href;
}

/** How an install ended; the app's page says it in words. */
export type InstallResult = "connected" | "denied" | "expired" | "organisation" | "forbidden" | "failed";

type Begun = {
  appId: string;
  claims: Claims;
  teamCodename: string;
  agentId: string;
  workspaceId: string | null;
};

/** Ends an install that Slack sends back. @returns where the browser goes next */
export async function finishInstall(query: URLSearchParams): Promise<string> {
  const { WEB_URL } = env();
  const begun = await takeState(query.get("state") ?? "");
  if (!begun) return `${WEB_URL}/dashboard?slack=expired`;
  let result: InstallResult;
  let appId = begun.appId;
  try {
    ({ result, appId } = await finish(begun, query));
  } catch (error) {
    log("error", "a Slack install failed", { appId, error: String(error) });
    result = "failed";
  }
  return `${WEB_URL}/teams/${begun.teamCodename}/apps/${appId}?slack=${result}`;
}

async function finish(
  begun: Begun,
  query: URLSearchParams,
): Promise<{ result: InstallResult; appId: string }> {
  const { appId } = begun;
  const code = query.get("code");
  if (!code) return { result: query.get("error") === "access_denied" ? "denied" : "failed", appId };
  // The state says who began; whether they still may, row-level security says now.
  if (!(await mayConnect(begun))) return { result: "forbidden", appId };
  const { clientId, clientSecret } = requireSlack();
  const answer = await callSlack(undefined, "oauth.v2.access", {
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: redirectUri(),
  }).catch((error: unknown) => {
    // A code that was used, or waited too long.
    if (error instanceof SlackRefusal && /code/.test(error.code)) return undefined;
    throw error;
  });
  if (!answer) return { result: "expired", appId };
  if (answer.is_enterprise_install === true) return { result: "organisation", appId };
  const workspaceId = textAt(answer, "team", "id");
  const access = textAt(answer, "access_token");
  const botUserId = textAt(answer, "bot_user_id");
  if (!workspaceId || !access || !botUserId) throw new Error("Slack's answer names no workspace or no bot");
  const expiresIn = answer.expires_in === undefined ? undefined : Number(answer.expires_in);
  const tokens = { access, refresh: textAt(answer, "refresh_token") };
  const name = textAt(answer, "team", "name") ?? workspaceId;
  const left = begun.workspaceId !== null && begun.workspaceId !== workspaceId ? [begun.workspaceId] : [];
  // Kept and connected at once: an app that goes meanwhile takes no token that is needed.
  const connected = await leavingAfter(left, () =>
    asService(async (tx) => {
      await keepInstallation(tx, workspaceId, botUserId, tokens, expiresIn);
      return await connect(tx, begun, workspaceId, name);
    }),
  );
  return { result: "connected", appId: connected };
}

/** Takes a state: it works once. */
async function takeState(state: string): Promise<Begun | undefined> {
  const [row] = await asService(
    (tx) => tx<Begun[]>`
      with taken as (
        delete from private.slack_states where state_hash = ${hashOf(state)} returning app_id, claims, expires_at)
      select t.app_id, t.claims, m.codename as team_codename, p.agent_id, p.workspace_id
        from taken t join public.apps p on p.id = t.app_id join public.teams m on m.id = p.team_id
       where t.expires_at > clock_timestamp()`,
  );
  return row;
}

async function mayConnect({ claims, appId }: Begun): Promise<boolean> {
  const rows = await asCaller(
    claims,
    (tx) => tx`
      select 1 from public.apps
       where id = ${appId} and team_id = any ((select private.teams_with('apps.write'))::uuid[])`,
  ).catch((error: unknown) => {
    // An API key that was revoked meanwhile.
    if (error instanceof ApiError) return [];
    throw error;
  });
  return rows.length > 0;
}

/**
 * Binds the app to the workspace. Where the agent has an app there already, that one goes on and the new one goes.
 * @returns the app that is connected
 */
async function connect(
  tx: Transaction,
  { appId, agentId }: Begun,
  workspaceId: string,
  name: string,
): Promise<string> {
  const [other] = await tx<{ id: string }[]>`
    select id from public.apps
     where workspace_id = ${workspaceId} and agent_id = ${agentId} and status = 'connected' and id <> ${appId}`;
  if (other) {
    await tx`delete from public.apps where id = ${appId} and status = 'pending'`;
    return other.id;
  }
  await tx`update public.apps
              set status = 'connected', workspace_id = ${workspaceId}, workspace_name = ${plainText(name).slice(0, 200)},
                  connected_at = case when workspace_id = ${workspaceId} and connected_at is not null
                                      then connected_at else clock_timestamp() end
            where id = ${appId}`;
  return appId;
}
