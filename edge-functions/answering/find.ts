// Owns the queries for a question: the question itself and, for a follow-up, a standalone form built only from the same
// conversation. Does not answer.
import type { Claims } from "../_shared/database/db.ts";
import type { ModelClient } from "../_shared/models/model-client.ts";
import type { AnsweringAgent } from "./agent.ts";
import { fuse, isPointing, joinedForm, partsOf, standingOf } from "./follow-ups.ts";
import type { Turn } from "./prompt.ts";
import { sharesOf } from "./rereading.ts";
import { type FoundTables, type Hit, retrieveWithTables } from "./retrieve.ts";
import { rewrite, type Usage } from "./rewriting.ts";
import { mostTables } from "./table-toolbox.ts";
import { words } from "./words.ts";

/** Candidates of the search; passages.ts decides which of them reach the model. */
const results = 50;
/** Weights of the forms of a question. `rewritten`, `joined`, `perhaps`: the standalone form of a follow-up, against the rest for the
 * question itself. `whole`, `part`: a double question and each of its halves. A model's rewriting is more reliable than a guess. */
const weights = { rewritten: 0.7, joined: 0.5, perhaps: 0.3, whole: 0.4, part: 0.3 };

export type Finding = {
  hits: Hit[];
  /** Of the documents of all searches; empty for the built-in model, which computes before it is asked. */
  tables: FoundTables;
  /** The query used besides the question; null when there was none. */
  searchedFor: string | null;
  /** True when the question's words refer to earlier turns. */
  isLeaning: boolean;
  /** The model's usage for the rewriting. */
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
  const tables: FoundTables = new Map();
  const search = async (asked: string) => {
    const found = await retrieveWithTables(claims, models, {
      knowledgeIds: agent.knowledgeIds,
      spaces: agent.spaces,
      question: asked,
      results,
      mode: agent.retrievalMode,
      forAnswer: true,
      tables: models.inUse.offline ? 0 : mostTables,
      signal,
    });
    for (const [place, own] of found.tables) tables.set(place, own);
    return found.hits;
  };
  const standing = standingOf(question, history);
  const isLeaning = standing === "leaning";
  if (standing === "alone" || agent.knowledgeIds.length === 0) {
    const parts = models.inUse.offline ? partsOf(question) : [];
    const [whole = [], ...lists] = await Promise.all([question, ...parts].map(search));
    const hits =
      parts.length === 0
        ? whole
        : fuse(
            [
              { hits: whole, weight: weights.whole },
              ...lists.map((hits) => ({ hits, weight: weights.part })),
            ],
            results,
          );
    return { hits, tables, searchedFor: null, isLeaning, usage: null };
  }
  // The search runs while the model rewrites.
  const [plain, rewriting] = await Promise.all([
    search(question),
    models.inUse.offline ? undefined : rewrite(models, { model, history, question, signal }),
  ]);
  const usage = rewriting?.usage ?? null;
  if (rewriting?.text && isSame(rewriting.text, question)) {
    return { hits: plain, tables, searchedFor: null, isLeaning: false, usage };
  }
  const searchedFor = rewriting?.text ?? joinedForm(question, history);
  if (searchedFor === null) return { hits: plain, tables, searchedFor, isLeaning, usage };
  const weight = rewriting?.text ? weights.rewritten : isLeaning ? weights.joined : weights.perhaps;
  const alone = await search(searchedFor);
  const joined = models.inUse.offline ? aboutQuestion(question, alone, { plain, standing }) : alone;
  if (joined.length === 0) return { hits: plain, tables, searchedFor: null, isLeaning, usage };
  const hits = fuse(
    [
      { hits: joined, weight },
      { hits: plain, weight: 1 - weight },
    ],
    results,
  );
  return { hits, tables, searchedFor, isLeaning, usage };
}

/** How many of the question's words a passage must contain to be about it, as a share of what the best passage contains, by standing. */
const alsoAbout = { leaning: 0.5, perhaps: 1 };

/**
 * The hits of the joined form that are about the question itself. A passage that contains only words of the earlier questions is about a
 * subject that the person has left. Returns all hits for a leaning question that points at the earlier ones, or that has no word in a
 * passage.
 */
function aboutQuestion(
  question: string,
  joined: Hit[],
  { plain, standing }: { plain: Hit[]; standing: "leaning" | "perhaps" },
): Hit[] {
  if (standing === "leaning" && isPointing(question)) return joined;
  const shares = sharesOf(question, joined);
  const best = Math.max(0, ...shares, ...sharesOf(question, plain));
  if (best === 0) return standing === "leaning" ? joined : [];
  return joined.filter((_, at) => (shares[at] ?? 0) >= alsoAbout[standing] * best);
}

const isSame = (one: string, other: string) => words(one).join(" ") === words(other).join(" ");
