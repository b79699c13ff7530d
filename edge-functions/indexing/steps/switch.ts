// The one moment in which a document's new chunks replace its old ones.

import type { Transaction } from "../../_shared/db.ts";
import type { Build } from "./generation.ts";
import { wantedSignature } from "./scope.ts";

/** Rows per statement: a database that answers nobody else meanwhile should not be busy for long with one. */
const rowsPerStatement = 250;

/** Within a transaction that holds the claim and the generation; every passage has its vector by then. */
export async function switchGeneration(tx: Transaction, build: Build, count: number): Promise<void> {
  const { document, knowledge, fence } = build;
  await tx`delete from public.chunks where knowledge_id = ${knowledge.id} and document_id = ${document.id}`;
  for (let from = 0; from < count; from += rowsPerStatement) {
    await tx`
        with moved as (
          insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset,
                 end_offset, page, heading, tokens, content_hash)
          select s.team_id, s.knowledge_id, ${document.sourceId}, s.document_id, s.position, s.content, s.start_offset,
                 s.end_offset, s.page, s.heading, s.tokens, s.content_hash
            from private.staged_chunks s
           where s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id} and s.fence = ${fence}
             and s.position >= ${from} and s.position < ${from + rowsPerStatement}
          returning id, team_id, knowledge_id, position, heading, content
        ), words as (
          insert into public.chunk_words (team_id, knowledge_id, chunk_id, words)
          select m.team_id, m.knowledge_id, m.id,
                 private.chunk_words(${knowledge.language}, ${document.title}, m.heading, m.content)
            from moved m)
        insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
        select s.team_id, s.knowledge_id, s.vector_id, m.id, extensions.vector_dims(s.embedding), s.embedding
          from moved m
          join private.staged_chunks s on s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id}
               and s.fence = ${fence} and s.position = m.position`;
  }
  await tx`
      with built as (
        delete from private.builds where knowledge_id = ${knowledge.id} and document_id = ${document.id}
        -- The text's own hash stands before it.
        returning right(signature, 64) as signature
      )
      update public.document_indexes i
         set signature = built.signature, chunks_count = ${count}, error = null, indexed_at = clock_timestamp(),
             -- Text or settings were changed since it was begun: it is built once more.
             status = case when built.signature = ${wantedSignature(tx)} then 'ready' else 'queued' end
        from built, public.documents d, public.knowledges k
       where i.knowledge_id = ${knowledge.id} and i.document_id = ${document.id}
         and d.id = i.document_id and k.id = i.knowledge_id`;
}
