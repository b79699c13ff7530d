// Owns the passages of an answer: the search's hits and the rows computed over tables, and which of them the model gets. Does not write.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient } from "../_shared/models/model-client.ts";
import { choicesOfSections } from "./choices.ts";
import { type Finding, type FindRequest, find } from "./find.ts";
import {
  type Candidate,
  choosePassages,
  type KeptPassage,
  keptPassages,
  leastScore,
  leastScoreOffline,
} from "./passages.ts";
import { reread } from "./rereading.ts";
import { computeOverSheets } from "./sheets.ts";

export type Candidates = {
  /** As the search found them, without computed rows. */
  found: Finding;
  /** The question that the model gets. */
  question: string;
  /** All, best first. */
  chosen: Candidate[];
  /** Those that the model gets. */
  kept: KeptPassage[];
  /** The readings of an ambiguous question, as questions to ask. */
  suggestions: string[];
};

/** @throws as find() */
export async function findCandidates(
  reader: Claims,
  models: ModelClient,
  request: FindRequest,
): Promise<Candidates> {
  const { agent } = request;
  const { offline } = models.inUse;
  const found = await find(reader, models, request);
  const standalone = found.searchedFor ?? request.question;
  const computed = await computeOverSheets(reader, {
    knowledgeIds: agent.knowledgeIds,
    question: offline ? request.question : standalone,
    earlier: offline ? earlierQuestion(found, request) : undefined,
    hits: found.hits,
    topK: agent.retrievalTopK,
    mayGuess: offline,
  });
  const rows = new Set(computed.hits.map(({ chunkId }) => chunkId));
  const hits = [...computed.hits, ...found.hits.filter(({ chunkId }) => !rows.has(chunkId))];
  // The built-in model gets the question alone, without the conversation.
  const question = offline && found.isLeaning ? standalone : request.question;
  const chosen = choosePassages(offline ? reread(question, hits) : hits, {
    topK: agent.retrievalTopK,
    minScore: agent.retrievalMinScore,
    least: offline ? leastScoreOffline : leastScore,
  });
  const kept = keptPassages(chosen);
  const isOverText = computed.choices.length === 0 && computed.hits.length === 0;
  const suggestions = isOverText && offline ? choicesOfSections(question, kept) : computed.choices;
  return { found, question, chosen, kept, suggestions };
}

/** The question before one that leans on it. */
function earlierQuestion(found: Finding, { history }: FindRequest): string | undefined {
  if (found.searchedFor === null || !found.isLeaning) return undefined;
  return history.findLast(({ role }) => role === "user")?.content;
}
