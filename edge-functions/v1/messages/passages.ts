// Owns the endpoint that explains a reply: the passages that search proposed, under the reader's own row-level security.
import { z } from "@hono/zod-openapi";
import { asCaller, type Transaction } from "../../_shared/database/db.ts";
import { routes } from "../route.ts";
import { claimsOf, json, requireRow, router } from "../router.ts";
import { readChatHead, readMessage } from "./queries.ts";
import { type ConsideredPassage, consideredPassages } from "./schema.ts";
import { requireKnowledgeReader } from "./trials.ts";

const route = routes({ tags: ["Messages"] });

/** Mounted at /v1/chats. */
export const passages = router().openapi(
  route({
    method: "get",
    path: "/{chatId}/messages/{messageId}/passages",
    summary: "Read the passages considered for a reply",
    description:
      "Every passage that search proposed, best first, with its ranks, and why it was or was not given to the model. Requires permission to read the knowledge base.",
    request: { params: z.object({ chatId: z.uuid(), messageId: z.uuid() }) },
    responses: { 200: json(consideredPassages) },
  }),
  async (c) => {
    const { chatId, messageId } = c.req.valid("param");
    const listed = await asCaller(claimsOf(c), async (tx) => {
      const { agentId } = requireRow(await readChatHead(tx, chatId));
      const { searchedFor } = requireRow(await readMessage(tx, chatId, messageId));
      await requireKnowledgeReader(tx, agentId);
      return { ...(await listPassages(tx, messageId)), searchedFor };
    });
    return c.json(listed, 200);
  },
);

async function listPassages(tx: Transaction, messageId: string) {
  const data = await tx<ConsideredPassage[]>`
    select c.id as chunk_id, c.knowledge_id, c.document_id, c.source_id, d.title, d.url, c.heading, c.page, c.content,
           p.score, p."vectorRank" as vector_rank, p."vectorScore" as vector_score, p."textRank" as text_rank,
           p."textScore" as text_score, p."index", p.dropped
      from public.reply_passages r
     cross join rows from (jsonb_to_recordset(r.candidates) as (
             "chunkId" uuid, "index" int, dropped text, score float8, "vectorRank" int, "vectorScore" float8,
             "textRank" int, "textScore" float8)) with ordinality as p
           ("chunkId", "index", dropped, score, "vectorRank", "vectorScore", "textRank", "textScore", place)
      join public.chunks c on c.id = p."chunkId"
      join public.documents d on d.id = c.document_id
     where r.message_id = ${messageId}
     order by p.place`;
  const [kept] = await tx<{ proposed: number }[]>`
    select jsonb_array_length(candidates)::int as proposed from public.reply_passages where message_id = ${messageId}`;
  return { data, gone: (kept?.proposed ?? 0) - data.length, recorded: kept !== undefined };
}
