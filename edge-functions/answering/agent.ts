// Owns what an answer needs to know of its agent: the settings, the knowledges and their embedding spaces, read in the
// transaction that begins a question. Does not answer.
import type { Claims, Transaction } from "../_shared/database/db.ts";
import type { StoredModels } from "../_shared/models/model-connections.ts";
import type { RetrievalMode, Space } from "./retrieve.ts";

/** Ignore: nothing is checked. */
type UnsupportedClaims = "mark" | "omit" | "ignore";

/** As private.answering_agent() in sql/63_questions.sql gives it. */
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
  /** Those of the knowledges. */
  spaces: Space[];
  greeting: string;
  suggestedPrompts: string[];
  /** What becomes of a claim that its passages do not support. */
  unsupportedClaims: UnsupportedClaims;
  teamId: string;
  /** Those that the team's connections name; nobody is shown them. */
  models: StoredModels;
};

/** Settings in place of the agent's own; what is absent stays as saved. */
type TriedSettings = {
  instructions?: string;
  model?: string;
  temperature?: number;
  knowledgeIds?: string[];
  retrieval?: { topK?: number; minScore?: number; mode?: RetrievalMode };
};

/** Somebody tries settings that are not saved. Knowledges that they choose are read as themselves, not as the agent. */
export type Trial = { claims: Claims; settings: TriedSettings; spaces: Space[] };

/** The agent with the settings that are tried. */
export function tried(agent: AnsweringAgent, trial?: Trial): AnsweringAgent {
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

/** The embedding spaces of some knowledges, of those that the caller may read. */
export async function readSpaces(tx: Transaction, knowledgeIds: string[]): Promise<Space[]> {
  if (knowledgeIds.length === 0) return [];
  return await tx<Space[]>`
    select distinct v.id, v.model, v.dimensions
      from public.knowledges k join public.vectors v on v.id = k.vector_id
     where k.id = any (${knowledgeIds}::uuid[])`;
}
