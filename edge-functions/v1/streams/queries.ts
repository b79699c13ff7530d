// Owns the SQL of access to agents without a chat. The permissions are those of starting a chat.

import { askThenServe, type Transaction } from "../../_shared/database/db.ts";
import type { Caller } from "../../_shared/requests/auth.ts";
import {
  type ClientAddress,
  fullLimitOf,
  hitsOfPayer,
  payerArguments,
} from "../../_shared/requests/limits.ts";
import { answerHits } from "../../_shared/requests/usage-limits.ts";
import type { AnsweringAgent, Trial } from "../../answering/agent.ts";
import { requireRow } from "../router.ts";

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
  const counted = hitsOfPayer((payer) => answerHits(caller, addresses, payer));
  // An API key talks to its own team's agents only.
  const beyondTeam = caller.kind !== "apiKey";
  let trial: Trial | undefined;
  try {
    const [, served] = await askThenServe<object, { agent: AnsweringAgent }>(caller.claims, {
      ask: (tx) => tx`select private.ask_agent(${agentId}, ${beyondTeam})`,
      check:
        check &&
        (async (tx) => {
          trial = await check(tx);
        }),
      serve: (tx) => tx<{ agent: AnsweringAgent }[]>`
        select private.begin_answer(${payerArguments(tx, counted)}) as agent`,
    });
    return { agent: requireRow(served).agent, trial };
  } catch (error) {
    throw fullLimitOf(counted, error) ?? error;
  }
}

export type AgentName = { id: string; teamId: string; name: string; createdAt: string };

/** The agents of the caller's teams that the caller may talk to. */
export async function listOwnAgents(tx: Transaction): Promise<AgentName[]> {
  return await tx<AgentName[]>`
    select id, team_id, name, created_at from public.agents
     where team_id = any ((select private.teams_with('chats.write'))::uuid[]) order by id limit 1000`;
}
