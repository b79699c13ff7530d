// Owns starting and stopping a run of an agent's tests. Permission is checked as the caller; the run is written as the service, because
// no client may write it. edge-functions/indexing executes it.
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
import { type AppEnv, claimsOf, requireRow } from "../router.ts";

export type RunIds = { taskId: string; runId: string };

/** The caller, the agent and the team of a change to a run or a version. */
export type Tester = { claims: Claims; agentId: string; team: TeamCall };

export const testerOf = (c: Context<AppEnv>, agentId: string): Tester => ({
  claims: claimsOf(c),
  agentId,
  team: askedTeam(c),
});

/**
 * A run reads the knowledge bases as the caller who starts it.
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN without the permission to change it or to read knowledge
 *   bases
 */
export async function requireTester(tx: Transaction, team: CalledTeam, agentId: string): Promise<Agent> {
  const [read, [row]] = await Promise.all([
    readAgent(tx, team, agentId),
    tx<{ allowed: boolean }[]>`
      select ${team} = any (private.teams_with('agents.write'))
             and ${team} = any (private.teams_with('knowledges.read')) as allowed`,
  ]);
  const agent = requireRow(read);
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

/** Runs in the service's part of a transaction. @throws ApiError CONFLICT while another run of the agent is open */
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
     where r.team_id = ${teamId} and r.id = ${requireRow(begun).runId}`;
  return requireRow(row);
}

/**
 * Stops an unfinished run. A queued run stops immediately, an active one before its next answer; the answer in progress is aborted.
 * @returns its task
 * @throws ApiError NOT_FOUND, FORBIDDEN; CONFLICT for a finished run
 */
export async function stopRun(asked: Tester, runId: string): Promise<string> {
  return await asCallerThenService(
    asked.claims,
    (tx, team) => requireTester(tx, team, asked.agentId),
    async (tx, { teamId, id }) => {
      const [run] = await tx<{ taskId: string | null }[]>`
        select r.task_id from public.agent_test_runs r
         where r.team_id = ${teamId} and r.agent_id = ${id} and r.id = ${runId}`;
      const { taskId } = requireRow(run);
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
