// Owns the SQL of who may talk to which agent without a chat. The permissions are those of starting a chat.
import type { Caller } from "../../_shared/auth.ts";
import { asCallerThenService, type Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { type ClientAddress, takeWithin } from "../../_shared/limits.ts";
import { answerHits } from "../../_shared/usage-limits.ts";
import { agentIsThere } from "../chats/queries.ts";
import { found } from "../router.ts";

/**
 * @param beyondTeam whether the caller may talk to other teams' public agents, which API keys may not
 * @returns whether the agent is of a team that the caller may ask the agents of
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN for one that they may not talk to
 */
async function requireAgent(tx: Transaction, agentId: string, beyondTeam: boolean): Promise<boolean> {
  if (!(await agentIsThere(tx, agentId))) throw new ApiError("NOT_FOUND");
  const [row] = await tx<{ own: boolean; open: boolean }[]>`
    select private.is_public_agent(${agentId}) as open, exists (
      select 1 from public.agents
       where id = ${agentId} and team_id = any ((select private.teams_with('chats.write'))::uuid[])) as own`;
  if (!row?.own && !(beyondTeam && row?.open)) throw new ApiError("FORBIDDEN");
  return row.own;
}

/**
 * Lets the caller talk to an agent without a chat, once more.
 * @param check what else must be so, as the caller
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN for one that they may not talk to; RATE_LIMITED
 */
export async function takeAnswer(
  caller: Caller,
  addresses: ClientAddress[],
  agentId: string,
  check?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await asCallerThenService(
    caller.claims,
    async (tx) => {
      const isOwn = await requireAgent(tx, agentId, caller.kind !== "apiKey");
      await check?.(tx);
      return isOwn;
    },
    async (tx, isOwn) => {
      // The caller may not see the row of another team's public agent: whose it is, the service looks up.
      const [agent] = await tx<{ teamId: string }[]>`select team_id from public.agents where id = ${agentId}`;
      await takeWithin(tx, answerHits(caller, addresses, { teamId: found(agent).teamId, isOwn }));
    },
  );
}

export type AgentName = { id: string; teamId: string; name: string; createdAt: string };

/** The agents of the caller's teams that they may talk to. */
export async function listOwnAgents(tx: Transaction): Promise<AgentName[]> {
  return await tx<AgentName[]>`
    select id, team_id, name, created_at from public.agents
     where team_id = any ((select private.teams_with('chats.write'))::uuid[]) order by id limit 1000`;
}
