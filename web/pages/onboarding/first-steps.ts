// The progress of a team's first files: loaded by the page on the server, then by its island.
import type { AnswerOf, Get } from "../../client/api-calls.ts";
import { type KnowledgeState, readKnowledgeState } from "../teams/@teamId/knowledges/knowledge-state.ts";

type Onboarding = AnswerOf<"GET", "/v1/teams/{teamId}/onboarding">;
export type FoundQuestion = Onboarding["questions"][number];

export type FirstSteps = {
  state: Onboarding["state"];
  questions: FoundQuestion[];
  knowledge: (KnowledgeState & { id: string }) | null;
  agent: { id: string; name: string; isPublic: boolean } | null;
};

/** The query key that pages seed. */
export const firstStepsKey = (teamId: string) => ["first-steps", teamId];

export async function readFirstSteps(get: Get, teamId: string, timeZone: string): Promise<FirstSteps> {
  const { state, questions, knowledgeId, agentId } = await get("/v1/teams/{teamId}/onboarding", { teamId });
  if (!knowledgeId || !agentId) return { state, questions, knowledge: null, agent: null };
  const [knowledge, { id, name, visibility }] = await Promise.all([
    readKnowledgeState(get, teamId, knowledgeId, timeZone),
    get("/v1/teams/{teamId}/agents/{id}", { teamId, id: agentId }),
  ]);
  return {
    state,
    questions,
    knowledge: { ...knowledge, id: knowledgeId },
    agent: { id, name, isPublic: visibility === "public" },
  };
}
