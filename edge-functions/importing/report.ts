// Owns the report of an import: what was imported, and what needs manual work because no export contains it.
import type { Transaction } from "../_shared/database/db.ts";
import { readWritten } from "./hidden-rows.ts";

/** Maximum entries of each kind of manual work. */
const listed = 500;

/** edge-functions/v1/teams/import-schema.ts describes the fields. */
export interface Report {
  brought: Record<
    "agents" | "knowledges" | "sources" | "files" | "documents" | "chats" | "messages" | "roles" | "apps",
    number
  >;
  toDo: {
    sources: { id: string; name: string }[];
    apps: { id: string; name: string }[];
    apiKeys: { name: string; roleId: string | null }[];
    members: { email: string; roleId: string }[];
    missingFiles: string[];
    skipped: number;
  };
}

/** Runs in the transaction that wrote everything, before the archive's rows are deleted. */
export async function readReport(tx: Transaction, teamId: string): Promise<Report> {
  // Counted as they were written: a count of a million messages takes seconds.
  const { documents, chats, messages } = await readWritten(tx, teamId);
  const leftOut = (documents?.leftOut ?? 0) + (chats?.leftOut ?? 0) + (messages?.leftOut ?? 0);
  const [row] = await tx<{ report: Report }[]>`
    with r as (select * from private.import_rows i where i.team_id = ${teamId}),
         -- System roles have the same id everywhere.
         roles as (select r.old_id, r.new_id from r where r.kind = 'roles' and r.new_id is not null
                   union all select s.id, s.id from public.roles s where s.team_id is null),
         counts as (
           select (select count(*) from public.agents t where t.team_id = ${teamId}) as agents,
                  (select count(*) from public.knowledges t where t.team_id = ${teamId}) as knowledges,
                  (select count(*) from public.sources t where t.team_id = ${teamId}) as sources,
                  (select count(*) from public.files t where t.team_id = ${teamId}) as files,
                  ${documents?.rows ?? 0}::int as documents,
                  ${chats?.rows ?? 0}::int as chats,
                  ${messages?.rows ?? 0}::int as messages,
                  (select count(*) from public.roles t where t.team_id = ${teamId}) as roles,
                  (select count(*) from public.apps t where t.team_id = ${teamId}) as apps)
    select jsonb_build_object(
      'brought', to_jsonb(counts),
      'toDo', jsonb_build_object(
        'sources', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.id), '[]') from (
                      select s.id, s.name from public.sources s where s.team_id = ${teamId} and s.status = 'stopped' order by s.id limit ${listed}) s),
        'apps', (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by a.id), '[]')
                   from public.apps a where a.team_id = ${teamId}),
        'apiKeys', (select coalesce(jsonb_agg(jsonb_build_object('name', k.content ->> 'name', 'roleId', k.new_id) order by k.position), '[]') from (
                      select r.content, r.position, roles.new_id from r left join roles on roles.old_id = (r.content ->> 'role_id')::uuid
                       where r.kind = 'api_keys' order by r.position limit ${listed}) k),
        'members', (select coalesce(jsonb_agg(jsonb_build_object('email', m.email, 'roleId', m.new_id) order by m.email), '[]') from (
                      select distinct on (r.content ->> 'email') r.content ->> 'email' as email, roles.new_id
                        from r join roles on roles.old_id = (r.content ->> 'role_id')::uuid
                       where r.kind = 'team_users' and not exists (
                         select 1 from public.team_users tu where tu.team_id = ${teamId} and tu.email = r.content ->> 'email')
                       order by r.content ->> 'email', r.position limit ${listed}) m),
        'missingFiles', (select coalesce(jsonb_agg(f.name order by f.position), '[]') from (
                      select r.content ->> 'name' as name, r.position from r
                       where r.kind = 'files' and not (r.content ->> 'stored')::boolean order by r.position limit ${listed}) f),
        'skipped', ${leftOut}::int + (select count(*) from r
                    where r.kind in ('agents', 'knowledges', 'sources', 'roles', 'apps') and r.new_id is null))) as report
      from counts`;
  if (!row) throw new Error("the report of an import has no row");
  return row.report;
}
