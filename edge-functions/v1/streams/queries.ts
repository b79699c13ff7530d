// Owns the SQL of access to agents without a chat. The permissions are those of starting a chat.

import { asCallerThenService, type Transaction } from "../../_shared/database/db.ts";
import type { Caller } from "../../_shared/requests/auth.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { type ClientAddress, hitArguments, requireRoom } from "../../_shared/requests/limits.ts";
import { answerHits } from "../../_shared/requests/usage-limits.ts";
import type { AnsweringAgent, Trial } from "../../answering/agent.ts";
import { requireRow } from "../router.ts";

type Asked = { teamId: string | null; isOwn: boolean };

/**
 * @param beyondTeam whether the caller may talk to other teams' public agents, which API keys may not
 * @returns the agent's team, if the caller may read it, and whether they may ask that team's agents
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN for one that they may not talk to
 */
async function requireAgent(tx: Transaction, agentId: string, beyondTeam: boolean): Promise<Asked> {
  const [row] = await tx<(Asked & { isOpen: boolean })[]>`
    select a.team_id, p.is_open,
           coalesce(a.team_id = any ((select private.teams_with('chats.write'))::uuid[]), false) as is_own
      from (select private.is_public_agent(${agentId}) as is_open) p
      left join public.agents a on a.id = ${agentId}
     where p.is_open or a.id is not null`;
  if (!row) throw new ApiError("NOT_FOUND");
  if (!row.isOwn && !(beyondTeam && row.isOpen)) throw new ApiError("FORBIDDEN");
  return row;
}

/**
 * Admits one answer of an agent without a chat.
 * @param check further checks, run as the caller; returns the settings that they try out, if any
 * @throws ApiError NOT_FOUND for an agent that the caller cannot see, FORBIDDEN for one that they may not talk to; RATE_LIMITED
 */
export async function beginAnswer(
  caller: Caller,
  addresses: ClientAddress[],
  agentId: string,
  check?: (tx: Transaction) => Promise<Trial | undefined>,
): Promise<{ agent: AnsweringAgent; trial?: Trial }> {
  return await asCallerThenService(
    caller.claims,
    async (tx) => {
      const asked = await requireAgent(tx, agentId, caller.kind !== "apiKey");
      return { ...asked, trial: await check?.(tx) };
    },
    async (tx, { trial, ...asked }) => {
      const teamId = asked.teamId ?? (await readTeam(tx, agentId));
      const hits = answerHits(caller, addresses, { teamId, isOwn: asked.isOwn });
      const [row] = await tx<Counted[]>`
        select full_limit.key as limit_key, full_limit.seconds, private.answering_agent(${agentId}) as agent
          from (select) as question
          left join lateral (
            select * from private.take_hits(${hitArguments(tx, hits)}) order by seconds desc limit 1) full_limit on true`;
      const { limitKey, seconds, agent } = requireRow(row);
      requireRoom(hits, limitKey, seconds);
      return { agent: requireRow(agent ?? undefined), trial };
    },
  );
}

type Counted = { limitKey: string | null; seconds: number | null; agent: AnsweringAgent | null };

/** Runs as the service: a stranger may not see which team owns a public agent. */
async function readTeam(tx: Transaction, agentId: string): Promise<string> {
  const [agent] = await tx<{ teamId: string }[]>`select team_id from public.agents where id = ${agentId}`;
  return requireRow(agent).teamId;
}

export type AgentName = { id: string; teamId: string; name: string; createdAt: string };

/** The agents of the caller's teams that the caller may talk to. */
export async function listOwnAgents(tx: Transaction): Promise<AgentName[]> {
  return await tx<AgentName[]>`
    select id, team_id, name, created_at from public.agents
     where team_id = any ((select private.teams_with('chats.write'))::uuid[]) order by id limit 1000`;
}
