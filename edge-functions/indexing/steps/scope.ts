// Owns which documents and indexes a task covers, and the SQL fragments that the steps share.
import type { Transaction } from "../../_shared/database/db.ts";
import { connectorTypes } from "../connectors/registry.ts";
import type { TaskScope } from "../queue.ts";

/** Part of every index's signature. Increment it when a change in parsing or chunking has to reach existing indexes. */
export const pipelineVersion = 4;

/** True when a task builds passages; loadDocuments only reads. */
export const buildsIndexes = (task: TaskScope): boolean => task.type !== "loadDocuments";

export type Fragment = ReturnType<Transaction>;

/** Condition on document d: it belongs to the task. */
export function documentsInScope(tx: Transaction, task: TaskScope): Fragment {
  if (task.documentId) return tx`d.team_id = ${task.teamId} and d.id = ${task.documentId}`;
  if (task.sourceId) return tx`d.team_id = ${task.teamId} and d.source_id = ${task.sourceId}`;
  return tx`d.team_id = ${task.teamId} and d.source_id in (
    select ks.source_id from public.knowledge_sources ks where ks.knowledge_id = ${task.knowledgeId})`;
}

/**
 * Locks the task's documents in order. Call it before writing many indexes: a worker locks a document before its indexes, and a
 * second order would deadlock.
 */
export async function lockDocuments(tx: Transaction, task: TaskScope): Promise<void> {
  await tx`select 1 from public.documents d where ${documentsInScope(tx, task)} order by d.id for no key update`;
}

/** Locks documents in order, as lockDocuments() does. An update alone locks rows as it finds them. */
export async function lockInOrder(tx: Transaction, ids: string[]): Promise<void> {
  await tx`select 1 from public.documents where id = any(${ids}::uuid[]) order by id for no key update`;
}

/** Condition on source s: its documents belong to the task. */
export function sourcesInScope(tx: Transaction, task: TaskScope): Fragment {
  return tx`s.team_id = ${task.teamId} and ${
    task.sourceId
      ? tx`s.id = ${task.sourceId}`
      : tx`s.id in (select ks.source_id from public.knowledge_sources ks where ks.knowledge_id = ${task.knowledgeId})`
  }`;
}

/** Condition on knowledge base k: the task writes its indexes. */
export function knowledgesOf(tx: Transaction, task: TaskScope): Fragment {
  return tx`k.team_id = ${task.teamId} and ${
    task.knowledgeId
      ? tx`k.id = ${task.knowledgeId}`
      : tx`k.id in (select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = ${task.sourceId})`
  }`;
}

/**
 * Locks the task's sources and then its knowledge bases, each in order, as deleting or clearing a source does. Call it after
 * locking documents.
 */
export async function lockOwners(tx: Transaction, task: TaskScope): Promise<void> {
  if (!task.documentId)
    await tx`select 1 from public.sources s where ${sourcesInScope(tx, task)} order by s.id for no key update`;
  await tx`select 1 from public.knowledges k where ${knowledgesOf(tx, task)} order by k.id for no key update`;
}

/** Condition on a knowledge base's id: any that has the document's source, or the one that the task names. */
export function knowledgeInScope(tx: Transaction, task: TaskScope, column: Fragment): Fragment {
  return task.knowledgeId ? tx`${column} = ${task.knowledgeId}` : isThere(tx, column);
}

/**
 * The indexes of document d in the task's knowledge bases, to join as `own`. Each "offset 0" keeps Postgres from another order: with
 * statistics from before a knowledge base was filled, it compares each document with each index there.
 */
export const ownIndexes = (tx: Transaction, task: TaskScope): Fragment =>
  tx`lateral (
    select x.* from (select e.knowledge_id, e.document_id from public.document_indexes e where e.document_id = d.id offset 0) x
     where ${knowledgeInScope(tx, task, tx`x.knowledge_id`)} offset 0) own`;

/** Condition on index i: it is the one joined as `own`. */
export const isOwn = (tx: Transaction): Fragment =>
  tx`i.knowledge_id = own.knowledge_id and i.document_id = own.document_id`;

/** Condition on a knowledge base's id: it was not deleted. The indexes of a large one outlive it for minutes. */
export const isThere = (tx: Transaction, column: Fragment): Fragment =>
  tx`exists (select 1 from public.knowledges o where o.id = ${column})`;

/** The language that document d is indexed in for knowledge base k: an editor's choice, the detected one, or the default of k. */
export const languageIn = (tx: Transaction): Fragment =>
  tx`coalesce(d.language, d.detected_language, k.language)`;

/** The same for rows in memory. */
export const languageOf = (
  document: { language: string | null; detectedLanguage: string | null },
  knowledge: { language: string },
): string => document.language ?? document.detectedLanguage ?? knowledge.language;

/**
 * The signature of an up-to-date index of document d in knowledge base k: SHA-256 of everything that its chunks are built from.
 * Excludes the embedding space: steps/space.ts moves a knowledge base as a whole.
 */
export function wantedSignature(tx: Transaction): Fragment {
  return tx`encode(sha256(convert_to(concat_ws(E'\\n', ${String(pipelineVersion)}::text,
    coalesce(d.content_hash, encode(sha256(convert_to(d.content, 'UTF8')), 'hex')),
    d.title, ${languageIn(tx)}, k.chunk_max_tokens::text, k.chunk_overlap_tokens::text), 'UTF8')), 'hex')`;
}

/** Condition on document d: its text has to be read from the source, for the first time or again. */
export function unread(tx: Transaction): Fragment {
  return tx`(d.type = any(${connectorTypes}::text[]) and (d.content is null or d.content_hash is null))`;
}

/** The id of the file that document d is read from; null when its external id is none. */
export const fileId = (tx: Transaction): Fragment =>
  tx`case when d.external_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then d.external_id::uuid end`;

/** The status of document d that follows from its indexes and its text. */
export function documentStatus(tx: Transaction): Fragment {
  const anyIs = (status: string) =>
    tx`exists (select 1 from public.document_indexes i
                where i.document_id = d.id and i.status = ${status} and ${isThere(tx, tx`i.knowledge_id`)})`;
  return tx`case
    when d.error is not null then 'failed'
    when ${anyIs("queued")} or ${anyIs("indexing")} then 'queued'
    when ${anyIs("failed")} then 'failed'
    when ${anyIs("stopped")} then 'stopped'
    when ${anyIs("stale")} then 'stale'
    when ${anyIs("ready")} then 'ready'
    else 'none' end`;
}
