// Owns an agent's answer to one question: search as the agent, reply, citations, check of its claims. Must not store anything.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient, ModelsInUse } from "../_shared/models/model-client.ts";
import { isBuiltIn } from "../_shared/models/model-names.ts";
import { teamModels } from "../_shared/models/team-models.ts";
import { type AnsweringAgent, applyTrial, type Trial } from "./agent.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { agesOf, readAges, withAges } from "./citation-ages.ts";
import { readPages, withPages } from "./citation-pages.ts";
import { type Citation, citationsOf } from "./citations.ts";
import { withDates } from "./document-dates.ts";
import { isSmallTalk, nothingFoundFor, replyToSmallTalk } from "./no-passage.ts";
import { type Candidate, type KeptPassage, withCited } from "./passages.ts";
import type { Turn } from "./prompt.ts";
import type { Usage } from "./rewriting.ts";
import { checkSupport, isAnswerDenied, leaveOut, notFound, type Support } from "./support.ts";
import { withFound } from "./table-toolbox.ts";
import { type Written, writeReply } from "./writing.ts";

export type AnswerRequest = {
  agent: AnsweringAgent;
  /** The channel that the cost is recorded under: a chat's channel, or another name. */
  channel: string;
  trial?: Trial;
  /** Earlier turns, oldest first. */
  history: Turn[];
  question: string;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
};

export type AnswerEvent =
  /**
   * All candidates of the search, best first; sent again with the results of the model's computations. Show them only to those who
   * may read the knowledge bases.
   */
  | { type: "passages"; passages: Candidate[]; searchedFor: string | null }
  | { type: "delta"; text: string }
  | { type: "citations"; citations: Citation[] }
  | {
      type: "end";
      /** True when the agent has knowledge bases and cited none of their passages, or said that none of them answers. */
      unanswered: boolean;
      usage: (Usage & { model: string }) | null;
      /** How far the passages support the reply; null when there was nothing to check, or the agent has the check off. */
      support: Support | null;
      /** For an ambiguous question: its two or three readings, as questions to ask. */
      suggestions: string[];
    };

/**
 * Streams an agent's answer: its passages, deltas, the citations, the end. A failure is thrown after the citations of what was
 * written.
 * @throws ModelError; the signal's reason when aborted
 */
export async function* answer(request: AnswerRequest): AsyncGenerator<AnswerEvent> {
  const { agent, channel } = request;
  const models = teamModels(agent.models, { teamId: agent.teamId, agentId: agent.id, channel });
  try {
    yield* answerWith(models, request);
  } finally {
    await models.settle();
  }
}

async function* answerWith(
  models: ModelClient,
  { agent: saved, trial, history, question, signal }: AnswerRequest,
): AsyncGenerator<AnswerEvent> {
  const agent = applyTrial(saved, trial);
  const model = modelFor(agent.model, models.inUse);
  // The built-in model can only quote, and a greeting has nothing to quote.
  if (models.inUse.offline && model === models.inUse.chat && isSmallTalk(question)) {
    yield { type: "passages", passages: [], searchedFor: null };
    const ending = { unanswered: false, usage: null, support: null };
    return yield* replyWithoutModel(replyToSmallTalk(question, agent), ending);
  }
  const asAgent: Claims = { role: "authenticated", agent_id: saved.id };
  const reader = trial?.settings.knowledgeIds ? trial.claims : asAgent;
  const request = { agent, model, history, question, signal };
  const candidates = await findCandidates(reader, models, request);
  const { found, chosen, kept } = candidates;
  const { searchedFor } = found;
  yield { type: "passages", passages: chosen, searchedFor };
  const isGrounded = agent.knowledgeIds.length > 0 && (kept.length > 0 || !isSmallTalk(question));
  if (isGrounded && kept.length === 0) {
    // Without a passage a model could only guess.
    const ending = { unanswered: true, usage: usageOf([], [found.usage], model), support: notFound };
    return yield* replyWithoutModel(nothingFoundFor(question), ending);
  }
  const cite = prepareCitations(reader, candidates);
  // Text that may be left out is held back until it is checked.
  const isHeld = isGrounded && agent.unsupportedClaims === "omit";
  const written = yield* writeReply(reader, models, { request, candidates, isGrounded, isHeld });
  const { reply, computed, further, failure } = written;
  const added = [...computed, ...further];
  if (added.length > 0)
    yield { type: "passages", passages: withCited(withFound(chosen, computed), further), searchedFor };
  let citations = await cite(written);
  if (!isHeld) yield* sendCitations(citations, failure);
  const isChecked = isGrounded && agent.unsupportedClaims !== "ignore";
  const known = `${question} ${candidates.question} ${agent.name}`;
  const check = { reply, citations, passages: [...kept, ...added], known, model, signal };
  const checked = isChecked && citations.length > 0 ? await checkSupport(models, check) : null;
  let support = checked?.support ?? notFound;
  if (isHeld) {
    ({ citations, support } = yield* sendHeld({ written, citations, checked, question }));
  }
  yield {
    type: "end",
    unanswered: isGrounded && (citations.length === 0 || isAnswerDenied(reply)),
    usage: usageOf(written.usages, [found.usage, checked?.usage ?? null], model),
    support: isChecked ? await withDates(reader, support, citations) : null,
    suggestions: candidates.suggestions,
  };
}

type Ending = Omit<Extract<AnswerEvent, { type: "end" }>, "type" | "suggestions">;

/** A whole reply that the model was not asked for. */
function* replyWithoutModel(text: string, ending: Ending): Generator<AnswerEvent> {
  yield { type: "delta", text };
  yield { type: "citations", citations: [] };
  yield { type: "end", ...ending, suggestions: [] };
}

/** Begins to read what citations show of their documents, which takes place while the model writes. @returns the citations of a reply */
function prepareCitations(reader: Claims, { found, kept, further }: Candidates) {
  const known = agesOf(found.hits);
  const readUnknownAges = (passages: KeptPassage[]) =>
    readAges(
      reader,
      passages.map(({ documentId }) => documentId).filter((id) => !known.has(id)),
    );
  // Neither ever fails.
  const ages = readUnknownAges(kept);
  const pages = readPages(reader, [...kept, ...further]);
  return async ({ reply, cited, ...written }: Written): Promise<Citation[]> => {
    const added = [...written.computed, ...written.further];
    const passages = [...kept, ...added];
    const moreAges = await readUnknownAges(added);
    return withAges(
      withPages(citationsOf(reply, cited, passages), passages, await pages),
      new Map([...known, ...(await ages), ...moreAges]),
    );
  };
}

/** Text written before a failure or a stop is kept with its citations. @throws the cause of the failure */
function* sendCitations(citations: Citation[], failure: Written["failure"]): Generator<AnswerEvent> {
  if (!failure || citations.length > 0) yield { type: "citations", citations };
  if (failure) throw failure.cause;
}

type Held = {
  written: Written;
  citations: Citation[];
  checked: Awaited<ReturnType<typeof checkSupport>> | null;
  question: string;
};

/** A reply that was held back, without its unsupported claims; returns the rest's citations and support. @throws as sendCitations() */
function* sendHeld({
  written: { reply, failure },
  citations,
  checked,
  question,
}: Held): Generator<AnswerEvent, { citations: Citation[]; support: Support }> {
  const left = checked ? leaveOut(reply, checked.support, checked.gone) : { reply, support: notFound };
  const marks = new Set([...left.reply.matchAll(/\[(\d{1,3})\]/g)].map(([, index]) => Number(index)));
  const remaining = citations.filter(({ index }) => marks.has(index));
  const text = left.reply || (failure ? "" : nothingFoundFor(question));
  if (text) yield { type: "delta", text };
  yield* sendCitations(remaining, failure);
  return { citations: remaining, support: left.support };
}

/** The usage of a reply over all its rounds, including the rewriting of its question and the check of its claims. */
function usageOf(
  replies: Usage[],
  beside: (Usage | null)[],
  model: string,
): (Usage & { model: string }) | null {
  const all = [...replies, ...beside].filter((one) => one !== null);
  if (all.length === 0) return null;
  return {
    promptTokens: all.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    completionTokens: all.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    model: replies.at(-1)?.model ?? model,
    ...(replies.some(({ fallback }) => fallback) ? { fallback: true } : {}),
    ...(all.some(({ estimated }) => estimated) ? { estimated: true } : {}),
  };
}

/** The agent's model. A built-in model chosen before there was a provider is replaced by the provider's. */
function modelFor(wanted: string, { chat, offline }: ModelsInUse): string {
  return !wanted || (!offline && isBuiltIn(wanted)) ? chat : wanted;
}
