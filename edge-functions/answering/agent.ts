// Owns what an answer reads about its agent: the settings, the knowledge bases and their embedding spaces, in the transaction that
// begins a question. Does not answer.
import type { Claims, Transaction } from "../_shared/database/db.ts";
import type { StoredModels } from "../_shared/models/model-connections.ts";
import type { RetrievalMode, Space } from "./retrieve.ts";

/** "ignore" turns the check off. */
type UnsupportedClaims = "mark" | "omit" | "ignore";

/** The shape that private.answering_agent() in sql/63_questions.sql returns. */
export type AnsweringAgent = {
  id: string;
  name: string;
  instructions: string;
  model: string;
  temperature: number;
  retrievalTopK: number;
  retrievalMinScore: number;
  retrievalMode: RetrievalMode;
  knowledgeIds: string[];
  /** The embedding spaces of the knowledge bases. */
  spaces: Space[];
  greeting: string;
  suggestedPrompts: string[];
  /** What happens to a claim that its passages do not support. */
  unsupportedClaims: UnsupportedClaims;
  teamId: string;
  /** The team's connections. Never shown to anybody. */
  models: StoredModels;
};

/** Settings that override the agent's own; absent ones stay as saved. */
type TriedSettings = {
  instructions?: string;
  model?: string;
  temperature?: number;
  knowledgeIds?: string[];
  retrieval?: { topK?: number; minScore?: number; mode?: RetrievalMode };
};

/** A trial of unsaved settings. Its knowledge bases are read as the person who tries, not as the agent. */
export type Trial = { claims: Claims; settings: TriedSettings; spaces: Space[] };

/** The agent with the overrides of a trial. */
export function applyTrial(agent: AnsweringAgent, trial?: Trial): AnsweringAgent {
  if (!trial) return agent;
  const { instructions, model, temperature, knowledgeIds, retrieval = {} } = trial.settings;
  return {
    ...agent,
    instructions: instructions ?? agent.instructions,
    model: model ?? agent.model,
    temperature: temperature ?? agent.temperature,
    knowledgeIds: knowledgeIds ?? agent.knowledgeIds,
    spaces: knowledgeIds ? trial.spaces : agent.spaces,
    retrievalTopK: retrieval.topK ?? agent.retrievalTopK,
    retrievalMinScore: retrieval.minScore ?? agent.retrievalMinScore,
    retrievalMode: retrieval.mode ?? agent.retrievalMode,
  };
}

/** The embedding spaces of those knowledge bases that the caller may read. */
export async function readSpaces(tx: Transaction, knowledgeIds: string[]): Promise<Space[]> {
  if (knowledgeIds.length === 0) return [];
  return await tx<Space[]>`
    select distinct v.id, v.model, v.dimensions
      from public.knowledges k join public.vectors v on v.id = k.vector_id
     where k.id = any (${knowledgeIds}::uuid[])`;
}
