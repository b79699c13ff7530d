// Owns the deletion of worlds from a database that other tests use, too.
import type { Sql } from "postgres";
import type { World } from "./world.ts";

/** A few at a time: a transaction holds the embedded database, whose other clients wait 15 s at most. */
const atOnce = 4;

export async function removeWorlds(sql: Sql, worlds: readonly World[]): Promise<void> {
  for (let at = 0; at < worlds.length; at += atOnce) await removeSome(sql, worlds.slice(at, at + atOnce));
}

async function removeSome(sql: Sql, worlds: readonly World[]): Promise<void> {
  const each = (idOf: (world: World) => string) => worlds.map(idOf);
  const teams = worlds.flatMap(({ team, otherTeam }) => [team, otherTeam]);
  const accounts = worlds.flatMap(({ people: ids, secondOwner }) => [...Object.values(ids), secondOwner]);
  const vectors = worlds.flatMap(({ vector, spareVector }) => [vector, spareVector]);
  const marks = each(({ mark }) => mark);
  const limits = each(({ mark }) => `limit:${mark}`);
  const paths = each(({ team, unwantedObject }) => `teams/${team}/${unwantedObject}`);
  const workspaces = each(({ workspace }) => workspace);
  const buckets = each(({ bucket }) => bucket);
  await sql.begin(async (tx) => {
    // A team's work locks its task first and then its rows: this keeps the same order.
    await tx`select 1 from public.tasks where team_id = any (${teams}::uuid[]) for update`;
    await tx`delete from public.teams where id = any (${teams}::uuid[])`;
    await tx`delete from auth.users where id = any (${accounts}::uuid[])`;
    await tx`delete from public.vectors where id = any (${vectors}::uuid[])`;
    await tx`delete from public.support_tickets where id = any (${each(({ supportTicket }) => supportTicket)}::uuid[])`;
    await tx`delete from public.suppressions where id = any (${each(({ suppression }) => suppression)}::uuid[])`;
    await tx`delete from private.mail_events where message_id = any (${marks})`;
    await tx`delete from public.beta_signups where id = any (${each(({ betaSignup }) => betaSignup)}::uuid[])`;
    await tx`delete from private.token_rotations where session_id = any (${each(({ session }) => session)}::uuid[])`;
    await tx`delete from private.deleted_teams where id = any (${teams}::uuid[])`;
    await tx`delete from private.import_archives where id = any (${teams}::uuid[])`;
    await tx`delete from private.rate_limits where key = any (${limits})`;
    await tx`delete from private.idempotency_keys where caller = any (${marks})`;
    await tx`delete from private.unwanted_objects where path = any (${paths})`;
    await tx`delete from private.slack_installations where workspace_id = any (${workspaces})`;
    await tx`delete from private.slack_events where workspace_id = any (${workspaces})`;
    await tx`delete from storage.objects where bucket_id = any (${buckets})`;
    await tx`delete from storage.buckets where id = any (${buckets})`;
  });
}
