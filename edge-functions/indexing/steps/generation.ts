// Owns the generation of an index build, and the check that it is still the latest.
import type { Transaction } from "../../_shared/database/db.ts";
import { PutDown, type StepContext } from "./context.ts";
import type { DocumentRow } from "./documents.ts";
import { buildsIndexes, unread, wantedSignature } from "./scope.ts";

/** The wait before the next turn when another task used another model in this one. */
const otherSpaceSeconds = 3;

export interface KnowledgeRow {
  id: string;
  /** The language of documents that have none of their own: see languageOf. */
  language: string;
  chunkMaxTokens: number;
  chunkOverlapTokens: number;
  vectorId: string;
}

export interface Build {
  document: DocumentRow;
  knowledge: KnowledgeRow;
  /** The unique number of this attempt to build the index. Only the latest may write and switch. */
  generation: number;
  /** The generation whose staged chunks this one continues; its own if none were staged for the same content. */
  fence: number;
}

/**
 * Locks the index's row after its document's, in the same order as planning and deleting, and checks that this generation is still
 * the latest.
 * @throws PutDown when it is not
 */
export async function holdGeneration(
  tx: Transaction,
  { document, knowledge, generation }: Build,
): Promise<void> {
  const [row] = await tx<{ generation: number; vectorId: string | null }[]>`
    with document as materialized (
      select d.id from public.documents d where d.id = ${document.id} for key share)
    select i.generation, k.vector_id
      from document
      join public.document_indexes i on i.document_id = document.id
      join public.knowledges k on k.id = i.knowledge_id
     where i.knowledge_id = ${knowledge.id}
       for update of i for share of k`;
  if (row?.generation !== generation || row.vectorId !== knowledge.vectorId) throw new PutDown();
}

/**
 * The knowledge bases that each document is to be indexed in now, by document.
 * @throws PutDown when another task moved one to the space of another model: this turn's vectors do not belong there
 */
export async function indexesToBuild(
  tx: Transaction,
  { claim: { task }, embedder }: StepContext,
  documents: string[],
): Promise<Map<string, KnowledgeRow[]>> {
  const builds = new Map<string, KnowledgeRow[]>();
  if (!buildsIndexes(task)) return builds;
  // A worker that died just after its switch left only the status to set.
  await tx`
    update public.document_indexes i set status = 'ready'
      from public.documents d, public.knowledges k
     where d.id = any(${documents}::uuid[]) and i.document_id = d.id and k.id = i.knowledge_id and not ${unread(tx)}
       and i.status in ('queued', 'indexing') and i.signature = ${wantedSignature(tx)}`;
  const rows = await tx<(KnowledgeRow & { documentId: string; isOurs: boolean })[]>`
    select i.document_id, k.id, k.language, k.chunk_max_tokens, k.chunk_overlap_tokens, k.vector_id,
           (v.model, v.dimensions) = (${embedder.model}, ${embedder.dimensions}::int) as is_ours
      from public.document_indexes i join public.knowledges k on k.id = i.knowledge_id join public.vectors v on v.id = k.vector_id
     where i.document_id = any(${documents}::uuid[]) and i.status in ('queued', 'indexing')
       and ${task.knowledgeId ? tx`k.id = ${task.knowledgeId}` : tx`true`}
     order by k.id`;
  if (rows.some(({ isOurs }) => !isOurs)) throw new PutDown(otherSpaceSeconds);
  for (const { documentId, isOurs: _, ...knowledge } of rows)
    builds.set(documentId, [...(builds.get(documentId) ?? []), knowledge]);
  return builds;
}
