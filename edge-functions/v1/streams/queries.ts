// Owns the SQL of who may talk to which agent without a chat. The permissions are those of starting a chat.
import type { Transaction } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { agentIsThere } from "../chats/queries.ts";

/**
 * @param beyondTeam whether the caller may talk to other teams' public agents, which API keys may not
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN for one that they may not talk to
 */
export async function requireAgent(tx: Transaction, agentId: string, beyondTeam: boolean): Promise<void> {
  if (!(await agentIsThere(tx, agentId))) throw new ApiError("NOT_FOUND");
  const [row] = await tx<{ own: boolean; open: boolean }[]>`
    select private.is_public_agent(${agentId}) as open, exists (
      select 1 from public.agents
       where id = ${agentId} and team_id = any ((select private.teams_with('chats.write'))::uuid[])) as own`;
  if (!row?.own && !(beyondTeam && row?.open)) throw new ApiError("FORBIDDEN");
}

export type AgentName = { id: string; teamId: string; name: string; createdAt: string };

/** The agents of the caller's teams that they may talk to. */
export async function listOwnAgents(tx: Transaction): Promise<AgentName[]> {
  return await tx<AgentName[]>`
    select id, team_id, name, created_at from public.agents
     where team_id = any ((select private.teams_with('chats.write'))::uuid[]) order by id limit 1000`;
}
