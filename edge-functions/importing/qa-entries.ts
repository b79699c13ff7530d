// Owns importing written answers. Written as the service: their documents are imported with them.
import type { Transaction } from "../_shared/database/db.ts";

/** Runs after the sources and their documents. Owners are accounts of another installation, so the importing person names new ones. */
export async function insertQaEntries(tx: Transaction, teamId: string): Promise<void> {
  await tx`
    insert into public.qa_entries (id, team_id, source_id, question, answer, expires_at, ended_at, reviewed_at, created_at)
    select r.new_id, r.team_id, s.id, e.question, e.answer, e.expires_at,
           case when e.expires_at <= clock_timestamp() then clock_timestamp() end, e.reviewed_at, e.created_at
      from private.import_rows r
     cross join lateral jsonb_populate_record(null::public.qa_entries, r.content) e
      join private.import_rows named on named.team_id = r.team_id and named.kind = 'sources' and named.old_id = e.source_id
      join public.sources s on s.team_id = r.team_id and s.id = named.new_id and s.type = 'qa'
     where r.team_id = ${teamId} and r.kind = 'qa_entries'
     order by r.position`;
}
