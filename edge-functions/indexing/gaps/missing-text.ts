// Owns the search for a text that fits an unanswered question: in a knowledge base that the agent does not have, or in its own
// where search ranked it too low. Searches all of the team's passages as the service and returns one document.
import type { Transaction } from "../../_shared/database/db.ts";
import type { Space } from "../../answering/retrieve.ts";

export type SearchedTeam = { teamId: string; knowledgeIds: string[]; spaces: Space[] };

type Search = { team: SearchedTeam; space: Space | null; isOffline: boolean };

/** Minimum score of a fitting passage: the share of the question's distinctive words that it contains, or its cosine. */
const fits = { words: 0.75, offline: 0.45, other: 0.6 };

/** @returns the id of the best document that the reply did not cite, or null */
export async function findText(
  tx: Transaction,
  { team, space, isOffline }: Search,
  { messageId, question, vector }: { messageId: string; question: string; vector: Float32Array | null },
): Promise<string | null> {
  if (team.knowledgeIds.length === 0) return null;
  const embeddings = vector && space ? [{ vectorId: space.id, embedding: wholeNumbers(vector) }] : [];
  const [row] = await tx<{ documentId: string }[]>`
    select s.document_id
      from public.search_chunks(${team.knowledgeIds}::uuid[], ${question}, ${tx.json(embeddings)}, 10, 'hybrid')
           with ordinality s
     where (s.text_score >= ${fits.words} or s.vector_score >= ${isOffline ? fits.offline : fits.other})
       and not exists (
         select 1 from public.messages m cross join jsonb_array_elements(m.citations) c
          where m.id = ${messageId} and c ->> 'documentId' = s.document_id::text)
     order by s.ordinality limit 1`;
  return row?.documentId ?? null;
}

/** Whole numbers in one text, which Postgres parses fastest; search compares directions only. */
const wholeNumbers = (vector: Float32Array): string =>
  `[${Array.from(vector, (number) => Math.round(number * 32_768)).join()}]`;
