// Owns the chore that groups unanswered questions into gaps (sql/66_gaps.sql): embeds them in their team's space, finds each
// question's gap within its agent, and whether the team has a text that fits. ./groups.ts decides which questions are the same.
import { setTimeout as sleep } from "node:timers/promises";
import { asService, type Transaction } from "../../_shared/database/db.ts";
import type { ModelClient } from "../../_shared/models/model-client.ts";
import { ModelError } from "../../_shared/models/model-errors.ts";
import { teamModels } from "../../_shared/models/team-models.ts";
import { log } from "../../_shared/operation/log.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import type { AnsweringAgent } from "../../answering/agent.ts";
import type { Space } from "../../answering/retrieve.ts";
import { vectorLiteral } from "../embedding.ts";
import { type AskedQuestion, groupQuestions } from "./groups.ts";
import { hashWords } from "./hash-words.ts";
import { askLateQuestions } from "./late-questions.ts";
import { moveLeaders } from "./leaders.ts";
import { findText, type SearchedTeam } from "./missing-text.ts";

const atOnce = 64;
/** Each is compared with a thousand gaps, and may search all texts of the team: the embedded Postgres serves nobody else meanwhile. */
const storedAtOnce = 8;
/** Teams whose models a process asks at a time. */
const sideBySide = 4;
const pauseMs = 1_000;
const patienceMs = 30_000;
/** After this many attempts a question that cannot be embedded is grouped by its words alone. */
const mostTries = 3;
/** The minimum cosine of two questions with the same meaning. Trained models place all questions closer together. */
const leastAlike = { offline: 0.5, other: 0.72 };

const leastOf = ({ inUse }: ModelClient): number => (inUse.offline ? leastAlike.offline : leastAlike.other);

type Waiting = { messageId: string; teamId: string; agentId: string; question: string; attempts: number };
type Embedded = Waiting & { words: string; vector: Float32Array | null };

/** Teams whose questions this process is grouping. One lane each: a slow model of one team does not delay the others. */
const busy = new Map<string, Promise<boolean>>();

/** Groups what waits, agent by agent. @returns also when nothing has ended for a second; what is slow goes on beside the next run */
export async function groupWaitingQuestions(): Promise<void> {
  let isProgressing = true;
  while (isProgressing) {
    const waiting = busy.size < sideBySide ? await takeWaiting([...busy.keys()]) : [];
    const [first] = waiting;
    if (first) {
      const { teamId, agentId } = first;
      busy.set(
        teamId,
        groupOrLog(agentId, waiting).finally(() => busy.delete(teamId)),
      );
    } else {
      isProgressing =
        busy.size > 0 && (await Promise.race([...busy.values(), sleep(pauseMs, false, { ref: false })]));
    }
  }
}

const takeWaiting = (busyTeams: string[]) =>
  asService((tx) => tx<Waiting[]>`select * from private.take_gap_questions(${atOnce}, ${busyTeams}::uuid[])`);

async function groupOrLog(agentId: string, waiting: Waiting[]): Promise<boolean> {
  try {
    await groupOfAgent(agentId, waiting);
  } catch (error) {
    // They wait for a later run, without blocking other agents' questions.
    log("warn", "questions were not grouped", { agentId, error: String(error) });
  }
  return true;
}

async function groupOfAgent(agentId: string, waiting: Waiting[]): Promise<void> {
  const read = await asService(async (tx) => {
    const [row] = await tx<
      { agent: AnsweringAgent | null }[]
    >`select private.answering_agent(${agentId}) as agent`;
    return row?.agent ? { agent: row.agent, team: await searchedTeam(tx, row.agent.teamId) } : undefined;
  });
  if (!read) return;
  const { agent, team } = read;
  const space = [...agent.spaces, ...team.spaces].sort((a, b) => (a.id < b.id ? -1 : 1))[0] ?? null;
  const models = teamModels(agent.models, { teamId: agent.teamId, agentId, channel: "gaps" });
  try {
    const embedded = await embed(models, { agentId, space }, waiting);
    if (embedded.length === 0) return;
    const place = { agentId, team, space, least: leastOf(models), isOffline: models.inUse.offline };
    for (let from = 0; from < embedded.length; from += storedAtOnce)
      await asService((tx) => store(tx, place, embedded.slice(from, from + storedAtOnce)));
  } finally {
    await models.settle();
  }
}

async function searchedTeam(tx: Transaction, teamId: string): Promise<SearchedTeam> {
  const knowledges = await tx<{ id: string; space: Space | null }[]>`
    select k.id, case when v.id is not null then jsonb_build_object('id', v.id, 'model', v.model, 'dimensions', v.dimensions) end as space
      from public.knowledges k left join public.vectors v on v.id = k.vector_id
     where k.team_id = ${teamId} order by k.id limit 1000`;
  return {
    teamId,
    knowledgeIds: knowledges.map(({ id }) => id),
    spaces: knowledges.flatMap(({ space }) => space ?? []),
  };
}

/** The questions that have a vector, and those that will never have one. */
async function embed(
  models: ModelClient,
  { agentId, space }: { agentId: string; space: Space | null },
  waiting: Waiting[],
): Promise<Embedded[]> {
  const withWords = waiting.map((one) => ({ ...one, words: hashWords(one.question), vector: null }));
  if (!space) return withWords;
  const signal = AbortSignal.timeout(patienceMs);
  const embedAll = async (questions: string[]) => {
    const vectors = await models.embed(questions, {
      model: space.model,
      dimensions: space.dimensions,
      signal,
    });
    return questions.map((_, at) => normalize(vectors[at] ?? null));
  };
  try {
    await moveLeaders({ agentId, space, least: leastOf(models) }, embedAll);
    const vectors = await embedAll(waiting.map(({ question }) => question));
    return withWords.map((one, at) => ({ ...one, vector: vectors[at] ?? null }));
  } catch (error) {
    if (!(signal.aborted || error instanceof ModelError || error instanceof ApiError)) throw error;
    log("warn", "questions were not embedded", { model: space.model, error: String(error) });
    return withWords.filter(({ attempts }) => attempts >= mostTries);
  }
}

function normalize(vector: Float32Array | null): Float32Array | null {
  if (!vector) return null;
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return length === 0 ? null : vector.map((number) => number / length);
}

type Place = {
  agentId: string;
  team: SearchedTeam;
  space: Space | null;
  least: number;
  isOffline: boolean;
};

/** Locks the agent, so that its questions are grouped in sequence across workers: two with the same meaning create one gap. */
async function store(tx: Transaction, place: Place, embedded: Embedded[]): Promise<void> {
  const { agentId, team, space, least } = place;
  const [agent] = await tx`select 1 from public.agents where id = ${agentId} for no key update`;
  if (!agent) return;
  const literals = embedded.map(({ vector }) => (vector ? vectorLiteral(vector) : null));
  const near = await tx<{ at: number; gapId: string | null; similarity: number | null }[]>`
    select * from private.nearest_gaps(
      ${agentId}, ${space?.id ?? null}, ${embedded.map((one) => one.words)}::text[], ${literals}::text[])`;
  const nearest = new Map(
    near.map(({ at, gapId, similarity }) => [at, gapId ? { gapId, similarity: similarity ?? 0 } : null]),
  );
  const asked = embedded.map(
    (one, at): AskedQuestion => ({
      id: one.messageId,
      words: one.words,
      vector: one.vector,
      nearest: nearest.get(at + 1) ?? null,
    }),
  );
  const grouped = groupQuestions(asked, least);
  const begun = new Map<string, string>();
  for (const one of embedded) {
    const gap = grouped.find(({ id }) => id === one.messageId)?.gap;
    if (!gap || !("leader" in gap) || gap.leader !== one.messageId) continue;
    const found = await findText(tx, place, one);
    const [row] = await tx<{ id: string }[]>`
      insert into public.gaps (team_id, agent_id, reason, found_document_id)
      values (${team.teamId}, ${agentId}, ${found ? "notFound" : "missing"}, ${found}) returning id`;
    if (row) begun.set(one.messageId, row.id);
  }
  const gapIds = grouped.map(({ gap }) => ("id" in gap ? gap.id : (begun.get(gap.leader) ?? null)));
  await tx`
    update public.gap_questions q
       set gap_id = g.gap_id, is_leader = q.message_id = any (${[...begun.keys()]}::uuid[]), words_hash = g.words,
           vector_id = case when g.vector is not null then ${space?.id ?? null}::uuid end,
           embedding = extensions.l2_normalize(g.vector::extensions.halfvec)
      from unnest(${asked.map(({ id }) => id)}::uuid[], ${gapIds}::uuid[], ${asked.map((one) => one.words)}::text[],
                  ${literals}::text[]) as g (message_id, gap_id, words, vector)
     where q.message_id = g.message_id and q.gap_id is null`;
  await tx`select private.recount_gaps(${[...new Set(gapIds.filter((id) => id !== null))]}::uuid[])`;
  await askLateQuestions(
    tx,
    asked.map(({ id }) => id),
  );
}
