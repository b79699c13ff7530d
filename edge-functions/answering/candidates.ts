// Owns the passages of an answer: the search's hits and the rows computed over tables, and which of them the model gets. Does not write.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient } from "../_shared/models/model-client.ts";
import { choicesOfSections } from "./choices.ts";
import { type Finding, type FindRequest, find } from "./find.ts";
import {
  type Candidate,
  choosePassages,
  furtherPassages,
  type KeptPassage,
  keptPassages,
  leastScore,
  leastScoreOffline,
} from "./passages.ts";
import { reread } from "./rereading.ts";
import type { Hit } from "./retrieve.ts";
import { computeOverSheets } from "./sheets.ts";

/** The most further passages for the built-in model: with 30 more, no more answers are found. */
const mostFurther = 14;

export type Candidates = {
  /** As the search found them, without computed rows. */
  found: Finding;
  /** The question that the model gets. */
  question: string;
  /** All, best first. */
  chosen: Candidate[];
  /** Those that the model gets. */
  kept: KeptPassage[];
  /** For the built-in model, the next ones: it reads them where it is unsure of an answer from the others, which costs it little. */
  further: KeptPassage[];
  /** The readings of an ambiguous question, as questions to ask. */
  suggestions: string[];
};

/** What search and computation found for a question, before any of it is chosen. */
export type Gathered = {
  found: Finding;
  question: string;
  /** The computed rows before the search's hits. */
  hits: Hit[];
  /** The readings of a question about a table. */
  choices: string[];
};

/** @throws as find() */
export async function findCandidates(
  reader: Claims,
  models: ModelClient,
  request: FindRequest,
): Promise<Candidates> {
  return chooseAmong(await gather(reader, models, request), request.agent, models.inUse.offline);
}

/** @throws as find() */
export async function gather(reader: Claims, models: ModelClient, request: FindRequest): Promise<Gathered> {
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
  return {
    found,
    // The built-in model gets the question alone, without the conversation.
    question: offline && found.isLeaning ? standalone : request.question,
    hits: [...computed.hits, ...found.hits.filter(({ chunkId }) => !rows.has(chunkId))],
    choices: computed.choices,
  };
}

/** Pure. @param offline whether the built-in model answers */
export function chooseAmong(
  { found, question, hits, choices }: Gathered,
  agent: Pick<FindRequest["agent"], "retrievalTopK" | "retrievalMinScore">,
  offline: boolean,
): Candidates {
  const chosen = choosePassages(offline ? reread(question, hits) : hits, {
    topK: agent.retrievalTopK,
    minScore: agent.retrievalMinScore,
    least: offline ? leastScoreOffline : leastScore,
  });
  const kept = keptPassages(chosen);
  const further = offline ? furtherPassages(chosen, mostFurther) : [];
  const isOverText = choices.length === 0 && !hits.some(({ computed }) => computed);
  const suggestions = isOverText && offline ? choicesOfSections(question, kept) : choices;
  return { found, question, chosen, kept, further, suggestions };
}

/** The question before one that leans on it. */
function earlierQuestion(found: Finding, { history }: FindRequest): string | undefined {
  if (found.searchedFor === null || !found.isLeaning) return undefined;
  return history.findLast(({ role }) => role === "user")?.content;
}
