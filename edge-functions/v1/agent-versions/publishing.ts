// Owns creating versions and choosing the live one. The agent is changed as the caller, under row-level security; versions are written as
// the service, because no client may write them.
import { asCallerThenService, type Claims, type Transaction } from "../../_shared/database/db.ts";
import { ApiError, refuseField } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { readGate } from "../agent-tests/run-queries.ts";
import { beginRun, type RunIds, requireTester, type Tester } from "../agent-tests/runs.ts";
import { updateAgent } from "../agents/queries.ts";
import type { Agent, AgentSettingsUpdate } from "../agents/schema.ts";
import { requireRow } from "../router.ts";
import { readUsableSettings, readVersion } from "./queries.ts";
import type { AgentSettings, AgentVersion, PublishInput } from "./schema.ts";

type Author = { userId: string | null };

const authorOf = (claims: Claims): Author => ({ userId: "sub" in claims ? claims.sub : null });

/**
 * Saves a draft: the live agent with some changes. Visitors do not get it until it is published.
 * @throws ApiError NOT_FOUND, FORBIDDEN; VALIDATION_FAILED for a knowledge base of another team
 */
export async function saveDraft(asked: Tester, changes: AgentSettingsUpdate): Promise<AgentVersion> {
  const { claims, agentId, team: teamAsked } = asked;
  return await asCallerThenService(
    claims,
    async (tx, team) => {
      const agent = await requireTester(tx, team, agentId);
      const { teamId } = agent;
      const settings = mergeSettings(agent, changes);
      if (changes.knowledgeIds) await requireKnowledges(tx, teamId, settings.knowledgeIds);
      return { teamId, settings };
    },
    async (tx, { teamId, settings }) => {
      await lockAgent(tx, agentId);
      const [row] = await tx<{ id: string }[]>`
        select private.add_agent_version(${agentId}, ${tx.json(settings)}, ${authorOf(claims).userId}, false) as id`;
      return requireRow(await readVersion(tx, { teamId, agentId }, requireRow(row).id));
    },
    teamAsked,
  );
}

export type Published = { version: AgentVersion } | { run: RunIds };

/**
 * Publishes a draft if its tests allow it. Starts a test run if they have not run to completion against the live version.
 * @throws ApiError CONFLICT for a version that is no longer a draft, or was compared with another live version. Unless the caller sends
 *   `anyway`, also for one that breaks tests or leaves some undecided.
 */
export async function publish(asked: Tester, input: PublishInput): Promise<Published> {
  const { claims, agentId, team: teamAsked } = asked;
  return await asCallerThenService(
    claims,
    async (tx, team) => {
      const { teamId } = await requireTester(tx, team, agentId);
      const place = { teamId, agentId };
      // Serializes concurrent publishing: the second call waits for the lock and sees the first one's result.
      await lockAgent(tx, agentId);
      const draft = requireRow(await readVersion(tx, place, input.versionId));
      if (draft.status !== "draft") throw new ApiError("CONFLICT", refusal("draftPublished"));
      const gate = await readGate(tx, place, draft.id);
      if (input.liveVersionId && input.liveVersionId !== gate.liveVersionId)
        throw new ApiError("CONFLICT", refusal("liveVersionChanged"));
      if (!input.anyway && gate.tests > 0 && !gate.isRun) return { ...place, draft, gate, mustRun: true };
      if (!input.anyway && gate.broken > 0) throw new ApiError("CONFLICT", refusal("testsBroken"));
      if (!input.anyway && gate.undecided > 0) throw new ApiError("CONFLICT", refusal("testsUndecided"));
      await updateAgent(tx, teamId, agentId, await readUsableSettings(tx, place, draft));
      return { ...place, draft, gate, mustRun: false };
    },
    async (tx, { teamId, draft, gate, mustRun }) => {
      if (mustRun) return { run: await beginRun(tx, claims, { teamId, agentId }, draft.id) };
      const isUntested = gate.tests > 0 && !gate.isRun;
      const despite =
        input.anyway && (isUntested || gate.broken > 0 || gate.undecided > 0) ? gate.broken : null;
      await tx`
        update public.agent_versions set published_at = clock_timestamp(), published_by = ${authorOf(claims).userId},
               published_despite = ${despite} where id = ${draft.id}`;
      return { version: requireRow(await readVersion(tx, { teamId, agentId }, draft.id)) };
    },
    teamAsked,
  );
}

/** Publishes the settings of an earlier version as a new version. @throws ApiError NOT_FOUND, FORBIDDEN */
export async function restore(asked: Tester, versionId: string): Promise<AgentVersion> {
  const { claims, agentId, team: teamAsked } = asked;
  return await asCallerThenService(
    claims,
    async (tx, team) => {
      const { teamId } = await requireTester(tx, team, agentId);
      const place = { teamId, agentId };
      await lockAgent(tx, agentId);
      const version = requireRow(await readVersion(tx, place, versionId));
      await updateAgent(tx, place.teamId, agentId, await readUsableSettings(tx, place, version));
      return { ...place, number: version.number };
    },
    async (tx, { teamId, number }) => {
      const [row] = await tx<{ id: string }[]>`
        select private.keep_agent_version(${agentId}, ${authorOf(claims).userId}, ${number}) as id`;
      return requireRow(await readVersion(tx, { teamId, agentId }, requireRow(row).id));
    },
    teamAsked,
  );
}

async function lockAgent(tx: Transaction, agentId: string): Promise<void> {
  await tx`select 1 from public.agents where id = ${agentId} for no key update`;
}

async function requireKnowledges(tx: Transaction, teamId: string, ids: string[]): Promise<void> {
  const known = await tx`
    select id from public.knowledges where team_id = ${teamId} and id = any (${ids}::uuid[])`;
  if (known.length === new Set(ids).size) return;
  throw refuseField("knowledgeIds", "option");
}

function mergeSettings(agent: Agent, changes: AgentSettingsUpdate): AgentSettings {
  const { id, teamId, version, createdAt, updatedAt, appearance, avatar, ...live } = agent;
  const knowledgeIds = [...new Set(changes.knowledgeIds ?? live.knowledgeIds)].sort();
  return { ...live, ...changes, retrieval: { ...live.retrieval, ...changes.retrieval }, knowledgeIds };
}
