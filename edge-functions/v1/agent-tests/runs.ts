// Owns how a run of an agent's tests begins and is stopped. The caller's right is checked as the caller; the run is written as the service, because
// no client may, and edge-functions/indexing works on it.
import type { Context } from "hono";
import {
  asCallerThenService,
  type CalledTeam,
  type Claims,
  type TeamCall,
  type Transaction,
} from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { liveVersionId } from "../agent-versions/queries.ts";
import { readAgent } from "../agents/queries.ts";
import type { Agent } from "../agents/schema.ts";
import { askedTeam } from "../in-team.ts";
import { type AppEnv, claimsOf, found } from "../router.ts";

export type RunIds = { taskId: string; runId: string };

/** Who asks for what a run or a version of an agent is written for. */
export type Tester = { claims: Claims; agentId: string; team: TeamCall };

export const testerOf = (c: Context<AppEnv>, agentId: string): Tester => ({
  claims: claimsOf(c),
  agentId,
  team: askedTeam(c),
});

/**
 * A run reads the knowledge as whoever asks for it.
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN for those who may not change it or not read knowledge
 */
export async function requireTester(tx: Transaction, team: CalledTeam, agentId: string): Promise<Agent> {
  const [read, [row]] = await Promise.all([
    readAgent(tx, team, agentId),
    tx<{ allowed: boolean }[]>`
      select ${team} = any (private.teams_with('agents.write'))
             and ${team} = any (private.teams_with('knowledges.read')) as allowed`,
  ]);
  const agent = found(read);
  if (!row?.allowed) throw new ApiError("FORBIDDEN");
  return agent;
}

/** @param versionId absent: the live version */
export async function startRun(asked: Tester, versionId?: string): Promise<RunIds> {
  return await asCallerThenService(
    asked.claims,
    (tx, team) => requireTester(tx, team, asked.agentId),
    (tx, { teamId, id }) => beginRun(tx, asked.claims, { teamId, agentId: id }, versionId),
    asked.team,
  );
}

/** In the service's part of a transaction. @throws ApiError CONFLICT while another run of the agent is open */
export async function beginRun(
  tx: Transaction,
  claims: Claims,
  { teamId, agentId }: { teamId: string; agentId: string },
  versionId?: string,
): Promise<RunIds> {
  const [begun] = await tx<{ runId: string }[]>`
    select private.begin_test_run(${agentId}, coalesce(${versionId ?? null}, ${liveVersionId(tx, agentId)}),
             ${"sub" in claims ? claims.sub : null}, ${"api_key_id" in claims ? claims.api_key_id : null}) as run_id`;
  const [row] = await tx<RunIds[]>`
    select r.id as run_id, r.task_id from public.agent_test_runs r
     where r.team_id = ${teamId} and r.id = ${found(begun).runId}`;
  return found(row);
}

/**
 * Stops a run that is not over: one that waits at once, one that is at work before its next answer, and that call is broken off.
 * @returns its task
 * @throws ApiError NOT_FOUND, FORBIDDEN; CONFLICT for a run that is over
 */
export async function stopRun(asked: Tester, runId: string): Promise<string> {
  return await asCallerThenService(
    asked.claims,
    (tx, team) => requireTester(tx, team, asked.agentId),
    async (tx, { teamId, id }) => {
      const [run] = await tx<{ taskId: string | null }[]>`
        select r.task_id from public.agent_test_runs r
         where r.team_id = ${teamId} and r.agent_id = ${id} and r.id = ${runId}`;
      const { taskId } = found(run);
      const [stopped] = await tx<{ id: string }[]>`
        update public.tasks t
           set status = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
               message_code = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
               finished_at = case when t.status in ('queued', 'waiting') then clock_timestamp() end
         where t.team_id = ${teamId} and t.id = ${taskId} and t.status in ('queued', 'waiting', 'running', 'stopping')
        returning t.id`;
      if (!stopped) throw new ApiError("CONFLICT", refusal("testRunOver"));
      return stopped.id;
    },
    asked.team,
  );
}
