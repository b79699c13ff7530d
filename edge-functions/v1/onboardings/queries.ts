// Owns the SQL of a team's onboarding. Row-level security decides what is visible; files are added as the caller.
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { createAgent } from "../agents/queries.ts";
import { createKnowledge, updateKnowledge } from "../knowledges/queries.ts";
import { requireRow } from "../router.ts";
import type { FirstFiles, Onboarding } from "./schema.ts";

const none: Onboarding = { state: "none", knowledgeId: null, agentId: null, questions: [] };

/** A row whose agent or knowledge base the caller cannot see counts as none. */
export async function readOnboarding(tx: Transaction, team: TeamId): Promise<Onboarding> {
  const [row] = await tx<Onboarding[]>`
    select case when k.status in ('queued', 'indexing') then 'reading'
                when exists (select from public.tasks t
                              where t.team_id = o.team_id and t.type = 'questions'
                                and t.status in ('queued', 'running', 'waiting', 'stopping')) then 'looking'
                else 'ready' end as state,
           o.knowledge_id, o.agent_id, o.questions
      from public.onboardings o
      join public.knowledges k on k.team_id = o.team_id and k.id = o.knowledge_id
      join public.agents a on a.team_id = o.team_id and a.id = o.agent_id
     where o.team_id = ${team}`;
  return row ?? none;
}

export type StartedOnboarding = { teamId: string; knowledgeId: string; agentId: string };

/**
 * Adds files to the team's first knowledge base. Creates it, with an agent, if the team has none. A concurrent call waits and adds to the
 * same one.
 */
export async function addFirstFiles(
  tx: Transaction,
  team: TeamId,
  { fileIds, language }: FirstFiles,
): Promise<StartedOnboarding> {
  const [row] = await tx<{ id: string; name: string }[]>`
    select t.id, t.name, pg_advisory_xact_lock(hashtextextended('onboarding:' || t.id, 0))::text as locked
      from public.teams t where t.id = ${team}`;
  const { id: teamId, name } = requireRow(row);
  const { knowledgeId: known, agentId: own } = await readOnboarding(tx, teamId);
  const knowledgeId = known ?? (await newestKnowledge(tx, teamId));
  const knowledge = knowledgeId
    ? await updateKnowledge(tx, teamId, knowledgeId, { fileIds })
    : await createKnowledge(tx, teamId, { name, language, fileIds });
  const { id } = requireRow(knowledge);
  const agentId = own ?? (await agentOf(tx, teamId, id));
  const agent = agentId
    ? { id: agentId }
    : requireRow(await createAgent(tx, teamId, { name, knowledgeIds: [id] }));
  return { teamId, knowledgeId: id, agentId: agent.id };
}

/** A knowledge base created by hand, before or instead of the first files. */
async function newestKnowledge(tx: Transaction, teamId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select k.id from public.knowledges k where k.team_id = ${teamId} order by k.id desc limit 1`;
  return row?.id;
}

async function agentOf(tx: Transaction, teamId: string, knowledgeId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select ak.agent_id as id from public.agent_knowledges ak
     where ak.team_id = ${teamId} and ak.knowledge_id = ${knowledgeId} order by ak.created_at, ak.agent_id limit 1`;
  return row?.id;
}

/** Runs in the service's part of a transaction, because no client may write it. */
export async function storeOnboarding(
  tx: Transaction,
  { teamId, knowledgeId, agentId }: StartedOnboarding,
  userId: string | null,
) {
  await tx`
    insert into public.onboardings as o (team_id, knowledge_id, agent_id, created_by)
    values (${teamId}, ${knowledgeId}, ${agentId}, ${userId})
    on conflict (team_id) do update
       set knowledge_id = excluded.knowledge_id, agent_id = excluded.agent_id, created_by = excluded.created_by,
           candidates = null, questions = '[]'
     where (o.knowledge_id, o.agent_id) is distinct from (excluded.knowledge_id, excluded.agent_id)`;
}
