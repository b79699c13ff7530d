// Owns the tokens of Slack workspaces: sealed at rest, renewed before they expire, deleted when Parley is uninstalled. Runs as the
// service, since no caller may read a token. Does not know conversations.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { asService, type Transaction } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";
import { log } from "../_shared/operation/log.ts";
import { type RetryPolicy, withRetries } from "../_shared/outbound/retry.ts";
import { fromPostgres } from "../_shared/requests/errors.ts";
import { slackTokens } from "../_shared/secrets/sealed-columns.ts";
import { seal, unseal } from "../_shared/secrets/secrets.ts";
import { callSlack, type SlackCall, SlackRefusal, textAt } from "./api.ts";

/** Renews a token with less than this left: a long reply must not outlive its token. */
const renewSeconds = 600;
const renewalSeconds = 30;
/** A refresh token works once, so what it gave waits for a database that restarts, as long as no other process renews the token. */
const storing: RetryPolicy = { tries: 12, firstMs: 200, factor: 1.5, longestMs: 3000 };

const tokens = z.object({ access: z.string(), refresh: z.string().optional() });
export type Tokens = z.infer<typeof tokens>;

/** Slack's error codes for a token that no longer works. */
const dead = new Set([
  "token_revoked",
  "account_inactive",
  "invalid_auth",
  "not_authed",
  "invalid_refresh_token",
]);
export const isDeadToken = (error: unknown): boolean => error instanceof SlackRefusal && dead.has(error.code);

const { contextOf: context } = slackTokens;

/** Stores the tokens of an install or a renewal. @param expiresIn in seconds; undefined for a token that does not expire */
export async function storeInstallation(
  tx: Transaction,
  workspaceId: string,
  botUserId: string,
  given: Tokens,
  expiresIn: number | undefined,
): Promise<void> {
  const sealed = seal(JSON.stringify(given), context(workspaceId));
  await tx`
    insert into private.slack_installations as i (workspace_id, bot_user_id, tokens, expires_at)
    values (${workspaceId}, ${botUserId}, ${sealed}, clock_timestamp() + make_interval(secs => ${expiresIn ?? null}))
    on conflict (workspace_id) do update
       set bot_user_id = excluded.bot_user_id, tokens = excluded.tokens, expires_at = excluded.expires_at,
           refreshing_until = null, installed_at = clock_timestamp()`;
  // Those that waited for the workspace to come back, and those that are about to wait for it: see Claim.again().
  await tx`
    update private.slack_events set run_after = clock_timestamp()
     where workspace_id = ${workspaceId}
       and (status = 'running' or (status = 'queued' and run_after > clock_timestamp()))`;
}

export type Workspace = {
  id: string;
  botUserId: string;
  /** Calls Slack with the workspace's current token. */
  call: SlackCall;
};

/** A workspace with Parley installed, or undefined. */
export async function openWorkspace(id: string): Promise<Workspace | undefined> {
  const [row] = await asService(
    (tx) => tx<{ botUserId: string }[]>`
      select bot_user_id from private.slack_installations where workspace_id = ${id}`,
  );
  return row && { id, botUserId: row.botUserId, call: callerOf(id) };
}

function callerOf(workspaceId: string): SlackCall {
  return async (method, args, signal) => {
    let isExpired = false;
    for (let isLast = false; ; isLast = true) {
      const { access, installedAt } = await tokenOf(workspaceId, isExpired);
      try {
        return await callSlack(access, method, args, signal);
      } catch (error) {
        isExpired = error instanceof SlackRefusal && error.code === "token_expired";
        // Installed again during the call: the refused token is the earlier install's.
        const isReplaced = isDeadToken(error) && !(await forgetWorkspace(workspaceId, installedAt));
        if (isLast || !(isExpired || isReplaced)) throw error;
      }
    }
  };
}

/** With the time of its install, as exact as Postgres has it. */
type Token = { access: string; installedAt: string };
type TokenRow = { tokens: Uint8Array; installedAt: string; stale: boolean; mine: boolean; alive: boolean };

/** The access token, renewed first if it is about to expire. @throws SlackRefusal when Slack has revoked it */
async function tokenOf(workspaceId: string, expired = false): Promise<Token> {
  for (let waited = 0; ; waited++) {
    const [row] = await asService(
      (tx) => tx<TokenRow[]>`
        with taken as (
          update private.slack_installations i
             set refreshing_until = clock_timestamp() + make_interval(secs => ${renewalSeconds})
           where i.workspace_id = ${workspaceId}
             and coalesce(i.expires_at < clock_timestamp() + make_interval(secs => ${renewSeconds}), ${expired})
             and (i.refreshing_until is null or i.refreshing_until < clock_timestamp())
          returning i.tokens, i.installed_at
        )
        -- What is taken is the row as it is now: another process may have renewed it since this statement began.
        select coalesce(t.tokens, i.tokens) as tokens, t.tokens is not null as mine,
               coalesce(t.installed_at, i.installed_at)::text as installed_at,
               coalesce(i.expires_at < clock_timestamp() + make_interval(secs => ${renewSeconds}), ${expired}) as stale,
               coalesce(i.expires_at > clock_timestamp(), true) and not ${expired} as alive
          from private.slack_installations i left join taken t on true
         where i.workspace_id = ${workspaceId}`,
    );
    if (!row) throw new SlackRefusal("auth", "token_revoked");
    const current = tokens.parse(JSON.parse(unseal(row.tokens, context(workspaceId))));
    const { installedAt } = row;
    if (!row.stale || !current.refresh) return { access: current.access, installedAt };
    if (row.mine) return { access: await renew(workspaceId, current.refresh, installedAt), installedAt };
    // Another process is renewing the token. A token that is still valid is used meanwhile.
    if (row.alive) return { access: current.access, installedAt };
    if (waited > renewalSeconds * 4) throw new SlackRefusal("auth", "token_expired");
    await sleep(250);
    expired = false;
  }
}

async function renew(workspaceId: string, refreshToken: string, installedAt: string): Promise<string> {
  const answer = await callSlack(undefined, "oauth.v2.access", {
    client_id: env().SLACK_CLIENT_ID,
    client_secret: env().SLACK_CLIENT_SECRET,
    grant_type: "refresh_token",
    refresh_token: refreshToken,
  }).catch(async (error: unknown) => {
    if (isDeadToken(error)) await forgetWorkspace(workspaceId, installedAt);
    throw error;
  });
  const access = textAt(answer, "access_token");
  const refresh = textAt(answer, "refresh_token");
  if (!access || !refresh) throw new SlackRefusal("oauth.v2.access", "no_token");
  const sealed = seal(JSON.stringify({ access, refresh } satisfies Tokens), context(workspaceId));
  const store = () =>
    asService(
      (tx) => tx`
        update private.slack_installations
           set tokens = ${sealed}, refreshing_until = null,
               expires_at = clock_timestamp() + make_interval(secs => ${Number(answer.expires_in) || 43_200})
         where workspace_id = ${workspaceId} and installed_at = ${installedAt}::text::timestamptz`,
    );
  await withRetries(storing, undefined, store, (error) =>
    fromPostgres(error)?.code === "UNAVAILABLE" ? 0 : undefined,
  );
  return access;
}

/**
 * Deletes a workspace whose token Slack has revoked, and disconnects its apps.
 * @param before the time of Slack's event or of the revoked token's install; a later install stays
 * @returns false when there is a later install
 */
export async function forgetWorkspace(workspaceId: string, before: string): Promise<boolean> {
  return await asService(async (tx) => {
    await tx`delete from private.slack_installations
              where workspace_id = ${workspaceId} and installed_at <= ${before}::text::timestamptz`;
    const [later] = await tx`select 1 from private.slack_installations where workspace_id = ${workspaceId}`;
    if (later) return false;
    await tx`update public.apps set status = 'disconnected'
              where workspace_id = ${workspaceId} and status = 'connected'`;
    return true;
  });
}

function noteUnread(error: unknown): undefined {
  log("warn", "a Slack token could not be read and will not be revoked", { error: String(error) });
}

/** Disconnects a workspace that was installed again while its tokens were revoked: Slack revokes all of them. */
async function testInstallation(id: string): Promise<void> {
  try {
    await (await openWorkspace(id))?.call("auth.test", {}, AbortSignal.timeout(5_000));
  } catch (error) {
    log("warn", "a Slack workspace that was installed meanwhile was tested", { error: String(error) });
  }
}

/**
 * Runs `work`, which may delete the last app of workspaces and so their tokens. If it did, revokes the tokens at Slack. A failed
 * revocation is only logged: without apps the token gives no access to our data.
 * @param workspaceIds the apps' workspaces before `work`
 */
export async function revokeUnusedTokensAfter<T>(workspaceIds: string[], work: () => Promise<T>): Promise<T> {
  const before = await Promise.all(
    workspaceIds.map(async (id) => ({ id, token: (await tokenOf(id).catch(noteUnread))?.access })),
  );
  const result = await work();
  for (const { id, token } of before) {
    if (token === undefined) continue;
    try {
      if (await openWorkspace(id)) continue;
      await callSlack(token, "auth.revoke", {}, AbortSignal.timeout(5_000));
    } catch (error) {
      log("warn", "a Slack token was not revoked", { error: String(error) });
    }
    await testInstallation(id);
  }
  return result;
}
