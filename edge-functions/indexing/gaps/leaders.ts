// Owns the first questions of gaps, with which others are compared: embeds those that are in no space or in another one, and joins gaps that
// were opened apart only because no model answered. ./groups.ts decides which questions are the same.
import { asService, type Transaction } from "../../_shared/database/db.ts";
import type { Space } from "../../answering/retrieve.ts";
import { vectorLiteral } from "../embedding.ts";
import { groupQuestions } from "./groups.ts";
import { askLateQuestions } from "./late-questions.ts";

/** As nearest_gaps() compares. */
const mostLeaders = 1_000;
const atOnce = 16;

type Place = { agentId: string; space: Space; least: number };
type Leader = { messageId: string; gapId: string; question: string; isUnembedded: boolean };
type Embedded = Leader & { vector: Float32Array | null };

/**
 * Moves an agent's leaders to a space, those that never had an embedding last and the oldest of them first: each is then compared with all others.
 * After a change of the model the others find nothing in the new space until they have moved.
 */
export async function moveLeaders(
  place: Place,
  embedAll: (questions: string[]) => Promise<(Float32Array | null)[]>,
): Promise<void> {
  for (;;) {
    const leaders = await readLeaders(place);
    if (leaders.length === 0) return;
    const vectors = await embedAll(leaders.map(({ question }) => question));
    const embedded = leaders.map((leader, at) => ({ ...leader, vector: vectors[at] ?? null }));
    await asService(async (tx) => {
      await writeVectors(
        tx,
        place,
        embedded.filter(({ isUnembedded }) => !isUnembedded),
      );
      await joinGaps(
        tx,
        place,
        embedded.filter(({ isUnembedded }) => isUnembedded),
      );
    });
  }
}

const readLeaders = ({ agentId, space }: Place) =>
  asService(
    (tx) => tx<Leader[]>`
      select l.message_id, l.gap_id, coalesce(r.searched_for, m.content) as question, l.embedding is null as is_unembedded
        from (select q.* from public.gap_questions q
               where q.agent_id = ${agentId} and q.is_leader order by q.asked_at desc limit ${mostLeaders}) l
        join public.messages m on m.id = l.question_id
        join public.messages r on r.id = l.message_id
       where l.vector_id is distinct from ${space.id}
       order by l.embedding is null, l.asked_at, l.message_id limit ${atOnce}`,
  );

async function writeVectors(tx: Transaction, { agentId, space }: Place, leaders: Embedded[]): Promise<void> {
  const ids = leaders.map(({ messageId }) => messageId);
  await tx`
    update public.gap_questions q set vector_id = ${space.id}, embedding = extensions.l2_normalize(g.vector::extensions.halfvec)
      from unnest(${ids}::uuid[], ${literalsOf(leaders)}::text[]) as g (message_id, vector)
     where q.message_id = g.message_id and q.agent_id = ${agentId}`;
}

const literalsOf = (leaders: Embedded[]) => leaders.map(({ vector }) => vector && vectorLiteral(vector));

/**
 * Embeds leaders for the first time. A gap of one that means the same as another's joins it, unless a person has dismissed or answered it.
 * Locks the agent, as the grouping does.
 */
async function joinGaps(tx: Transaction, place: Place, leaders: Embedded[]): Promise<void> {
  const { agentId, space, least } = place;
  await tx`select 1 from public.agents where id = ${agentId} for no key update`;
  const ids = leaders.map(({ messageId }) => messageId);
  // No hash of words: each would find its own gap.
  const near = await tx<{ at: number; gapId: string | null; similarity: number | null }[]>`
    select * from private.nearest_gaps(${agentId}, ${space.id}, ${ids}::text[], ${literalsOf(leaders)}::text[])`;
  await writeVectors(tx, place, leaders);
  const nearest = new Map(
    near.map(({ at, gapId, similarity }) => [at, gapId ? { gapId, similarity: similarity ?? 0 } : null]),
  );
  const asked = leaders.map(({ messageId: id, vector }, at) => ({
    id,
    words: id,
    vector,
    nearest: nearest.get(at + 1) ?? null,
  }));
  const gapOf = new Map(leaders.map(({ messageId, gapId }) => [messageId, gapId]));
  const joining = groupQuestions(asked, least).flatMap(({ id, gap }) => {
    const [own, other] = [gapOf.get(id), "id" in gap ? gap.id : gapOf.get(gap.leader)];
    return own && other && own !== other ? [{ own, other }] : [];
  });
  if (joining.length === 0) return;
  const owns = joining.map(({ own }) => own);
  const others = joining.map(({ other }) => other);
  const moved = await tx<{ messageId: string }[]>`
    update public.gap_questions q set gap_id = o.id, is_leader = false
      from unnest(${owns}::uuid[], ${others}::uuid[]) as j (own, other)
      join public.gaps g on g.id = j.own and not g.is_dismissed and g.entry_id is null
      join public.gaps o on o.id = j.other
     where q.team_id = g.team_id and q.gap_id = g.id and q.agent_id = ${agentId} returning q.message_id`;
  await tx`select private.recount_gaps(${[...new Set([...owns, ...others])]}::uuid[])`;
  await askLateQuestions(
    tx,
    moved.map(({ messageId }) => messageId),
  );
}
