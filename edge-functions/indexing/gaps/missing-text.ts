// Owns whether a team has a text that fits a question which its agent did not answer: in a knowledge base that the agent does not
// have, or in one of its own where search put it too low. Looks at all of the team's passages, as the service, and tells a document.
import type { Transaction } from "../../_shared/database/db.ts";
import type { Space } from "../../answering/retrieve.ts";

export type SearchedTeam = { teamId: string; knowledgeIds: string[]; spaces: Space[] };

type Search = { team: SearchedTeam; space: Space | null; isOffline: boolean };

/** From where on a passage fits: the share of the question's telling words that it holds, or its cosine. */
const fits = { words: 0.75, offline: 0.45, other: 0.6 };

/** @returns the id of the best document that the reply did not cite; null where none fits */
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

/** As Postgres reads them fastest; it compares directions. */
const wholeNumbers = (vector: Float32Array): number[] =>
  Array.from(vector, (number) => Math.round(number * 32_768));
