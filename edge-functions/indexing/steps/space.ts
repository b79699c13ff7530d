// Keeps a knowledge base in one embedding space. After a change of model it embeds the live chunks next to the old vectors and
// switches once all are stored, so that search always finds a complete space.
import type { Transaction } from "../../_shared/database/db.ts";
import { holdModels } from "../../_shared/models/model-locks.ts";
import { embeddingText } from "../chunking.ts";
import { batchTexts, vectorLiteral } from "../embedding.ts";
import { endSlice, PutDown, type StepContext } from "./context.ts";
import { knowledgesOf } from "./scope.ts";

/** Moves every knowledge base of the task into the space of the current model. @throws PutDown, ModelError */
export async function settleSpaces(context: StepContext): Promise<void> {
  const { claim } = context;
  const target = await ensureSpace(context);
  const others = await claim.write(async (tx) => {
    const placed = await tx`
      update public.knowledges k set vector_id = ${target} where ${knowledgesOf(tx, claim.task)} and k.vector_id is null returning 1`;
    if (placed.length > 0) await requirePresentModel(tx, context);
    await forgetOtherSpaces(tx, context, target);
    return await tx<{ id: string; name: string }[]>`
      select k.id, k.name from public.knowledges k
       where ${knowledgesOf(tx, claim.task)} and k.vector_id <> ${target} order by k.id`;
  });
  for (const knowledge of others) await move(context, knowledge, target);
}

/**
 * Deletes the vectors of a change of model that was taken back before its move had ended. The first and the last of the spaces that the
 * index has tell whether there are any; of more than three, the next task deletes the rest.
 */
async function forgetOtherSpaces(tx: Transaction, context: StepContext, target: string): Promise<void> {
  const others = await tx<{ teamId: string; knowledgeId: string; vectorId: string }[]>`
    select distinct k.team_id, k.id as knowledge_id, o.vector_id
      from public.knowledges k cross join lateral (
        (select e.vector_id from public.chunk_embeddings e
          where e.team_id = k.team_id and e.knowledge_id = k.id order by e.vector_id limit 1)
        union all
        (select e.vector_id from public.chunk_embeddings e
          where e.team_id = k.team_id and e.knowledge_id = k.id order by e.vector_id desc limit 1)) o
     where ${knowledgesOf(tx, context.claim.task)} and k.vector_id = ${target} and o.vector_id <> ${target}`;
  if (others.length === 0) return;
  // A worker with a later model may have begun the next move.
  await requirePresentModel(tx, context);
  for (const { teamId, knowledgeId, vectorId } of others)
    await tx`
      delete from public.chunk_embeddings
       where team_id = ${teamId} and knowledge_id = ${knowledgeId} and vector_id = ${vectorId}`;
}

/**
 * A team may change its model during a turn. That change queues the knowledge bases that are outside its new space, and none that a late
 * move takes out of it.
 * @throws PutDown, so that the next turn has the new model
 */
async function requirePresentModel(tx: Transaction, { claim, embedder }: StepContext): Promise<void> {
  const { embedding: present } = await holdModels(tx, claim.task.teamId);
  if (present.space !== embedder.model || present.dimensions !== embedder.dimensions) throw new PutDown();
}

async function ensureSpace({ claim, embedder: { model, dimensions } }: StepContext): Promise<string> {
  return await claim.write(async (tx) => {
    // Every team sees the list of spaces; a team's connection must not show in it.
    const name = model.startsWith("connection:") ? "A team's own model" : model;
    await tx`insert into public.vectors (name, model, dimensions) values (${`${name} (${dimensions})`}, ${model}, ${dimensions})
             on conflict (model, dimensions) do nothing`;
    const [row] = await tx<{ id: string }[]>`
      select id from public.vectors where model = ${model} and dimensions = ${dimensions}`;
    if (!row) throw new Error("the embedding space was removed meanwhile");
    return row.id;
  });
}

interface LiveChunk {
  id: string;
  title: string;
  heading: string;
  content: string;
  preface: string;
}

async function move(
  context: StepContext,
  knowledge: { id: string; name: string },
  target: string,
): Promise<void> {
  const { claim, embedder } = context;
  claim.report({ code: "movingSpace", params: { name: knowledge.name } });
  for (;;) {
    const chunks = await claim.read(
      (tx) => tx<LiveChunk[]>`
        select c.id, d.title, c.heading, c.content, c.preface
          from public.chunks c join public.documents d on d.id = c.document_id
         where c.team_id = ${claim.task.teamId} and c.knowledge_id = ${knowledge.id}
           and not exists (select 1 from public.chunk_embeddings e where e.chunk_id = c.id and e.vector_id = ${target})
         order by c.id limit ${batchTexts}`,
    );
    if (chunks.length === 0 && (await switchSpace(context, knowledge.id, target))) return;
    if (chunks.length === 0) continue;
    const texts = chunks.map(({ title, heading, content, preface }) =>
      embeddingText(title, { content, preface, headings: heading ? heading.split(" › ") : [] }),
    );
    const vectors = await embedder.embed(texts, claim.signal);
    await claim.achieve(async (tx) => {
      await tx`
        insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
        select c.team_id, c.knowledge_id, ${target}, c.id, ${embedder.dimensions}, 
               extensions.l2_normalize(v.embedding::extensions.halfvec)
          from unnest(${chunks.map(({ id }) => id)}::uuid[], ${vectors.map(vectorLiteral)}::text[]) as v (chunk_id, embedding)
          join public.chunks c on c.id = v.chunk_id
        on conflict (chunk_id, vector_id) do nothing`;
    });
    endSlice(context);
  }
}

/** Returns false when a chunk without the new vector was added meanwhile. */
async function switchSpace(context: StepContext, knowledge: string, target: string): Promise<boolean> {
  const { claim } = context;
  return await claim.achieve(async (tx) => {
    // Before the knowledge base's lock, for which a change of the model waits when it queues the next move.
    await requirePresentModel(tx, context);
    await tx`select 1 from public.knowledges where id = ${knowledge} for update`;
    const [row] = await tx<{ missing: boolean }[]>`
      select exists (select 1 from public.chunks c
                      where c.team_id = ${claim.task.teamId} and c.knowledge_id = ${knowledge}
                        and not exists (select 1 from public.chunk_embeddings e
                                         where e.chunk_id = c.id and e.vector_id = ${target})) as missing`;
    if (row?.missing) return false;
    await tx`update public.knowledges set vector_id = ${target} where id = ${knowledge}`;
    await tx`delete from public.chunk_embeddings
              where team_id = ${claim.task.teamId} and knowledge_id = ${knowledge} and vector_id <> ${target}`;
    return true;
  });
}
