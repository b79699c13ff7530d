// Owns an agent's answer to one question: search as the agent, prompt, stream, check the marks and the links. Must not store anything.
import type { Claims } from "../_shared/db.ts";
import { env } from "../_shared/env.ts";
import { type ModelsInUse, modelClient } from "../_shared/models.ts";
import { type AnsweringAgent, type Trial, tried } from "./agent.ts";
import { type Citation, citationsOf, MarkFilter } from "./citations.ts";
import { find } from "./find.ts";
import { LinkFilter, originsIn } from "./links.ts";
import { isSmallTalk, nothingFoundFor, replyToSmallTalk } from "./no-passage.ts";
import { type Candidate, choosePassages, keptPassages, leastScore, leastScoreOffline } from "./passages.ts";
import { buildPrompt, type Turn } from "./prompt.ts";
import type { Usage } from "./rewriting.ts";

export type AnswerRequest = {
  agent: AnsweringAgent;
  trial?: Trial;
  /** What was said before, oldest first. */
  history: Turn[];
  question: string;
  /** Aborted when nobody wants the answer any more. */
  signal: AbortSignal;
};

export type AnswerEvent =
  /** All that search proposed, best first; for those alone who may read the knowledge. */
  | { type: "passages"; passages: Candidate[]; searchedFor: string | null }
  | { type: "delta"; text: string }
  | { type: "citations"; citations: Citation[] }
  | {
      type: "end";
      /** True when the agent has knowledge and none of it was cited. */
      unanswered: boolean;
      usage: (Usage & { model: string }) | null;
    };

/**
 * An agent's answer: the passages it was made from, deltas, then the citations, then the end. A failure comes after the citations of what was said.
 * @throws ModelError; the signal's reason when aborted
 */
export async function* answer({
  agent: saved,
  trial,
  history,
  question,
  signal,
}: AnswerRequest): AsyncGenerator<AnswerEvent> {
  const models = modelClient(env());
  const asAgent: Claims = { role: "authenticated", agent_id: saved.id };
  const agent = tried(saved, trial);
  const hasKnowledge = agent.knowledgeIds.length > 0;
  const model = modelFor(agent.model, models.inUse);
  // The built-in model can only quote; there is nothing to quote to a greeting.
  if (models.inUse.offline && model === models.inUse.chat && isSmallTalk(question)) {
    yield { type: "passages", passages: [], searchedFor: null };
    yield { type: "delta", text: replyToSmallTalk(question, agent) };
    yield { type: "citations", citations: [] };
    return yield { type: "end", unanswered: false, usage: null };
  }
  const found = await find(trial?.settings.knowledgeIds ? trial.claims : asAgent, models, {
    agent,
    model,
    history,
    question,
    signal,
  });
  const { hits, searchedFor } = found;
  const chosen = choosePassages(hits, {
    topK: agent.retrievalTopK,
    minScore: agent.retrievalMinScore,
    least: models.inUse.offline ? leastScoreOffline : leastScore,
  });
  yield { type: "passages", passages: chosen, searchedFor };
  const passages = keptPassages(chosen);
  const smallTalk = passages.length === 0 && isSmallTalk(question);
  if (hasKnowledge && passages.length === 0 && !smallTalk) {
    // Without a passage a model could only guess.
    yield { type: "delta", text: nothingFoundFor(question) };
    yield { type: "citations", citations: [] };
    return yield { type: "end", unanswered: true, usage: usageOf(found.usage, null, model) };
  }
  const grounded = hasKnowledge && !smallTalk;
  // The built-in model reads the question alone, not the conversation.
  const asks = models.inUse.offline && found.isLeaning ? (searchedFor ?? question) : question;
  const messages = buildPrompt({
    agent,
    passages,
    history,
    question: asks,
    nonce: crypto.randomUUID(),
    grounded,
  });
  const marks = new MarkFilter(passages.map(({ index }) => index));
  // Whoever wrote a document does not decide where readers are led: the team's words, the asker's, and a document's own place do.
  const asked = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const links = new LinkFilter(
    originsIn([agent.instructions, ...asked, question, ...passages.map(({ url }) => url)]),
  );
  let reply = "";
  let usage: Usage | null = null;
  let failure: { cause: unknown } | undefined;
  try {
    for await (const event of models.chatStream({
      messages,
      model,
      temperature: agent.temperature,
      signal,
    })) {
      if (event.type === "usage") {
        usage = event;
        continue;
      }
      const text = links.push(marks.push(event.text));
      reply += text;
      if (text) yield { type: "delta", text };
    }
  } catch (cause) {
    failure = { cause };
  }
  const rest = links.push(marks.end()) + links.end();
  reply += rest;
  if (rest) yield { type: "delta", text: rest };
  const citations = citationsOf(reply, marks.cited, passages);
  // What was said before a failure or a stop is kept, and so is what it rests on.
  if (!failure || citations.length > 0) yield { type: "citations", citations };
  if (failure) throw failure.cause;
  yield {
    type: "end",
    unanswered: grounded && citations.length === 0,
    usage: usageOf(found.usage, usage, model),
  };
}

/** What a reply took of its model, the rewriting of its question included. */
function usageOf(
  rewriting: Usage | null,
  reply: Usage | null,
  model: string,
): (Usage & { model: string }) | null {
  if (!rewriting && !reply) return null;
  return {
    promptTokens: (rewriting?.promptTokens ?? 0) + (reply?.promptTokens ?? 0),
    completionTokens: (rewriting?.completionTokens ?? 0) + (reply?.completionTokens ?? 0),
    model,
  };
}

/** The agent's model. A built-in one, chosen before there was a provider, gives way to the provider's. */
function modelFor(wanted: string, { chat, offline }: ModelsInUse): string {
  return !wanted || (!offline && wanted.startsWith("offline-")) ? chat : wanted;
}
