// Owns importing agents' versions and tests. Written as the service: no client may write versions.
import type { Transaction } from "../_shared/database/db.ts";

/** Runs after agents, knowledge bases and documents. Skips rows whose agent was not imported. */
export async function insertAgentTests(tx: Transaction, teamId: string): Promise<void> {
  // A knowledge base that was not imported is removed from the version: its old id means nothing here.
  await tx`
    insert into public.agent_versions (team_id, agent_id, number, settings, restored_from, published_at, published_despite, created_at)
    select r.team_id, a.new_id, v.number,
           v.settings || jsonb_build_object('knowledgeIds', coalesce((
             select jsonb_agg(k.new_id order by k.new_id) from private.import_rows k
              where k.team_id = r.team_id and k.kind = 'knowledges' and k.new_id is not null
                and v.settings -> 'knowledgeIds' ? k.old_id::text), '[]')),
           v.restored_from, v.published_at, v.published_despite, v.created_at
      from private.import_rows r
     cross join lateral jsonb_populate_record(null::public.agent_versions, r.content) v
      join private.import_rows a on a.team_id = r.team_id and a.kind = 'agents' and a.old_id = v.agent_id and a.new_id is not null
     where r.team_id = ${teamId} and r.kind = 'agent_versions'
     order by r.position
    on conflict (agent_id, number) do nothing`;
  await tx`
    insert into public.agent_tests (id, team_id, agent_id, question, facts, expected_document_id, expected_title, must_refuse, created_at)
    select r.new_id, r.team_id, a.new_id, t.question, t.facts, d.id, t.expected_title, t.must_refuse, t.created_at
      from private.import_rows r
     cross join lateral jsonb_populate_record(null::public.agent_tests, r.content) t
      join private.import_rows a on a.team_id = r.team_id and a.kind = 'agents' and a.old_id = t.agent_id and a.new_id is not null
      left join private.import_rows named on named.team_id = r.team_id and named.kind = 'documents' and named.old_id = t.expected_document_id
      left join public.documents d on d.team_id = r.team_id and d.id = named.new_id
     where r.team_id = ${teamId} and r.kind = 'agent_tests'
     order by r.position`;
}
