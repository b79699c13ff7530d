// Owns an agent's answer to one question: search as the agent, prompt, stream, check of citation marks and links. Must not store
// anything.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient, ModelsInUse } from "../_shared/models/model-client.ts";
import { isBuiltIn } from "../_shared/models/model-names.ts";
import { teamModels } from "../_shared/models/team-models.ts";
import { type AnsweringAgent, applyTrial, type Trial } from "./agent.ts";
import { choicesOfSections } from "./choices.ts";
import { agesOf, readAges, withAges } from "./citation-ages.ts";
import { readPages, withPages } from "./citation-pages.ts";
import { type Citation, citationsOf, MarkFilter } from "./citations.ts";
import { withDates } from "./document-dates.ts";
import { find } from "./find.ts";
import { LinkFilter, originsIn } from "./links.ts";
import { isSmallTalk, nothingFoundFor, replyToSmallTalk } from "./no-passage.ts";
import { type Candidate, choosePassages, keptPassages, leastScore, leastScoreOffline } from "./passages.ts";
import { buildPrompt, type Turn } from "./prompt.ts";
import { reread } from "./rereading.ts";
import type { Usage } from "./rewriting.ts";
import { computeOverSheets } from "./sheets.ts";
import { checkSupport, leaveOut, notFound, type Support } from "./support.ts";
import { openTables, withFound } from "./table-toolbox.ts";
import { replyWithTools } from "./tool-rounds.ts";

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
      /** True when the agent has knowledge bases and cited none of their passages. */
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
  const asAgent: Claims = { role: "authenticated", agent_id: saved.id };
  const agent = applyTrial(saved, trial);
  const hasKnowledge = agent.knowledgeIds.length > 0;
  const model = modelFor(agent.model, models.inUse);
  // The built-in model can only quote, and a greeting has nothing to quote.
  if (models.inUse.offline && model === models.inUse.chat && isSmallTalk(question)) {
    yield { type: "passages", passages: [], searchedFor: null };
    yield { type: "delta", text: replyToSmallTalk(question, agent) };
    yield { type: "citations", citations: [] };
    return yield { type: "end", unanswered: false, usage: null, support: null, suggestions: [] };
  }
  const reader = trial?.settings.knowledgeIds ? trial.claims : asAgent;
  const found = await find(reader, models, {
    agent,
    model,
    history,
    question,
    signal,
  });
  const { searchedFor } = found;
  const computed = await computeOverSheets(reader, {
    knowledgeIds: agent.knowledgeIds,
    question: models.inUse.offline ? question : (searchedFor ?? question),
    earlier:
      models.inUse.offline && searchedFor !== null && found.isLeaning
        ? history.findLast(({ role }) => role === "user")?.content
        : undefined,
    hits: found.hits,
    topK: agent.retrievalTopK,
  });
  const rows = new Set(computed.hits.map(({ chunkId }) => chunkId));
  const hits = [...computed.hits, ...found.hits.filter(({ chunkId }) => !rows.has(chunkId))];
  // The built-in model gets the question alone, without the conversation.
  const asks = models.inUse.offline && found.isLeaning ? (searchedFor ?? question) : question;
  const chosen = choosePassages(models.inUse.offline ? reread(asks, hits) : hits, {
    topK: agent.retrievalTopK,
    minScore: agent.retrievalMinScore,
    least: models.inUse.offline ? leastScoreOffline : leastScore,
  });
  yield { type: "passages", passages: chosen, searchedFor };
  const kept = keptPassages(chosen);
  const smallTalk = kept.length === 0 && isSmallTalk(question);
  if (hasKnowledge && kept.length === 0 && !smallTalk) {
    // Without a passage a model could only guess.
    yield { type: "delta", text: nothingFoundFor(question) };
    yield { type: "citations", citations: [] };
    const usage = usageOf([], [found.usage], model);
    return yield { type: "end", unanswered: true, usage, support: notFound, suggestions: [] };
  }
  const grounded = hasKnowledge && !smallTalk;
  const known = agesOf(found.hits);
  // Both are read while the model writes, and never fail.
  const ages = readAges(
    reader,
    kept.map(({ documentId }) => documentId).filter((id) => !known.has(id)),
  );
  const pages = readPages(reader, kept);
  const tables =
    grounded && !models.inUse.offline
      ? await openTables(reader, {
          knowledgeIds: agent.knowledgeIds,
          hits: found.hits,
          question,
          kept: kept.length,
        })
      : null;
  const messages = buildPrompt({
    agent,
    passages: kept,
    history,
    question: asks,
    nonce: crypto.randomUUID(),
    grounded,
    tables: tables?.said,
  });
  const marks = new MarkFilter(kept.map(({ index }) => index));
  // Links are kept only to origins in the team's words, the asker's words or a document's own URL: the author of a document must
  // not decide where readers are sent.
  const asked = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const links = new LinkFilter(
    originsIn([agent.instructions, ...asked, question, ...kept.map(({ url }) => url)]),
  );
  // Text that may be left out is held back until it is checked.
  const isHeld = grounded && agent.unsupportedClaims === "omit";
  let reply = "";
  const usages: Usage[] = [];
  let failure: { cause: unknown } | undefined;
  try {
    const asked = { messages, model, temperature: agent.temperature, signal };
    for await (const event of replyWithTools(models, asked, tables)) {
      if (event.type === "usage") {
        usages.push(event);
        continue;
      }
      marks.add(tables?.found.map(({ index }) => index) ?? []);
      const text = links.push(marks.push(event.text));
      reply += text;
      if (text && !isHeld) yield { type: "delta", text };
    }
  } catch (cause) {
    failure = { cause };
  }
  let rest = links.push(marks.end()) + links.end();
  // A model that only made tool calls has found nothing to say.
  if (tables && !failure && !`${reply}${rest}`.trim()) rest = nothingFoundFor(question);
  reply += rest;
  if (rest && !isHeld) yield { type: "delta", text: rest };
  const computedByModel = tables?.found ?? [];
  const passages = [...kept, ...computedByModel];
  if (computedByModel.length > 0) {
    yield { type: "passages", passages: withFound(chosen, computedByModel), searchedFor };
  }
  const moreAges = await readAges(
    reader,
    computedByModel.map(({ documentId }) => documentId).filter((id) => !known.has(id)),
  );
  let citations = withAges(
    withPages(citationsOf(reply, marks.cited, passages), passages, await pages),
    new Map([...known, ...(await ages), ...moreAges]),
  );
  // Text written before a failure or a stop is kept with its citations.
  if (!isHeld && (!failure || citations.length > 0)) yield { type: "citations", citations };
  if (failure && !isHeld) throw failure.cause;
  const check = { reply, citations, passages, known: `${question} ${asks} ${agent.name}`, model, signal };
  const checked =
    grounded && citations.length > 0 && agent.unsupportedClaims !== "ignore"
      ? await checkSupport(models, check)
      : null;
  let support = checked?.support ?? notFound;
  if (isHeld) {
    if (checked) ({ reply, support } = leaveOut(reply, support, checked.gone));
    const left = new Set([...reply.matchAll(/\[(\d{1,3})\]/g)].map(([, index]) => Number(index)));
    citations = citations.filter(({ index }) => left.has(index));
    if (!reply) reply = failure ? "" : nothingFoundFor(question);
    if (reply) yield { type: "delta", text: reply };
    if (!failure || citations.length > 0) yield { type: "citations", citations };
    if (failure) throw failure.cause;
  }
  const isIgnored = !grounded || agent.unsupportedClaims === "ignore";
  yield {
    type: "end",
    unanswered: grounded && citations.length === 0,
    usage: usageOf(usages, [found.usage, checked?.usage ?? null], model),
    support: isIgnored ? null : await withDates(reader, support, citations),
    suggestions:
      computed.choices.length === 0 && computed.hits.length === 0 && models.inUse.offline
        ? choicesOfSections(asks, kept)
        : computed.choices,
  };
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
