// Owns an agent's answer to one question: search as the agent, prompt, stream, check the marks and the links. Must not store anything.
import type { Claims } from "../_shared/db.ts";
import { env } from "../_shared/env.ts";
import { type ModelsInUse, modelClient } from "../_shared/models.ts";
import { type AnsweringAgent, type Trial, tried } from "./agent.ts";
import { type Citation, citationsOf, MarkFilter } from "./citations.ts";
import { LinkFilter, originsIn } from "./links.ts";
import { isSmallTalk, nothingFoundFor } from "./no-passage.ts";
import { type Candidate, choosePassages, keptPassages, leastScore, leastScoreOffline } from "./passages.ts";
import { buildPrompt, type Turn } from "./prompt.ts";
import { retrieve } from "./retrieve.ts";

/** How many passages search proposes; which of them go before the model, passages.ts decides. */
const candidates = 50;

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
  | { type: "passages"; passages: Candidate[] }
  | { type: "delta"; text: string }
  | { type: "citations"; citations: Citation[] }
  | {
      type: "end";
      /** True when the agent has knowledge and none of it was cited. */
      unanswered: boolean;
      usage: { promptTokens: number; completionTokens: number; model: string } | null;
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
  const hits = await retrieve(trial?.settings.knowledgeIds ? trial.claims : asAgent, models, {
    knowledgeIds: agent.knowledgeIds,
    spaces: agent.spaces,
    question,
    results: candidates,
    mode: agent.retrievalMode,
    signal,
  });
  const chosen = choosePassages(hits, {
    topK: agent.retrievalTopK,
    minScore: agent.retrievalMinScore,
    least: models.inUse.offline ? leastScoreOffline : leastScore,
  });
  yield { type: "passages", passages: chosen };
  const passages = keptPassages(chosen);
  const smallTalk = passages.length === 0 && isSmallTalk(question);
  if (hasKnowledge && passages.length === 0 && !(smallTalk && !models.inUse.offline)) {
    // Without a passage a model could only guess.
    yield { type: "delta", text: nothingFoundFor(question) };
    yield { type: "citations", citations: [] };
    return yield { type: "end", unanswered: !smallTalk, usage: null };
  }
  const grounded = hasKnowledge && !smallTalk;
  const messages = buildPrompt({ agent, passages, history, question, nonce: crypto.randomUUID(), grounded });
  const marks = new MarkFilter(passages.map(({ index }) => index));
  // Whoever wrote a document does not decide where readers are led: the team's words, the asker's, and a document's own place do.
  const asked = history.filter(({ role }) => role === "user").map(({ content }) => content);
  const links = new LinkFilter(
    originsIn([agent.instructions, ...asked, question, ...passages.map(({ url }) => url)]),
  );
  const model = modelFor(agent.model, models.inUse);
  let reply = "";
  let usage: { promptTokens: number; completionTokens: number; model: string } | null = null;
  let failure: { cause: unknown } | undefined;
  try {
    for await (const event of models.chatStream({
      messages,
      model,
      temperature: agent.temperature,
      signal,
    })) {
      if (event.type === "usage") {
        usage = { promptTokens: event.promptTokens, completionTokens: event.completionTokens, model };
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
  yield { type: "end", unanswered: grounded && citations.length === 0, usage };
}

/** The agent's model. A built-in one, chosen before there was a provider, gives way to the provider's. */
function modelFor(wanted: string, { chat, offline }: ModelsInUse): string {
  return !wanted || (!offline && wanted.startsWith("offline-")) ? chat : wanted;
}
