// Owns what a question is searched for: the question as it is and, for a follow-up, a form of it that stands alone. Only what
// was said in the same conversation goes into that form. Must not answer.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient } from "../_shared/models/models.ts";
import type { AnsweringAgent } from "./agent.ts";
import { fuse, joinedForm, standingOf } from "./follow-ups.ts";
import type { Turn } from "./prompt.ts";
import { type Hit, retrieve } from "./retrieve.ts";
import { rewrite, type Usage } from "./rewriting.ts";
import { words } from "./words.ts";

/** How many passages search proposes; which of them go before the model, passages.ts decides. */
const results = 50;
/** Of a form that stands alone; the question as it is has the rest. A model's rewriting is surer than a guess. */
const weights = { rewritten: 0.7, joined: 0.5 };

export type Finding = {
  hits: Hit[];
  /** What was searched for beside the question as it is; null where there was nothing. */
  searchedFor: string | null;
  /** Whether the question means something that was said before, as far as its words tell. */
  isLeaning: boolean;
  /** What the rewriting took of the model. */
  usage: Usage | null;
};

export type FindRequest = {
  agent: AnsweringAgent;
  /** The chat model that rewrites. */
  model: string;
  history: Turn[];
  question: string;
  signal: AbortSignal;
};

/** @throws as retrieve() */
export async function find(
  claims: Claims,
  models: ModelClient,
  { agent, model, history, question, signal }: FindRequest,
): Promise<Finding> {
  const search = (asked: string) =>
    retrieve(claims, models, {
      knowledgeIds: agent.knowledgeIds,
      spaces: agent.spaces,
      question: asked,
      results,
      mode: agent.retrievalMode,
      withAges: true,
      signal,
    });
  const standing = standingOf(question, history);
  const isLeaning = standing === "leaning";
  if (standing === "alone" || agent.knowledgeIds.length === 0) {
    return { hits: await search(question), searchedFor: null, isLeaning, usage: null };
  }
  // The search does not wait for the model.
  const [plain, rewriting] = await Promise.all([
    search(question),
    models.inUse.offline ? undefined : rewrite(models, { model, history, question, signal }),
  ]);
  const usage = rewriting?.usage ?? null;
  if (rewriting?.text && isSame(rewriting.text, question)) {
    return { hits: plain, searchedFor: null, isLeaning: false, usage };
  }
  const searchedFor = rewriting?.text ?? joinedForm(question, history);
  if (searchedFor === null) return { hits: plain, searchedFor, isLeaning, usage };
  const weight = rewriting?.text ? weights.rewritten : weights.joined;
  const alone = await search(searchedFor);
  const hits = fuse(
    [
      { hits: alone, weight },
      { hits: plain, weight: 1 - weight },
    ],
    results,
  );
  return { hits, searchedFor, isLeaning, usage };
}

const isSame = (one: string, other: string) => words(one).join(" ") === words(other).join(" ");
