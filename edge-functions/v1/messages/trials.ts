// Owns who may try unsaved settings, and who may see the passages of a reply.
import type { Claims, Transaction } from "../../_shared/database/db.ts";
import { ApiError, refuseField } from "../../_shared/requests/errors.ts";
import { readSpaces, type Trial } from "../../answering/agent.ts";
import type { AgentDraft } from "../agents/schema.ts";

/**
 * A caller who may change an agent may try settings on it, under their own permissions.
 * @throws ApiError FORBIDDEN without that permission, VALIDATION_FAILED for a knowledge base that could not be linked to the agent
 */
export async function requireDraft(
  tx: Transaction,
  claims: Claims,
  agentId: string,
  draft: AgentDraft,
): Promise<Trial> {
  const [agent] = await tx<{ teamId: string }[]>`
    select team_id from public.agents
     where id = ${agentId} and team_id = any ((select private.teams_with('agents.write'))::uuid[])`;
  if (!agent) throw new ApiError("FORBIDDEN");
  const wanted = [...new Set(draft.knowledgeIds)];
  if (wanted.length === 0) return { claims, settings: draft, spaces: [] };
  const known = await tx`
    select id from public.knowledges where team_id = ${agent.teamId} and id = any (${wanted}::uuid[])`;
  if (known.length === wanted.length) {
    return { claims, settings: draft, spaces: await readSpaces(tx, wanted) };
  }
  throw refuseField("draft.knowledgeIds", "missing");
}

/** @throws ApiError FORBIDDEN without the permission to read the team's knowledge bases */
export async function requireKnowledgeReader(tx: Transaction, agentId: string): Promise<void> {
  const [agent] = await tx`
    select id from public.agents
     where id = ${agentId} and team_id = any ((select private.teams_with('knowledges.read'))::uuid[])`;
  if (!agent) throw new ApiError("FORBIDDEN");
}
