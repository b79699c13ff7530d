// Owns a team's handover settings, which only the service may read: call it only for a team whose settings the caller may change. A
// secret is returned once, on creation.
import { randomBytes } from "node:crypto";
import { asService, type Transaction } from "../../_shared/database/db.ts";
import { checkAddress } from "../../_shared/outbound/outbound.ts";
import { OutboundError } from "../../_shared/outbound/outbound-error.ts";
import { refuseField } from "../../_shared/requests/errors.ts";
import { handoverSecrets } from "../../_shared/secrets/sealed-columns.ts";
import { seal } from "../../_shared/secrets/secrets.ts";
import { assignments } from "../sql.ts";
import { readLastDelivery } from "./queries.ts";
import type { HandoverSettings, SettingsUpdate } from "./schema.ts";

type Kept = Pick<HandoverSettings, "isOffered" | "emails" | "webhookUrl" | "hasSecret">;

export async function readSettings(teamId: string): Promise<HandoverSettings> {
  return await asService((tx) => read(tx, teamId));
}

/** @throws ApiError VALIDATION_FAILED for an address that may not be called */
export async function changeSettings(teamId: string, changes: SettingsUpdate): Promise<HandoverSettings> {
  if (changes.webhookUrl) requireCallable(changes.webhookUrl);
  return await asService(async (tx) => {
    const before = await lock(tx, teamId);
    const made = changes.webhookUrl && !before.hasSecret ? createSecret(teamId) : undefined;
    const given = {
      is_offered: changes.isOffered,
      emails: changes.emails && [...new Set(changes.emails)],
      webhook_url: changes.webhookUrl,
      secret: made?.sealed,
    };
    await tx`update private.handover_settings set ${assignments(tx, given, "is_offered")} where team_id = ${teamId}`;
    return { ...(await read(tx, teamId)), ...(made ? { secret: made.secret } : {}) };
  });
}

/** Replaces the secret. The previous secret signs no further webhooks. */
export async function rotateSecret(teamId: string): Promise<HandoverSettings> {
  const { secret, sealed } = createSecret(teamId);
  return await asService(async (tx) => {
    await lock(tx, teamId);
    await tx`update private.handover_settings set secret = ${sealed} where team_id = ${teamId}`;
    return { ...(await read(tx, teamId)), secret };
  });
}

/** Locks the row until the transaction ends. Creates it if missing. */
async function lock(tx: Transaction, teamId: string): Promise<{ hasSecret: boolean }> {
  await tx`insert into private.handover_settings (team_id) values (${teamId}) on conflict (team_id) do nothing`;
  const [row] = await tx<{ hasSecret: boolean }[]>`
    select secret is not null as has_secret from private.handover_settings where team_id = ${teamId} for update`;
  return row ?? { hasSecret: false };
}

async function read(tx: Transaction, teamId: string): Promise<HandoverSettings> {
  const [row] = await tx<Kept[]>`
    select is_offered, emails, webhook_url, secret is not null as has_secret
      from private.handover_settings where team_id = ${teamId}`;
  const none: Kept = { isOffered: true, emails: [], webhookUrl: null, hasSecret: false };
  return { ...(row ?? none), lastDelivery: await readLastDelivery(tx, teamId) };
}

function createSecret(teamId: string): { secret: string; sealed: Uint8Array } {
  const secret = `whsec_${randomBytes(32).toString("base64url")}`;
  return { secret, sealed: seal(secret, handoverSecrets.contextOf(teamId)) };
}

function requireCallable(url: string): void {
  try {
    checkAddress(new URL(url));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw refuseField("webhookUrl", "webhookNotPublic");
  }
}
