// Owns the OAuth v2 flow to Slack's consent page and back, with a single-use state that expires after minutes. Connects nothing: whoever
// returns with the state may not be the person who started the install, so install-confirmation.ts asks that person. Runs as the
// service, since no client may read or write states.
import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { asService, type Claims } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { seal } from "../_shared/secrets/secrets.ts";

/** The scopes of the Slack app. docs/slack.md lists them in its manifest and explains each. */
const scopes = [
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
const longestCode = 2000;

/** @throws ApiError UNAVAILABLE, with an explanation, when this installation has no Slack app */
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

/** The hash of a state, a ticket or a browser's verifier. Only hashes are stored. */
export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
/** The context that a state's secrets are sealed with. */
export const sealContext = (appId: string) => `slack-install:${appId}`;
export const redirectUri = () => `${env().SUPABASE_URL}/functions/v1/slack/oauth`;

/**
 * Returns the URL at which a person approves the install. Call it only for an app that the caller may change.
 * @param challenge SHA-256, in base64url, of a secret in the browser that begins; absent when a program begins
 */
export async function beginInstall(appId: string, claims: Claims, challenge?: string): Promise<string> {
  const { clientId } = requireSlack();
  const state = randomBytes(32).toString("base64url");
  const bound = challenge === undefined ? null : Buffer.from(challenge, "base64url");
  await asService(async (tx) => {
    await tx`delete from private.slack_states where expires_at < clock_timestamp()`;
    await tx`insert into private.slack_states (state_hash, app_id, claims, challenge, expires_at)
             values (${hashOf(state)}, ${appId}, ${tx.json(claims)}, ${bound},
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

type Place = { appId: string; teamCodename: string };

/**
 * Takes the callback of Slack's consent page: stores the code, sealed, for the person who began.
 * @returns the URL to redirect to: the confirmation page, with a ticket that only this browser has
 */
export async function takeCallback(query: URLSearchParams): Promise<string> {
  const { WEB_URL } = env();
  const state = hashOf(query.get("state") ?? "");
  const code = query.get("code");
  const ticket = randomBytes(32).toString("base64url");
  const place = await (code && code.length <= longestCode
    ? storeCode(state, code, ticket)
    : dropState(state));
  if (!place) return `${WEB_URL}/dashboard?slack=expired`;
  const page = `${WEB_URL}/teams/${place.teamCodename}/apps/${place.appId}`;
  if (code) return `${page}/confirm?ticket=${ticket}`;
  return `${page}?slack=${query.get("error") === "access_denied" ? "denied" : "failed"}`;
}

/** Stores the code and a ticket with the state. Refuses a state that already has a ticket, since each is for single use. */
async function storeCode(state: Buffer, code: string, ticket: string): Promise<Place | undefined> {
  return await asService(async (tx) => {
    const [place] = await tx<Place[]>`
      select s.app_id, m.codename as team_codename
        from private.slack_states s join public.apps p on p.id = s.app_id join public.teams m on m.id = p.team_id
       where s.state_hash = ${state} and s.ticket_hash is null and s.expires_at > clock_timestamp()
         for update of s`;
    if (!place) return undefined;
    await tx`
      update private.slack_states
         set ticket_hash = ${hashOf(ticket)}, code = ${seal(code, sealContext(place.appId))}
       where state_hash = ${state}`;
    return place;
  });
}

async function dropState(state: Buffer): Promise<Place | undefined> {
  const [place] = await asService(
    (tx) => tx<Place[]>`
      with dropped as (
        delete from private.slack_states where state_hash = ${state} and ticket_hash is null
        returning app_id, expires_at)
      select d.app_id, m.codename as team_codename
        from dropped d join public.apps p on p.id = d.app_id join public.teams m on m.id = p.team_id
       where d.expires_at > clock_timestamp()`,
  );
  return place;
}
